"""When somebody worked, and on what: counts over quarters and topics, for small pictures."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from index.columns import ROLES, Columns, Ints, Rows
from sourcer.commits import Role

QUARTERS = 16
"""How far back pictures go: four years."""


@dataclass(frozen=True, slots=True)
class Timeline:
    """Commits per quarter, oldest first; the last is the quarter of the history's newest commit."""

    first: int
    """Quarters since 1970 of the first count."""
    counts: tuple[int, ...]

    @property
    def quarters(self) -> tuple[str, ...]:
        """
        >>> Timeline(224, (1, 0)).quarters
        ('2026-Q1', '2026-Q2')
        """
        return tuple(
            f"{1970 + each // 4}-Q{each % 4 + 1}"
            for each in range(self.first, self.first + len(self.counts))
        )


class Activity:
    """Looks up what people wrote or co-wrote in one snapshot; nothing in it changes."""

    def __init__(self, columns: Columns) -> None:
        self._columns = columns
        written = columns.roles <= ROLES.index(Role.CO_AUTHOR)
        owners = np.repeat(np.arange(len(columns.day), dtype=np.int32), columns.people.lengths)
        people, commits = columns.people.items[written], owners[written]
        order = np.argsort(people, kind="stable")
        self._commits = Rows.of(people[order], commits[order], len(columns.person_commits))
        self._quarter_of = quarters_of(columns.day)
        self._last = int(self._quarter_of.max(initial=0))

    def commits(self, person: int) -> Ints:
        """What the person wrote or co-wrote, as commits' ids."""
        return self._commits[person]

    def timeline(self, person: int) -> Timeline:
        """The person's commits over the last four years of the history."""
        return self._over_time(self._commits[person])

    def topics(self, person: int) -> Mapping[int, int]:
        """Ordinals of topics, the most frequent first, each with how many commits have it."""
        _, found = self._columns.topics.gather(self._commits[person])
        counts = np.bincount(found)
        order = np.argsort(-counts, kind="stable")
        return {int(topic): int(counts[topic]) for topic in order if counts[topic]}

    def about(self, person: int, topics: Collection[int]) -> int:
        """How many of the person's commits are on any of the topics."""
        rows, found = self._columns.topics.gather(self._commits[person])
        return len(np.unique(rows[np.isin(found, list(topics))]))

    def timeline_of(self, person: int, topic: int) -> Timeline:
        """The same of one topic alone."""
        own = self._commits[person]
        rows, found = self._columns.topics.gather(own)
        return self._over_time(own[np.unique(rows[found == topic])])

    def last_day(self, person: int) -> int | None:
        """The day of the newest commit, in days since 1970."""
        days = self._columns.day[self._commits[person]]
        return int(days.max()) if len(days) else None

    def _over_time(self, commits: npt.NDArray[np.integer]) -> Timeline:
        first = self._last - QUARTERS + 1
        own = self._quarter_of[commits]
        counts = np.bincount(own[own >= first] - first, minlength=QUARTERS)
        return Timeline(first, tuple(counts.tolist()))


def quarters_of(days: Ints) -> npt.NDArray[np.int64]:
    """Quarters since 1970.

    >>> quarters_of(np.array([0, 90, 20600], np.int32)).tolist()
    [0, 1, 225]
    """
    months = days.astype("datetime64[D]").astype("datetime64[M]").astype(np.int64)
    found: npt.NDArray[np.int64] = months // 3
    return found
