"""Builds a snapshot's index from its DuckDB; a part whose input is the same is copied."""

import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

from index import embedding_cache, lexical, tree, vectors
from index.commit_index import CARD, COLUMNS, ENCODER, LEARNT_FROM, LEXICAL, MODEL, VECTORS
from index.embedder import Embedder
from index.onnx_embedder import MODEL as ONNX_MODEL
from index.onnx_embedder import QUESTIONS
from index.sources import Sources
from sourcer.store import Database

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

    `cache` keeps each model's vectors and its ONNX export; a snapshot copies what questions need.
    `previous` is the folder of an earlier snapshot, if there is one.
    """
    draft = _Draft(into, previous, Sources(db), progress)
    into.mkdir(parents=True, exist_ok=True)
    with draft.report.step(LEXICAL):
        draft.add_lexical()
    with draft.report.step("vectors"):
        draft.add_vectors(embedder, cache)
    with draft.report.step(COLUMNS):
        draft.add_columns(db)
    if (export := cache / embedder.name / "onnx").is_dir():
        _copy_for_questions(export, into / ENCODER)
    draft.finish()
    return draft.report


class _Draft:
    """An index being built: each part is copied from the previous one or made anew."""

    def __init__(
        self, into: Path, previous: Path | None, sources: Sources, progress: Progress
    ) -> None:
        self.report = IndexReport()
        self._into, self._previous = into, previous or into
        self._sources, self._progress = sources, progress
        self._card: dict[str, str] = {}
        self._old_card = _read_card(self._previous)

    def add_lexical(self) -> None:
        """A previous index that holds the beginning of this history is copied and added to."""
        counts, into = self._sources.counts.tolist(), self._into / LEXICAL
        held = self._held(LEXICAL, self._sources.lexical_digest)
        if held is None:
            lexical.build(self._told(LEXICAL, sum(counts), self._sources.entries()), into)
            return
        self._take_over(LEXICAL)
        if held != counts:
            new = sum(counts) - sum(held)
            lexical.extend(self._told(LEXICAL, new, self._sources.entries(held)), into)

    def add_vectors(self, embedder: Embedder, cache: Path) -> None:
        """The same, until there are so many new ones that it pays to learn from all again."""
        counts, into = self._sources.counts.tolist(), self._into / VECTORS
        held = self._held(VECTORS, self._sources.vectors_digest)
        if self._old_card.get(MODEL) != embedder.name:
            held = None
        learnt_from = int(self._old_card.get(LEARNT_FROM, 0))
        if held == counts:
            self._take_over(VECTORS)
        elif held is not None and vectors.may_grow(learnt_from, sum(counts)):
            self._take_over(VECTORS)
            vectors.extend(*self._embedded(embedder, cache, held), into)
        else:
            learnt_from = sum(counts)
            vectors.build(*self._embedded(embedder, cache), into)
        self._card |= {MODEL: embedder.name, LEARNT_FROM: str(learnt_from)}

    def _embedded(
        self, embedder: Embedder, cache: Path, held: Sequence[int] = ()
    ) -> tuple[vectors.Vectors, vectors.Numbers]:
        found = embedding_cache.cached_encode(
            self._sources.sentences(held),
            embedder,
            cache,
            lambda done, total: self._progress("embedding", done, total),
        )
        return found, self._sources.vector_keys(held)

    def add_columns(self, db: Database) -> None:
        made = tree.columns(db)
        made.save(self._into / COLUMNS)
        self.report.counts = {
            "commits": len(made.day),
            "people": len(made.person_commits),
            "topics": len(made.topic_commits),
            "nodes": len(made.node_parent),
        }

    def finish(self) -> None:
        (self._into / CARD).write_text(json.dumps(self._card, indent=2) + "\n", "utf-8")

    def _held(self, part: str, digest: Callable[[Sequence[int]], str]) -> list[int] | None:
        """How many commits of each repository the previous part holds; None: it is of no use."""
        said, counts = self._old_card.get(part, ""), self._sources.counts.tolist()
        held = self._sources.held_by(said, digest)
        self._card[part] = said if held == counts else digest(counts)
        return held

    def _take_over(self, part: str) -> None:
        _copy(self._previous / part, self._into / part)
        self.report.copied.append(part)

    def _told(
        self, step: str, total: int, entries: Iterator[lexical.Entry]
    ) -> Iterator[lexical.Entry]:
        for done, entry in enumerate(entries):
            if done % _TOLD_EVERY == 0:
                self._progress(step, done, total)
            yield entry
        self._progress(step, total, total)


def _read_card(folder: Path) -> dict[str, str]:
    if not (folder / CARD).exists():
        return {}
    card: dict[str, str] = json.loads((folder / CARD).read_text("utf-8"))
    return card


def _copy_for_questions(export: Path, into: Path) -> None:
    """A model's export without the part that no question needs."""
    unused = (ONNX_MODEL,) if (export / QUESTIONS).exists() else ()
    shutil.copytree(export, into, ignore=shutil.ignore_patterns(*unused))


def _copy(source: Path, target: Path) -> None:
    """Not linked: a file that is damaged must not damage every snapshot."""
    if source.is_dir():
        shutil.copytree(source, target)
    else:
        shutil.copy2(source, target)
