"""What a snapshot's index is built from, and which of it an earlier index has already."""

import re
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from types import ModuleType

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from index import columns, lexical, passages, vectors
from sourcer.store import Database
from sourcer.store import index as tables

Ints = npt.NDArray[np.int64]


class Sources:
    """The tables that are indexed."""

    def __init__(self, db: Database) -> None:
        self.commits = tables.commits(db)
        self._changed = tables.changed_paths(db)
        self._paths = tables.paths(db)
        self._repo = self.commits["repo"].to_numpy().astype(np.int64)
        self.counts = np.bincount(self._repo) if len(self._repo) else np.zeros(0, np.int64)
        self._in_repo = np.arange(len(self._repo)) - columns.starts(self._repo)[self._repo]

    def sentences(self, held: Sequence[int] = ()) -> list[str]:
        """Of each repository of all commits but the first so many, which are held already."""
        subjects = self.commits["subject"].take(self._after(held))
        return [passages.sentence(subject) for subject in subjects.to_pylist()]

    def vector_keys(self, held: Sequence[int] = ()) -> Ints:
        """Beside the sentences."""
        new = self._after(held)
        return vectors.keys(self._repo[new], self._in_repo[new])

    def entries(self, held: Sequence[int] = ()) -> Iterator[lexical.Entry]:
        """Of each repository all commits but the first so many, which are held already. They are
        numbered within their repository: that stays when other repositories grow."""
        paths = self._paths["path"].to_pylist()
        changed = columns.Rows.of(
            self._changed["commit"].to_numpy(), self._changed["path"].to_numpy(), len(self._repo)
        )
        new = self._after(held)
        for row, commit in zip(new.tolist(), self.commits.take(new).to_pylist(), strict=True):
            subject = commit["subject"]
            terms = passages.passage(subject, (paths[path] for path in changed[row]))
            number = int(self._in_repo[row])
            yield lexical.Entry(
                number, commit["repo"], commit["day"], terms, passages.spelled(subject)
            )

    def lexical_digest(self, counts: Sequence[int]) -> str:
        """Of the first so many commits of each repository: equal ones give equal entries.

        It begins with the counts.
        """
        kept = self._first(counts)
        facts = self.commits.filter(pa.array(kept)).select(["repo", "day", "subject"])
        commit = self._changed["commit"].to_numpy()
        ours = kept[commit]
        paths = self._paths["path"].take(self._changed["path"].filter(pa.array(ours)))
        per_commit = np.bincount(commit[ours], minlength=len(kept))[kept]
        changed = [pa.table({"path": paths}), pa.table({"paths": per_commit})]
        return f"{_written(counts)}{digest([facts, *changed], passages, lexical)}"

    def vectors_digest(self, counts: Sequence[int]) -> str:
        """The same for the sentences that are embedded."""
        subjects = self.commits.filter(pa.array(self._first(counts))).select(["subject"])
        return f"{_written(counts)}{digest([subjects], passages, vectors)}"

    def held_by(self, card_says: str, digest: Callable[[Sequence[int]], str]) -> list[int] | None:
        """How many commits of each repository an earlier part holds, if it holds nothing else;
        None: it has to be built anew."""
        if not (written := re.match(r"(\d+(?:,\d+)*):", card_says)):
            return None
        counts = [int(count) for count in written[1].split(",")]
        more = len(counts) <= len(self.counts) and all(
            before <= now for before, now in zip(counts, self.counts.tolist(), strict=False)
        )
        return counts if more and digest(counts) == card_says else None

    def _after(self, counts: Sequence[int]) -> Ints:
        """All commits but the first so many of each repository."""
        return np.flatnonzero(~self._first(counts))

    def _first(self, counts: Sequence[int]) -> npt.NDArray[np.bool_]:
        """Per commit: whether it is among the first so many of its repository."""
        padded = np.zeros(len(self.counts), np.int64)
        padded[: len(counts)] = counts
        kept: npt.NDArray[np.bool_] = self._in_repo < padded[self._repo]
        return kept


def _written(counts: Sequence[int]) -> str:
    return f"{','.join(map(str, counts))}:"


def digest(inputs: list[pa.Table], *code: ModuleType) -> str:
    """Of the input, and of the code that turns it into a part: a new version builds anew."""
    made = blake2b(digest_size=16)
    for module in code:
        made.update(Path(str(module.__file__)).read_bytes())
    for table in inputs:
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, table.schema) as stream:
            stream.write_table(table.combine_chunks(), max_chunksize=1 << 20)
        made.update(sink.getvalue())
    return made.hexdigest()
