"""The words for a stretch of the calendar: years, quarters, months, seasons, days, 'last month'.

>>> period_at(["last", "march"], 0, date(2026, 6, 15))
(Period(start=datetime.date(2026, 3, 1), end=datetime.date(2026, 3, 31), yearless=True), 2)
"""

import re
from collections.abc import Sequence
from datetime import date
from functools import cache

from sourcer.query.calendar_periods import (
    Period, calendar_unit, half, latest, month, months_from, quarter, whole_year,
)  # fmt: skip
from sourcer.query.lexicons import word_entries
from sourcer.query.tokens import tokenise

Words = Sequence[str]
Found = tuple[Period, int]

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar", "february feb februar", "march mar marz", "april apr", "may mai",
            "june jun juni", "july jul juli", "august aug", "september sep sept", "october oct oktober okt",
            "november nov", "december dec dezember dez",
        ),
        1,
    )
    for name in names.split()
}  # fmt: skip
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12, "fruhling": 3, "sommer": 6, "herbst": 9}
_UNITS = {
    "day": "day days d tag tage tagen 天 日", "week": "week weeks w wk wks woche wochen 周",
    "fortnight": "fortnight fortnights", "month": "month months mo mos mth mths monat monate monaten 月",
    "quarter": "quarter quarters quartal quartale quartalen", "half": "halbjahr",
    "year": "year years yr yrs y jahr jahre jahren 年", "decade": "decade decades",
}  # fmt: skip
_UNIT_OF = {word: unit for unit, words in _UNITS.items() for word in words.split()}
_ORDINALS = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4}
_THIRDS = {"early": 0, "beginning of": 0, "start of": 0, "anfang": 0, "mid": 1, "middle of": 1, "mitte": 1, "late": 2, "end of": 2, "ende": 2}  # fmt: skip
_THIS = ("this", "the current", "current", "dieses", "diesem", "diesen", "这 个", "本", "今")
_LAST = ("last", "previous", "the previous", "prior", "letztes", "letzten", "letzter", "letztem", "vergangenes", "上 个", "上", "去")  # fmt: skip


def skip_any(words: Words, i: int, phrases: Sequence[str]) -> int:
    """The word after the longest of the phrases that stands at i; i where none does."""
    best = i
    for phrase in phrases:
        parts = phrase.split()
        if i + len(parts) > best and list(words[i : i + len(parts)]) == parts:
            best = i + len(parts)
    return best


@cache
def _number_words() -> dict[tuple[str, ...], int]:
    numbers = {
        tuple(token.norm for token in tokenise(entry.words)): int(entry.value)
        for entry in word_entries()
        if entry.kind == "number"
    }
    return numbers | {("a",): 1, ("an",): 1, ("einem",): 1, ("einer",): 1}


def number_at(words: Words, i: int) -> tuple[int, int] | None:
    """A count in digits or words, and the word after it."""
    if i < len(words) and re.fullmatch(r"\d{1,6}", words[i]):
        return int(words[i]), i + 1
    if i < len(words) and (glued := re.fullmatch(r"(\d{1,4})([a-z]+)", words[i])):
        return (int(glued[1]), i) if glued[2] in _UNIT_OF else None
    for size in (4, 3, 2, 1):
        count = _number_words().get(tuple(words[i : i + size]))
        if count is not None and len(words[i : i + size]) == size:
            return count, i + size
    return None


def unit_at(words: Words, i: int) -> tuple[str, int] | None:
    """day, week, month …, and the word after it; the unit of '90d' stands in the number itself."""
    i = skip_any(words, i, ("个", "calendar", "full", "-"))
    if i >= len(words):
        return None
    if words[i : i + 2] == ["星", "期"] or words[i : i + 2] == ["季", "度"]:
        return ("week" if words[i] == "星" else "quarter"), i + 2
    glued = re.fullmatch(r"\d{1,4}([a-z]+)", words[i])
    unit = _UNIT_OF.get(glued[1] if glued else words[i])
    return (unit, i + 1) if unit else None


