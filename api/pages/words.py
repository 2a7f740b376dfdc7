"""Every text of the pages, from one catalogue a language, with numbers and dates by locale."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache, lru_cache
from pathlib import Path
from typing import TypeAlias

from babel import Locale, UnknownLocaleError
from babel.dates import format_date, format_datetime
from babel.lists import format_list
from babel.numbers import format_decimal, format_percent
from markupsafe import Markup

from api.pages.saying import said

FOLDER = Path(__file__).parent.parent / "text"
FALLBACK = "en"
REMEMBERED = 10_000
"""Numbers and days as last written: a page of results has hundreds."""
Text: TypeAlias = str | Mapping[str, str]


@dataclass(frozen=True)
class Words:
    """The catalogue of one language, spoken as in one region.

    >>> words = words_for("en-GB,en;q=0.8")
    >>> words("results.people", n=1), words("results.people", n=1200)
    ('1 person', '1,200 people')
    >>> words.day(date(2026, 6, 5)), words.territory("DE"), words.share(0.25)
    ('5 Jun 2026', 'Germany', '25%')
    """

    locale: Locale
    texts: Mapping[str, Text]

    def __call__(self, key: str, **values: object) -> str:
        """The text of a key; a count `n` chooses between its forms."""
        text = self.texts[key]
        if not isinstance(text, str):
            n = values["n"]
            text = text[self.locale.plural_form(n if isinstance(n, int) else 0)]
        said = {name: self._said(value) for name, value in values.items()}
        return text.format_map(said) if said else text

    def has(self, key: str) -> bool:
        return key in self.texts

    def number(self, value: float) -> str:
        return _number(value, self.locale)

    def share(self, value: float) -> str:
        said: str = format_percent(value, locale=self.locale)
        return said

    def day(self, value: date | datetime | str) -> str:
        """A date, also one written as 2026-06-05."""
        read = date.fromisoformat(value[:10]) if isinstance(value, str) else value
        return _day(read.year, read.month, read.day, self.locale)

    def moment(self, value: datetime | str) -> str:
        """A date and a time of day, in UTC.

        >>> words_for("de").moment("2026-06-05T02:00:00+00:00")
        '05.06.2026, 02:00:00'
        """
        read = datetime.fromisoformat(value) if isinstance(value, str) else value
        return format_datetime(read, "medium", locale=self.locale)

    def month(self, value: date | datetime) -> str:
        return format_date(value, "MMM y", locale=self.locale)

    def either(self, values: Iterable[str]) -> str:
        return format_list(list(values), style="or", locale=self.locale)

    def all_of(self, values: Iterable[str]) -> str:
        return format_list(list(values), locale=self.locale)

    def territory(self, code: str) -> str:
        said: str = self.locale.territories.get(code, code)
        return said

    def told(self, text: str) -> str:
        """A sentence that the data brought along, in this language where it is known."""
        return (None if self.locale.language == FALLBACK else said(text, self.locale)) or text

    def said(self, text: str) -> str:
        """The same for a page, which says of what stays English that it is.

        >>> words_for("de").said("breadth: 3 files over 1 month with commits")
        'Breite: 3 Dateien, Commits in 1 Monat'
        >>> words_for("de").said("of <that>")
        Markup('<span lang="en">of &lt;that&gt;</span>')
        """
        if self.locale.language == FALLBACK:
            return text
        return said(text, self.locale) or Markup('<span lang="en">{}</span>').format(text)

    @property
    def language(self) -> str:
        return str(self.locale).replace("_", "-")

    def _said(self, value: object) -> str:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return self.number(float(value)) if is_number else str(value)  # type: ignore[arg-type]


@lru_cache(REMEMBERED)
def _number(value: float, locale: Locale) -> str:
    said: str = format_decimal(value, locale=locale)
    return said


@lru_cache(REMEMBERED)
def _day(year: int, month: int, day: int, locale: Locale) -> str:
    return format_date(date(year, month, day), "medium", locale=locale)


def words_for(accepted: str) -> Words:
    """For a browser's Accept-Language: the first language that there is a catalogue of."""
    for asked in (part.partition(";")[0].strip() for part in accepted.split(",")):
        language = asked.partition("-")[0].lower()
        if language in languages():
            return _words(asked)
    return _words(FALLBACK)


@cache
def languages() -> frozenset[str]:
    return frozenset(file.stem for file in FOLDER.glob("*.toml"))


@cache
def names_of_languages() -> tuple[tuple[str, str], ...]:
    """Each language by its code, as it calls itself.

    >>> dict(names_of_languages())["en"]
    'English'
    """
    named = ((code, str(Locale.parse(code).display_name)) for code in languages())
    return tuple(sorted((code, name[:1].upper() + name[1:]) for code, name in named))


@cache
def catalogue(language: str) -> Mapping[str, Text]:
    """Keys as "section.name", each with its text or its plural forms."""
    sections = tomllib.loads((FOLDER / f"{language}.toml").read_text("utf-8"))
    return {
        f"{section}.{name}": text
        for section, texts in sections.items()
        for name, text in texts.items()
    }


@cache
def _words(tag: str) -> Words:
    try:
        locale = Locale.parse(tag, sep="-")
    except (UnknownLocaleError, ValueError):
        locale = Locale.parse(tag.partition("-")[0].lower())
    return Words(locale, catalogue(locale.language))
