"""A query as chips: what each says, what can be done with it, and what a click does."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from api.pages.words import Words
from sourcer import companies
from sourcer.errors import BadInput
from sourcer.query import Filter, Mode, Query, Topic
from sourcer.query.fields import FIELDS, Scalar, Value, ends
from sourcer.topics import Taxonomy

SINGLE = frozenset({"limit", "bot", "similar_to", "activity"})
"""Fields that are no condition: a wish or a "not" of them says nothing."""
ADDABLE = (
    "topic", "repo", "country", "city", "company", "past_company", "seniority", "hireable",
    "language", "path", "window", "last_commit", "commits", "reviews", "activity", "phrase",
)  # fmt: skip
USUAL_OP: Mapping[str, str] = {
    "seniority": ">=", "commits": ">=", "merged_prs": ">=", "reviews": ">=", "last_commit": ">=",
    "first_commit": ">=", "path": "under", "window": "between", "location": "in",
}  # fmt: skip
Part = Filter | Topic


@dataclass(frozen=True, slots=True)
class Chip:
    """One part of the query on the page."""

    key: str
    """t0, f3: which part it is."""
    label: str
    kind: str
    """must, should or not: how it is drawn and what a screen reader says."""
    value: str
    """What can be typed over; empty where there is nothing to type."""
    can_bend: bool
    said: str
    """The question's own words; empty for one added by hand."""


def chips(query: Query, taxonomy: Taxonomy, words: Words) -> tuple[Chip, ...]:
    """In the order of the question; those added by hand last."""
    parts = sorted(keyed(query).items(), key=lambda pair: _at(query, pair[1]))
    return tuple(_chip(query, key, part, taxonomy, words) for key, part in parts)


def keyed(query: Query) -> dict[str, Part]:
    topics: dict[str, Part] = {f"t{row}": part for row, part in enumerate(query.topics)}
    return topics | {f"f{row}": part for row, part in enumerate(query.filters)}


def kind_of(part: Part) -> str:
    if part.negated:
        return "not"
    return part.mode.value


def changed(query: Query, key: str, change: Callable[[Part], Part | None]) -> Query:
    """The query with one part changed, or left out where the change gives None."""
    parts = keyed(query)
    if key not in parts:
        raise BadInput("that part of the question is not there any more")
    made = {each: part for each, part in parts.items() if each != key}
    if (new := change(parts[key])) is not None:
        made = {each: new if each == key else part for each, part in parts.items()}
    return replace(
        query,
        topics=tuple(part for part in made.values() if isinstance(part, Topic)),
        filters=tuple(part for part in made.values() if isinstance(part, Filter)),
    )


def acted(query: Query, do: str, params: Mapping[str, str], taxonomy: Taxonomy) -> Query:
    """What a button of the chips' form asks for, such as "not:f2" or "add:".

    >>> q = Query("", filters=(Filter("country", "=", "PL"),))
    >>> acted(q, "not:f0", {}, Taxonomy(())).filters[0].negated
    True
    """
    action, _, key = do.partition(":")
    if action in ("must", "should", "not"):
        bent = {"negated": action == "not", "mode": Mode("must" if action == "not" else action)}
        return changed(query, key, lambda part: replace(part, **bent))  # type: ignore[arg-type]
    if action == "drop":
        return changed(query, key, lambda _: None)
    if action == "set":
        text = params.get(f"value.{key}", "")
        return changed(query, key, lambda part: _revalued(part, text, taxonomy))
    if action == "add":
        new = made(params.get("field", ""), params.get("value", ""), taxonomy)
        if isinstance(new, Topic):
            return replace(query, topics=(*query.topics, new))
        return replace(query, filters=(*query.filters, new))
    if action == "meaning":
        return replace(query, semantic=params.get("semantic", "").strip())
    raise BadInput(f"{do!r} is nothing that can be done to a question")


def made(field: str, text: str, taxonomy: Taxonomy) -> Part:
    """A part added by hand.

    >>> made("commits", "20", Taxonomy(())).json()["op"]
    '>='
    """
    if field == "topic":
        return Topic(_topic(text, taxonomy))
    value = read_value(field, text)
    op = USUAL_OP.get(field, "in" if isinstance(value, tuple) else "=")
    op = "in" if field == "window" and "/" in text else op
    return Filter(field, op, value)


def read_value(field: str, text: str) -> Value:
    """A value as typed: lists by comma, a time as "2025-01-01 to 2025-06-30", yes and no.

    >>> read_value("repo", "vllm, sglang"), read_value("window", "2025-01-01 to")
    (('vllm', 'sglang'), ('2025-01-01', None))
    >>> read_value("window", "2021-01-01/2021-12-31, 2024-01-01/..")
    ('2021-01-01/2021-12-31', '2024-01-01/..')
    """
    text = text.strip()
    if field == "window" and "/" in text:
        return tuple(one.strip() for one in text.split(","))
    if field in ("hireable", "bot", "has_linkedin"):
        return text.casefold() in ("", "yes", "true", "1")
    if field in ("commits", "merged_prs", "reviews", "limit", "pull"):
        return int(text) if text.isdecimal() else text
    if " to" in f"{text} " and FIELDS.get(field) and "between" in FIELDS[field].ops:
        first, _, last = f"{text} ".partition(" to")
        return (first.strip() or None, last.strip() or None)
    if field in ("country", "admin1"):
        text = text.upper()
    several = tuple(one.strip() for one in re.split(r",(?!\S)|\bor\b", text) if one.strip())
    return several if len(several) > 1 else text


