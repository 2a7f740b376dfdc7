"""The fields that can be filtered on, each with its operators and the form of its value."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from sourcer.errors import BadInput

Scalar = str | int | bool | None
Value = str | int | bool | tuple[Scalar, ...]

ACTIVITIES = frozenset({"author", "co-author", "review", "introduced"})
SENIORITIES = (
    "student", "intern", "junior", "mid", "senior", "lead", "staff", "principal",
    "distinguished", "manager", "executive", "researcher", "faculty",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Field:
    """What one field accepts; `expects` completes the sentence 'value … is not …'."""

    ops: frozenset[str]
    accepts: Callable[[object], bool]
    expects: str


def check_filter(field: str, op: str, value: object) -> None:
    """Raise BadInput unless the three fit together.

    >>> check_filter("country", "in", ("IN", "SG"))
    >>> check_filter("country", "~", "IN")
    Traceback (most recent call last):
    sourcer.errors.BadInput: filter country: op '~' is not one of =, in
    """
    rule = FIELDS.get(field)
    if rule is None:
        raise BadInput(f"filter field {field!r} is not one of {', '.join(sorted(FIELDS))}")
    if op not in rule.ops:
        raise BadInput(f"filter {field}: op {op!r} is not one of {', '.join(sorted(rule.ops))}")
    if op == "between":
        _check_between(field, rule, value)
    elif field == "window":
        _check_intervals(value)
    elif op in ("in", "all") and field != "location":
        _check_members(field, rule, value)
    elif not (rule.accepts(value) or (field in ("path", "location") and _all(rule, value))):
        raise BadInput(f"filter {field}: value {value!r} is not {rule.expects}")


def _all(rule: Field, value: object) -> bool:
    return isinstance(value, tuple) and bool(value) and all(map(rule.accepts, value))


def _check_members(field: str, rule: Field, value: object) -> None:
    if not _all(rule, value):
        raise BadInput(f"filter {field}: value {value!r} is not a list, each {rule.expects}")


def _check_between(field: str, rule: Field, value: object) -> None:
    ends = [end for end in value if end is not None] if isinstance(value, tuple) else []
    in_order = len(ends) < 2 or str(ends[0]) <= str(ends[1])
    fits = isinstance(value, tuple) and len(value) == 2 and bool(ends)
    if not (fits and all(map(rule.accepts, ends)) and in_order):
        raise BadInput(
            f"filter {field}: value {value!r} is not [start, end] in order,"
            f" each {rule.expects} or null"
        )


def _check_intervals(value: object) -> None:
    """
    >>> _check_intervals(("2021-01-01/2021-12-31", "../2019-12-31"))
    """
    for text in value if isinstance(value, tuple) and value else (value,):
        if not (isinstance(text, str) and text.count("/") == 1):
            raise BadInput(
                f"filter window: value {value!r} is not a list of times like 2021-01-01/2021-12-31"
            )
        _check_between("window", FIELDS["window"], ends(text))


def interval(start: str | None, end: str | None) -> str:
    """A time in one text, as ISO 8601 writes it.

    >>> interval("2021-01-01", "2021-12-31"), interval(None, "2023-12-31")
    ('2021-01-01/2021-12-31', '../2023-12-31')
    """
    return f"{start or OPEN}/{end or OPEN}"


def ends(text: str) -> tuple[str | None, str | None]:
    """
    >>> ends("../2023-12-31")
    (None, '2023-12-31')
    """
    first, _, last = text.partition("/")
    return (None if first == OPEN else first, None if last == OPEN else last)


OPEN = ".."


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_date(value: object) -> bool:
    if not (isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", value)):
        return False
    try:
        date.fromisoformat(value)
    except ValueError:
        return False
    return True


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)


def _is_country(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch("[A-Z]{2}", value) is not None


def _is_admin1(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch("[A-Z]{2}-[A-Z0-9]{1,3}", value) is not None


def _one_of(names: frozenset[str]) -> Callable[[object], bool]:
    return lambda value: value in names


_IS = frozenset({"="})
_LIST = frozenset({"=", "in"})
_ORDER = frozenset({"=", "<", "<=", ">", ">="})
_TEXT = Field(_LIST, _is_text, "text that is not blank")
_COUNT = Field(_ORDER, _is_count, "a whole number, 0 or more")
_MOMENT = Field(_ORDER | {"between"}, _is_date, "a date like 2025-06-15")
_FLAG = Field(_IS, _is_flag, "true or false")
_SENIORITY = frozenset(SENIORITIES)

FIELDS: dict[str, Field] = {
    "repo": Field(_LIST | {"all"}, _is_text, "the name of a repository"),
    "path": Field(frozenset({"under", "glob"}), _is_text, "a path or a list of paths"),
    "language": _TEXT,
    "activity": Field(_LIST, _one_of(ACTIVITIES), "one of " + ", ".join(sorted(ACTIVITIES))),
    "window": Field(frozenset({"between", "in"}), _is_date, "a date like 2025-06-15"),
    "first_commit": _MOMENT,
    "last_commit": _MOMENT,
    "commits": _COUNT,
    "merged_prs": _COUNT,
    "reviews": _COUNT,
    "country": Field(_LIST, _is_country, "an ISO 3166 code like DE"),
    "admin1": Field(_LIST, _is_admin1, "an ISO 3166-2 code like US-MA"),
    "city": _TEXT,
    "region": _TEXT,
    "location": Field(frozenset({"in"}), _is_text, "a metropolitan area like US-CA:SF Bay Area"),
    "timezone": Field(_LIST, _is_text, "an offset like UTC+8"),
    "company": _TEXT,
    "past_company": _TEXT,
    "affiliation": Field(_LIST, _is_text, "university, industry or independent"),
    "seniority": Field(_ORDER | {"in"}, _one_of(_SENIORITY), "one of " + ", ".join(SENIORITIES)),
    "hireable": _FLAG,
    "bot": _FLAG,
    "has_linkedin": _FLAG,
    "similar_to": Field(_LIST, _is_text, "a login"),
    "phrase": Field(_LIST, _is_text, "words to be found as they stand"),
    "pull": Field(_LIST, _is_count, "the number of a pull request"),
    "limit": Field(_IS, _is_count, "a whole number, 0 or more"),
}
