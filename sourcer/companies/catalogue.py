"""The companies, schools and labs that are known by name; companies.toml holds them as data."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path

from sourcer.places import normalise

LEGAL = re.compile(
    r"\s(inc|incorporated|corp|corporation|co|ltd|limited|llc|llp|plc|gmbh|ag|se|sa|sas|srl|spa|bv|nv|ab|oy"
    r"|as|kk|pte|pvt|pty|private|company|holdings?|technologies|com)$"
)


@dataclass(frozen=True, slots=True)
class Company:
    """An employer, university or lab.

    >>> find("Neural Magic").into, find("Neural Magic").until, find("LinkedIn").parent
    ('red hat', datetime.date(2025, 1, 13), 'microsoft')
    """

    name: str
    """The canonical name, as filters write it."""
    shown: str
    kind: str = "employer"
    """employer, university or lab"""
    into: str | None = None
    """The company that took it over."""
    until: date | None = None
    """When it was taken over."""
    parent: str | None = None
    """The company it belongs to, while it goes on under its own name."""
    also: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    """Those of its names that are also words, models or projects."""

    @property
    def is_word(self) -> bool:
        return bool(self.words)

    @property
    def today(self) -> "Company":
        """The company that this one is now part of, or itself.

        >>> find("Habana Labs").today.shown, find("Red Hat").today.shown
        ('Intel', 'Red Hat')
        """
        return catalogue()[self.into].today if self.into else self


@cache
def catalogue() -> Mapping[str, Company]:
    text = Path(__file__).with_name("companies.toml").read_text("utf-8")
    return {
        name: Company(
            name,
            row["shown"],
            row.get("kind", "employer"),
            row.get("into"),
            row.get("when"),
            row.get("parent"),
            tuple(row.get("also", ())),
            tuple(row.get("domains", ())),
            tuple(row.get("words", ())),
        )
        for name, row in tomllib.loads(text).items()
    }


@cache
def names() -> Mapping[str, str]:
    """Every known name, normalised -> the canonical name.

    >>> names()["byte dance"], names()["facebook"], names()["清华大学"]
    ('bytedance', 'meta', 'tsinghua university')
    """
    return {
        normalise(alias): company.name
        for company in catalogue().values()
        for alias in (company.shown, *company.also, company.name)
    }


def also_word(name: str) -> bool:
    """Is a normalised name a word first, so that a question must cue it ("at Modal")?

    >>> also_word("modal"), also_word("modal labs"), also_word("kimi"), also_word("nvidia")
    (True, False, True, False)
    """
    return name in word_names()


@cache
def word_names() -> frozenset[str]:
    return frozenset(normalise(word) for company in catalogue().values() for word in company.words)


def find(name: str) -> Company | None:
    """A company by any of its names, handles or domains; legal forms are passed over.

    >>> [found.name for text in ("NVIDIA Corporation", "@RedHatOfficial", "fb.com", "SAP SE")
    ...     if (found := find(text))]
    ['nvidia', 'red hat', 'meta', 'sap']
    >>> find("Earth Inc") is None
    True
    """
    plain = normalise(name)
    while plain not in names() and (shorter := LEGAL.sub("", plain)) != plain:
        plain = shorter
    canonical = names().get(plain) or domains().get(name.strip().lower())
    return catalogue()[canonical] if canonical else None


@cache
def domains() -> Mapping[str, str]:
    """Every email domain of a company -> its canonical name."""
    return {domain: c.name for c in catalogue().values() for domain in c.domains}


def shown_name(name: str) -> str:
    """
    >>> shown_name("red hat"), shown_name("acme rockets")
    ('Red Hat', 'acme rockets')
    """
    found = find(name)
    return found.shown if found else name


def belongs(company: str, wanted: str) -> bool:
    """Is a company the wanted one, now part of it, or owned by it?

    >>> belongs("neural magic", "red hat"), belongs("neural magic", "ibm")
    (True, True)
    >>> belongs("linkedin", "microsoft"), belongs("microsoft", "linkedin")
    (True, False)
    """
    above: str | None = company
    while above is not None:
        if above == wanted:
            return True
        known = catalogue().get(above)
        above = (known.into or known.parent) if known else None
    return False
