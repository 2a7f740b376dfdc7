"""With how many others each person wrote commits: whom a project works with is known in it."""

import numpy as np

from index.columns import ROLES, Columns
from sourcer.commits import Role
from sourcer.ranking import Ints

COMPANY = 20
"""Authors of one commit above which it says nothing: a squashed branch may name a hundred."""


class Partners:
    """Who wrote together, and since when; worked out once when a snapshot is opened."""

    def __init__(self, columns: Columns) -> None:
        self._count = len(columns.person_commits)
        a, b, days = _pairs(columns)
        order = np.argsort(days, kind="stable")
        keys = np.minimum(a, b)[order] * np.int64(self._count) + np.maximum(a, b)[order]
        kept, first = np.unique(keys, return_index=True)
        self._pairs = np.stack(np.divmod(kept, max(self._count, 1)))
        self._since = days[order][first]

    def until(self, day: int) -> Ints:
        """Per person: with how many others up to a day, in days since 1970."""
        known = self._pairs[:, self._since <= day]
        return np.bincount(known.ravel(), minlength=self._count).astype(np.int32)


def _pairs(columns: Columns) -> tuple[Ints, Ints, Ints]:
    """Every two authors of one commit, and its day."""
    wrote = columns.roles <= ROLES.index(Role.CO_AUTHOR)
    commits = np.repeat(np.arange(len(columns.day)), columns.people.lengths)[wrote]
    people = columns.people.items[wrote]
    few = np.bincount(commits, minlength=len(columns.day))[commits] <= COMPANY
    commits, people = commits[few], people[few]
    found = [
        (people[:-gap][same], people[gap:][same], columns.day[commits[gap:][same]])
        for gap in range(1, min(COMPANY, len(people)))
        for same in [commits[:-gap] == commits[gap:]]
    ]
    nothing = np.empty(0, np.int32)
    a, b, days = zip((nothing, nothing, nothing), *found, strict=True)
    return np.concatenate(a), np.concatenate(b), np.concatenate(days)
