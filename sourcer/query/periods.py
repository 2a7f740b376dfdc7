"""The words for a stretch of the calendar: years, quarters, months, seasons, days, 'last month'.

>>> period_at(["last", "march"], 0, date(2026, 6, 15))
(Period(start=datetime.date(2026, 3, 1), end=datetime.date(2026, 3, 31), yearless=True), 2)
"""

import re
from datetime import date

from sourcer.query.calendar_periods import (
    Period,
    back,
    calendar_unit,
    latest,
    month,
    months_from,
)  # fmt: skip
from sourcer.query.time_words import (
    Found,
    Words,
    keys_of,
    phrases,
    skip_any,
    unit_at,
    years_of,
)
from sourcer.query.year_parts import LAST, ORDINALS, THIS, is_of_year, part_of_year, year_after

_MONTHS = {word: int(number) for word, number in keys_of("months").items()}
_SEASONS = {word: int(number) for word, number in keys_of("seasons").items()}
_THIRDS = {phrase: int(which) for phrase, which in keys_of("thirds").items()}


def is_full_date(words: Words, first: int, last: int) -> bool:
    """Whether a yearless period was said so plainly that it needs no preposition."""
    return words[first] in ("last", "this", "上", "本", "q1", "q2", "q3", "q4") or (
        last - first >= 2 and any(word in _MONTHS for word in words[first:last])
        and any(re.fullmatch(r"\d{1,2}(?:st|nd|rd|th)?", word) for word in words[first:last])
    )  # fmt: skip


def may_begin_period(word: str) -> bool:
    """Whether a period can begin with a word; asked first because most words cannot."""
    return word in _OPENING or word[:1].isdigit() or word in ("'", "’")


def period_at(words: Words, i: int, today: date) -> Found | None:
    """The stretch of the calendar that begins at word i, and the word after it."""
    if i >= len(words) or not may_begin_period(words[i]):
        return None
    for read in (_third, _relative, _iso, part_of_year, _dated, _month_only, _season):
        found = read(words, i, today)
        if found:
            return found
    return years_of(words, i)


_OPENING = (
    frozenset(
        {
            "the",
            "yesterday",
            "today",
            "gestern",
            "heute",
            "昨",
            "year",
            "ytd",
            "q1",
            "q2",
            "q3",
            "q4",
            "h1",
            "h2",
            "final",
            "closing",
            "latter",
        }
    )
    | {*_MONTHS, *_SEASONS, *ORDINALS, *THIS, *LAST}
    | {phrase.split()[0] for phrase in _THIRDS}
)


def _third(words: Words, i: int, today: date) -> Found | None:
    j = skip_any(words, i, phrases("the"))
    for phrase, which in _THIRDS.items():
        k = skip_any(words, j, phrases(phrase))
        named = skip_any(words, k, phrases("-", "the"))
        inner = period_at(words, named, today) if k > j else None
        if k > j and inner is None:
            inner = _running(words, named, today)
        if inner:
            whole = (inner[0].end - inner[0].start).days > 300
            chosen = inner[0].third(which)
            if phrase.endswith("of") and whole and which == 2:
                chosen = Period(month(chosen.end.year, 12).start, chosen.end)
            return chosen, inner[1]
    return None


def _running(words: Words, i: int, today: date) -> Found | None:
    """The year, month or week that today is in: 'the start of the month'."""
    unit = unit_at(words, i)
    period = calendar_unit(today, unit[0], 0) if unit else None
    return (period, unit[1]) if period and unit else None


def _relative(words: Words, i: int, today: date) -> Found | None:
    """this year, last quarter, last march, yesterday"""
    for word, ago in (
        ("yesterday", 1),
        ("today", 0),
        ("gestern", 1),
        ("heute", 0),
        ("昨 天", 1),
        ("今 天", 0),
    ):
        if (j := skip_any(words, i, phrases(word))) > i:
            day = back(today, ago, "day")
            return Period(day, day), j
    if skip_any(words, i, phrases("year to date", "ytd")) > i:
        return Period(date(today.year, 1, 1), today), skip_any(
            words, i, phrases("year to date", "ytd")
        )
    for ago, leads in ((0, THIS), (1, LAST)):
        j = skip_any(words, i, leads)
        if j > i and (found := _this_or_last(words, j, today, ago)):
            return found
    return None


def _this_or_last(words: Words, i: int, today: date, ago: int) -> Found | None:
    named = _month_only(words, i, today) or _season(words, i, today)
    if named:
        return (_before_now(named[0], today) if ago else named[0]), named[1]
    unit = unit_at(words, i)
    period = calendar_unit(today, unit[0], ago) if unit else None
    if period is None or unit is None or is_of_year(words, unit[1]):
        return None
    return (Period(period.start, min(period.end, today)) if ago == 0 else period), unit[1]


