"""Who first brought a thing in: the first commits that made the places it lives in."""

import re
from functools import lru_cache

import numpy as np

from index.columns import Columns
from index.details import Details
from index.worth import Worth
from sourcer import ranking
from sourcer.evidence import is_small
from sourcer.query import Query
from sourcer.ranking import Floats, Ints, Places
from sourcer.substance import KINDS, Kind

ABOUT = 0.5
"""Of the best fit: commits that may have introduced a thing."""
STRONG = 0.5
"""Of the strongest of those: time counts from the first such commit."""
CHANGED = 0.25
"""What a commit counts for that only changes what is there, beside one that made it all."""
ANNOUNCED = 0.5
"""The same for a commit whose subject says that it adds something."""
SMALL = 0.3
"""What is left of a commit whose subject says that it mends, moves or touches something."""
BESIDE = 0.1
"""What is left of the fit of commits that are not about it enough to have introduced it."""
HALF_LIFE = 0.25
"""Years after the first strong commit in which introducing counts half."""

_ADDS = re.compile(
    r"\b(add|support|introduc|implement|integrat|initial|enabl|new\b|feat(ure)?\b|prototype)"
    r"|[\[(]?\b\d/[n\d]",
    re.IGNORECASE,
)
_MOVES = re.compile(
    r"\b(refactor|mov(e|ing)\b|migrat|relocat|reorgani[sz]|clean(ed|ing)?)", re.IGNORECASE
)


class Introducing:
    """Knows of each place which commit made it."""

    def __init__(self, columns: Columns, details: Details, worth: Worth) -> None:
        self._columns = columns
        self._details = details
        self._worth = worth
        code = [KINDS.index(kind) for kind in (Kind.KERNEL, Kind.CODE)]
        self._is_work = ~columns.node_is_file | np.isin(columns.node_kind, code)

    def worth(self, fit: Floats, places: Places) -> Floats:
        """Per commit: how much it did to bring in what `fit` is the fit to."""
        worth = (BESIDE * CHANGED * fit) ** 3
        least = max(ABOUT * float(fit.max(initial=0.0)), 1e-9)
        rows = np.flatnonzero(fit >= least).astype(np.int32)
        if len(rows):
            newness = self._newness(rows, self._made(places)[rows])
            strength = fit[rows] * newness * self._worth.heft[rows]
            worth[rows] = strength**3 * self._early(rows, strength)
        return worth.astype(np.float32)

    def _made(self, places: Places) -> Floats:
        """Per commit, against the best: how much of the places that tell it made."""
        work = self._is_work[places.nodes]
        columns = self._columns.node_commits
        makers = columns.items[columns.starts[places.nodes[work]]]
        made = np.bincount(makers, places.gains[work], len(self._columns.day))
        share: Floats = (made / max(made.max(initial=0.0), 1e-9)).astype(np.float32)
        return share

    def _newness(self, rows: Ints, made: Floats) -> Floats:
        """0 to 1: how much of what a commit did was not there before."""
        says = map(_announces, self._details.facts.subjects.at(rows))
        least, left = np.array(list(says), np.float32).T
        newness: Floats = (least + (1 - least) * np.sqrt(made)) * left
        return newness

    def _early(self, rows: Ints, strength: Floats) -> Floats:
        """1 for the first strong commits and those before, fading for what came after."""
        days = self._columns.day[rows]
        first = days[strength >= STRONG * strength.max()].min()
        return ranking.faded(-days, -int(first), HALF_LIFE)


@lru_cache(maxsize=1 << 14)
def _announces(subject: str) -> tuple[float, float]:
    """What a commit counts for at the least, and what is left of it, by its subject.

    >>> [_announces(text) for text in ("Add EPLB", "Fix EPLB support", "EPLB")]
    [(0.5, 1.0), (0.5, 0.3), (0.25, 1.0)]
    """
    mends = is_small(subject) or _MOVES.search(subject)
    return ANNOUNCED if _ADDS.search(subject) else CHANGED, SMALL if mends else 1.0


def asks_who_introduced(query: Query) -> bool:
    return any(
        wanted.field == "activity" and not wanted.negated and "introduced" in str(wanted.value)
        for wanted in query.filters
    )
