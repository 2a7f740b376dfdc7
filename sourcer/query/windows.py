"""Time phrases: which days the words mean, seen from a given today.

A window is a relation over periods ("since", "between … and …"), a count back from today ("in the
last 6 weeks") or a period by itself ("Q3 2025").

>>> from sourcer.query.tokens import tokenise
>>> words = [token.norm for token in tokenise("between March and May 2025")]
>>> window_at(words, 0, date(2026, 6, 15))
(Window(start=datetime.date(2025, 3, 1), end=datetime.date(2025, 5, 31)), 5)
"""

from dataclasses import dataclass
from datetime import date

from sourcer.query.calendar_periods import DAY, Period, back
from sourcer.query.periods import is_full_date, may_begin_period, period_at
from sourcer.query.time_words import Words, number_at, phrases, said, skip_any, unit_at, years_of
from sourcer.query.year_parts import is_of_year


@dataclass(frozen=True, slots=True)
class Window:
    """First and last day, either of which may be open."""

    start: date | None
    end: date | None

    def value(self) -> tuple[str | None, str | None]:
        start = self.start.isoformat() if self.start else None
        return (start, self.end.isoformat() if self.end else None)


Found = tuple[Window, int]

_LEADS, _ARTICLES, _LAST = said("leads"), said("articles"), said("last")
_SINCE, _AFTER, _BEFORE, _UNTIL = said("since"), said("after"), said("before"), said("until")
_TO, _ONWARDS, _EARLIER = said("to"), said("onwards"), said("earlier")
_AFTER_SUFFIX, _BEFORE_SUFFIX = said("after_suffix"), said("before_suffix")
_INSIDE_SUFFIX, _BETWEEN = said("inside_suffix"), said("between")
_MORE_THAN, _LESS_THAN, _WITHIN = said("more_than"), said("less_than"), said("within")
_CHINESE = said("rolling_chinese")


def window_at(words: Words, i: int, today: date) -> Found | None:
    """The window that begins at word i, and the word after it."""
    if words[i] not in _OPENING and not may_begin_period(words[i]) and number_at(words, i) is None:
        return None
    for read in (_rolling, _ago, _between, _related, _plain):
        found = read(words, i, today)
        if found and _is_in_order(found[0]):
            return found
    return None


_OPENING = frozenset[str]().union(
    _LEADS,
    _LAST,
    _SINCE,
    _AFTER,
    _BEFORE,
    _UNTIL,
    _BETWEEN,
    _MORE_THAN,
    _LESS_THAN,
    _WITHIN,
    _CHINESE,
)


def _is_in_order(window: Window) -> bool:
    return window.start is None or window.end is None or window.start <= window.end


def _rolling(words: Words, i: int, today: date) -> Found | None:
    """in the last 12 months; past year; 过去12个月. 'last year' is the calendar's, not this."""
    chinese = skip_any(words, i, _CHINESE)
    if chinese > i:
        return count_back(words, chinese, today, chinese=True)
    j = skip_any(words, skip_any(words, i, _SINCE), _LEADS)
    k = skip_any(words, j, _ARTICLES)
    after_last = skip_any(words, k, _LAST)
    if after_last == k:
        return _within(words, i, today)
    word = words[k]
    counted = count_back(words, after_last, today)
    if counted is None or is_of_year(words, counted[1]):
        return None
    has_count = number_at(words, after_last) is not None
    calendar = word not in ("past", "trailing", "preceding", "recent") and k == j and not has_count
    return None if calendar or (word == "letzten" and not has_count) else counted


def _within(words: Words, i: int, today: date) -> Found | None:
    """within 6 months; within a year"""
    j = skip_any(words, i, _WITHIN)
    return count_back(words, j, today) if j > i and number_at(words, j) else None


def count_back(words: Words, i: int, today: date, chinese: bool = False) -> Found | None:
    number = number_at(words, i)
    count, j = number or (1, i)
    half = skip_any(words, j, phrases("half a", "half", "半"))
    unit = unit_at(words, half if half > j else j)
    if unit is None or (chinese and number is None and half == j):
        return None
    name, k = unit
    if half > j:
        name, k = ("half", k) if name == "year" else ("fortnight", k)
    more = skip_any(words, k, phrases("and a half", "and half"))
    start = back(today, 18, "month") if more > k and name == "year" else back(today, count, name)
    k = skip_any(words, skip_any(words, more, phrases("or so", "以 来")), _INSIDE_SUFFIX)
    return Window(start, today), k


