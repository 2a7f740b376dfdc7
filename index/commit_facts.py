"""What is shown of a commit, held as plain arrays: a row is read without making its table's row."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from index.columns import Names

UNKNOWN = -1


class Fact(NamedTuple):
    """What is shown of one commit."""

    sha: str
    subject: str
    when: datetime
    pull: int
    """0: none."""
    added: int
    """UNKNOWN: not counted; so for those deleted."""
    deleted: int


@dataclass(frozen=True, slots=True)
class CommitFacts:
    """By commit id.

    >>> at = datetime(2026, 5, 1)
    >>> row = {"sha": "9f1c", "subject": "Tune MoE", "authored_at": at, "pull": 7}
    >>> facts = CommitFacts.of(pa.Table.from_pylist([{**row, "added": None, "deleted": 3}]))
    >>> tuple(*facts.of_each(np.array([0])))
    ('9f1c', 'Tune MoE', datetime.datetime(2026, 5, 1, 0, 0), 7, -1, 3)
    """

    shas: Names
    subjects: Names
    _when: npt.NDArray[np.datetime64]
    pulls: npt.NDArray[np.int32]
    """0: none."""
    _added: npt.NDArray[np.int32]
    _deleted: npt.NDArray[np.int32]

    @classmethod
    def of(cls, commits: pa.Table) -> Self:
        return cls(
            _names(commits["sha"]),
            _names(commits["subject"]),
            commits["authored_at"].to_numpy().astype("datetime64[us]"),
            _numbers(commits["pull"], 0),
            _numbers(commits["added"], UNKNOWN),
            _numbers(commits["deleted"], UNKNOWN),
        )

    def of_each(self, commits: npt.NDArray[np.integer]) -> Iterator[Fact]:
        columns = (self._when, self.pulls, self._added, self._deleted)
        texts = (self.shas.at(commits), self.subjects.at(commits))
        return map(Fact, *texts, *(column[commits].tolist() for column in columns))


def _names(column: pa.ChunkedArray) -> Names:
    """The texts where Arrow keeps them, not copied."""
    texts = pa.concat_arrays([pa.array([], column.type), *column.chunks]).cast(pa.large_string())
    _, starts, letters = texts.buffers()
    if not len(texts):
        return Names.of([])
    held = np.frombuffer(starts, np.int64)[texts.offset : texts.offset + len(texts) + 1]
    return Names(held, np.frombuffer(letters or b"", np.uint8))


def _numbers(column: pa.ChunkedArray, unknown: int) -> npt.NDArray[np.int32]:
    found: npt.NDArray[np.int32] = column.cast(pa.int32()).fill_null(unknown).to_numpy()
    return found