def years_of(words: Words, i: int) -> Found | None:
    """A year: 2025, 2025年, '25."""
    if i < len(words) and re.fullmatch(r"20\d\d", words[i]):
        return whole_year(int(words[i])), skip_any(words, i + 1, ("年 度", "年"))
    if words[i : i + 1] in (["'"], ["’"]) and re.fullmatch(r"[12]\d", "".join(words[i + 1 : i + 2])):
        return whole_year(2000 + int(words[i + 1])), i + 2
    return None


def is_full_date(words: Words, first: int, last: int) -> bool:
    """Whether a yearless period was said so plainly that it needs no preposition."""
    return words[first] in ("last", "this", "上", "本", "q1", "q2", "q3", "q4") or (
        last - first >= 2 and any(word in _MONTHS for word in words[first:last])
        and any(re.fullmatch(r"\d{1,2}(?:st|nd|rd|th)?", word) for word in words[first:last])
    )  # fmt: skip


def period_at(words: Words, i: int, today: date) -> Found | None:
    """The stretch of the calendar that begins at word i, and the word after it."""
    if i >= len(words):
        return None
    for read in (_third, _relative, _iso, _part_of_year, _dated, _month_only, _season):
        found = read(words, i, today)
        if found:
            return found
    return years_of(words, i)


def _third(words: Words, i: int, today: date) -> Found | None:
    j = skip_any(words, i, ("the",))
    for phrase, which in _THIRDS.items():
        k = skip_any(words, j, (phrase,))
        inner = period_at(words, skip_any(words, k, ("-", "the")), today) if k > j else None
        if inner:
            whole = (inner[0].end - inner[0].start).days > 300
            chosen = inner[0].third(which)
            if phrase.endswith("of") and whole and which == 2:
                chosen = Period(month(chosen.end.year, 12).start, chosen.end)
            return chosen, inner[1]
    return None


def _relative(words: Words, i: int, today: date) -> Found | None:
    """this year, last quarter, last march, yesterday"""
    for word, ago in (("yesterday", 1), ("today", 0), ("gestern", 1), ("heute", 0), ("昨 天", 1), ("今 天", 0)):
        if (j := skip_any(words, i, (word,))) > i:
            day = calendar_unit(today, "day", ago)
            return (day, j) if day else None
    if skip_any(words, i, ("year to date", "ytd")) > i:
        return Period(date(today.year, 1, 1), today), skip_any(words, i, ("year to date", "ytd"))
    for ago, leads in ((0, _THIS), (1, _LAST)):
        j = skip_any(words, i, leads)
        if j > i and (found := _this_or_last(words, j, today, ago)):
            return found
    return None


def _this_or_last(words: Words, i: int, today: date, ago: int) -> Found | None:
    named = _month_only(words, i, today) or _season(words, i, today)
    if named:
        return named
    unit = unit_at(words, i)
    period = calendar_unit(today, unit[0], ago) if unit else None
    if period is None or unit is None:
        return None
    return (Period(period.start, min(period.end, today)) if ago == 0 else period), unit[1]


def _iso(words: Words, i: int, _today: date) -> Found | None:
    whole = re.fullmatch(r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})", words[i])
    if whole:
        return _day(int(whole[1]), int(whole[2]), int(whole[3]), i + 1)
    if re.fullmatch(r"20\d\d", words[i]) and skip_any(words, i + 1, ("-", "/")) > i + 1:
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


def _part_of_year(words: Words, i: int, today: date) -> Found | None:
    """Q3 2025, 2025 Q3, 2025H1, first half of 2025, third quarter"""
    year = years_of(words, i)
    named = _quarter_or_half(words, year[1] if year else i)
    glued = re.fullmatch(r"(20\d\d)([qh])([1-4])", words[i])
    if glued:
        return _part(int(glued[1]), glued[2], int(glued[3])), i + 1
    if named is None:
        return None
    letter, number, last = named
    if year:
        return _part(year[0].start.year, letter, number), last
    following = years_of(words, skip_any(words, last, ("of the year", "of", "in", ",", "/")))
    if following:
        return _part(following[0].start.year, letter, number), following[1]
    return latest(_part(today.year, letter, number), today), last


