"""Sentences that the data bring along, in another language: whole, or by the patterns they follow.

`text/said/<language>.toml` pairs an English pattern with its translation. In a pattern {n} {m} {k}
are numbers, {percent} a share, {month} and {day} dates, {said...} a part that is itself
translated, any other name a word or path that stays as it is, and one with a capital begins with
one. "(s)" in a translation is left out after a 1, in a pattern it may be missing.
"""

import re
import tomllib
from collections.abc import Callable
from datetime import datetime
from functools import cache, lru_cache
from pathlib import Path
from typing import TypeAlias

from babel import Locale
from babel.dates import format_date
from babel.numbers import format_decimal, format_percent

FOLDER = Path(__file__).parent.parent / "text" / "said"
PART = re.compile(r"\{(\w+)\}|\((\w{1,2})\)")
FORMS = {
    **dict.fromkeys(("n", "m", "k"), r"\d[\d,]*"),
    "percent": r"\d+%",
    "month": r"[A-Z][a-z]+ \d{4}",
    "day": r"\d{4}-\d\d-\d\d",
}
REMEMBERED = 4096
Rule: TypeAlias = tuple[re.Pattern[str], str]


@lru_cache(REMEMBERED)
def said(text: str, locale: Locale) -> str | None:
    """The translation of a sentence; None where no pattern fits.

    >>> said("1 commit that answers the question; the last in June 2026", Locale("de"))
    '1 Commit, der die Frage beantwortet; zuletzt im Juni 2026'
    >>> said("3 files over 1,200 months with commits", Locale("de")) is None
    True
    """
    for pattern, translation in rules(locale.language):
        if found := pattern.fullmatch(text):
            parts = {name: _part(name, value, locale) for name, value in found.groupdict().items()}
            if None not in parts.values():
                return _filled(translation, parts, found.groupdict())
    return None


@cache
def rules(language: str) -> tuple[Rule, ...]:
    """In the order of the file: the first that fits is taken."""
    file = FOLDER / f"{language}.toml"
    pairs = tomllib.loads(file.read_text("utf-8"))["said"] if file.exists() else {}
    return tuple((_pattern(english), other) for english, other in pairs.items())


def _pattern(english: str) -> re.Pattern[str]:
    found, end = "", 0
    for part in PART.finditer(english):
        found += re.escape(english[end : part.start()]) + _form(part)
        end = part.end()
    return re.compile(found + re.escape(english[end:]), re.DOTALL)


def _form(part: re.Match[str]) -> str:
    name, letters = part.groups()
    if letters:
        return f"(?:{letters})?"
    if name.startswith("said"):
        return f"(?P<{name}>.+)"
    usual = r"[A-Z].*?" if name[0].isupper() else r".+?"
    return f"(?P<{name}>{FORMS.get(name, usual)})"


def _part(name: str, value: str, locale: Locale) -> str | None:
    if name.startswith("said"):
        return said(value, locale)
    read = READ.get(name)
    return read(value, locale) if read else value


def _filled(translation: str, parts: dict[str, str | None], given: dict[str, str]) -> str:
    last = ""

    def shown(part: re.Match[str]) -> str:
        nonlocal last
        name, letters = part.groups()
        if letters:
            return "" if last == "1" else letters
        if name in FORMS:
            last = given[name]
        return parts[name] or ""

    return PART.sub(shown, translation)


def _number(text: str, locale: Locale) -> str:
    return str(format_decimal(int(text.replace(",", "")), locale=locale))


def _share(text: str, locale: Locale) -> str:
    return str(format_percent(int(text[:-1]) / 100, locale=locale))


def _month(text: str, locale: Locale) -> str | None:
    try:
        return format_date(datetime.strptime(text, "%B %Y"), "MMMM y", locale=locale)
    except ValueError:
        return None


def _day(text: str, locale: Locale) -> str:
    return format_date(datetime.fromisoformat(text), "medium", locale=locale)


READ: dict[str, Callable[[str, Locale], str | None]] = {
    **dict.fromkeys(("n", "m", "k"), _number),
    "percent": _share,
    "month": _month,
    "day": _day,
}
