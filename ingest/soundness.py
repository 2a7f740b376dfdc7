"""Whether what earlier crawls left on disk can still be read, and mending what cannot.

Each file is read through once, when it is new, and its checksum kept beside it; afterwards only
one that was touched is read again. A repository with a damaged file is crawled anew.
"""

import hashlib
import json
from pathlib import Path
from typing import TypeAlias

import pyarrow as pa
import pyarrow.parquet as pq

from ingest.batches import OWN, STATE, files, read_state
from ingest.profiles.from_github.crawled import renamed

FILE = "checksums.json"
Touched: TypeAlias = list[int | str]
"""Of a file its size, when it was written (ns), and its SHA-256."""


def mend(folder: Path, *, thoroughly: bool = False) -> str | None:
    """Makes a crawl's folder readable: what is damaged is taken away, so that it is crawled again.

    Says what was wrong; None: nothing. Trusts no file's time when it looks `thoroughly`.
    """
    if not folder.is_dir():
        return None
    try:
        listed = _listed(folder)
    except (ValueError, TypeError, KeyError, AttributeError):
        _forget(folder)
        return f"{folder / STATE} could not be read"
    known = _known(folder)
    found = {file: _as_read(file, known.get(file.name), thoroughly) for file in listed}
    damaged = [file for file, at in found.items() if at is None]
    for file in damaged:
        _take_away(file)
    sound = {file.name: at for file, at in found.items() if at is not None}
    if sound != known and (folder / STATE).exists():
        with renamed(folder / FILE) as draft:
            draft.write_text(json.dumps(sound, indent=0), "utf-8")
    return f"{damaged[0]} was damaged or missing" if damaged else None


def expect_change(*written: Path) -> None:
    """Files that are about to be replaced on purpose: the next look takes them as new."""
    for folder in {file.parent for file in written}:
        known = _known(folder)
        left = {name: at for name, at in known.items() if folder / name not in written}
        if left != known:
            with renamed(folder / FILE) as draft:
                draft.write_text(json.dumps(left, indent=0), "utf-8")


def set_damaged_aside(folder: Path) -> dict[str, str]:
    """Imported profiles that cannot be read get another name, and everything else goes on; says
    of each file what to do."""
    aside = {}
    for file in sorted(folder.glob("*.parquet")):
        if not _is_readable(file):
            file.rename(file.with_suffix(".damaged"))
            aside[f"profiles/{file.name}"] = (
                f"it cannot be read and was renamed to {file.stem}.damaged: import it again, "
                "or put it back from a backup"
            )
    return aside


def _listed(folder: Path) -> list[Path]:
    """What a crawl has to be able to read; what GitHub said of the commits lies beside it."""
    state = read_state(folder)
    if state is None:
        return []
    own = files(folder, state)
    rest = [path for path in folder.glob("*.parquet") if not path.name.startswith(OWN)]
    single = [path for path in (own.tree, own.withdrawn) if path]
    return [*own.commits, *own.changes, *own.roles, *single, *sorted(rest)]


def _as_read(file: Path, known: Touched | None, thoroughly: bool) -> Touched | None:
    """The file's size, time and checksum; None: it is damaged."""
    try:
        stat = file.stat()
        if known and not thoroughly and known[:2] == [stat.st_size, stat.st_mtime_ns]:
            return known
        with file.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError:
        return None
    is_new = known is None or (not _is_own(file) and known[1] != stat.st_mtime_ns)
    is_whole = _is_readable(file) if is_new else known is not None and known[2] == digest
    return [stat.st_size, stat.st_mtime_ns, digest] if is_whole else None


def _is_own(file: Path) -> bool:
    """Written once and never again; GitHub's accounts are written anew with every refresh."""
    return file.name.startswith(OWN)


def _take_away(file: Path) -> None:
    """With what says that it is there: the crawl's state, or GitHub's list of pull requests."""
    file.unlink(missing_ok=True)
    if _is_own(file):
        _forget(file.parent)
    elif file.name.startswith("reviews-"):
        file.with_name(f"pulls-{file.name.removeprefix('reviews-')}").unlink(missing_ok=True)


def _forget(folder: Path) -> None:
    """The next crawl begins anew."""
    (folder / STATE).unlink(missing_ok=True)
    (folder / FILE).unlink(missing_ok=True)


def _is_readable(file: Path) -> bool:
    try:
        pq.read_table(file)
    except (OSError, pa.ArrowException):
        return False
    return True


def _known(folder: Path) -> dict[str, Touched]:
    try:
        held: dict[str, Touched] = json.loads((folder / FILE).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return held
