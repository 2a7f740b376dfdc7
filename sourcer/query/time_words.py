"""The small words of time phrases: counts, units, years, and phrases matched at a word."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from sourcer.query.calendar_periods import Period, whole_year
from sourcer.query.lexicons import word_entries
from sourcer.query.tokens import tokenise

Words = Sequence[str]
Found = tuple[Period, int]
"""A period and the word after it."""

Phrases = Mapping[str, tuple[tuple[str, ...], ...]]
"""First word -> the phrases that it begins, longest first."""


@cache
def _tables() -> Mapping[str, Mapping[str, Sequence[str]]]:
    return tomllib.loads(Path(__file__).with_name("times.toml").read_text("utf-8"))


def said(name: str) -> "Phrases":
    """The phrases of that name in times.toml."""
    return phrases(*_tables()["phrases"][name])


def keys_of(table: str) -> dict[str, str]:
    """A table of times.toml turned round: word -> key.

    >>> keys_of("months")["may"], keys_of("units")["weeks"]
    ('5', 'week')
    """
    return {word: key for key, words in _tables()[table].items() for word in words}


@cache
def phrases(*texts: str) -> Phrases:
    """Texts ready for `skip_any`."""
    split = sorted((tuple(text.split()) for text in texts), key=len, reverse=True)
    return {first: tuple(p for p in split if p[0] == first) for first in {p[0] for p in split}}


def skip_any(words: Words, i: int, known: Phrases) -> int:
    """The word after the longest of the phrases that stands at i; i where none does.

    >>> skip_any(["up", "to", "now"], 0, phrases("up", "up to"))
    2
    """
    for phrase in known.get(words[i], ()) if i < len(words) else ():
        if len(phrase) == 1 or tuple(words[i : i + len(phrase)]) == phrase:
            return i + len(phrase)
    return i


MONTHS = frozenset(keys_of("months"))
_UNIT_OF = keys_of("units")


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
    i = skip_any(words, i, phrases("个", "calendar", "full", "-"))
    if i >= len(words):
        return None
    if words[i : i + 2] == ["星", "期"] or words[i : i + 2] == ["季", "度"]:
        return ("week" if words[i] == "星" else "quarter"), i + 2
    glued = re.fullmatch(r"\d{1,4}([a-z]+)", words[i])
    unit = _UNIT_OF.get(glued[1] if glued else words[i])
    return (unit, i + 1) if unit else None


def years_of(words: Words, i: int) -> Found | None:
    """A year: 2025, 2025年, '25."""
    if i < len(words) and re.fullmatch(r"20[0-3]\d", words[i]):
        return whole_year(int(words[i])), skip_any(words, i + 1, phrases("年 度", "年"))
    if words[i : i + 1] in (["'"], ["’"]) and re.fullmatch(
        r"[12]\d", "".join(words[i + 1 : i + 2])
    ):
        return whole_year(2000 + int(words[i + 1])), i + 2
    return None
