"""The table of place names: every reading of a name, the likeliest first.

places.tsv is sorted by name, so that a look-up is a bisection over its bytes and loading it is one
read. Data from GeoNames (CC BY 4.0), joined by build.py.
"""

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from sourcer.places.names import normalise

Inside = tuple[str | None, str | None]
"""A state and a city, or a country and None."""


@dataclass(frozen=True, slots=True)
class Place:
    """One reading of a place: as much of country, state, city and region as is meant.

    `admin1` is an ISO 3166-2 code and is known in the United States, Canada and Australia.

    >>> Place("city", country="US", admin1="US-MA", city="Cambridge").label
    'Cambridge, US-MA'
    """

    kind: str
    """country, state, province, district, city, school or region"""
    country: str | None = None
    admin1: str | None = None
    city: str | None = None
    region: str | None = None
    weight: int = 0
    """How readily the name is meant for this place: thousands of people, by how many write code."""

    @property
    def label(self) -> str:
        parts = (self.city or self.region, self.admin1 or self.country)
        return ", ".join(part for part in parts if part)


@cache
def table() -> bytes:
    return Path(__file__).with_name("places.tsv").read_bytes()


def bisect(start: bytes) -> int:
    """Where the first line is that does not come before `start`."""
    lines, low = table(), 0
    high = len(lines)
    while low < high:
        middle = (low + high) // 2
        line = lines.rfind(b"\n", low, middle) + 1 or low
        end = lines.find(b"\n", middle)
        if lines[line:end] < start:
            low = end + 1
        else:
            high = line
    return low


@lru_cache(maxsize=1 << 16)
def candidates(name: str) -> tuple[Place, ...]:
    """Every reading of a place name, the likeliest first; codes are read in capitals only.

    >>> [place.label for place in candidates("Cambridge")][:3]
    ['Cambridge, GB', 'Cambridge, CA-ON', 'Cambridge, US-MA']
    >>> [place.label for place in candidates("CA")], candidates("ca"), candidates("Qwertz")
    (['US-CA', 'CA'], (), ())
    """
    code = name.strip().replace(".", "")
    if code.isascii() and code.isupper() and len(code) <= 3 and (found := tuple(readings(code))):
        return found
    return tuple(readings(normalise(name))) or tuple(readings(normalise(code)))


def readings(key: str) -> Iterator[Place]:
    start = f"{key}\t".encode()
    at = bisect(start)
    while table().startswith(start, at):
        end = table().find(b"\n", at)
        yield as_place(table()[at:end].decode())
        at = end + 1


def told(place: Place) -> str:
    """A reading in words, with its code: what a person chooses between.

    >>> [told(place) for place in candidates("Georgia")[:2]]
    ['Georgia, the country (GE)', 'Georgia, the state (US-GA)']
    >>> told(candidates("Cambridge")[2])
    'Cambridge, Massachusetts (US-MA)'
    """
    code = place.admin1 or place.country
    narrow = place.city or place.region
    if code is None:
        return narrow or ""
    name = _name_of(code)
    what = name if narrow else "the state" if place.admin1 else "the country"
    return f"{narrow or name}, {what} ({code})"


@cache
def _name_of(code: str) -> str:
    """The name of a country or state: its code stands in the table as a name too."""
    start = f"{code.rpartition('-')[2]}\t".encode()
    at = bisect(start)
    while table().startswith(start, at):
        end = table().find(b"\n", at)
        _, _, where, shown, _ = table()[at:end].decode().split("\t")
        if where == code:
            return shown
        at = end + 1
    return code


def as_place(line: str) -> Place:
    _, kind, where, shown, weight = line.split("\t")
    country = where[:2] or None
    admin1 = where if len(where) > 2 else None
    city = shown if kind == "city" else None
    region = shown if kind in ("region", "province", "district") else None
    return Place(kind, country, admin1, city, region, int(weight))


class Names(Container[str]):
    """All normalised names, for longest-match scanning: `"san francisco" in NAMES`."""

    max_words = 6

    def __contains__(self, name: object) -> bool:
        if not isinstance(name, str) or not name:
            return False
        start = f"{name}\t".encode()
        return table().startswith(start, bisect(start))


NAMES = Names()


def longest(words: Sequence[str], start: int = 0) -> int:
    """How many normalised words from `start` on make the longest place name there; 0 is none.

    >>> longest("engineers in san francisco who".split(), 2), longest(["qwertz"])
    (2, 0)
    """
    most = min(NAMES.max_words, len(words) - start)
    return next((n for n in range(most, 0, -1) if " ".join(words[start : start + n]) in NAMES), 0)


@cache
def regions() -> dict[str, frozenset[Inside]]:
    """What lies in each region: countries, or cities with their state."""
    text = Path(__file__).with_name("regions.tsv").read_text("utf-8")
    rows = (line.split("\t") for line in text.splitlines())
    return {name: frozenset(map(inside, members)) for name, *members in rows}


def inside(member: str) -> Inside:
    where, _, city = member.partition(" ")
    return where, city or None
