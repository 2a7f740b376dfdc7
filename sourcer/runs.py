"""What each nightly run did, kept under `data/runs/`, one file a run."""

import json
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from time import perf_counter

_LOG = logging.getLogger("sourcer.nightly")
FOLDER = "runs"
EXIT = {"published": 0, "nothing new": 0, "failed": 1, "held back": 4, "killed": 1, "running": 1}
WITH_FAILURES, BUSY = 3, 5
"""What a run that did its work though something failed ends with, and one that found another."""


class Outcome(StrEnum):
    """How a run ended."""

    RUNNING = "running"
    PUBLISHED = "published"
    NOTHING_NEW = "nothing new"
    HELD = "held back"
    FAILED = "failed"
    KILLED = "killed"


@dataclass(slots=True)
class Run:
    """One run, while it goes on and afterwards."""

    began: str
    outcome: Outcome = Outcome.RUNNING
    ended: str | None = None
    step: str | None = None
    """What it is at; of a run that was killed, what it was at."""
    says: str = ""
    snapshot: str | None = None
    seconds: dict[str, float] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    """Of the snapshot that answers after the run."""
    did: dict[str, int] = field(default_factory=dict)
    """New commits, alerts, expired records ..."""
    failures: dict[str, str] = field(default_factory=dict)
    peak_memory_mb: int = 0

    @property
    def exit_code(self) -> int:
        ended_well = self.outcome in (Outcome.PUBLISHED, Outcome.NOTHING_NEW)
        return WITH_FAILURES if ended_well and self.failures else EXIT[self.outcome]

    def json(self) -> dict[str, object]:
        return asdict(self)


class Journal:
    """Keeps a run's record up to date on disk, so that even a killed one is accounted for."""

    def __init__(self, data: Path, now: datetime | None = None) -> None:
        began = (now or datetime.now(UTC)).astimezone(UTC)
        self.run = Run(began.isoformat(timespec="seconds"))
        with suppress(OSError):  # on a full disk a run may still be able to answer for itself
            (data / FOLDER).mkdir(parents=True, exist_ok=True)
            close_killed(data)
        self.file = _free(data / FOLDER, began)
        self._began = perf_counter()

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Notes what is being done, and how long it took."""
        self.run.step = name
        self._write()
        began = perf_counter()
        try:
            yield
        finally:
            took = round(perf_counter() - began, 2)
            self.run.seconds[name] = round(self.run.seconds.get(name, 0.0) + took, 2)
            _LOG.info("%s took %.2f s", name, took, extra={"step": name, "seconds": took})

    def end(self, outcome: Outcome, says: str) -> Run:
        """The last word of the record. That it cannot be written is no reason to fail."""
        run = self.run
        run.outcome, run.says, run.ended = outcome, says, _now()
        run.step = run.step if outcome is Outcome.FAILED else None
        run.seconds["all"] = round(perf_counter() - self._began, 2)
        run.peak_memory_mb = peak_memory_mb()
        self._write()
        return run

    def _write(self) -> None:
        try:
            _write(self.file, self.run)
        except OSError as error:
            self.run.failures["run record"] = f"{self.file} cannot be written: {error.strerror}"


def recent(data: Path, limit: int = 50) -> list[Run]:
    """The runs on record, newest first."""
    newest = reversed(_files(data)[-limit:])
    return [run for file in newest if (run := _read(file))]


def close_killed(data: Path) -> None:
    """Whoever holds the lock knows that a run which says it is running was killed."""
    for file in _files(data):
        if '"outcome": "running"' in file.read_text("utf-8") and (run := _read(file)):
            run.outcome, run.says = Outcome.KILLED, f"killed at step {run.step}"
            _write(file, run)


def prune(data: Path, keep: int) -> int:
    """Drops the oldest records; how many."""
    old = _files(data)[: -max(keep, 1)]
    for file in old:
        file.unlink(missing_ok=True)
    return len(old)


def peak_memory_mb() -> int:
    """The most that this process, or one that it started, ever held."""
    return max(getrusage(who).ru_maxrss for who in (RUSAGE_SELF, RUSAGE_CHILDREN)) // 1024


def _files(data: Path) -> list[Path]:
    """All records, oldest first."""
    return sorted((data / FOLDER).glob("[0-9]*.json"), key=lambda file: file.stem)


def _read(file: Path) -> Run | None:
    try:
        held = json.loads(file.read_text("utf-8"))
        return Run(**{**held, "outcome": Outcome(held["outcome"])})
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _write(file: Path, run: Run) -> None:
    draft = file.with_name(f".{file.name}-{os.getpid()}")
    try:
        draft.write_text(json.dumps(run.json(), indent=1), "utf-8")
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)


def _free(folder: Path, began: datetime) -> Path:
    stem = f"{began:%Y-%m-%dT%H%M%SZ}"
    names = (stem, *(f"{stem}-{number:02}" for number in range(2, 100)))
    return next(file for name in names if not (file := folder / f"{name}.json").exists())


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
