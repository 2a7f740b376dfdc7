"""The commits' vectors by inner product. The only door to FAISS.

A vector is kept under its commit's key: the repository, and the commit's number within it. That
stays when other repositories grow. How vectors are kept follows from how many there are.
"""

import os
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Protocol, Self

import faiss
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.int64]
_REPO = 32
"""How many bits of a key are the number within the repository."""


class Layout(StrEnum):
    """How vectors are kept; each is FAISS's own name for it.

    Half precision is off by no more than 0.001 in any inner product. Codes of four bits a
    dimension take a quarter of its room and an eighth of its time, as all are looked through in
    registers (André et al., "Cache locality is not enough", 2015): they find .95 of the true best
    hundred, off by 0.006, and no ranking is the worse for it. Cells are for what is left.
    """

    HALVES = "IDMap,SQfp16"
    CODES = "IDMap,PQ{dim}x4fs"
    CELLS = "IVF4096,SQ8"


HALVES_UP_TO = 5_000
CODES_UP_TO = 4_000_000
"""Cells take minutes to learn, every night anew."""
_CELLS_LOOKED_AT = 64
_AT_ONCE = 1 << 16
_LEARNT_FROM = {Layout.HALVES: 1, Layout.CODES: 1024, Layout.CELLS: 4096 * 40}
"""Rows: more of them teach nothing more."""


def layout_for(count: int) -> Layout:
    """
    >>> layout_for(500), layout_for(33_000), layout_for(5_000_000)
    (<Layout.HALVES: 'IDMap,SQfp16'>, <Layout.CODES: 'IDMap,PQ{dim}x4fs'>, \
<Layout.CELLS: 'IVF4096,SQ8'>)
    """
    if count <= HALVES_UP_TO:
        return Layout.HALVES
    return Layout.CODES if count <= CODES_UP_TO else Layout.CELLS


class Vectors(Protocol):
    """Rows that need not be in memory all at once."""

    def __len__(self) -> int: ...

    @property
    def shape(self) -> tuple[int, ...]: ...

    def __getitem__(self, rows: slice, /) -> Floats: ...


def keys(repo: npt.NDArray[np.integer], number: Numbers) -> Numbers:
    """Of commits, each given by its repository and its number within it.

    >>> keys(np.array([0, 1]), np.array([7, 7])).tolist()
    [7, 4294967303]
    """
    return (repo.astype(np.int64) << _REPO) + number


def may_grow(learnt_from: int, count: int) -> bool:
    """Whether an index built of so many may be added to until it holds `count`: codes stay as good
    while no more comes in than they were learnt from, and halves are soon laid out anew.

    >>> may_grow(30_000, 30_100), may_grow(30_000, 70_000), may_grow(4_000, 4_100)
    (True, False, False)
    """
    layouts = {layout_for(learnt_from), layout_for(count)}
    return layouts == {Layout.CODES} and count <= 2 * learnt_from


def build(vectors: Vectors, keys: Numbers, into: Path, layout: Layout | None = None) -> Layout:
    """Writes an index of unit vectors, each under its key, with every core."""
    layout, dim = layout or layout_for(len(vectors)), vectors.shape[1]
    index = faiss.index_factory(dim, layout.format(dim=dim), faiss.METRIC_INNER_PRODUCT)
    if not index.is_trained:
        # of codes every dimension's is learnt by itself, in too short a time to be shared out
        faiss.omp_set_num_threads(1 if layout is Layout.CODES else _cores())
        index.train(_spread(vectors, _LEARNT_FROM[layout]))
    _add(index, vectors, keys, into)
    return layout


def extend(vectors: Vectors, keys: Numbers, into: Path) -> None:
    """Adds vectors, coded as it has learnt, to an index that nobody reads yet."""
    _add(faiss.read_index(str(into)), vectors, keys, into)


def _add(index: faiss.Index, vectors: Vectors, keys: Numbers, into: Path) -> None:
    faiss.omp_set_num_threads(_cores())
    for start in range(0, len(vectors), _AT_ONCE):
        some = slice(start, start + _AT_ONCE)
        index.add_with_ids(vectors[some], keys[some])
    faiss.write_index(index, str(into))


def _cores() -> int:
    return os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class Nearest:
    """Commits and their inner products, best first."""

    commits: Numbers
    similarities: Floats


class VectorIndex:
    """An index opened for reading; memory-mapped where FAISS can.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file, commits = Path(folder) / "vectors", keys(np.array([0, 0, 1]), np.array([0, 1, 0]))
    ...     _ = build(np.eye(3, dtype=np.float32), commits, file)
    ...     found = VectorIndex.open(file, starts=np.array([0, 2]))
    ...     found.search(np.array([0, 0, 1], np.float32), limit=1).commits.tolist()
    [2]
    """

    def __init__(self, index: faiss.Index, starts: Numbers) -> None:
        self._index, self._starts = index, starts
        if isinstance(index, faiss.IndexIVF):
            index.nprobe = _CELLS_LOOKED_AT

    @classmethod
    def open(cls, file: Path, starts: Numbers) -> Self:
        """For serving. `starts`: per repository, the id of its first commit."""
        return cls(faiss.read_index(str(file), faiss.IO_FLAG_MMAP_IFC), starts)

    def __len__(self) -> int:
        return int(self._index.ntotal)

    @property
    def dim(self) -> int:
        return int(self._index.d)

    def search(self, question: Floats, limit: int) -> Nearest:
        """The commits most like one unit vector; on one thread, as two make a single question
        slower and, where every core is busy, wait for one another at length."""
        faiss.omp_set_num_threads(1)  # holds for the calling thread alone
        if not (wanted := min(limit, len(self))):
            return Nearest(np.empty(0, np.int64), np.empty(0, np.float32))
        similarities, keys = self._index.search(question[None, :], wanted)
        found = keys[0] >= 0
        repo, number = np.divmod(keys[0][found], 1 << _REPO)
        return Nearest(self._starts[repo] + number, similarities[0][found])


def _spread(vectors: Vectors, rows: int) -> Floats:
    """Rows taken evenly from all: enough to learn from, and the same every time."""
    return vectors[:: max(1, len(vectors) // rows)]
