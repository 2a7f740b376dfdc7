"""Small histograms of a question's pool, whose bars narrow the question."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from api.pages.asking import Asked
from api.pages.pictures import Bar
from api.pages.site import Site
from api.pages.words import Words
from index.search import Searcher
from sourcer import companies
from sourcer.pool import Pool
from sourcer.pool.funnel import Standing
from sourcer.pool.slices import Member, Row
from sourcer.query import Filter, Query

TOP = 7
BY = ("country", "employer", "seniority")


@dataclass(frozen=True, slots=True)
class Histogram:
    name: str
    bars: tuple[Bar, ...]
    unknown: int


@dataclass(frozen=True, slots=True)
class Slices:
    matched: int
    undecided: int
    histograms: tuple[Histogram, ...]


def slices(site: Site, asked: Asked) -> Slices:
    """Counted over the whole pool, not over the page."""
    query, opened = asked.query(site.desk), site.opened
    pool = site.pool(query)
    matched = sum(member.standing is Standing.MATCHED for member in pool.members)
    declared = [_histogram(pool, by, query, asked, site.words) for by in BY]
    recent = _recency(opened.searcher, pool.members, query, asked, site.words)
    return Slices(matched, len(pool.members) - matched, (*declared, recent))


def _histogram(pool: Pool, by: str, query: Query, asked: Asked, words: Words) -> Histogram:
    one = pool.sliced(by, TOP)
    most = max((row.people for row in one.rows), default=1)
    return Histogram(
        words(f"slices.{by}"),
        tuple(_bar(row, by, most, query, asked, words) for row in one.rows),
        one.unknown,
    )


def _bar(row: Row, by: str, most: int, query: Query, asked: Asked, words: Words) -> Bar:
    wanted = _filter(by, row.value)
    return Bar(
        name=words.territory(row.value) if by == "country" else row.value,
        count=row.people,
        width=100 * row.people / most,
        part=100 * row.matched / most,
        href="" if wanted is None else asked.asking(narrowed(query, wanted)).url(),
    )


def _filter(by: str, value: str) -> Filter | None:
    if by == "employer":
        found = companies.find(value)
        return Filter("company", "=", found.name if found else value)
    return Filter(by, "=", value)


def narrowed(query: Query, wanted: Filter) -> Query:
    """The query with this condition in place of any other on the same field."""
    others = tuple(one for one in query.filters if one.field != wanted.field or one.negated)
    return replace(query, filters=(*others, wanted))


def _recency(
    searcher: Searcher, members: tuple[Member, ...], query: Query, asked: Asked, words: Words
) -> Histogram:
    """By the year of the last commit."""
    years = _last_years(searcher, members)
    most = max(years.values(), default=1)
    rows = [
        Bar(
            name=words("slices.in-year", year=str(year)),
            count=years[year],
            width=100 * years[year] / most,
            part=100 * years[year] / most,
            href=asked.asking(narrowed(query, Filter("last_commit", ">=", f"{year}-01-01"))).url(),
        )
        for year in sorted(years, reverse=True)[:TOP]
    ]
    return Histogram(words("slices.recency"), tuple(rows), 0)


def _last_years(searcher: Searcher, members: tuple[Member, ...]) -> Mapping[int, int]:
    found: Counter[int] = Counter()
    for member in members:
        ordinal = searcher.details.person(member.id)
        day = None if ordinal is None else searcher.activity.last_day(ordinal)
        if day is not None:
            found[1970 + int(np.datetime64(day, "D").astype("datetime64[Y]").astype(int))] += 1
    return found
