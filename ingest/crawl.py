"""A mirror's history -> Parquet batches: only what is new, and nothing that was taken back.

What is on disk is compared with what the head reaches, as two sets of commits. New ones are
read; ones no longer reached are withdrawn. The first crawl, a nightly one, one that was killed
and one after a force push are all this same comparison.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from typing import TypeAlias

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ingest.batches import (
    State,
    files,
    merge_small,
    read_state,
    sweep,
    write_column,
    write_state,
)
from ingest.borrowed import borrowed, head, shallow_commits
from ingest.chunks import Reading, tallies
from ingest.gitchild import GitFailed, answer, stream
from ingest.gitlog import path_name
from ingest.mailmap import Mailmap
from ingest.missing import Missing, mend, reachable
from sourcer.commits import CrawlFiles, Depth

FORMAT = "1"
"""Raise it when the same history would give other rows: everything is then read again."""
Progress: TypeAlias = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class CrawlReport:
    """What a crawl did, and what all that is on disk adds up to."""

    head: str | None
    commits_new: int
    commits_total: int
    rewritten: int
    """Commits that the branch no longer reaches: a force push took them back."""
    unknown_line_counts: int
    missing_objects: int
    malformed_trailers: int
    seconds: float


def crawl(
    mirror: Path,
    into: Path,
    depth: Depth,
    progress: Progress | None = None,
    processes: int = 2,
) -> CrawlReport:
    """Brings the batches in `into` up to the head of `mirror`, which is only read.

    `progress` is told how many new commits are done, and out of how many. Only depth lines has
    enough to compute for more than one of `processes`.
    Raises NoSuchRepository, or CrawlFailed with git's own words.
    """
    began = perf_counter()
    into.mkdir(parents=True, exist_ok=True)
    with borrowed(mirror) as scratch:
        at_once = processes if depth is Depth.LINES else 1
        crawled = _Crawl(into, scratch, depth, head(mirror), at_once)
        new, rewritten = crawled.catch_up(progress or (lambda _done, _of: None))
    state = crawled.state
    return CrawlReport(
        head=state.head,
        commits_new=new,
        commits_total=state.reachable,
        rewritten=rewritten,
        unknown_line_counts=sum(batch.unknown_line_counts for batch in state.batches),
        missing_objects=state.missing_objects,
        malformed_trailers=sum(batch.malformed_trailers for batch in state.batches),
        seconds=perf_counter() - began,
    )


def batches(into: Path) -> CrawlFiles:
    """The whole files that make up what has been crawled so far."""
    state = read_state(into)
    return files(into, state) if state else CrawlFiles(None)


class _Crawl:
    """One crawl under way; `state` is what is on disk at every moment."""

    def __init__(
        self, into: Path, scratch: Path, depth: Depth, at: str | None, processes: int
    ) -> None:
        self._into, self._scratch, self._at = into, scratch, at
        self._processes = processes
        self._missing = Missing()
        self._mailmap = _mailmap(scratch, at) if at else ""
        shallow = sorted(shallow_commits(scratch))
        basis = sha256("\0".join([FORMAT, self._mailmap, *shallow]).encode())
        fresh = State(depth, basis.hexdigest())
        held = read_state(into) or fresh
        same = (held.depth, held.basis) == (fresh.depth, fresh.basis)
        self.state = held if same else replace(fresh, first_number=held.next_number)

    def catch_up(self, progress: Progress) -> tuple[int, int]:
        """Reads what is new and withdraws what is gone; how many commits each were."""
        if self._at and self._at == self.state.head:
            return 0, 0
        wanted = pa.array(reachable(self._scratch, self._at) if self._at else [], pa.string())
        held = _shas(files(self._into, self.state).commits)
        gone, new = _without(held, wanted), _without(wanted, held)
        self._read(new.to_pylist(), progress)
        return len(new), self._finish(len(wanted), gone)

    def _read(self, new: list[str], progress: Progress) -> None:
        done = 0
        while done < len(new):
            try:
                for tally in tallies(self._reading(), new[done:], self.state.next_number):
                    self._keep(replace(self.state, batches=(*self.state.batches, tally)))
                    done += tally.commits
                    progress(done, len(new))
            except GitFailed:
                if not self._mended():
                    raise

    def _reading(self) -> Reading:
        return Reading(
            self._scratch,
            self._into,
            self.state.depth,
            Mailmap.parse(self._mailmap),
            shallow_commits(self._scratch),
            self._missing,
            self._processes,
        )

    def _mended(self) -> bool:
        """Whether missing objects were to blame and now have stand-ins: it can be tried again."""
        if self._missing.objects or not self._at:
            return False
        lines = self.state.depth is Depth.LINES
        self._missing = mend(self._scratch, self._at, blobs=lines)
        self._keep(replace(self.state, missing_objects=len(self._missing.objects)))
        return bool(self._missing.objects)

    def _finish(self, reachable: int, gone: pa.Array) -> int:
        before = self.state.withdrawn
        newly = _without(gone, _shas((self._into / before,) if before else ()))
        mark = (self._at or "none")[:16]
        tree, withdrawn = f"tree-{mark}.parquet", f"withdrawn-{mark}.parquet"
        write_column(self._into / tree, "path", pa.array(self._tree(), pa.string()))
        write_column(self._into / withdrawn, "sha", gone)
        merged = merge_small(self._into, self.state)
        self._keep(
            replace(merged, reachable=reachable, head=self._at, tree=tree, withdrawn=withdrawn)
        )
        sweep(self._into, self.state)
        return len(newly)

    def _tree(self) -> list[str]:
        if not self._at:
            return []
        listed = stream(self._scratch, ["ls-tree", "-r", "-z", "--name-only", self._at])
        try:
            return [path_name(path) for path in b"".join(listed).split(b"\0") if path]
        except GitFailed:
            if not self._mended():
                raise
            return self._tree()

    def _keep(self, state: State) -> None:
        write_state(self._into, state)
        self.state = state


def _mailmap(scratch: Path, at: str) -> str:
    """The mailmap at the head; empty where there is none, or where its contents are missing."""
    kinds = answer(
        scratch, "cat-file", "--batch-check=%(objecttype)", feed=f"{at}:.mailmap".encode()
    )
    return answer(scratch, "show", f"{at}:.mailmap") if kinds == "blob" else ""


def _shas(paths: tuple[Path, ...]) -> pa.Array:
    columns = [pq.read_table(path, columns=["sha"])["sha"] for path in paths]
    chunks = [chunk for column in columns for chunk in column.chunks]
    return pa.chunked_array(chunks, pa.string()).combine_chunks()


def _without(these: pa.Array, those: pa.Array) -> pa.Array:
    return these.filter(pc.invert(pc.is_in(these, value_set=those)))
