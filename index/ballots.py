"""The commits that voted for the people of one page, person after person."""

from dataclasses import dataclass
from typing import Self, TypeVar

import numpy as np
import numpy.typing as npt

from sourcer.ranking import Floats, Ints, Votes

Longs = npt.NDArray[np.int64]
Scalar = TypeVar("Scalar", bound=np.generic)


@dataclass(frozen=True, slots=True)
class Ballots:
    """Each person has at least one commit; those of one person come together, what gave most first.

    >>> commits, people = np.array([4, 5, 6], np.int32), np.array([1, 0, 1], np.int32)
    >>> votes = Votes(commits, people, np.array([1, 2, 3], np.float32), np.array([2.0, 4.0]))
    >>> found = Ballots.of(votes, np.array([1, 0]))
    >>> found.commits.tolist(), found.place.tolist(), found.starts.tolist()
    ([6, 4, 5], [0, 0, 1], [0, 2, 3])
    """

    people: Ints
    place: Longs
    """Per commit: the place of its person among `people`."""
    starts: Longs
    """Per person: where their commits begin; and the end."""
    commits: Ints
    given: Floats
    """Per commit: what it gave to the person's score."""

    @classmethod
    def of(cls, votes: Votes, people: npt.NDArray[np.integer]) -> Self:
        places = np.full(len(votes.totals), -1, np.int64)
        places[people] = np.arange(len(people))
        rows = np.flatnonzero(places[votes.people] >= 0)
        place, commits, given = places[votes.people[rows]], votes.commits[rows], votes.given[rows]
        order = np.lexsort((commits, -given, place))
        starts = np.searchsorted(place[order], np.arange(len(people) + 1))
        return cls(people.astype(np.int32), place[order], starts, commits[order], given[order])

    def only(self, rows: npt.NDArray[np.bool_]) -> Self:
        """Some of the ballots. Where a person has none of them, only counts and starts hold."""
        place = self.place[rows]
        starts = np.searchsorted(place, np.arange(len(self.people) + 1))
        return type(self)(self.people, place, starts, self.commits[rows], self.given[rows])

    @property
    def counts(self) -> Longs:
        return np.diff(self.starts)

    def lowest(self, values: npt.NDArray[Scalar]) -> npt.NDArray[Scalar]:
        """Per person the least of what their commits have."""
        found: npt.NDArray[Scalar] = np.minimum.reduceat(values, self.starts[:-1])
        return found

    def highest(self, values: npt.NDArray[Scalar]) -> npt.NDArray[Scalar]:
        found: npt.NDArray[Scalar] = np.maximum.reduceat(values, self.starts[:-1])
        return found

    def mean(
        self, values: npt.NDArray[np.floating], weights: npt.NDArray[np.floating]
    ) -> list[float]:
        """Per person the weighted mean over their commits; 0 where nothing weighs."""
        count = len(self.people)
        weight = np.bincount(self.place, weights, count)
        total = np.bincount(self.place, values * weights, count)
        means: list[float] = np.divide(
            total, weight, out=np.zeros(count), where=weight > 0
        ).tolist()
        return means

    def tally(
        self, place: Longs, codes: npt.NDArray[np.integer], width: int
    ) -> npt.NDArray[np.int64]:
        """Per person and code below `width`, how often it is there; one row a person."""
        count = len(self.people)
        keys = place * width + codes
        return np.bincount(keys, minlength=count * width).reshape(count, width)

    def top(self, values: Floats, most: int) -> Longs:
        """The rows of each person's first so many commits by value; equal ones in their order."""
        order = np.lexsort((-values, self.place))
        rank = np.arange(len(order)) - self.starts[self.place]
        return order[rank < most]
