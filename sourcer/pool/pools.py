"""Two pools beside each other, and one with its funnel and slices.

Pure arithmetic over rows; where they come from is the index's business.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Self

from sourcer.pool.funnel import Step
from sourcer.pool.slices import DIMENSIONS, Member, Slice, sliced

LEAST_IN_BLIND = 5


@dataclass(frozen=True, slots=True)
class Overlap:
    """Two pools beside each other, as ids in order."""

    only_first: tuple[str, ...]
    both: tuple[str, ...]
    only_second: tuple[str, ...]

    @property
    def jaccard(self) -> float:
        """Those in both, as a share of those in either.

        >>> overlap([Member("a"), Member("b")], [Member("b")]).jaccard
        0.5
        """
        either = len(self.only_first) + len(self.both) + len(self.only_second)
        return len(self.both) / either if either else 0.0

    def json(self) -> dict[str, object]:
        return {
            "only_first": len(self.only_first),
            "both": len(self.both),
            "only_second": len(self.only_second),
            "jaccard": round(self.jaccard, 4),
        }


def overlap(first: Iterable[Member], second: Iterable[Member]) -> Overlap:
    """Who is in both pools, and who in one alone; the undecided belong to their pool."""
    a, b = {member.id for member in first}, {member.id for member in second}
    return Overlap(tuple(sorted(a - b)), tuple(sorted(a & b)), tuple(sorted(b - a)))


@dataclass(frozen=True, slots=True)
class Pool:
    """The answer to how many there are, from one snapshot."""

    question: str
    snapshot: str
    steps: tuple[Step, ...]
    members: tuple[Member, ...] = field(repr=False)
    notes: tuple[str, ...] = ()
    least: int = 1
    """How many people must share an employer, a school or a place for it to be named."""

    def in_blind(self) -> Self:
        """The same pool for those who may not know who is in it."""
        return replace(self, least=LEAST_IN_BLIND)

    def sliced(self, by: str, top: int | None = 12) -> Slice:
        return sliced(self.members, by, top, self.least)

    def json(self, by: Iterable[str] = DIMENSIONS) -> dict[str, object]:
        return {
            "question": self.question,
            "snapshot": self.snapshot,
            "funnel": [step.json() for step in self.steps],
            "slices": [self.sliced(each).json() for each in by],
            "notes": list(self.notes),
        }
