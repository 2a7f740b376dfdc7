"""What a repository's crawl left on disk, as far as GitHub can say more about it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ingest import crawl


@dataclass(frozen=True, slots=True)
class Crawled:
    """The commits of the crawled range, and the pull requests that their messages name."""

    head: str | None
    shas: frozenset[str]
    pulls: frozenset[int]

    @classmethod
    def read(cls, folder: Path) -> "Crawled":
        files = crawl.batches(folder)
        tables = [pq.read_table(path, columns=["sha", "pull"]) for path in files.commits]
        if not tables:
            return cls(None, frozenset(), frozenset())
        commits = pa.concat_tables(tables)
        if files.withdrawn:
            gone = pq.read_table(files.withdrawn, columns=["sha"])["sha"]
            commits = commits.filter(pc.invert(pc.is_in(commits["sha"], value_set=gone)))
        pulls = {pull for pull in commits["pull"].to_pylist() if pull}
        return cls(files.head, frozenset(commits["sha"].to_pylist()), frozenset(pulls))


@contextmanager
def renamed(path: Path) -> Iterator[Path]:
    """A draft beside `path` that takes its name when whole."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        yield draft
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def write_table(path: Path, rows: list[dict[str, object]], schema: pa.Schema) -> None:
    with renamed(path) as draft:
        pq.write_table(pa.Table.from_pylist(rows, schema=schema), draft, compression="zstd")
