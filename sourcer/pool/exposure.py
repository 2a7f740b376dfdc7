"""Who is shown, beside who is there: by what people declared, never by a trait that is guessed."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sourcer.pool.slices import DIMENSIONS, Member

BY = ("country", "employer", "tenure")
UNKNOWN = ""
FEWEST = 5
"""In smaller groups chance alone decides, and single people could be told."""


@dataclass(frozen=True, slots=True)
class Share:
    """One group: how many of the pool it is, and how much of what was shown."""

    value: str
    """Empty: not declared."""
    pool: int
    people: int
    """Of them, shown at least once."""
    times: int
    pool_share: float
    shown_share: float
    """Of all times that anybody was shown."""

    @property
    def ratio(self) -> float:
        """Above 1: shown more often than their share of the pool."""
        return self.shown_share / self.pool_share if self.pool_share else 0.0


@dataclass(frozen=True, slots=True)
class Exposure:
    """A pool by one dimension, with how often each group was shown."""

    dimension: str
    title: str
    how: str
    shares: tuple[Share, ...]


def exposure(
    members: Sequence[Member], times: Mapping[str, int], by: str, top: int = 12
) -> Exposure:
    """`times` says how often each person was shown. Who has several values counts in each.

    >>> pool = [*(Member(f"p{n}", country="PL") for n in range(5)),
    ...         *(Member(f"d{n}", country="DE") for n in range(5))]
    >>> germany, poland = exposure(pool, {"p1": 3, "d1": 1}, "country").shares
    >>> poland.value, poland.people, poland.shown_share, poland.ratio
    ('PL', 1, 0.75, 1.5)
    """
    dimension = DIMENSIONS[by]
    pool, people, shown = Counter[str](), Counter[str](), Counter[str]()
    for member in members:
        seen = times.get(member.id, 0)
        for value in dimension.values(member) or (UNKNOWN,):
            pool[value] += 1
            people[value] += seen > 0
            shown[value] += seen
    everyone, all_times = max(pool.total(), 1), max(shown.total(), 1)
    large = [value for value in pool if pool[value] >= FEWEST or value == UNKNOWN]
    ranked = sorted(large, key=lambda value: (value == UNKNOWN, -pool[value], value))
    known = [value for value in ranked if value != UNKNOWN][:top]
    shares = (
        Share(
            value, pool[value], people[value], shown[value],
            pool[value] / everyone, shown[value] / all_times,
        )
        for value in (*known, *(value for value in ranked if value == UNKNOWN))
    )  # fmt: skip
    return Exposure(by, dimension.title, dimension.how, tuple(shares))
