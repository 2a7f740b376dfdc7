"""Chance that falls the same way every time, on every machine and Python."""

from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeVar

T = TypeVar("T")


def roll(sides: int, *seeds: object) -> int:
    """A number below `sides` that depends on the seeds alone.

    >>> roll(6, "arvida", 3) == roll(6, "arvida", 3)
    True
    >>> sorted({roll(3, n) for n in range(50)})
    [0, 1, 2]
    """
    digest = blake2b("\x1f".join(map(str, seeds)).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") % sides


def pick(choices: Sequence[T], *seeds: object) -> T:
    """One of the choices.

    >>> pick(("a", "b"), 1) in ("a", "b")
    True
    """
    return choices[roll(len(choices), *seeds)]


def chance(percent: int, *seeds: object) -> bool:
    """True in so many of a hundred cases.

    >>> chance(100, "x"), chance(0, "x")
    (True, False)
    """
    return roll(100, *seeds) < percent
