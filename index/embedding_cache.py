"""Vectors by the content of their text: a text is embedded once for each model.

Append-only: a file for each batch, written under another name and renamed, so that a process
killed at any moment loses only the batch that it was at.
"""

import logging
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

import numpy as np
import numpy.typing as npt

from index.embedder import Embedder, Floats

Halves = npt.NDArray[np.float16]
Progress = Callable[[int, int], None]
"""Told how many texts are done, and of how many."""

_BATCH = 2048
_DRAFT = ".draft-"


@dataclass(frozen=True, slots=True)
class Vectors:
    """The unit vectors of texts; of a million in full precision a slice at a time fits in memory.

    >>> kept = Vectors(np.array([[0, 1]], np.float16), np.array([0, 0]))
    >>> kept.shape, kept[1:].tolist()
    ((2, 2), [[0.0, 1.0]])
    """

    halves: Halves
    """Of each text once."""
    rows: npt.NDArray[np.int64]
    """Per text its row."""

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def shape(self) -> tuple[int, int]:
        return len(self), self.halves.shape[1]

    def __getitem__(self, wanted: slice) -> Floats:
        return _unit(self.halves[self.rows[wanted]].astype(np.float32))


def cached_encode(
    texts: Sequence[str],
    embedder: Embedder,
    cache: Path,
    progress: Progress = lambda _done, _total: None,
) -> Vectors:
    """The vectors of texts, of which only the new ones are embedded; equal ones once.

    A vector is kept in half precision, and comes back as it is kept whether it is new or not.
    """
    folder = cache / embedder.name / "vectors"
    folder.mkdir(parents=True, exist_ok=True)
    keys = [_key(text) for text in texts]
    places = {key: row for row, key in enumerate(dict.fromkeys(keys))}
    halves = np.empty((len(places), embedder.dim), np.float16)
    known = _fill(halves, places, folder)
    new = {key: text for key, text in zip(keys, texts, strict=True) if not known[places[key]]}
    for some, vectors in _embedded(new, embedder, progress):
        _append(some, vectors, folder)
        halves[[places[key] for key in some]] = vectors
    return Vectors(halves, np.fromiter((places[key] for key in keys), np.int64, len(keys)))


def _fill(halves: Halves, places: dict[bytes, int], folder: Path) -> npt.NDArray[np.bool_]:
    """Reads what is kept into its places; which of them are known then."""
    known = np.zeros(len(halves), np.bool_)
    for file in sorted(folder.glob("*.npy")):
        for rows, vectors in _sound(file, places, halves.shape[1]):
            halves[rows] = vectors
            known[rows] = True
    return known


def _sound(
    file: Path, places: dict[bytes, int], dim: int
) -> Iterator[tuple[npt.NDArray[np.int64], Halves]]:
    """What a file holds that is looked for, with its places; a damaged one is removed, and its
    texts are embedded again.

    Kept vectors are unit vectors, so one that is not is damaged too.
    """
    try:
        batch = np.load(file, mmap_mode="r")
        keys = enumerate(batch["key"].tolist())
        found = np.array([(at, places[key]) for at, key in keys if key in places], np.int64)
        at, rows = found.reshape(-1, 2).T
        vectors = np.asarray(batch["vector"][at])
        lengths = _lengths(vectors.astype(np.float32))
        if vectors.shape[1:] == (dim,) and np.allclose(lengths, 1, atol=0.01):
            yield rows, vectors
            return
    except (OSError, ValueError, EOFError, IndexError, KeyError):
        pass
    logging.getLogger(__name__).error("%s is damaged: what it held is embedded again", file)
    file.unlink()


def _lengths(vectors: Floats) -> Floats:
    lengths: Floats = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    return lengths


def _embedded(
    new: dict[bytes, str], embedder: Embedder, progress: Progress
) -> Iterator[tuple[list[bytes], Halves]]:
    by_length = sorted(new, key=lambda key: (len(new[key]), key))
    for start in range(0, len(by_length), _BATCH):
        keys = by_length[start : start + _BATCH]
        yield keys, embedder.encode([new[key] for key in keys]).astype(np.float16)
        progress(start + len(keys), len(new))


def _append(keys: list[bytes], vectors: Halves, folder: Path) -> None:
    batch = np.empty(len(keys), [("key", "V16"), ("vector", "f2", vectors.shape[1:])])
    batch["key"] = np.frombuffer(b"".join(keys), "V16")
    batch["vector"] = vectors
    draft = folder / f"{_DRAFT}{os.getpid()}"
    with draft.open("wb") as file:
        np.save(file, batch)
        file.flush()
        os.fsync(file.fileno())
    draft.rename(folder / f"{keys[0].hex()}.npy")


def _key(text: str) -> bytes:
    return blake2b(text.encode(), digest_size=16).digest()


def _unit(vectors: Floats) -> Floats:
    vectors /= np.maximum(_lengths(vectors), np.finfo(np.float32).tiny)[:, None]
    return vectors
