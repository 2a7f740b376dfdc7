"""One immutable dated directory, drafted beside the live one and published by one rename."""

import json
import logging
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sourcer import sealing
from sourcer.errors import DamagedSnapshot, NoSnapshot

DATABASE = "graph.duckdb"
INDEX = "index"
MANIFEST = "manifest.json"
CURRENT = "current"
_DRAFT, _HELD, _ROLLED_BACK = ".draft-", ".held-", ".rolled-back-"
_NAMED = "%Y-%m-%dT%H%M%SZ"
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A sealed snapshot: where it is, and what its manifest says."""

    path: Path
    manifest: dict[str, Any]

    @property
    def name(self) -> str:
        return self.path.name.removeprefix(_HELD)

    @property
    def database(self) -> Path:
        return self.path / DATABASE

    @property
    def index(self) -> Path:
        return self.path / INDEX

    def verify(self, *, thoroughly: bool = True) -> None:
        """Raises DamagedSnapshot when a file is not as it was sealed.

        Not `thoroughly`, only what was touched since is read.
        """
        seal: sealing.Seal = {
            "files": self.manifest["files"],
            "touched": self.manifest.get("touched", {}),
        }
        if file := sealing.damaged(self.path, seal, thoroughly=thoroughly):
            raise DamagedSnapshot(
                f"{self.path / file} does not match the manifest. "
                "Run: sourcer rollback, or sourcer ingest"
            )


def current(data: Path) -> Snapshot:
    """What `current` points at, damaged or not. Raises NoSnapshot when nothing is published."""
    link = data / CURRENT
    if not link.exists():
        raise _none(data)
    return _opened(link.resolve())


def current_good(data: Path, *, thoroughly: bool = False) -> Snapshot:
    """The snapshot that answers questions now: the current one or, when it is damaged, the newest
    whole one, which the log then says as an error.

    Raises NoSnapshot when nothing is published, DamagedSnapshot when nothing whole is left.
    """
    named = pointed_at(data)
    others = [path for path in reversed(published(data)) if path.name != named]
    paths = [data / "snapshots" / named, *others] if named else others
    if not paths:
        raise _none(data)
    complaints: list[str] = []
    for path in paths:
        try:
            found = _opened(path)
            found.verify(thoroughly=thoroughly)
        except DamagedSnapshot as damage:
            complaints.append(str(damage))
            continue
        if complaints or not named:
            why = complaints[0] if complaints else f"{data / CURRENT} points nowhere"
            _LOG.error("%s. Answering from %s instead", why, found.name)
        return found
    raise DamagedSnapshot("no published snapshot is whole: " + "; ".join(complaints))


def pointed_at(data: Path) -> str:
    """The name that `current` gives, whether or not such a snapshot is there."""
    try:
        return (data / CURRENT).readlink().name
    except OSError:
        return ""


def published(data: Path) -> list[Path]:
    """The directories of all published snapshots, oldest first."""
    return sorted(path for path in _all(data) if not path.name.startswith("."))


def newer(data: Path, than: Snapshot) -> list[Snapshot]:
    """Whole snapshots published after another and not rolled back: a process was killed just
    before it could make them current. Newest first."""
    found = []
    for path in reversed(published(data)):
        if path.name > than.name and not _rolled_back(path).exists():
            try:
                unfinished = _opened(path)
                unfinished.verify()
            except DamagedSnapshot as damage:
                _LOG.error("%s", damage)
                continue
            found.append(unfinished)
    return found


def rolled_back(data: Path) -> list[Snapshot]:
    """The snapshots that somebody took back and that are still on disk."""
    return [_opened(path) for path in published(data) if _rolled_back(path).exists()]


@contextmanager
def draft(data: Path) -> Iterator[Path]:
    """A fresh directory to build in; removed when the work inside fails."""
    folder = data / "snapshots"
    folder.mkdir(parents=True, exist_ok=True)
    for abandoned in folder.glob(f"{_DRAFT}*"):
        shutil.rmtree(abandoned, ignore_errors=True)
    path = folder / f"{_DRAFT}{os.getpid()}"
    path.mkdir()
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def publish(data: Path, drafted: Path, facts: dict[str, Any]) -> Snapshot:
    """Seals a draft with its manifest and makes it current. Returns what was published.

    The last step is a single rename of `current`; a process killed before it changes nothing.
    """
    sealed = Snapshot(drafted, _seal(drafted, facts))
    return release(data, sealed)


def hold(data: Path, drafted: Path, facts: dict[str, Any]) -> Snapshot:
    """Seals a draft and keeps it aside, where nobody is answered from it; one is kept at most."""
    manifest = _seal(drafted, facts)
    for earlier in _all(data):
        if earlier.name.startswith(_HELD):
            shutil.rmtree(earlier)
    path = data / "snapshots" / f"{_HELD}{free_name(data)}"
    drafted.rename(path)
    _sync(path.parent)
    return Snapshot(path, manifest)


def held(data: Path) -> Snapshot | None:
    """What is held back, if anything is and it is whole."""
    for path in sorted(_all(data), reverse=True):
        if path.name.startswith(_HELD):
            try:
                found = _opened(path)
                found.verify()
            except DamagedSnapshot as damage:
                _LOG.error("%s", damage)
                continue
            return found
    return None


def release(data: Path, waiting: Snapshot) -> Snapshot:
    """Makes a sealed snapshot current under the name of this moment."""
    path = data / "snapshots" / free_name(data)
    waiting.path.rename(path)
    _sync(path.parent)
    point(data, path)
    return Snapshot(path, waiting.manifest)


def point(data: Path, path: Path) -> None:
    """Makes an already published snapshot current, by one rename."""
    link = data / f".{CURRENT}-{os.getpid()}"
    link.unlink(missing_ok=True)
    link.symlink_to(Path("snapshots") / path.name)
    link.rename(data / CURRENT)
    _rolled_back(path).unlink(missing_ok=True)
    _sync(data)


def roll_back(data: Path, to: str | None = None) -> tuple[Snapshot, str]:
    """Makes the newest whole snapshot before the current one current, or the one named; says
    which, and what was current before. The next nightly run does not bring that back by itself.
    """
    live = pointed_at(data)
    if not live:
        raise _none(data)
    earlier = [path for path in published(data) if path.name < live]
    wanted = [path for path in published(data) if path.name == to] if to else earlier
    for path in reversed(wanted):
        try:
            found = _opened(path)
            found.verify()
        except DamagedSnapshot as damage:
            _LOG.error("%s", damage)
            continue
        if path.name < live:
            _rolled_back(data / "snapshots" / live).touch()
        point(data, path)
        return found, live
    raise NoSnapshot(f"there is no whole snapshot {to or f'before {live}'} in {data}")


def prune(data: Path, keep: int) -> list[Path]:
    """Removes all but the newest `keep` snapshots, and never the current one."""
    live = pointed_at(data)
    old = [path for path in published(data)[: -max(keep, 1)] if path.name != live]
    for path in old:
        shutil.rmtree(path, ignore_errors=True)
        _rolled_back(path).unlink(missing_ok=True)
    return old


def keep_current(data: Path) -> None:
    """Removes every snapshot but the current one: published, held back, or abandoned."""
    live = pointed_at(data)
    for path in _all(data):
        if live and path.name != live:
            shutil.rmtree(path)
            _rolled_back(path).unlink(missing_ok=True)


def free_name(data: Path, now: datetime | None = None) -> str:
    """The name of the next snapshot: the time, and later than any name there is, so that names
    go up though the clock may not.

    >>> free_name(Path("/nowhere"), datetime(2026, 5, 1, 2, 30, tzinfo=UTC))
    '2026-05-01T023000Z'
    """
    moment = (now or datetime.now(UTC)).replace(microsecond=0)
    names = [path.name.removeprefix(_HELD) for path in _all(data)]
    taken = [made for name in names if (made := _moment(name))]
    after = max(taken, default=moment - timedelta(seconds=1)) + timedelta(seconds=1)
    return max(moment, after).strftime(_NAMED)


def _moment(name: str) -> datetime | None:
    try:
        return datetime.strptime(name[:18], _NAMED).replace(tzinfo=UTC)
    except ValueError:
        return None


def _all(data: Path) -> list[Path]:
    folder = data / "snapshots"
    return [path for path in folder.iterdir() if path.is_dir()] if folder.is_dir() else []


def _opened(path: Path) -> Snapshot:
    try:
        manifest = json.loads((path / MANIFEST).read_text("utf-8"))
        return Snapshot(path, manifest | {"files": dict(manifest["files"])})
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise DamagedSnapshot(f"{path / MANIFEST} cannot be read: {error}") from error


def _seal(drafted: Path, facts: dict[str, Any]) -> dict[str, Any]:
    manifest = facts | sealing.sealed(drafted)
    _write_durably(drafted / MANIFEST, json.dumps(manifest, indent=2, default=str))
    return manifest


def _rolled_back(path: Path) -> Path:
    return path.with_name(f"{_ROLLED_BACK}{path.name}")


def _none(data: Path) -> NoSnapshot:
    return NoSnapshot(f"nothing is published in {data}. Run: sourcer ingest, or sourcer demo")


def _write_durably(file: Path, text: str) -> None:
    with file.open("w", encoding="utf-8") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
    _sync(file.parent)


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
