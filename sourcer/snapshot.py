"""One immutable dated directory, drafted beside the live one and published by one rename."""

import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sourcer.errors import DamagedSnapshot, NoSnapshot

DATABASE = "graph.duckdb"
INDEX = "index"
MANIFEST = "manifest.json"
CURRENT = "current"
_DRAFT = ".draft-"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A published snapshot: where it is, and what its manifest says."""

    path: Path
    manifest: dict[str, Any]

    @property
    def name(self) -> str:
        return self.path.name

    @property
    def database(self) -> Path:
        return self.path / DATABASE

    @property
    def index(self) -> Path:
        return self.path / INDEX

    def verify(self) -> None:
        """Raises DamagedSnapshot when a file's checksum is not the manifest's."""
        for name, digest in self.manifest["files"].items():
            file = self.path / name
            if not file.is_file() or _digest(file) != digest:
                raise DamagedSnapshot(
                    f"{file} does not match the manifest. Run: sourcer rollback, or sourcer ingest"
                )


def current(data: Path) -> Snapshot:
    """The snapshot that answers questions now. Raises NoSnapshot when none is published."""
    link = data / CURRENT
    if not link.exists():
        raise NoSnapshot(f"nothing is published in {data}. Run: sourcer ingest, or sourcer demo")
    return _opened(link.resolve())


def published(data: Path) -> list[Path]:
    """The directories of all published snapshots, oldest first."""
    folder = data / "snapshots"
    if not folder.is_dir():
        return []
    return sorted(path for path in folder.iterdir() if not path.name.startswith("."))


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
    manifest = facts | {"files": {name: _digest(drafted / name) for name in _files(drafted)}}
    _write_durably(drafted / MANIFEST, json.dumps(manifest, indent=2, default=str))
    path = _free_name(data / "snapshots")
    drafted.rename(path)
    point(data, path)
    return Snapshot(path, manifest)


def point(data: Path, path: Path) -> None:
    """Makes an already published snapshot current, by one rename."""
    link = data / f".{CURRENT}-{os.getpid()}"
    link.unlink(missing_ok=True)
    link.symlink_to(Path("snapshots") / path.name)
    link.rename(data / CURRENT)
    _sync(data)


def prune(data: Path, keep: int) -> list[Path]:
    """Removes all but the newest `keep` snapshots, and never the current one."""
    live = (data / CURRENT).resolve()
    old = [path for path in published(data)[: -max(keep, 1)] if path != live]
    for path in old:
        shutil.rmtree(path, ignore_errors=True)
    return old


def _opened(path: Path) -> Snapshot:
    try:
        manifest = json.loads((path / MANIFEST).read_text("utf-8"))
    except (OSError, json.JSONDecodeError) as error:
        raise DamagedSnapshot(f"{path / MANIFEST} cannot be read: {error}") from error
    return Snapshot(path, manifest)


def _free_name(folder: Path) -> Path:
    stem = datetime.now(UTC).strftime("%Y-%m-%dT%H%M%SZ")
    names = [stem] + [f"{stem}-{n}" for n in range(2, 100)]
    return next(folder / name for name in names if not (folder / name).exists())


def _files(folder: Path) -> list[str]:
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file())


def _digest(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


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
