"""Where a person was "seen as": employers over time, from the domains they committed with."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date

from sourcer.companies.catalogue import catalogue
from sourcer.companies.domains import DomainKind, employer_of

EMPLOYING = {DomainKind.EMPLOYER, DomainKind.UNIVERSITY, DomainKind.LAB}
Seen = tuple[str, date, date, int]
"""A domain, the days of the first and last commit with it, and how many there were."""


@dataclass(frozen=True, slots=True)
class Affiliation:
    """Seen as of a company from one day to another; what the person declares goes before it."""

    company: str
    """Canonical name."""
    first: date
    last: date
    commits: int
    domains: tuple[str, ...] = ()

    @property
    def says(self) -> str:
        """
        >>> Affiliation("red hat", date(2024, 3, 1), date(2025, 6, 30), 12, ("redhat.com",)).says
        'seen as Red Hat from 2024-03-01 to 2025-06-30 (12 commits from redhat.com)'
        """
        commits = "1 commit" if self.commits == 1 else f"{self.commits} commits"
        shown = catalogue()[self.company].shown
        dates = f"from {self.first} to {self.last}"
        return f"seen as {shown} {dates} ({commits} from {', '.join(self.domains)})"


def affiliations(seen: Iterable[Seen]) -> tuple[Affiliation, ...]:
    """Employers by domain, the one seen last first. Free and shared domains say nothing.

    >>> for row in affiliations([
    ...     ("gmail.com", date(2019, 1, 1), date(2026, 1, 1), 400),
    ...     ("neuralmagic.com", date(2023, 5, 2), date(2025, 2, 1), 90),
    ...     ("redhat.com", date(2025, 1, 20), date(2026, 5, 9), 200),
    ... ]):
    ...     print(row.company, row.first, row.last, row.commits)
    red hat 2025-01-20 2026-05-09 200
    neural magic 2023-05-02 2025-02-01 90

    An address often outlives a takeover by weeks; what it shows is where its holder came from.
    """
    merged: dict[str, Affiliation] = {}
    for row in each(seen):
        merged[row.company] = joined(merged[row.company], row) if row.company in merged else row
    return tuple(sorted(merged.values(), key=lambda row: (row.last, row.first), reverse=True))


def each(seen: Iterable[Seen]) -> Iterator[Affiliation]:
    for domain, first, last, commits in seen:
        employer = employer_of(domain)
        if employer and employer.company and employer.kind in EMPLOYING:
            yield Affiliation(employer.company.name, first, last, commits, (employer.domain,))


def joined(one: Affiliation, other: Affiliation) -> Affiliation:
    return replace(
        one,
        first=min(one.first, other.first),
        last=max(one.last, other.last),
        commits=one.commits + other.commits,
        domains=tuple(sorted({*one.domains, *other.domains})),
    )
