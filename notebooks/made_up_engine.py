"""A small database engine that nobody wrote: its history, for a notebook that needs no network."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from ingest.sample.dice import chance, pick, roll
from ingest.sample.planned import Planned, Touch
from ingest.sample.stream import write_repository
from sourcer.commits import Signature

BEGINS = datetime(2021, 3, 1, 9, tzinfo=UTC)
COMMITS = 400
VERBS = ("Add", "Fix race in", "Speed up", "Rework", "Test", "Document", "Support")
OFTEN = 75
"""Per cent of somebody's commits that go to their first area."""


@dataclass(frozen=True)
class Area:
    """What there is to do, and where it lies."""

    things: tuple[str, ...]
    files: tuple[str, ...]


AREAS = {
    "log": Area(
        (
            "write-ahead log rotation",
            "WAL group commit",
            "crash recovery replay",
            "checkpoint sync",
        ),
        ("src/wal/writer.cc", "src/wal/recovery.cc", "src/wal/checkpoint.cc", "tests/wal_test.cc"),
    ),
    "tree": Area(
        (
            "B-tree page split",
            "cursor over deleted keys",
            "prefix compression of index keys",
            "latch coupling",
        ),
        ("src/index/btree/node.cc", "src/index/btree/split.cc", "src/index/btree/cursor.cc"),
    ),
    "versions": Area(
        (
            "snapshot isolation check",
            "vacuum of dead row versions",
            "write-write conflicts",
            "MVCC visibility map",
        ),
        (
            "src/txn/snapshot.cc",
            "src/txn/vacuum.cc",
            "src/txn/conflict.cc",
            "tests/isolation_test.cc",
        ),
    ),
    "planner": Area(
        (
            "join order search",
            "cardinality estimates",
            "cost of nested loops",
            "predicate pushdown",
        ),
        ("src/planner/join_order.cc", "src/planner/cost.cc", "src/planner/statistics.cc"),
    ),
    "vectors": Area(
        (
            "vectorized hash join",
            "SIMD filter on columns",
            "batched aggregation",
            "morsel scheduling",
        ),
        (
            "src/exec/vectorized/hash_join.cc",
            "src/exec/vectorized/filter.cc",
            "src/exec/vectorized/aggregate.cc",
        ),
    ),
    "replicas": Area(
        (
            "Raft leader election",
            "log shipping to followers",
            "follower reads",
            "snapshot transfer to replicas",
        ),
        ("src/replication/raft.cc", "src/replication/follower.cc", "src/replication/shipping.cc"),
    ),
    "pages": Area(
        (
            "buffer pool eviction",
            "direct I/O for cold pages",
            "page checksums",
            "huge pages in the buffer pool",
        ),
        ("src/storage/buffer_pool.cc", "src/storage/page.cc", "src/storage/io_uring.cc"),
    ),
    "language": Area(
        (
            "window functions in the parser",
            "common table expressions",
            "errors with positions",
            "lateral joins in the grammar",
        ),
        ("src/sql/parser.cc", "src/sql/lexer.cc", "src/sql/binder.cc"),
    ),
}

PEOPLE = {
    "Mirela Oakhollow": ("log", "pages"),
    "Tobin Farrowgate": ("log", "replicas"),
    "Anselm Brackwater": ("tree", "pages"),
    "Yuki Tamazawa-Hale": ("tree", "versions"),
    "Odalys Fenmarch": ("versions", "log"),
    "Corwin Ashdelve": ("planner", "language"),
    "Ilsabet Roanmoor": ("planner", "vectors"),
    "Pell Quennevara": ("vectors", "planner"),
    "Sunniva Dravik-Lund": ("vectors", "pages"),
    "Emeka Oduhollow": ("replicas", "log"),
    "Larkin Thistlewold": ("replicas", "versions"),
    "Brannoch Velderkamp": ("pages", "tree"),
    "Zofia Kestrelska": ("language", "planner"),
    "Hollis Merrowgate": ("language", "tree"),
}


def write(into: Path) -> Path:
    """A bare repository with the whole history."""
    write_repository(commits(), {}, into)
    return into


def login(name: str) -> str:
    """
    >>> login("Mirela Oakhollow")
    'mirela-oakhollow-larch'
    """
    return f"{name.lower().replace(' ', '-')}-larch"


def commits() -> Iterator[Planned]:
    """Oldest first; people come and go, and most of what somebody does is in one area."""
    names = list(PEOPLE)
    for number in range(COMMITS):
        name = names[roll(min(len(names), 5 + number // 30), "who", number)]
        first, second = PEOPLE[name]
        area = AREAS[first if chance(OFTEN, "area", number) else second]
        thing, verb = pick(area.things, "thing", number), pick(VERBS, "verb", number)
        files = {pick(area.files, "file", number, n) for n in range(1 + roll(2, "files", number))}
        yield Planned(
            when=BEGINS + timedelta(days=4.5 * number, minutes=roll(600, "when", number)),
            author=_signature(name),
            subject=f"{verb} {thing} (#{number + 1})",
            edits=tuple(Touch(file) for file in sorted(files)),
        )


def _signature(name: str) -> Signature:
    number = 900_000_000 + list(PEOPLE).index(name)
    return Signature(name, f"{number}+{login(name)}@users.noreply.github.com")
