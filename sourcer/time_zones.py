"""The clocks that somebody's commits were written by: a weak hint, never a place.

Git keeps the author's offset from UTC, and a squash merge at GitHub keeps it too. On the real
histories it is the author's own: of people with ten commits or more, 96% of the commits lie at one
offset and its neighbour of summer time, against 62% for the offset of whoever merged. It tells
where a laptop was set up, not where anybody lives.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from sourcer.query import Filter

YEARS = 2
"""Before the last commit of the history: what is older says nothing of today."""
FEW = 5
"""Fewer commits than this hint at nothing."""
MOSTLY = 0.7
SUMMER = 60
_OFFSET = re.compile(r"UTC([+-])(\d{1,2})(?::?(\d\d))?")


@dataclass(frozen=True, slots=True)
class Clock:
    """Where most of somebody's commits lie: an offset, or two an hour apart."""

    offsets: tuple[int, ...]
    """Minutes east of UTC, the one with most commits first."""
    commits: int
    of: int

    @property
    def says(self) -> str:
        """
        >>> Clock((-420, -480), 31, 33).says
        '31 of 33 commits in two years at UTC-7 or UTC-8 (weak hint: not where they live)'
        """
        where = " or ".join(map(shown, self.offsets))
        return (
            f"{self.commits} of {self.of} commits in two years at {where} "
            "(weak hint: not where they live)"
        )

    def json(self) -> dict[str, object]:
        return {
            "says": self.says,
            "offsets": [shown(offset) for offset in self.offsets],
            "commits": self.commits,
            "of": self.of,
        }


def clock(commits: Mapping[int, int]) -> Clock | None:
    """From commits by offset; None where they are few, scattered, or a server's at UTC all year.

    >>> clock({480: 9, 0: 1}).offsets, clock({-480: 20, -420: 30}).offsets
    ((480,), (-420, -480))
    >>> clock({480: 4}), clock({480: 5, -420: 5}), clock({0: 40})
    (None, None, None)
    """
    of = sum(commits.values())
    if of < FEW:
        return None
    _, low = max((_pair(commits, low), -low) for low in commits)
    held = {at: n for at in (-low, -low + SUMMER) if (n := commits.get(at, 0))}
    if sum(held.values()) < MOSTLY * of or set(held) == {0}:
        return None
    offsets = tuple(sorted(held, key=lambda at: (-held[at], at)))
    return Clock(offsets, sum(held.values()), of)


def _pair(commits: Mapping[int, int], low: int) -> tuple[int, int]:
    return commits[low] + commits.get(low + SUMMER, 0), commits[low]


def decide(wanted: Filter, held: Clock | None) -> bool | None:
    """Were most commits written at such an offset? None: they do not say.

    An hour beside it may be the same place in the other half of the year.

    >>> east = Clock((480,), 31, 33)
    >>> [decide(Filter("timezone", "=", zone), east) for zone in ("UTC+8", "UTC+9", "UTC-8")]
    [True, None, False]
    """
    if held is None:
        return None
    values = wanted.value if isinstance(wanted.value, tuple) else (wanted.value,)
    asked = [minutes(str(value)) for value in values]
    answer: bool | None = any(at in held.offsets for at in asked)
    near = any(at is None or abs(at - one) == SUMMER for at in asked for one in held.offsets)
    answer = answer or (None if near else False)
    return answer if answer is None else answer is not wanted.negated


def minutes(text: str) -> int | None:
    """
    >>> minutes("UTC+5:30"), minutes("UTC-8"), minutes("Mars")
    (330, -480, None)
    """
    if not (found := _OFFSET.fullmatch(text)):
        return None
    size = 60 * int(found[2]) + int(found[3] or 0)
    return -size if found[1] == "-" else size


def shown(offset: int) -> str:
    """
    >>> shown(330), shown(-480), shown(0)
    ('UTC+5:30', 'UTC-8', 'UTC+0')
    """
    hours, rest = divmod(abs(offset), 60)
    return f"UTC{'-' if offset < 0 else '+'}{hours}" + (f":{rest:02}" if rest else "")