def _ago(words: Words, i: int, today: date) -> Found | None:
    """24 months or more ago; over a year ago; since 6 months ago; less than 3 months ago"""
    since = skip_any(words, i, _SINCE)
    before = skip_any(words, i, _MORE_THAN)
    after = skip_any(words, i, _LESS_THAN)
    j = max(since, before, after)
    number = number_at(words, j)
    counted = skip_any(words, number[1], said("or_more")) if number else j
    unit = unit_at(words, counted)
    if number is None or unit is None:
        return None
    before = counted if counted > number[1] else before
    k = skip_any(words, unit[1], said("or_more"))
    last = skip_any(words, k, said("ago"))
    day = back(today, number[0], unit[0])
    if last == k:
        return None
    tail = skip_any(words, last, said("or_more"))
    k, last = (tail, tail) if tail > last else (k, last)
    if since > i or after > i:
        return Window(day, today), last
    return (Window(None, day), last) if before > i or k > unit[1] else None


def _between(words: Words, i: int, today: date) -> Found | None:
    """between A and B; from A to B; A - B; since A until B"""
    opened = max(skip_any(words, i, _BETWEEN), skip_any(words, i, _LEADS))
    one = period_at(words, skip_any(words, opened, _ARTICLES), today)
    if one is None or (one[0].yearless and opened == i and not _has_year_ahead(words, one[1])):
        return None
    joint = skip_any(words, one[1], _TO)
    if joint == one[1] or (
        words[one[1]] in ("and", "und") and words[i] not in ("between", "zwischen")
    ):
        return _touching_pair(words, i, one, today)
    two = period_at(words, skip_any(words, joint, _ARTICLES), today)
    if two is None:
        return None
    last = skip_any(words, two[1], _INSIDE_SUFFIX) if two[1] < len(words) else two[1]
    return Window(*_ends(one[0], two[0])), last


def _touching_pair(words: Words, i: int, one: tuple[Period, int], today: date) -> Found | None:
    """in 2023 and 2024; in November and December 2025: both of two that touch"""
    joint = skip_any(words, one[1], phrases("and", "und", "or", "oder"))
    two = period_at(words, joint, today) if joint > one[1] and words[i] == "in" else None
    if two is None:
        return None
    first, second = _in_one_year(one[0], two[0])
    touching = second.start == first.end + DAY
    return (Window(first.start, second.end), two[1]) if touching else None


def _has_year_ahead(words: Words, i: int) -> bool:
    return any(years_of(words, k) is not None for k in range(i + 1, min(i + 4, len(words))))


def _ends(one: Period, two: Period) -> tuple[date, date]:
    one, two = _in_one_year(one, two)
    return one.start, two.end


def _in_one_year(one: Period, two: Period) -> tuple[Period, Period]:
    """Two periods in their order, the one without a year by the year of the other."""
    if one.yearless and not two.yearless:
        one = one.in_year(two.end.year)
        one = one.in_year(two.end.year - 1) if one.start > two.end else one
    elif two.yearless and not one.yearless:
        two = two.in_year(one.start.year)
        two = two.in_year(one.start.year + 1) if two.end < one.start else two
    elif one.yearless and one.start > two.end:
        one = one.in_year(one.start.year - 1)
    return one, two


def _related(words: Words, i: int, today: date) -> Found | None:
    """since A; after A; before A; until A; in A; from A onwards; 2025年以来"""
    for relation, leads in (
        (_since, _SINCE), (_after, _AFTER), (_before, _BEFORE), (_until, _UNTIL), (_inside, _LEADS),
    ):  # fmt: skip
        j = skip_any(words, i, leads)
        named = skip_any(words, skip_any(words, j, phrases("-")), _ARTICLES)
        found = period_at(words, named, today) if j > i else None
        if found and words[i] == "for" and found[0].yearless:
            return None  # 'looking for march madness'
        if found:
            return _suffixed(words, found, today) or (relation(found[0], today), found[1])
    return None


def _since(period: Period, today: date) -> Window:
    return Window(period.start, today)


def _after(period: Period, today: date) -> Window:
    return Window(period.end + DAY, today)


def _before(period: Period, _today: date) -> Window:
    return Window(None, period.start - DAY)


def _until(period: Period, _today: date) -> Window:
    return Window(None, period.end)


def _inside(period: Period, _today: date) -> Window:
    return Window(period.start, period.end)


def _suffixed(words: Words, found: tuple[Period, int], today: date) -> Found | None:
    period, i = found
    for relation, tails in (
        (_since, _ONWARDS),
        (_until, _EARLIER),
        (_after, _AFTER_SUFFIX),
        (_before, _BEFORE_SUFFIX),
        (_inside, _INSIDE_SUFFIX),
    ):
        last = skip_any(words, i, tails)
        if last > i and period_at(words, skip_any(words, last, _ARTICLES), today):
            continue  # 'before 2024 or after 2025': the next period is what follows 'after'
        if last > i and not (words[i] == "on" and words[last : last + 1] not in ([], [","], ["."])):
            return relation(period, today), last
    return None


def _plain(words: Words, i: int, today: date) -> Found | None:
    """2024; Q3 2025; last year; yesterday. A bare month is too often a verb."""
    found = period_at(words, i, today)
    if found is None or (found[0].yearless and not is_full_date(words, i, found[1])):
        return None
    return _suffixed(words, found, today) or (_inside(found[0], today), found[1])