def typed(value: Value) -> str:
    """The other way round.

    >>> typed(("2025-01-01", None)), typed(("vllm", "sglang")), typed(True)
    ('2025-01-01 to', 'vllm, sglang', 'yes')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        if None in value:
            return " to ".join(str(one or "") for one in value).strip()
        return ", ".join(str(one) for one in value)
    return str(value)


def label(part: Part, taxonomy: Taxonomy, words: Words) -> str:
    """What a chip says, without must, should or not."""
    if isinstance(part, Topic):
        return taxonomy[part.id].name if part.id in _ids(taxonomy) else part.id
    if part.field == "hireable":
        return words("filter.open" if part.value is True else "filter.not-open")
    key = f"filter.{part.field}"
    if not words.has(key):
        key = "filter.other"
    return words(key, value=_value(part, words), field=part.field.replace("_", " "))


def _value(part: Filter, words: Words) -> str:
    value = part.value
    if part.op == "between" and isinstance(value, tuple):
        return _time(*value, words=words)
    if part.field == "window" and isinstance(value, tuple):
        return words.either([_time(*ends(str(one)), words=words) for one in value])
    several = value if isinstance(value, tuple) else (value,)
    shown = [_shown(part.field, str(one), words) for one in several]
    said = words.all_of(shown) if part.op == "all" else words.either(shown)
    if part.field == "seniority" and part.op == ">=":
        return words("filter.or-above", value=said)
    key = {">=": "at-least", "<=": "at-most", ">": "more-than", "<": "less-than"}.get(part.op)
    return words(f"filter.{key}", value=said) if key else said


def _shown(field: str, value: str, words: Words) -> str:
    """A country or company by its name, not by its key."""
    if field == "country":
        return words.territory(value)
    company = companies.find(value) if field in ("company", "past_company", "affiliation") else None
    return company.shown if company else value


def _time(start: Scalar, end: Scalar, *, words: Words) -> str:
    first, last = (None if each is None else words.day(str(each)) for each in (start, end))
    if first and last:
        return words("filter.between", first=first, last=last)
    return words("filter.from" if first else "filter.until", moment=first or last or "")


def _chip(query: Query, key: str, part: Part, taxonomy: Taxonomy, words: Words) -> Chip:
    name = label(part, taxonomy, words)
    return Chip(
        key=key,
        label=name,
        kind=kind_of(part),
        value=_typed_part(part, name),
        can_bend=isinstance(part, Topic) or part.field not in SINGLE,
        said="" if part.span is None else query.text[slice(*part.span)],
    )


def _typed_part(part: Part, name: str) -> str:
    if isinstance(part, Topic):
        return name
    if part.op == "between" and isinstance(part.value, tuple):
        return " to ".join(str(one or "") for one in part.value).strip()
    return typed(part.value)


def _revalued(part: Part, text: str, taxonomy: Taxonomy) -> Part:
    """Another value is not what the question's words say: the chip keeps no span."""
    if isinstance(part, Topic):
        return replace(part, id=_topic(text, taxonomy), span=None)
    value = read_value(part.field, text)
    op = part.op
    if part.field == "window":
        op = "in" if "/" in text else "between"
    elif op in ("=", "in"):
        op = "in" if isinstance(value, tuple) or part.field == "location" else "="
    return replace(part, op=op, value=value, span=None)


def _topic(text: str, taxonomy: Taxonomy) -> str:
    said = text.strip().casefold()
    for topic in taxonomy.topics:
        if said in (topic.id, topic.name.casefold(), *(word.casefold() for word in topic.words)):
            return topic.id
    raise BadInput(f"no topic is called {text!r}. Take one of the list, or say it in the question")


def _ids(taxonomy: Taxonomy) -> frozenset[str]:
    return frozenset(topic.id for topic in taxonomy.topics)


def _at(query: Query, part: Part) -> int:
    return len(query.text) + 1 if part.span is None else part.span[0]


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of the question's text and how it was read; kind "" for words that only frame."""

    text: str
    kind: str
    says: str = ""


def stretches(query: Query, taxonomy: Taxonomy, words: Words) -> Sequence[Stretch]:
    """The whole question, cut where the reading changes; the first reading of a letter counts."""
    kinds: list[tuple[str, str]] = [("", "")] * len(query.text)
    for (start, end), kind, says in _readings(query, taxonomy, words):
        for at in range(start, end):
            if not kinds[at][0]:
                kinds[at] = (kind, says)
    found: list[Stretch] = []
    for letter, (kind, says) in zip(query.text, kinds, strict=True):
        if found and (found[-1].kind, found[-1].says) == (kind, says):
            found[-1] = replace(found[-1], text=found[-1].text + letter)
        else:
            found.append(Stretch(letter, kind, says))
    return found


def _readings(
    query: Query, taxonomy: Taxonomy, words: Words
) -> Iterable[tuple[tuple[int, int], str, str]]:
    for refusal in query.refused:
        yield refusal.span, "refused", words("chips.refused-word", trait=words.told(refusal.trait))
    parts: tuple[Part, ...] = (*query.topics, *query.filters)
    for part in parts:
        if part.span is not None:
            name = label(part, taxonomy, words)
            yield part.span, kind_of(part), words(f"chips.{kind_of(part)}-word", label=name)
    for rest in query.leftover:
        yield rest.span, "leftover", words.told(rest.why)