def _before_now(period: Period, today: date) -> Period:
    """The 'last' summer is over: said in summer it is the one before."""
    is_now = period.yearless and period.start <= today <= period.end
    return period.in_year(period.start.year - 1) if is_now else period


def _iso(words: Words, i: int, _today: date) -> Found | None:
    whole = re.fullmatch(r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})", words[i])
    if whole:
        return _day(int(whole[1]), int(whole[2]), int(whole[3]), i + 1)
    german = re.fullmatch(r"(\d{1,2})\.(\d{1,2})\.(\d{4})", words[i])
    if german:
        return _day(int(german[3]), int(german[2]), int(german[1]), i + 1)
    if re.fullmatch(r"20\d\d", words[i]) and skip_any(words, i + 1, phrases("-", "/")) > i + 1:
        number = "".join(words[i + 2 : i + 3])
        if re.fullmatch(r"0[1-9]|1[0-2]", number):
            return month(int(words[i]), int(number)), i + 3
    return None


def _day(year: int, month_: int, day: int, last: int, yearless: bool = False) -> Found | None:
    try:
        when = date(year, month_, day)
    except ValueError:
        return None
    return Period(when, when, yearless), last


def _dated(words: Words, i: int, today: date) -> Found | None:
    """3 May, 3rd of May 2025, May 3, 2025, 2025年3月1日"""
    year = years_of(words, i)
    j = year[1] if year else i
    day_first = _ordinal_day(words, j)
    if day_first and (
        number := _month_number(words, skip_any(words, day_first[1], phrases("of", ".")))
    ):
        return _with_year(words, number[0], day_first[0], number[1], today)
    number = _month_number(words, j)
    day_last = _ordinal_day(words, number[1]) if number else None
    if number is None or day_last is None:
        return None
    if year:
        return _day(
            year[0].start.year,
            number[0],
            day_last[0],
            skip_any(words, day_last[1], phrases("日", "号")),
        )
    return _with_year(words, number[0], day_last[0], day_last[1], today)


def _with_year(words: Words, number: int, day: int, last: int, today: date) -> Found | None:
    year = year_after(words, last, today)
    if year:
        return _day(year[0].start.year, number, day, year[1])
    this = _day(today.year, number, day, last, yearless=True)
    return (latest(this[0], today), last) if this else None


def _ordinal_day(words: Words, i: int) -> tuple[int, int] | None:
    found = re.fullmatch(r"(\d{1,2})(?:st|nd|rd|th)?", words[i]) if i < len(words) else None
    return (int(found[1]), i + 1) if found and 1 <= int(found[1]) <= 31 else None


def _month_number(words: Words, i: int) -> tuple[int, int] | None:
    if i < len(words) and words[i] in _MONTHS:
        return _MONTHS[words[i]], skip_any(words, i + 1, phrases(".")) if words[
            i
        ] != "may" else i + 1
    if i + 1 < len(words) and re.fullmatch(r"1[0-2]|[1-9]", words[i]) and words[i + 1] in ("月",):
        return int(words[i]), i + 2
    return None


def _month_only(words: Words, i: int, today: date) -> Found | None:
    """March, March 2025, March of 2025, 2025年3月, 03/2025"""
    year = years_of(words, i)
    number = _month_number(words, year[1] if year and words[i + 1 : i + 2] == ["年"] else i)
    if number is None:
        return _numeric_month(words, i)
    if year:
        return month(year[0].start.year, number[0]), number[1]
    following = year_after(words, number[1], today)
    if following:
        return month(following[0].start.year, number[0]), following[1]
    return latest(month(today.year, number[0]), today), number[1]


def _numeric_month(words: Words, i: int) -> Found | None:
    number = "".join(words[i : i + 1])
    if re.fullmatch(r"0?[1-9]|1[0-2]", number) and words[i + 1 : i + 2] == ["/"]:
        year = years_of(words, i + 2)
        return (month(year[0].start.year, int(number)), year[1]) if year else None
    return None


def _season(words: Words, i: int, today: date) -> Found | None:
    """Northern: summer 2025 is June to August; winter 2025 begins in December 2025."""
    j = skip_any(words, i, phrases("the"))
    first = _SEASONS.get(words[j]) if j < len(words) else None
    if first is None:
        return None
    year = years_of(words, skip_any(words, j + 1, phrases("of", ",")))
    if year:
        return months_from(year[0].start.year, first, 3), year[1]
    if words[j] == "fall":
        return None
    return latest(months_from(today.year, first, 3), today), j + 1
