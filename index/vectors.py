"""The commits' vectors by inner product. The only door to FAISS.

The row of a vector is its commit's id. How they are kept follows from how many there are.
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
Rows = npt.NDArray[np.int64]


class Layout(StrEnum):
    """How vectors are kept; each is FAISS's own name for it.

    Half precision is off by no more than 0.001 in any inner product. Codes of four bits a
    dimension take a quarter of its room and an eighth of its time, as all are looked through in
    registers (André et al., "Cache locality is not enough", 2015): they find .95 of the true best
    hundred, off by 0.006, and no ranking is the worse for it. Cells are for what is left.
    """

    HALVES = "SQfp16"
    CODES = "PQ{dim}x4fs"
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
    (<Layout.HALVES: 'SQfp16'>, <Layout.CODES: 'PQ{dim}x4fs'>, <Layout.CELLS: 'IVF4096,SQ8'>)
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


def build(vectors: Vectors, into: Path, layout: Layout | None = None) -> Layout:
    """Writes an index of unit vectors, row i being commit i, with every core."""
    layout, dim = layout or layout_for(len(vectors)), vectors.shape[1]
    index = faiss.index_factory(dim, layout.format(dim=dim), faiss.METRIC_INNER_PRODUCT)
    cores = os.cpu_count() or 1
    if not index.is_trained:
        # of codes every dimension's is learnt by itself, in too short a time to be shared out
        faiss.omp_set_num_threads(1 if layout is Layout.CODES else cores)
        index.train(_spread(vectors, _LEARNT_FROM[layout]))
    faiss.omp_set_num_threads(cores)
    for start in range(0, len(vectors), _AT_ONCE):
        index.add(vectors[start : start + _AT_ONCE])
    faiss.write_index(index, str(into))
    return layout


@dataclass(frozen=True, slots=True)
class Nearest:
    """Rows and their inner products, best first."""

    rows: Rows
    similarities: Floats


class VectorIndex:
    """An index opened for reading; memory-mapped where FAISS can.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = build(np.eye(3, dtype=np.float32), Path(folder) / "vectors")
    ...     found = VectorIndex.open(Path(folder) / "vectors")
    ...     found.search(np.array([0, 1, 0], np.float32), limit=1).rows.tolist()
    [1]
    """

    def __init__(self, index: faiss.Index) -> None:
        self._index = index
        if isinstance(index, faiss.IndexIVF):
            index.nprobe = _CELLS_LOOKED_AT

    @classmethod
    def open(cls, file: Path) -> Self:
        """For serving."""
        return cls(faiss.read_index(str(file), faiss.IO_FLAG_MMAP_IFC))

    def __len__(self) -> int:
        return int(self._index.ntotal)

    @property
    def dim(self) -> int:
        return int(self._index.d)

    def search(self, question: Floats, limit: int) -> Nearest:
        """The rows most like one unit vector; on one thread, as two make a single question slower
        and, where every core is busy, wait for one another at length."""
        faiss.omp_set_num_threads(1)  # holds for the calling thread alone
        if not (wanted := min(limit, len(self))):
            return Nearest(np.empty(0, np.int64), np.empty(0, np.float32))
        similarities, rows = self._index.search(question[None, :], wanted)
        found = rows[0] >= 0
        return Nearest(rows[0][found], similarities[0][found])


def _spread(vectors: Vectors, rows: int) -> Floats:
    """Rows taken evenly from all: enough to learn from, and the same every time."""
    return vectors[:: max(1, len(vectors) // rows)]
