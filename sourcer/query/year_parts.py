"""Parts of a year: quarters and halves, and the year that a part or a month is said to be of."""

import re
from datetime import date

from sourcer.query.calendar_periods import Period, half, latest, quarter, whole_year
from sourcer.query.time_words import Found, Words, keys_of, phrases, said, skip_any, years_of

ORDINALS = {word: int(number) for word, number in keys_of("ordinals").items()}
THIS, LAST = said("this"), said("previous")
_FINAL = ("last", "final", "closing")
_OF = phrases("of the year", "of", "in", ",", "/", "-")


def part_of_year(words: Words, i: int, today: date) -> Found | None:
    """Q3 2025, 2025 Q3, 2025H1, first half of 2025, third quarter"""
    year = years_of(words, i)
    named = _quarter_or_half(words, year[1] if year else i)
    glued = re.fullmatch(r"(20\d\d)([qh])([1-4])", words[i])
    if glued:
        return _part(int(glued[1]), glued[2], int(glued[3])), i + 1
    short = re.fullmatch(r"([1-4])([qh])([12]\d)", words[i])
    if short:
        return _part(2000 + int(short[3]), short[2], int(short[1])), i + 1
    if named is None:
        return None
    letter, number, last = named
    if year:
        return _part(year[0].start.year, letter, number), last
    following = year_after(words, last, today)
    if following:
        return _part(following[0].start.year, letter, number), following[1]
    return latest(_part(today.year, letter, number), today), last


def _relative_year(words: Words, i: int, today: date) -> Found | None:
    """this year, last year"""
    for ago, leads in ((0, THIS), (1, LAST)):
        j = skip_any(words, i, leads)
        if j > i and words[j : j + 1] == ["year"]:
            return whole_year(today.year - ago), j + 1
    return None


def _quarter_or_half(words: Words, i: int) -> tuple[str, int, int] | None:
    word = words[i] if i < len(words) else ""
    if re.fullmatch(r"q[1-4]|h[12]", word):
        return word[0], int(word[1]), i + 1
    if re.fullmatch(r"[1-4]q|[12]h", word):
        return word[1], int(word[0]), i + 1
    if word in ORDINALS and words[i + 1 : i + 2] == ["quarter"]:
        return "q", ORDINALS[word], i + 2
    if word in _FINAL and words[i + 1 : i + 3] == ["quarter", "of"]:
        return "q", 4, i + 2
    if word in ("latter", "last") and words[i + 1 : i + 3] == ["half", "of"]:
        return "h", 2, i + 2
    if (
        ORDINALS.get(word, 3) <= 2
        and words[i + 1 : i + 2] == ["half"]
        and "of" in words[i + 2 : i + 3]
    ):
        return "h", ORDINALS[word], i + 2
    for phrase, number in (("上 半 年", 1), ("下 半 年", 2)):
        if (last := skip_any(words, i, phrases(phrase))) > i:
            return "h", number, last
    return None


def _part(year: int, letter: str, number: int) -> Period:
    return quarter(year, number) if letter == "q" else half(year, number)


def year_after(words: Words, i: int, today: date) -> Found | None:
    """2025, of 2025, of last year"""
    named = skip_any(words, i, _OF)
    return years_of(words, named) or _relative_year(words, named, today)


def is_of_year(words: Words, i: int) -> bool:
    """'the last quarter of 2025' does not end today."""
    return words[i : i + 1] == ["of"] and years_of(words, i + 1) is not None
