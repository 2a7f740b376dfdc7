"""Reads commits a thousand at a time: one git log and one batch each, in one process or two."""

import secrets
import signal
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path

from ingest import gitlog
from ingest.batches import Tally, write_batch
from ingest.gitchild import stream
from ingest.mailmap import Mailmap
from ingest.missing import Missing
from sourcer.commits import Commit, Depth
from sourcer.errors import CrawlFailed

SIZE = {Depth.PATHS: 4000, Depth.LINES: 1000}


@dataclass(frozen=True, slots=True)
class Reading:
    """All that a process needs to read any chunk of one repository."""

    scratch: Path
    into: Path
    depth: Depth
    mailmap: Mailmap
    shallow: frozenset[str]
    missing: Missing
    processes: int = 1


def tallies(reading: Reading, shas: list[str], first_number: int) -> Iterator[Tally]:
    """Writes `shas`, oldest first, as batches numbered from `first_number`, and in that order."""
    size = SIZE[reading.depth]
    chunks = [shas[start : start + size] for start in range(0, len(shas), size)]
    numbers = range(first_number, first_number + len(chunks))
    if reading.processes == 1 or len(chunks) == 1:
        yield from map(_read_chunk, [reading] * len(chunks), numbers, chunks)
        return
    pool = ProcessPoolExecutor(reading.processes, get_context("spawn"), _end_quietly)
    held = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        results = pool.map(_read_chunk, [reading] * len(chunks), numbers, chunks)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, held)
    try:
        yield from results
    finally:
        pool.shutdown(cancel_futures=True)


def _end_quietly() -> None:
    """A terminal sends ^C to every process; only the one that waits for the others speaks of it.
    It is held back while they start, and they while they import."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _read_chunk(reading: Reading, number: int, shas: list[str]) -> Tally:
    """Newest first: git reads trees faster so, as packs hold the newest ones whole."""
    with closing(_commits(reading, reversed(shas))) as commits:
        tally = write_batch(reading.into, number, commits)
    if tally.commits != len(shas):
        raise CrawlFailed(f"git log gave {tally.commits} of {len(shas)} commits and no error")
    return tally if reading.depth is Depth.LINES else replace(tally, unknown_line_counts=0)


def _commits(reading: Reading, shas: Iterable[str]) -> Generator[Commit, None, None]:
    mark = secrets.token_hex(8)
    missing = reading.missing
    arguments = gitlog.arguments(reading.depth, mark, trees=bool(missing.trees))
    log = stream(reading.scratch, arguments, "\n".join(shas).encode())
    with closing(log):
        for commit in gitlog.commits(log, mark, missing.objects):
            if commit.sha in reading.shallow or commit.sha in missing.rootless:
                commit = replace(commit, changes=())
            yield reading.mailmap.apply(commit)
