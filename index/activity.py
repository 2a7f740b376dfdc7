"""When somebody worked, and on what: counts over quarters and topics, for small pictures."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType

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

    def topics(
        self, person: int, families: Mapping[int, Collection[int]] = MappingProxyType({})
    ) -> Mapping[int, int]:
        """Ordinals of topics, the most frequent first, each with how many commits have it.

        Those of `families` come before the others, and count what any of the family has.
        """
        rows, found = self._columns.topics.gather(self._commits[person])
        each = np.bincount(found)
        order = np.argsort(-each, kind="stable")
        counts = dict(zip(order.tolist(), each[order].tolist(), strict=True))
        whole = {
            topic: len({row for one in family for row in rows[found == one].tolist()})
            if len(family) > 1
            else counts.get(topic, 0)
            for topic, family in families.items()
        }
        first = dict(sorted(whole.items(), key=lambda pair: -pair[1]))
        return {topic: count for topic, count in (first | counts | first).items() if count}

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
