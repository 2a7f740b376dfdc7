"""What the files of a snapshot were when it was sealed, and whether they still are.

A file whose size and time are as they were sealed is taken as whole, so that opening a snapshot
costs no reading; one that was touched is read and compared with its checksum. The nightly job
reads them all, whatever their time says.
"""

import hashlib
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeAlias, TypedDict

Touched: TypeAlias = Sequence[int]
"""Size in bytes, and when it was last written, in nanoseconds."""


class Seal(TypedDict):
    """The part of a manifest that speaks of its files, by their path within the snapshot."""

    files: dict[str, str]
    """SHA-256 of each."""
    touched: dict[str, Touched]


def sealed(folder: Path) -> Seal:
    """Everything in a folder, once it is on disk to stay."""
    names = sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
    with ThreadPoolExecutor() as pool:
        digests = list(pool.map(lambda name: _digest(folder / name, keep=True), names))
    touched = {name: _touched(folder / name) for name in names}
    return {"files": dict(zip(names, digests, strict=True)), "touched": touched}


def damaged(folder: Path, seal: Seal, *, thoroughly: bool = False) -> str | None:
    """The first file that is not as it was sealed; None: they all are.

    >>> damaged(Path("/nowhere"), {"files": {"graph.duckdb": "9f1c"}, "touched": {}})
    'graph.duckdb'
    """
    files = seal["files"]
    known: Mapping[str, Touched] = {} if thoroughly else seal.get("touched", {})
    suspects = [name for name in files if not _is_as_sealed(folder / name, known.get(name))]
    with ThreadPoolExecutor() as pool:
        found = pool.map(lambda name: _reads_as(folder / name, files[name]), suspects)
        return next((name for name, whole in zip(suspects, found, strict=True) if not whole), None)


def _is_as_sealed(file: Path, known: Touched | None) -> bool:
    try:
        return known is not None and list(known) == list(_touched(file))
    except OSError:
        return False


def _reads_as(file: Path, digest: str) -> bool:
    try:
        return _digest(file) == digest
    except OSError:
        return False


def _touched(file: Path) -> Touched:
    stat = file.stat()
    return [stat.st_size, stat.st_mtime_ns]


def _digest(file: Path, *, keep: bool = False) -> str:
    with file.open("rb") as stream:
        if keep:
            os.fsync(stream.fileno())
        return hashlib.file_digest(stream, "sha256").hexdigest()
