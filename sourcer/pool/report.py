"""Titles against artifacts on one's own data: what each way of looking finds, and how.

>>> both = np.array([True, True, False])
>>> found = figures(Counted(both, both, both & False, both, both, both, both, both, both))
>>> (found[0].says, found[0].number, found[0].of), found[5].share
(('contributors held here', 2, None), 1.0)
"""

from dataclasses import dataclass

import numpy as np

from sourcer.pool.funnel import Mask

CAPABLE = 3
"""Commits to kernel sources from which somebody counts as kernel-capable."""


@dataclass(frozen=True, slots=True)
class Counted:
    """Who is who in each way of looking, as masks over all people."""

    contributors: Mask
    profiled: Mask
    """Some field is declared, so that titles and skills could say something."""
    skilled: Mask
    """A declared skill matches the boolean search."""
    titled: Mask
    """A declared title, headline or biography matches it."""
    in_kernels: Mask
    """At least one commit changes a kernel's source."""
    kernel_capable: Mask
    artifacts: Mask
    """The question's commits and topics hold."""
    pool: Mask
    """Every word of the question holds or is undecided."""
    anywhere: Mask
    """The same question without its places."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One number with what it is a share of, and how it was made."""

    says: str
    number: int
    of: int | None
    how: str

    @property
    def share(self) -> float | None:
        """None where there is nothing to be a share of."""
        return self.number / self.of if self.of else None

    def json(self) -> dict[str, object]:
        share = None if self.share is None else round(self.share, 4)
        return {
            "says": self.says,
            "number": self.number,
            "of": self.of,
            "share": share,
            "how": self.how,
        }


@dataclass(frozen=True, slots=True)
class Report:
    """The table, with the searches that it compares."""

    question: str
    titles: str
    """The boolean search over what people declare."""
    snapshot: str
    figures: tuple[Figure, ...]

    def json(self) -> dict[str, object]:
        return {
            "question": self.question,
            "titles": self.titles,
            "snapshot": self.snapshot,
            "figures": [figure.json() for figure in self.figures],
        }


def figures(counted: Counted) -> tuple[Figure, ...]:
    """Every row of the table. A missing profile is no evidence against anyone: shares of what is
    declared are shares of those who declare something."""
    base, profiled = _size(counted.contributors), _size(counted.profiled)
    declared = counted.skilled | counted.titled
    capable, artifacts = counted.kernel_capable, counted.artifacts
    return (
        Figure(
            "contributors held here",
            base,
            None,
            "people with a commit written or co-written in the repositories held; the global base",
        ),
        Figure(
            "with any declared field",
            profiled,
            base,
            "a profile was fetched or imported and linked to the person",
        ),
        Figure(
            "skill listed",
            _size(counted.skilled),
            profiled,
            "a declared skill matches the boolean search; of those who declare anything",
        ),
        Figure(
            "title match",
            _size(counted.titled),
            profiled,
            "a declared title, headline or biography matches the boolean search; likewise",
        ),
        Figure(
            "commits in kernel paths",
            _size(counted.in_kernels),
            base,
            "a commit, no sweep or chore, changes a .cu, .cuh, .hip, Triton, CUTLASS or other"
            " kernel source",
        ),
        Figure(
            "kernel-capable",
            _size(capable),
            base,
            f"{CAPABLE} such commits or more",
        ),
        Figure(
            "title-only search",
            _size(declared),
            base,
            "skill listed or title match, nothing else asked",
        ),
        Figure(
            "artifact search",
            _size(artifacts),
            base,
            "a commit that answers the topics, repositories, paths and times of the question",
        ),
        Figure(
            "found by both",
            _size(declared & artifacts),
            _size(declared | artifacts),
            "of all that either search finds",
        ),
        Figure(
            "found by artifacts alone",
            _size(artifacts & ~declared),
            _size(artifacts),
            "of the artifact search: whom a title-only search misses",
        ),
        Figure(
            "found by titles alone",
            _size(declared & ~artifacts),
            _size(declared),
            "of the title-only search: no commit held here answers the question",
        ),
        Figure(
            "kernel-capable, by a title-only search",
            _size(declared & capable),
            _size(capable),
            "of all kernel-capable: the title-only search's recall",
        ),
        Figure(
            "in the pool",
            _size(counted.pool),
            base,
            "every word of the question holds or is undecided; the share of the global base",
        ),
        Figure(
            "in the pool, of the same pool anywhere",
            _size(counted.pool),
            _size(counted.anywhere),
            "the question against itself without its places; unknown places are in both",
        ),
    )


def _size(mask: Mask) -> int:
    return int(np.count_nonzero(mask))
