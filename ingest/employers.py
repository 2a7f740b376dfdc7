"""Employers over time: as declared, and as seen in the domains that people committed with."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import date, datetime, time

from sourcer import companies
from sourcer.companies.affiliations import Seen
from sourcer.people import BY_DOMAIN
from sourcer.store import affiliations as stored
from sourcer.store import profiles
from sourcer.store.affiliations import DECLARED, LEFT, Affiliation
from sourcer.store.database import Database


def write(db: Database) -> None:
    """Fills `affiliations`, now that people and their profiles are known."""
    rows = [*seen(stored.domains(db)), *declared(profiles.fields(db))]
    stored.write(db, sorted(set(rows), key=str))


def seen(domains: Iterable[tuple[str, str, date, date, int]]) -> Iterator[Affiliation]:
    """One row per person and company, with the days between which its domain was in use.

    >>> from datetime import date
    >>> days = date(2024, 3, 1), date(2025, 6, 30)
    >>> (row,) = seen([("p1", "redhat.com", *days, 12), ("p1", "gmail.com", *days, 40)])
    >>> row.company, row.how, row.source
    ('red hat', 'email domain', '12 commits from redhat.com')
    """
    held: dict[str, list[Seen]] = defaultdict(list)
    for person, domain, first, last, commits in domains:
        held[person].append((domain, first, last, commits))
    for person, rows in held.items():
        for found in companies.affiliations(rows):
            count = "1 commit" if found.commits == 1 else f"{found.commits} commits"
            yield Affiliation(
                person,
                found.company,
                BY_DOMAIN,
                datetime.combine(found.first, time()),
                datetime.combine(found.last, time()),
                f"{count} from {', '.join(found.domains)}",
            )


def declared(fields: Iterable[profiles.Field]) -> Iterator[Affiliation]:
    """What companies, biographies and lists of past ones say; schools are read with companies.

    >>> at = datetime(2026, 5, 1)
    >>> said = profiles.Field("p1", "company", "ex-Meta, now @inferact", "github", at, "declared")
    >>> [(row.company, row.how, row.source) for row in declared([said])]
    [('inferact', 'declared', 'github'), ('meta', 'declared as left', 'github')]
    """
    for said in fields:
        now = companies.read(said.value) if said.field == "company" else ()
        left = companies.read_past(said.value) if said.field in ("company", "bio") else ()
        left += companies.read(said.value) if said.field in ("past_company", "school") else ()
        for found in now:
            at, source = said.fetched_at, said.source
            yield Affiliation(
                said.person_id, found.name, DECLARED, None, at, source, said.expires_at
            )
        for found in left:
            yield Affiliation(
                said.person_id, found.name, LEFT, None, None, said.source, said.expires_at
            )
