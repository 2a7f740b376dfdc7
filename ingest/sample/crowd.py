"""The rest of the made-up people, put together from pools of names, places and employers."""

import unicodedata
from collections.abc import Iterator
from datetime import date, timedelta
from functools import cache

from ingest.sample.cast import (
    NEAR_THEMES,
    SEED_THEMES,
    AtsRow,
    GitHubPage,
    Job,
    LinkedInRow,
    Person,
    Table,
    by_hand,
    noreply,
    table,
)
from ingest.sample.dice import chance, pick, roll
from ingest.sample.themes import Theme, themes
from sourcer.commits import Signature

LAST_DAY = date(2026, 6, 14)


@cache
def everyone() -> tuple[Person, ...]:
    """All made-up people, those made by hand first.

    >>> len(everyone())
    150
    """
    return (*by_hand(), *crowd())


def crowd() -> Iterator[Person]:
    """Two specialists for every theme, and a few who drop by.

    >>> len(list(crowd()))
    88
    """
    subjects = list(themes().values())
    rows = [(region, name) for region in table("crowd.toml")["region"] for name in region["names"]]
    rows.sort(key=lambda row: roll(1 << 30, "order", row[1]))
    for number, (region, written) in enumerate(rows):
        yield _member(number, region, written, subjects)


def _member(number: int, region: Table, written: str, subjects: list[Theme]) -> Person:
    name, _, latin = written.partition("|")
    slug = fold(latin or name)
    theme = subjects[number * 5 % len(subjects)]
    drops_by = number >= 2 * len(subjects)
    span = _span(theme.since, slug, newcomer=number % 12 == 5, left=number % 9 == 4)
    login, identity = handle(slug), 800_000_000 + roll(99_999_999, "id", slug)
    company = pick(region["companies"], "company", slug)
    work = _work(theme, subjects, slug, drops_by)
    page, row, linked = _declared(slug, region, company, work)
    titled = (row.title if row else "") or (linked.position if linked else "")
    place = (page.location if page else "") or (row.location if row else "")
    return Person(
        slug=slug,
        name=name,
        login=login,
        id=identity,
        local=slug.replace("-", "."),
        zone=pick(region["zones"], "zone", slug),
        active=span,
        work=work,
        worked=(Job(company, span[0] - timedelta(days=30), None),) if company else (),
        also=_also(slug, name, latin, identity, login),
        country=dict(region["places"]).get(place) or None,
        level=dict(table("crowd.toml")["titles"]).get(titled) or None,
        open=("yes" if page and page.hireable else "") or (row.open if row else "") or None,
        mail="noreply" if chance(15, "noreply", slug) else "",
        github=page,
        linkedin=linked,
        ats=row,
    )


def _span(since: date, slug: str, *, newcomer: bool, left: bool) -> tuple[date, date]:
    if newcomer:
        return date(2026, 3, 20) + timedelta(days=roll(30, "new", slug)), LAST_DAY
    first = since + timedelta(days=roll(max(1, (date(2025, 10, 1) - since).days), "first", slug))
    if left:
        return first, min(first + timedelta(days=200 + roll(150, "left", slug)), LAST_DAY)
    return first, LAST_DAY - timedelta(days=roll(120, "last", slug))


def _work(
    theme: Theme, subjects: list[Theme], slug: str, drops_by: bool
) -> dict[str, dict[str, int]]:
    """So many commits per repository and theme, before scaling."""
    repo = pick(theme.repos, "repo", slug)
    if drops_by:
        return {repo: {theme.slug: 2}}
    second = pick([each for each in subjects if repo in each.repos], "second", slug)
    work = {repo: {second.slug: 3} | {theme.slug: 9 + roll(10, "much", slug)}}
    if len(theme.repos) == 2 and chance(30, "both", slug):
        other = theme.repos[0] if theme.repos[1] == repo else theme.repos[1]
        work[other] = {theme.slug: 6}
    return work


def _declared(
    slug: str, region: Table, company: str, work: dict[str, dict[str, int]]
) -> tuple[GitHubPage | None, AtsRow | None, LinkedInRow | None]:
    """Profiles; nobody near the seed question's topics is open: its answer is made by hand."""
    touched = {theme for per_repo in work.values() for theme in per_repo}
    quiet = bool(touched & (SEED_THEMES | NEAR_THEMES))
    place = pick(region["places"], "place", slug)[0]
    title = pick(table("crowd.toml")["titles"], "title", slug)[0]
    openness = "" if quiet else pick(["", "", "yes", "no"], "open", slug)
    day = date(2025, 1, 1) + timedelta(days=roll(500, "day", slug))
    page = GitHubPage(company, place, "", True if openness == "yes" else None)
    return (
        page if chance(70, "github", slug) else None,
        AtsRow(title, place, openness, day) if chance(35, "ats", slug) else None,
        LinkedInRow(company, title, day) if company and chance(25, "linkedin", slug) else None,
    )


def _also(slug: str, name: str, latin: str, number: int, login: str) -> tuple[Signature, ...]:
    also = []
    if chance(40, "also noreply", slug):
        also.append(Signature(latin or name, noreply(number, login)))
    if chance(15, "also handle", slug):
        also.append(Signature(login, f"{login}@outlook.com"))
    if chance(6, "also root", slug):
        also.append(Signature("root", f"root@worker-{roll(90, slug)}.cluster.local"))
    return tuple(also)


def fold(name: str) -> str:
    """A name in lower-case ASCII, joined by hyphens.

    >>> fold("Wawrzyniec Brzęczykowski"), fold("Søren Mølgårdsen")
    ('wawrzyniec-brzeczykowski', 'soren-molgardsen')
    """
    for letter, plain in {"ł": "l", "ø": "o", "ß": "ss", "đ": "d", "ı": "i"}.items():
        name = name.replace(letter, plain).replace(letter.upper(), plain)
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return "-".join(plain.lower().replace("-", " ").split())


def handle(slug: str) -> str:
    """An odd login that nobody has.

    >>> handle("jinheng-lianbo")[:9]
    'jlianbo-z'
    """
    first, _, last = slug.partition("-")
    return f"{first[0]}{last.replace('-', '')[:10]}-z{roll(900, 'handle', slug) + 100}"
