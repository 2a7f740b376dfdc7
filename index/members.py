"""The people of a pool as slices count them."""

from collections.abc import Iterator, Sequence

import numpy as np

from index.columns import Columns
from index.details import Details
from index.people_facts import PeopleFacts, quarters
from sourcer import companies
from sourcer.attributes import Attributes
from sourcer.pool.funnel import Mask, Standing, Standings, Word
from sourcer.pool.slices import Member
from sourcer.ranking import Ints
from sourcer.track_record import senior

ACADEMIC = frozenset({"university", "lab"})


class Members:
    """Reads what is known of each person who is left."""

    def __init__(self, columns: Columns, details: Details, facts: PeopleFacts) -> None:
        self._columns = columns
        self._details = details
        self._facts = facts

    def of(self, standings: Standings, words: Sequence[Word], counts: Mask) -> Iterator[Member]:
        """`counts`: the commits that count for the question."""
        ids = self._details.people["id"].to_pylist()
        for person in np.flatnonzero(standings < Standing.DROPPED):
            unknown = tuple(word.says for word in words if _is_open(word, int(person)))
            yield self._member(
                int(person), ids[person], Standing(standings[person]), unknown, counts
            )

    def _member(
        self, person: int, id_: str, standing: Standing, unknown: tuple[str, ...], counts: Mask
    ) -> Member:
        known = self._details.known(person)
        own = self._facts.commits(person)
        own = own[counts[own]]
        active = np.unique(quarters(self._columns.day[own]))
        place = known.where.place if known.where else None
        lane, record = self._facts.lane(person), self._facts.record(person)
        return Member(
            id=id_,
            standing=standing,
            unknown=unknown,
            country=_only(known.where.countries) if known.where else None,
            state=place.admin1 if place else None,
            city=place.city if place else None,
            employers=tuple(sorted(map(companies.shown_name, known.employers))),
            schools=tuple(sorted(map(companies.shown_name, _schools(known)))),
            seniority=str(known.seniority) if known.seniority else None,
            by_artifacts=senior(record) is not None,
            open=known.hireable,
            years=record.quarters // 4,
            joined=_quarter(int(active[0])) if len(active) else None,
            topics=self._topics(own),
            repos=tuple(
                self._details.repos[repo].name for repo in np.unique(self._columns.repo[own])
            ),
            lane=lane.lane.name if lane else None,
        )

    def _topics(self, commits: Ints) -> tuple[str, ...]:
        _, topics = self._columns.topics.gather(commits)
        return tuple(self._details.topics[topic][1] for topic in np.unique(topics))


def _is_open(word: Word, person: int) -> bool:
    by_artifacts = word.by_artifacts is not None and bool(word.by_artifacts[person])
    return bool(word.unknown[person]) and not by_artifacts


def _only(values: tuple[str, ...]) -> str | None:
    return values[0] if len(values) == 1 else None


def _schools(known: Attributes) -> frozenset[str]:
    """Universities and labs, declared as such or worked at, now or before."""
    declared = {
        company.name
        for fact in known.profile.all("school")
        for company in companies.read(fact.value)
    }
    held = declared | known.employers | known.past_employers
    return frozenset(
        name for name in held if (found := companies.find(name)) and found.kind in ACADEMIC
    )


def _quarter(number: int) -> str:
    """
    >>> _quarter(0), _quarter(225)
    ('1970-Q1', '2026-Q2')
    """
    return f"{1970 + number // 4}-Q{number % 4 + 1}"
