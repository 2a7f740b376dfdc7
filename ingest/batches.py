"""A crawl's product on disk: numbered Parquet batches, and the state that says which are whole.

Files are written under a temporary name and renamed; a batch counts once `state.json` lists it,
and that is replaced in one rename too. Whatever a killed run left besides is never read.
"""

import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TypeAlias

import pyarrow as pa
import pyarrow.parquet as pq

from sourcer.commits import Commit, CrawlFiles, Depth, FileChange, Role
from sourcer.errors import CrawlFailed

Row: TypeAlias = tuple[object, ...]
STATE = "state.json"
ROWS = 16_384
"""Rows gathered before they are written as a row group: what bounds memory."""
FULL, MOST_SMALL = 1000, 64
"""Commits of a batch that stays as it is, and how many smaller ones nights may leave."""
COMMITS = pa.schema(
    [
        ("sha", pa.string()),
        ("parents", pa.list_(pa.string())),
        ("author_name", pa.string()),
        ("author_email", pa.string()),
        ("committer_name", pa.string()),
        ("committer_email", pa.string()),
        ("authored_at", pa.timestamp("s")),
        ("authored_zone", pa.int16()),
        ("committed_at", pa.timestamp("s")),
        ("committed_zone", pa.int16()),
        ("subject", pa.string()),
        ("body", pa.string()),
        ("pull", pa.int32()),
        ("reverts", pa.string()),
        ("malformed_trailers", pa.int16()),
    ]
)
CHANGES = pa.schema(
    [
        ("sha", pa.string()),
        ("path", pa.string()),
        ("old_path", pa.string()),
        ("status", pa.string()),
        ("added", pa.int32()),
        ("deleted", pa.int32()),
        ("is_binary", pa.bool_()),
        ("functions", pa.list_(pa.string())),
        ("identifiers", pa.list_(pa.string())),
    ]
)
ROLES = pa.schema([(name, pa.string()) for name in ("sha", "role", "name", "email")])
TABLES = {"commits": COMMITS, "changes": CHANGES, "roles": ROLES}
OWN = (*(f"{table}-" for table in TABLES), "tree-", "withdrawn-")
"""How this module's files begin; what GitHub says about the commits lies beside them."""


@dataclass(frozen=True, slots=True)
class Tally:
    """What a batch holds, kept in the state so that nothing is read again to report it."""

    number: int
    commits: int = 0
    unknown_line_counts: int = 0
    malformed_trailers: int = 0


@dataclass(frozen=True, slots=True)
class State:
    """What is on disk and how it was made."""

    depth: Depth
    basis: str = ""
    """What every row rests on (the .mailmap, where a shallow clone ends, the format)."""
    head: str | None = None
    """The head when the last crawl finished; None while the first one has not."""
    batches: tuple[Tally, ...] = ()
    tree: str | None = None
    withdrawn: str | None = None
    reachable: int = 0
    """How many commits the head reaches."""
    missing_objects: int = 0
    first_number: int = 1
    """Above that of any batch made on another basis, which may still be read by somebody."""

    @property
    def next_number(self) -> int:
        return max((batch.number + 1 for batch in self.batches), default=self.first_number)


def read_state(into: Path) -> State | None:
    """The state of a crawl directory; None where nothing has been crawled."""
    if not (into / STATE).exists():
        return None
    held = json.loads((into / STATE).read_text("utf-8"))
    batches = tuple(Tally(**batch) for batch in held.pop("batches"))
    return State(Depth(held.pop("depth")), batches=batches, **held)


def write_state(into: Path, state: State) -> None:
    """Replaces the state in one rename."""
    with _renamed(into / STATE) as draft:
        draft.write_text(json.dumps(asdict(state), indent=1), "utf-8")


def files(into: Path, state: State) -> CrawlFiles:
    """The files that a state lists."""
    tables = {
        table: tuple(_batch(into, table, batch.number) for batch in state.batches)
        for table in TABLES
    }
    return CrawlFiles(
        head=state.head,
        **tables,
        tree=into / state.tree if state.tree else None,
        withdrawn=into / state.withdrawn if state.withdrawn else None,
    )


def sweep(into: Path, state: State) -> None:
    """Removes what the state does not list: leavings of killed runs and of earlier settings."""
    kept = files(into, state)
    listed = {*kept.commits, *kept.changes, *kept.roles, kept.tree, kept.withdrawn}
    for path in into.glob("*.parquet*"):
        if path not in listed and path.name.lstrip(".").startswith(OWN):
            path.unlink()