def _quarter_or_half(words: Words, i: int) -> tuple[str, int, int] | None:
    word = words[i] if i < len(words) else ""
    if re.fullmatch(r"q[1-4]|h[12]", word):
        return word[0], int(word[1]), i + 1
    if word in _ORDINALS and words[i + 1 : i + 2] == ["quarter"]:
        return "q", _ORDINALS[word], i + 2
    if _ORDINALS.get(word, 3) <= 2 and words[i + 1 : i + 2] == ["half"] and "of" in words[i + 2 : i + 3]:
        return "h", _ORDINALS[word], i + 2
    for phrase, number in (("上 半 年", 1), ("下 半 年", 2)):
        if (last := skip_any(words, i, (phrase,))) > i:
            return "h", number, last
    return None


def _part(year: int, letter: str, number: int) -> Period:
    return quarter(year, number) if letter == "q" else half(year, number)


def _dated(words: Words, i: int, today: date) -> Found | None:
    """3 May, 3rd of May 2025, May 3, 2025, 2025年3月1日"""
    year = years_of(words, i)
    j = year[1] if year else i
    day_first = _ordinal_day(words, j)
    if day_first and (number := _month_number(words, skip_any(words, day_first[1], ("of", ".")))):
        return _with_year(words, number[0], day_first[0], number[1], today)
    number = _month_number(words, j)
    day_last = _ordinal_day(words, number[1]) if number else None
    if number is None or day_last is None:
        return None
    if year:
        return _day(year[0].start.year, number[0], day_last[0], skip_any(words, day_last[1], ("日", "号")))
    return _with_year(words, number[0], day_last[0], day_last[1], today)


def _with_year(words: Words, number: int, day: int, last: int, today: date) -> Found | None:
    year = years_of(words, skip_any(words, last, (",", "of")))
    if year:
        return _day(year[0].start.year, number, day, year[1])
    this = _day(today.year, number, day, last, yearless=True)
    return (latest(this[0], today), last) if this else None


def _ordinal_day(words: Words, i: int) -> tuple[int, int] | None:
    found = re.fullmatch(r"(\d{1,2})(?:st|nd|rd|th)?", words[i]) if i < len(words) else None
    return (int(found[1]), i + 1) if found and 1 <= int(found[1]) <= 31 else None


def _month_number(words: Words, i: int) -> tuple[int, int] | None:
    if i < len(words) and words[i] in _MONTHS:
        return _MONTHS[words[i]], skip_any(words, i + 1, (".",)) if words[i] != "may" else i + 1
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
    following = years_of(words, skip_any(words, number[1], ("of", ",", "-", "/")))
    if following:
        return month(following[0].start.year, number[0]), following[1]
    return latest(month(today.year, number[0]), today), number[1]


def _numeric_month(words: Words, i: int) -> Found | None:
    if re.fullmatch(r"0?[1-9]|1[0-2]", words[i]) and words[i + 1 : i + 2] == ["/"]:
        year = years_of(words, i + 2)
        return (month(year[0].start.year, int(words[i])), year[1]) if year else None
    return None


def _season(words: Words, i: int, today: date) -> Found | None:
    """Northern: summer 2025 is June to August; winter 2025 begins in December 2025."""
    j = skip_any(words, i, ("the",))
    first = _SEASONS.get(words[j]) if j < len(words) else None
    if first is None:
        return None
    year = years_of(words, skip_any(words, j + 1, ("of", ",")))
    if year:
        return months_from(year[0].start.year, first, 3), year[1]
    if words[j] == "fall":
        return None
    return latest(months_from(today.year, first, 3), today), j + 1
