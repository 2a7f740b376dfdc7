"""Builds a snapshot's index from its DuckDB; a part whose input is the same is copied."""

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from time import perf_counter
from types import ModuleType

import pyarrow as pa

from index import columns, embedding_cache, lexical, passages, tree, vectors
from index.commit_index import CARD, COLUMNS, ENCODER, LEXICAL, VECTORS
from index.embedder import Embedder
from sourcer.store import Database
from sourcer.store import index as tables

Progress = Callable[[str, int, int], None]
"""Told the step, how much of it is done, and of how much."""

_TOLD_EVERY = 1000


@dataclass(slots=True)
class IndexReport:
    """What was indexed, and the seconds that each step took."""

    counts: dict[str, int] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    copied: list[str] = field(default_factory=list)
    """The parts taken over from the previous snapshot."""

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        started = perf_counter()
        yield
        self.seconds[name] = round(perf_counter() - started, 3)


def build(
    db: Database,
    into: Path,
    embedder: Embedder,
    cache: Path,
    progress: Progress = lambda _step, _done, _total: None,
    *,
    previous: Path | None = None,
) -> IndexReport:
    """Writes the index of all commits into a snapshot's folder.

    `cache` keeps each model's vectors and its ONNX export; a snapshot copies the latter.
    `previous` is the folder of an earlier snapshot, if there is one.
    """
    draft = _Draft(into, previous, _Sources(db), progress)
    into.mkdir(parents=True, exist_ok=True)
    with draft.report.step(LEXICAL):
        draft.add_lexical()
    with draft.report.step("vectors"):
        draft.add_vectors(embedder, cache)
    with draft.report.step(COLUMNS):
        draft.add_columns(db)
    if (export := cache / embedder.name / "onnx").is_dir():
        _copy(export, into / ENCODER)
    draft.finish(embedder.name)
    return draft.report


class _Sources:
    """The tables that are indexed."""

    def __init__(self, db: Database) -> None:
        self.commits = tables.commits(db)
        self._changed = tables.changed_paths(db)
        self._paths = tables.paths(db)

    @property
    def sentences(self) -> list[str]:
        return [passages.sentence(subject) for subject in self.commits["subject"].to_pylist()]

    def entries(self) -> Iterator[lexical.Entry]:
        paths = self._paths["path"].to_pylist()
        changed = columns.Rows.of(
            self._changed["commit"].to_numpy(),
            self._changed["path"].to_numpy(),
            self.commits.num_rows,
        )
        for commit in self.commits.to_pylist():
            subject = commit["subject"]
            terms = passages.passage(subject, (paths[path] for path in changed[commit["id"]]))
            yield lexical.Entry(
                commit["id"], commit["repo"], commit["day"], terms, passages.spelled(subject)
            )

    def lexical_digest(self) -> str:
        facts = self.commits.select(["id", "repo", "day", "subject"])
        return _digest([facts, self._changed, self._paths.select(["path"])], passages, lexical)

    def vectors_digest(self, model: str) -> str:
        return model + _digest([self.commits.select(["subject"])], passages, vectors)


class _Draft:
    """An index being built: each part is copied from the previous one or made anew."""

    def __init__(
        self, into: Path, previous: Path | None, sources: _Sources, progress: Progress
    ) -> None:
        self.report = IndexReport()
        self._into, self._previous = into, previous
        self._sources, self._progress = sources, progress
        self._card: dict[str, str] = {}
        self._old_card = _read_card(previous)

    def add_lexical(self) -> None:
        if not self._takes_over(LEXICAL, self._sources.lexical_digest()):
            lexical.build(self._told(LEXICAL, self._sources.entries()), self._into / LEXICAL)

    def add_vectors(self, embedder: Embedder, cache: Path) -> None:
        if not self._takes_over(VECTORS, self._sources.vectors_digest(embedder.name)):
            rows = embedding_cache.cached_encode(
                self._sources.sentences,
                embedder,
                cache,
                lambda done, total: self._progress("embedding", done, total),
            )
            vectors.build(rows, self._into / VECTORS)

    def add_columns(self, db: Database) -> None:
        made = tree.columns(db)
        made.save(self._into / COLUMNS)
        self.report.counts = {
            "commits": len(made.day),
            "people": len(made.person_commits),
            "topics": len(made.topic_commits),
            "nodes": len(made.node_parent),
        }

    def finish(self, model: str) -> None:
        card = {"model": model, **self._card}
        (self._into / CARD).write_text(json.dumps(card, indent=2) + "\n", "utf-8")

    def _takes_over(self, part: str, digest: str) -> bool:
        self._card[part] = digest
        if self._previous is None or self._old_card.get(part) != digest:
            return False
        _copy(self._previous / part, self._into / part)
        self.report.copied.append(part)
        return True

    def _told(self, step: str, entries: Iterator[lexical.Entry]) -> Iterator[lexical.Entry]:
        total = self._sources.commits.num_rows
        for done, entry in enumerate(entries):
            if done % _TOLD_EVERY == 0:
                self._progress(step, done, total)
            yield entry
        self._progress(step, total, total)


def _read_card(folder: Path | None) -> dict[str, str]:
    if folder is None or not (folder / CARD).exists():
        return {}
    card: dict[str, str] = json.loads((folder / CARD).read_text("utf-8"))
    return card


def _digest(inputs: list[pa.Table], *code: ModuleType) -> str:
    """Of the input, and of the code that turns it into a part: a new version builds anew."""
    digest = blake2b(digest_size=16)
    for module in code:
        digest.update(Path(str(module.__file__)).read_bytes())
    for table in inputs:
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, table.schema) as stream:
            stream.write_table(table.combine_chunks(), max_chunksize=1 << 20)
        digest.update(sink.getvalue())
    return digest.hexdigest()


def _copy(source: Path, target: Path) -> None:
    """Not linked: a file that is damaged must not damage every snapshot."""
    if source.is_dir():
        shutil.copytree(source, target)
    else:
        shutil.copy2(source, target)
