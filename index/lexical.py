"""BM25 over the commits' terms (k1 1.2, b 0.75, which tantivy fixes). The only door to tantivy."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
import numpy.typing as npt
import tantivy

Starts = npt.NDArray[np.int64]
NO_STARTS: Starts = np.empty(0, np.int64)
_HEAP = 512_000_000
"""Bytes for the writer: a segment is flushed when it is full."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What is indexed of one commit."""

    commit: int
    """Its number within its repository."""
    repo: int
    day: int
    terms: list[str]
    """Scored by BM25; see passages.passage."""
    spelled: list[str]
    """Matched by phrases; see passages.spelled."""


@dataclass(frozen=True, slots=True)
class Within:
    """The commits to look among; None bounds nothing. Days are counted from 1970, both included."""

    repos: frozenset[int] | None = None
    since: int | None = None
    until: int | None = None


@dataclass(frozen=True, slots=True)
class Hits:
    """Commits and their BM25, best first."""

    commits: npt.NDArray[np.int32]
    scores: npt.NDArray[np.float32]


EVERYWHERE = Within()
_SHOULD, _MUST = tantivy.Occur.Should, tantivy.Occur.Must


def build(entries: Iterable[Entry], into: Path) -> int:
    """Writes a new index and returns how many commits it holds.

    One writing thread: with two, which commit lands in which segment is left to chance.
    """
    into.mkdir(parents=True)
    return _add(entries, tantivy.Index(_schema(), path=str(into)))


def extend(entries: Iterable[Entry], into: Path) -> int:
    """Adds commits to an index that nobody reads yet, and returns how many they were."""
    return _add(entries, tantivy.Index.open(str(into)))


def _add(entries: Iterable[Entry], index: tantivy.Index) -> int:
    writer = index.writer(_HEAP, num_threads=1)
    count = 0
    for entry in entries:
        writer.add_document(_document(entry))
        count += 1
    writer.commit()
    writer.wait_merging_threads()
    return count


class LexicalIndex:
    """An index opened for reading.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     build([Entry(7, 0, 20000, ["fuse", "moe"], ["fuse", "moe"])], Path(folder) / "lexical")
    ...     LexicalIndex.open(Path(folder) / "lexical").search({"moe": 1.0}, limit=10).commits
    1
    array([7], dtype=int32)
    """

    def __init__(self, index: tantivy.Index, starts: Starts) -> None:
        self._schema = index.schema
        self._searcher = index.searcher()
        self._starts = starts

    @classmethod
    def open(cls, folder: Path, starts: Starts = NO_STARTS) -> Self:
        """`starts`: per repository, the id of its first commit; without, commits are answered by
        their numbers within their repositories."""
        return cls(tantivy.Index.open(str(folder)), starts)

    def __len__(self) -> int:
        return int(self._searcher.num_docs)

    def search(self, weights: Mapping[str, float], limit: int, within: Within = EVERYWHERE) -> Hits:
        """The best commits by the sum of each term's BM25 times its weight."""
        wanted = [
            (_SHOULD, tantivy.Query.boost_query(self._term("terms", term), weight))
            for term, weight in weights.items()
        ]
        return self._run(wanted, limit, within)

    def phrase(self, spelled: list[str], limit: int, within: Within = EVERYWHERE) -> Hits:
        """The commits whose subject has these parts one after another."""
        if len(spelled) > 1:
            query = tantivy.Query.phrase_query(self._schema, "spelled", list(spelled))
            return self._run([(_SHOULD, query)], limit, within)
        return self._run(
            [(_SHOULD, self._term("spelled", part)) for part in spelled], limit, within
        )

    def rarity(self, term: str) -> float:
        """BM25's inverse document frequency of a term.

        Robertson & Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009).
        """
        having = self._searcher.doc_freq("terms", term)
        return float(np.log1p((len(self) - having + 0.5) / (having + 0.5)))

    def _run(
        self, wanted: list[tuple[tantivy.Occur, tantivy.Query]], limit: int, within: Within
    ) -> Hits:
        if not wanted:
            return Hits(np.empty(0, np.int32), np.empty(0, np.float32))
        query = tantivy.Query.boolean_query(wanted)
        if bounds := list(self._bounds(within)):
            query = tantivy.Query.boolean_query([(_MUST, query), *bounds])
        found = self._searcher.search(query, limit, count=False).hits
        addresses = [address for _, address in found]
        commits = self._numbers("commit", addresses)
        if len(self._starts):
            commits += self._starts[self._numbers("repo", addresses)].astype(np.int32)
        return Hits(commits, np.fromiter([score for score, _ in found], np.float32, len(found)))

    def _numbers(self, field: str, addresses: list[tantivy.DocAddress]) -> npt.NDArray[np.int32]:
        held = self._searcher.fast_field_values(field, addresses)
        return np.fromiter(held, np.int32, len(held))

    def _bounds(self, within: Within) -> Iterable[tuple[tantivy.Occur, tantivy.Query]]:
        if within.repos is not None:
            repos = tantivy.Query.term_set_query(self._schema, "repo", sorted(within.repos))
            yield _MUST, tantivy.Query.const_score_query(repos, 0.0)
        if within.since is not None or within.until is not None:
            days = tantivy.Query.range_query(
                self._schema, "day", tantivy.FieldType.Integer, within.since, within.until
            )
            yield _MUST, tantivy.Query.const_score_query(days, 0.0)

    def _term(self, field: str, term: str) -> tantivy.Query:
        return tantivy.Query.term_query(self._schema, field, term, "freq")


def _schema() -> tantivy.Schema:
    schema = tantivy.SchemaBuilder()
    schema.add_text_field("terms", tokenizer_name="whitespace", index_option="freq")
    schema.add_text_field("spelled", tokenizer_name="whitespace", index_option="position")
    schema.add_unsigned_field("commit", fast=True)
    schema.add_unsigned_field("repo", indexed=True, fast=True)
    schema.add_integer_field("day", fast=True)
    return schema.build()


def _document(entry: Entry) -> tantivy.Document:
    document = tantivy.Document()
    document.add_text("terms", " ".join(entry.terms))
    document.add_text("spelled", " ".join(entry.spelled))
    document.add_unsigned("commit", entry.commit)
    document.add_unsigned("repo", entry.repo)
    document.add_integer("day", entry.day)
    return document
