"""The directories and files that a question is about, as the people of a page worked in them."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from index.ballots import Ballots, Longs
from index.citing import Citing
from index.columns import ROLES, Columns, Rows
from index.remembered import Remembered
from sourcer.commits import Role
from sourcer.explaining import CITED, Area
from sourcer.ranking import Ints, Places

AREAS = 3
"""Places told of one person."""


@dataclass(frozen=True, slots=True)
class Touched:
    """The directories and files of a page's commits: which of the ballots, and which node."""

    rows: Longs
    nodes: Ints


@dataclass(frozen=True, slots=True)
class Tally:
    """Who wrote or co-wrote commits in one place, and how many each."""

    of: Mapping[int, int]
    ranked: Sequence[int]
    """The counts, least first."""
    above: frozenset[int] = frozenset()
    """The place itself and the directories that hold it."""

    def rank(self, own: int) -> int:
        """1 for whom nobody has more.

        >>> tally = Tally({2: 7, 5: 1}, [1, 7])
        >>> tally.rank(1), tally.rank(7)
        (2, 1)
        """
        return 1 + len(self.ranked) - bisect_right(self.ranked, own)


class Areas:
    """Looks places up in one snapshot, and keeps who worked there."""

    def __init__(self, columns: Columns, citing: Citing) -> None:
        self._columns = columns
        self._citing = citing
        self._tallies = Remembered[int, Tally](4096)

    def of(self, places: Places, ballots: Ballots, touched: Touched) -> list[tuple[Area, ...]]:
        """Per person the places where they did most, a place inside another left out."""
        nodes = places.nodes.tolist()
        if not nodes:
            return [()] * len(ballots.people)
        tallies = self._tallies.get_each(nodes, lambda missing: map(self._counted, missing))
        above = [tally.above for tally in tallies]
        own = [[tally.of.get(person, 0) for tally in tallies] for person in ballots.people.tolist()]
        chosen = [_apart(worked, nodes, above) for worked in own]
        cites = iter(self._cites(places.nodes, chosen, ballots, touched))
        return [
            tuple(self._area(nodes[at], tallies[at], worked[at], next(cites)) for at in kept)
            for worked, kept in zip(own, chosen, strict=True)
        ]

    def _area(self, node: int, tally: Tally, own: int, commits: tuple[str, ...]) -> Area:
        total = len(self._columns.node_commits[node])
        return Area(self._citing.names[node], own, total, tally.rank(own), commits)

    def _cites(
        self, nodes: Ints, chosen: list[list[int]], ballots: Ballots, touched: Touched
    ) -> list[tuple[str, ...]]:
        """Person by person, for each chosen place the first commits of theirs that touch it."""
        place_of = np.full(len(self._columns.node_is_file), -1, np.int64)
        place_of[nodes] = np.arange(len(nodes))
        at = place_of[touched.nodes]
        rows, at = touched.rows[at >= 0], at[at >= 0]
        keys = ballots.place[rows] * len(nodes) + at
        wanted = [person * len(nodes) + at for person, kept in enumerate(chosen) for at in kept]
        is_wanted = np.zeros(len(chosen) * len(nodes), np.bool_)
        is_wanted[wanted] = True
        rows, keys = rows[is_wanted[keys]], keys[is_wanted[keys]]
        order = np.argsort(keys, kind="stable")
        there = Rows.of(keys[order], ballots.commits[rows[order]], len(chosen) * len(nodes))
        found = [there[key][:CITED] for key in wanted]
        cites = iter(self._citing.cites(np.concatenate([*found, np.empty(0, np.int32)])))
        return [tuple(islice(cites, len(commits))) for commits in found]

    def _above(self, node: int) -> Iterator[int]:
        """The place itself and the directories that hold it."""
        while node >= 0:
            yield node
            node = int(self._columns.node_parent[node])

    def _counted(self, node: int) -> Tally:
        columns = self._columns
        _, at = columns.people.places(columns.node_commits[node])
        done = at[columns.roles[at] <= ROLES.index(Role.CO_AUTHOR)]
        counts = np.bincount(columns.people.items[done])
        people = np.flatnonzero(counts)
        held = counts[people]
        of = dict(zip(people.tolist(), held.tolist(), strict=True))
        return Tally(of, np.sort(held).tolist(), frozenset(self._above(node)))


def _apart(worked: list[int], nodes: list[int], above: list[frozenset[int]]) -> list[int]:
    """The first places where somebody worked, none inside another.

    >>> _apart([5, 2, 0, 1], [1, 2, 3, 4], [{1}, {1, 2}, {3}, {4}])
    [0, 3]
    """
    kept: list[int] = []
    for at, count in enumerate(worked):
        if count and above[at].isdisjoint(nodes[taken] for taken in kept):
            kept.append(at)
        if len(kept) == AREAS:
            break
    return kept
