"""How long to wait when GitHub says "not now", by its own published rules."""

import time
from collections.abc import Mapping
from typing import Protocol

TRIES = 6
"""How often one question is put before giving up."""
MINUTE = 60.0


class Clock(Protocol):
    """Time, as seconds since 1970, and waiting."""

    def now(self) -> float: ...

    def sleep(self, seconds: float) -> None: ...


class WallClock:
    """The machine's own clock."""

    def now(self) -> float:
        return time.time()

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)


def is_limit(status: int, headers: Mapping[str, str], message: str) -> bool:
    """Whether a refusal is a limit, primary or secondary, and asking later will do.

    >>> is_limit(429, {}, ""), is_limit(403, {"x-ratelimit-remaining": "0"}, "")
    (True, True)
    >>> is_limit(200, {}, "You have exceeded a secondary rate limit. Please wait a few minutes")
    True
    >>> is_limit(403, {}, "Resource not accessible by personal access token")
    False
    """
    spent = headers.get("x-ratelimit-remaining") == "0"
    told = "rate limit" in message.lower() or "abuse detection" in message.lower()
    return status == 429 or told or (status == 403 and (spent or "retry-after" in headers))


def pause(headers: Mapping[str, str], attempt: int, now: float) -> float:
    """Seconds to wait after the refusal number `attempt` (from 0).

    Retry-After is obeyed; with nothing left of the hour's allowance its end is waited for; without
    either GitHub asks for a minute, and for more each time. A clock that is wrong cannot make the
    waits short for long, as later ones have a floor.

    >>> pause({"retry-after": "30"}, 0, now=1000)
    30.0
    >>> pause({"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1600"}, 0, now=1000)
    601.0
    >>> pause({}, 0, now=1000), pause({}, 2, now=1000)
    (60.0, 240.0)
    """
    floor = MINUTE * 2 ** (attempt - 1) if attempt else 1.0
    after = headers.get("retry-after", "")
    if after.isdigit():
        return max(float(after), floor)
    if headers.get("x-ratelimit-remaining") == "0":
        return max(_reset(headers, now) - now + 1.0, floor)
    return MINUTE * 2.0**attempt


def spent_until(headers: Mapping[str, str], now: float) -> float:
    """When the allowance that an answer used up comes back; `now` where some is left.

    >>> spent_until({"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1600"}, now=1000)
    1601.0
    """
    return _reset(headers, now) + 1.0 if headers.get("x-ratelimit-remaining") == "0" else now


def backoff(attempt: int) -> float:
    """Seconds to wait after the lost connection number `attempt` (from 0).

    >>> [backoff(attempt) for attempt in range(4)]
    [1.0, 2.0, 4.0, 8.0]
    """
    return 2.0**attempt


def _reset(headers: Mapping[str, str], now: float) -> float:
    try:
        return float(headers.get("x-ratelimit-reset", ""))
    except ValueError:
        return now + MINUTE
