"""The facts that ranking reads for every commit, as arrays mapped from the snapshot's files.

A commit's id, a person's ordinal, a topic's ordinal and a place's number are each 0..n-1 and
index these arrays. A place is a directory or file of one repository, by its name at the head
(renames followed) or its last name when it is gone.
"""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from sourcer.commits import Role

Ints = npt.NDArray[np.int32]


ROLES = (Role.AUTHOR, Role.CO_AUTHOR, Role.REVIEWER, Role.SIGNER)
"""The strongest first. A role's code in `Columns.roles` is its position here."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Lists of numbers, one per row, end to end: row i is items[starts[i]:starts[i + 1]].

    >>> rows = Rows.of(np.array([0, 0, 2]), np.array([5, 6, 7]), count=3)
    >>> rows[0].tolist(), rows[1].tolist(), rows.lengths.tolist()
    ([5, 6], [], [2, 0, 1])
    """

    starts: npt.NDArray[np.int64]
    items: Ints

    @classmethod
    def of(cls, rows: npt.NDArray[np.integer], items: npt.NDArray[np.integer], count: int) -> Self:
        """From pairs that are sorted by row."""
        starts = np.searchsorted(rows, np.arange(count + 1)).astype(np.int64)
        return cls(starts, items.astype(np.int32))

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, row: int) -> Ints:
        return self.items[self.starts[row] : self.starts[row + 1]]

    @property
    def lengths(self) -> npt.NDArray[np.int64]:
        return np.diff(self.starts)

    def gather(self, rows: npt.NDArray[np.integer]) -> tuple[npt.NDArray[np.int64], Ints]:
        """The items of many rows at once, each with the position in `rows` that it belongs to.

        >>> rows = Rows.of(np.array([0, 0, 2]), np.array([5, 6, 7]), count=3)
        >>> [found.tolist() for found in rows.gather(np.array([2, 0]))]
        [[0, 1, 1], [7, 5, 6]]
        """
        row, at = self.places(rows)
        return row, self.items[at]

    def places(
        self, rows: npt.NDArray[np.integer]
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The same with where the items are in place of them; for arrays that run beside `items`.

        >>> rows = Rows.of(np.array([0, 0, 2]), np.array([5, 6, 7]), count=3)
        >>> [found.tolist() for found in rows.places(np.array([2, 0]))]
        [[0, 1, 1], [2, 0, 1]]
        """
        counts = self.starts[rows + 1] - self.starts[rows]
        before = np.cumsum(counts) - counts
        row = np.repeat(np.arange(len(rows)), counts)
        return row, (self.starts[rows] - before)[row] + np.arange(len(row))

    def transposed(self, count: int) -> "Rows":
        """For each of `count` items the rows that hold it, in their order.

        >>> rows = Rows.of(np.array([0, 0, 2]), np.array([1, 0, 1]), count=3)
        >>> rows.transposed(2)[1].tolist()
        [0, 2]
        """
        order = np.argsort(self.items, kind="stable")
        owners = np.repeat(np.arange(len(self), dtype=np.int32), self.lengths)
        return Rows.of(self.items[order], owners[order], count)


@dataclass(frozen=True, slots=True)
class Names:
    """Texts, end to end in UTF-8.

    >>> Names.of(["csrc", "csrc/moe"])[1]
    'csrc/moe'
    """

    starts: npt.NDArray[np.int64]
    letters: npt.NDArray[np.uint8]

    @classmethod
    def of(cls, names: Iterable[str]) -> Self:
        encoded = [name.encode() for name in names]
        starts = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
        return cls(starts, np.frombuffer(b"".join(encoded), np.uint8))

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, row: int) -> str:
        letters = self.letters[self.starts[row] : self.starts[row + 1]]
        return letters.tobytes().decode()

    def at(self, rows: npt.NDArray[np.integer]) -> list[str]:
        """Many at once: several times as fast as one after another.

        >>> Names.of(["csrc", "csrc/moe", "docs"]).at(np.array([2, 0]))
        ['docs', 'csrc']
        """
        letters = self.letters.data
        starts, ends = self.starts[rows].tolist(), self.starts[rows + 1].tolist()
        return [str(letters[a:b], "utf-8") for a, b in zip(starts, ends, strict=True)]


def each_once(numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Numbers from 0 in order, each once, as np.unique has them: but it hashes, which takes many
    times as long.

    >>> each_once(np.array([7, 0, 7])).tolist()
    [0, 7]
    """
    ordered = np.sort(numbers)
    found: npt.NDArray[np.int64] = ordered[np.diff(ordered, prepend=-1) > 0]
    return found


def starts(repo: npt.NDArray[np.signedinteger[Any]]) -> npt.NDArray[np.int64]:
    """Per repository, the id of its first commit: commits are in their repositories' order.

    >>> starts(np.array([0, 0, 0, 1, 1]))
    array([0, 3])
    """
    return np.searchsorted(repo, np.arange(int(repo[-1]) + 1 if len(repo) else 0))


@dataclass(frozen=True, slots=True)
class Columns:
    """Everything at once; a field's name is its file's."""

    repo: npt.NDArray[np.int16]
    """Per commit: repos.id."""
    day: Ints
    """Per commit: when it was authored, in days since 1970, UTC."""
    files: Ints
    """Per commit: how many paths it changed."""
    merge: npt.NDArray[np.bool_]
    """Per commit: whether it has more than one parent."""
    chore: npt.NDArray[np.bool_]
    """Per commit: whether its subject announces formatting, a version bump, typos or a revert."""
    people: Rows
    """Per commit: ordinals of who took part."""
    roles: npt.NDArray[np.uint8]
    """Beside people.items: the code of each one's role, the strongest where there are several."""
    topics: Rows
    """Per commit: ordinals of its topics."""
    topic_commits: Rows
    """Per topic: its commits."""
    nodes: Rows
    """Per commit: the files it changed and every directory above them, each once."""
    node_commits: Rows
    """Per node: the commits that changed it or anything below it."""
    node_repo: npt.NDArray[np.int16]
    """Per node: repos.id."""
    node_parent: Ints
    """Per node: the directory that holds it; -1 at the top."""
    node_is_file: npt.NDArray[np.bool_]
    """Per node: whether it is a file."""
    node_names: Names
    """Per node: its path."""
    node_kind: npt.NDArray[np.uint8]
    """Per node: what its path says that it is, by its place in sourcer.substance.KINDS."""
    path_node: Ints
    """Per paths.id: the node that it is."""
    person_commits: Ints
    """Per person: how many commits it authored or co-authored."""

    def save(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        for field in fields(self):
            _save(folder / field.name, getattr(self, field.name))

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Maps the files: nothing is read before it is asked for."""
        return cls(**{field.name: _open(folder / field.name, field.type) for field in fields(cls)})


def _save(file: Path, column: Rows | Names | npt.NDArray[np.generic]) -> None:
    if isinstance(column, Rows | Names):
        for part in fields(column):
            _save(file.with_name(f"{file.name}.{part.name}"), getattr(column, part.name))
    else:
        np.save(file.with_name(f"{file.name}.npy"), column)


def _open(file: Path, kind: object) -> Any:
    if kind is Rows:
        return Rows(_map(f"{file}.starts.npy"), _map(f"{file}.items.npy"))
    if kind is Names:
        return Names(_map(f"{file}.starts.npy"), _map(f"{file}.letters.npy"))
    return _map(f"{file}.npy")


def _map(file: str) -> npt.NDArray[Any]:
    """As a plain array: a numpy memmap pays for its class again at every slice."""
    return np.asarray(np.load(file, mmap_mode="r"))
