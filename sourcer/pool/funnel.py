"""Who is left of all contributors after each word of a question.

Whoever meets a word by artifacts alone, or of whom the data do not say, stays in the pool and is
counted apart at each step.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt

Mask = npt.NDArray[np.bool_]
Standings = npt.NDArray[np.int8]


class Standing(IntEnum):
    """How somebody stands after some words of a question; the worst word decides."""

    MATCHED = 0
    BY_ARTIFACTS = 1
    """Every word holds, seniority by what the artifacts show and not by a title."""
    UNKNOWN = 2
    DROPPED = 3


@dataclass(frozen=True, slots=True)
class Word:
    """One part of the question, decided for everybody."""

    says: str
    field: str
    how: str
    """How it was decided, for whoever doubts the number."""
    yes: Mask
    unknown: Mask
    by_artifacts: Mask | None = None
    """Of those unknown by what is declared."""


@dataclass(frozen=True, slots=True)
class Step:
    """Who is left after a word: matched, by_artifacts and unknown; who went with it: dropped."""

    says: str
    field: str
    matched: int
    by_artifacts: int
    unknown: int
    dropped: int
    how: str

    @property
    def left(self) -> int:
        return self.matched + self.by_artifacts + self.unknown

    def json(self) -> dict[str, object]:
        return {
            "says": self.says,
            "field": self.field,
            "matched": self.matched,
            "by_artifacts": self.by_artifacts,
            "unknown": self.unknown,
            "dropped": self.dropped,
            "how": self.how,
        }


EVERYONE = "all contributors"


def funnel(everyone: Mask, words: Sequence[Word]) -> tuple[tuple[Step, ...], Standings]:
    """The steps in the order of the words, and how each one stands in the end.

    >>> everyone, us = np.ones(4, bool), np.array([True, True, False, False])
    >>> word = Word("US", "country", "", us, unknown=np.array([False, False, True, False]))
    >>> steps, standings = funnel(everyone, [word])
    >>> [(step.says, step.matched, step.unknown, step.dropped) for step in steps]
    [('all contributors', 4, 0, 0), ('US', 2, 1, 1)]
    >>> standings.tolist()
    [0, 0, 2, 3]
    """
    standings = np.where(everyone, Standing.MATCHED, Standing.DROPPED).astype(np.int8)
    how = "people with at least one commit written or co-written; no bots or agents"
    steps = [_step(EVERYONE, "", how, standings, dropped=0)]
    for word in words:
        before = int((standings < Standing.DROPPED).sum())
        standings = np.maximum(standings, _of(word))
        dropped = before - int((standings < Standing.DROPPED).sum())
        steps.append(_step(word.says, word.field, word.how, standings, dropped))
    return tuple(steps), standings


def _of(word: Word) -> Standings:
    standing = np.full(len(word.yes), Standing.DROPPED, np.int8)
    standing[word.unknown] = Standing.UNKNOWN
    if word.by_artifacts is not None:
        standing[word.unknown & word.by_artifacts] = Standing.BY_ARTIFACTS
    standing[word.yes] = Standing.MATCHED
    return standing


def _step(says: str, field: str, how: str, standings: Standings, dropped: int) -> Step:
    matched, by_artifacts, unknown = (int((standings == each).sum()) for each in list(Standing)[:3])
    return Step(says, field, matched, by_artifacts, unknown, dropped, how)