def merge_small(into: Path, state: State) -> State:
    """Puts what many nights left into one batch, so that years of them leave few files.

    The newest commits come first in it, as in any other; nothing is removed here.
    """
    small = 0
    while small < len(state.batches) and state.batches[-1 - small].commits < FULL:
        small += 1
    if small < MOST_SMALL:
        return state
    kept, merged = state.batches[:-small], state.batches[-small:]
    number = state.next_number
    for table in TABLES:
        parts = [pq.read_table(_batch(into, table, batch.number)) for batch in reversed(merged)]
        with _renamed(_batch(into, table, number)) as draft:
            whole = pa.concat_tables(parts)
            pq.write_table(whole, draft, compression="zstd", row_group_size=ROWS)
    tally = Tally(
        number,
        sum(batch.commits for batch in merged),
        sum(batch.unknown_line_counts for batch in merged),
        sum(batch.malformed_trailers for batch in merged),
    )
    return replace(state, batches=(*kept, tally))


def write_column(path: Path, name: str, values: pa.Array) -> None:
    with _renamed(path) as draft:
        pq.write_table(pa.table({name: values}), draft, compression="zstd")


def write_batch(into: Path, number: int, commits: Iterable[Commit]) -> Tally:
    """Writes the three files of a batch, a row group at a time, and says what is in them."""
    count = unknown = malformed = 0
    with _tables(into, number) as (to_commits, to_changes, to_roles):
        for commit in commits:
            to_commits(_commit_row(commit))
            for change in commit.changes:
                to_changes((commit.sha, *_change_row(change)))
                unknown += change.added is None
            for row in _role_rows(commit):
                to_roles(row)
            count += 1
            malformed += commit.malformed_trailers
    return Tally(number, count, unknown, malformed)


def _commit_row(commit: Commit) -> Row:
    return (
        commit.sha,
        commit.parents,
        commit.author.name,
        commit.author.email,
        commit.committer.name,
        commit.committer.email,
        *_moment(commit.authored_at),
        *_moment(commit.committed_at),
        commit.subject,
        commit.body,
        commit.pull,
        commit.reverts,
        commit.malformed_trailers,
    )


def _moment(at: datetime) -> tuple[int, int]:
    zone = at.utcoffset()
    return int(at.timestamp()), int(zone.total_seconds()) // 60 if zone else 0


def _change_row(change: FileChange) -> Row:
    return (
        change.path,
        change.old_path,
        change.status,
        change.added,
        change.deleted,
        change.binary,
        change.functions,
        change.identifiers,
    )


def _role_rows(commit: Commit) -> Iterator[Row]:
    yield commit.sha, Role.AUTHOR.value, commit.author.name, commit.author.email
    for signed in commit.trailers:
        yield commit.sha, signed.role.value, signed.who.name, signed.who.email


@contextmanager
def _tables(into: Path, number: int) -> Iterator[list[Callable[[Row], None]]]:
    with ExitStack() as stack:
        yield [
            stack.enter_context(_table(_batch(into, table, number), schema))
            for table, schema in TABLES.items()
        ]


@contextmanager
def _table(path: Path, schema: pa.Schema) -> Iterator[Callable[[Row], None]]:
    """Yields what takes a row; the file has its name once all rows are on disk."""
    rows: list[Row] = []

    def flush() -> None:
        columns = zip(*rows, strict=True) if rows else ((),) * len(schema)
        arrays = [pa.array(c, kind) for c, kind in zip(columns, schema.types, strict=True)]
        writer.write_table(pa.table(arrays, schema=schema))
        rows.clear()

    def take(row: Row) -> None:
        rows.append(row)
        if len(rows) >= ROWS:
            flush()

    with _renamed(path) as draft, pq.ParquetWriter(draft, schema, compression="zstd") as writer:
        yield take
        flush()


def _batch(into: Path, table: str, number: int) -> Path:
    return into / f"{table}-{number:06}.parquet"


@contextmanager
def _renamed(path: Path) -> Iterator[Path]:
    """A draft beside `path` that takes its name when whole, and is removed when it fails."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        yield draft
        with draft.open("rb") as written:
            os.fsync(written.fileno())
        draft.replace(path)
    except OSError as error:
        raise CrawlFailed(
            f"{path} cannot be written: {error.strerror or error}. "
            "What was crawled before is whole; make room and run again."
        ) from error
    finally:
        draft.unlink(missing_ok=True)
