"""Repositories that failed, and when each is tried again: later and later, but never given up."""

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

from sourcer.settings import Repository

FILE = "retries.json"
WAITS = tuple(timedelta(hours=hours) for hours in (0, 20, 44, 92, 164))
"""After the first failure the next run tries again; then every second night, fourth, eighth ..."""


@dataclass(frozen=True, slots=True)
class Failing:
    """A repository that failed `times` in a row."""

    times: int
    since: str
    last: str
    why: str
    source: str
    """A hash of where it comes from: one that was moved is tried at once."""

    def next_at(self) -> datetime:
        return datetime.fromisoformat(self.last) + WAITS[min(self.times, len(WAITS)) - 1]

    def waits(self, repository: Repository, now: datetime) -> bool:
        """Whether it is too soon. A clock that was set back makes nobody wait for years."""
        last = datetime.fromisoformat(self.last)
        return last <= now < self.next_at() and self.source == _hash(repository.source)

    @property
    def says(self) -> str:
        return (
            f"failed {self.times} times since {self.since[:10]}, is tried again after "
            f"{self.next_at():%Y-%m-%d %H:%M} UTC: {self.why}"
        )


def read(data: Path) -> dict[str, Failing]:
    """All that fail now; an unreadable file means that none is known to."""
    try:
        held = json.loads((data / FILE).read_text("utf-8"))
        return {name: Failing(**one) for name, one in held.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def after(
    before: Mapping[str, Failing],
    tried: Mapping[str, Repository],
    failures: Mapping[str, str],
    now: datetime,
) -> dict[str, Failing]:
    """What fails once some were tried; those that succeeded are forgotten."""
    standing = {name: one for name, one in before.items() if name not in tried}
    return standing | {
        name: _failed(before.get(name), tried[name], why, now)
        for name, why in failures.items()
        if name in tried
    }


def write(data: Path, failing: Mapping[str, Failing]) -> None:
    """In one rename; no file where nothing fails."""
    file = data / FILE
    if not failing:
        file.unlink(missing_ok=True)
        return
    draft = data / f".{FILE}-{os.getpid()}"
    try:
        draft.write_text(json.dumps({n: asdict(one) for n, one in failing.items()}, indent=1))
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)


def _failed(before: Failing | None, repository: Repository, why: str, now: datetime) -> Failing:
    moment, source = now.astimezone(UTC).isoformat(timespec="seconds"), _hash(repository.source)
    if before is None or before.source != source:
        return Failing(1, moment, moment, why, source)
    return Failing(before.times + 1, before.since, moment, why, source)


def _hash(source: str) -> str:
    return sha256(source.encode()).hexdigest()[:16]
