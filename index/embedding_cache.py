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
from typing import Self

import numpy as np
import numpy.typing as npt

from index.embedder import Embedder, Floats

Halves = npt.NDArray[np.float16]
Progress = Callable[[int, int], None]
"""Told how many texts are done, and of how many."""

_BATCH = 2048
_DRAFT = ".draft-"


def cached_encode(
    texts: Sequence[str],
    embedder: Embedder,
    cache: Path,
    progress: Progress = lambda _done, _total: None,
) -> Floats:
    """The vectors of texts, of which only the new ones are embedded; equal ones once.

    A vector is kept in half precision, and comes back as it is kept whether it is new or not.
    """
    folder = cache / embedder.name / "vectors"
    folder.mkdir(parents=True, exist_ok=True)
    keys = [_key(text) for text in texts]
    kept = _Kept.read(folder, embedder.dim)
    new = {key: text for key, text in zip(keys, texts, strict=True) if key not in kept.rows}
    if new:
        _embed(new, embedder, folder, progress)
        kept = _Kept.read(folder, embedder.dim)
    return _unit(kept.vectors[[kept.rows[key] for key in keys]].astype(np.float32))


@dataclass(frozen=True, slots=True)
class _Kept:
    """Everything in a folder: the row of each text, by its key."""

    rows: dict[bytes, int]
    vectors: Halves

    @classmethod
    def read(cls, folder: Path, dim: int) -> Self:
        batches = [batch for file in sorted(folder.glob("*.npy")) for batch in _sound(file, dim)]
        keys = (key.tobytes() for batch in batches for key in np.asarray(batch["key"]))
        vectors = [np.empty((0, dim), np.float16), *(batch["vector"] for batch in batches)]
        return cls({key: row for row, key in enumerate(keys)}, np.concatenate(vectors))


def _sound(file: Path, dim: int) -> Iterator[np.ndarray[tuple[int], np.dtype[np.void]]]:
    """What a file holds; a damaged one is removed, and its texts are embedded again.

    Kept vectors are unit vectors, so one that is not is damaged too.
    """
    try:
        batch = np.load(file, mmap_mode="r")
        vectors = np.asarray(batch["vector"], np.float32)
        if vectors.shape[1:] == (dim,) and np.allclose(_lengths(vectors), 1, atol=0.01):
            yield batch
            return
    except (OSError, ValueError, EOFError, IndexError, KeyError):
        pass
    logging.getLogger(__name__).error("%s is damaged: what it held is embedded again", file)
    file.unlink()


def _lengths(vectors: Floats) -> Floats:
    lengths: Floats = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    return lengths


def _embed(new: dict[bytes, str], embedder: Embedder, folder: Path, progress: Progress) -> None:
    by_length = sorted(new, key=lambda key: (len(new[key]), key))
    for start in range(0, len(by_length), _BATCH):
        keys = by_length[start : start + _BATCH]
        vectors = embedder.encode([new[key] for key in keys])
        _append(keys, vectors.astype(np.float16), folder)
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
