"""How often a token or a browser may ask: a bucket for each that fills up again by the minute."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from time import monotonic

MOST_HELD = 10_000


@dataclass(slots=True)
class _Bucket:
    left: float
    at: float


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a request may be told of its limit."""

    limit: int
    left: int
    full_in: int
    """Seconds until all of it may be used again."""
    allowed: bool

    def headers(self) -> list[tuple[bytes, bytes]]:
        said = {
            b"ratelimit-limit": self.limit,
            b"ratelimit-remaining": self.left,
            b"ratelimit-reset": self.full_in,
        }
        return [(name, str(value).encode()) for name, value in said.items()]


class Limits:
    """
    >>> limits = Limits(per_minute=2, clock=lambda: 0.0)
    >>> [limits.take("ida").allowed for _ in range(3)]
    [True, True, False]
    """

    def __init__(self, per_minute: int, clock: Callable[[], float] = monotonic) -> None:
        self.per_minute = per_minute
        self._clock = clock
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()

    def take(self, who: str) -> Allowance:
        now, limit = self._clock(), self.per_minute
        bucket = self._buckets.setdefault(who, _Bucket(float(limit), now))
        self._buckets.move_to_end(who)
        if len(self._buckets) > MOST_HELD:
            self._buckets.popitem(last=False)
        bucket.left = min(limit, bucket.left + (now - bucket.at) * limit / 60)
        bucket.at = now
        allowed = bucket.left >= 1
        bucket.left -= allowed
        full_in = ceil((limit - bucket.left) * 60 / limit)
        return Allowance(limit, int(bucket.left), full_in, allowed)
