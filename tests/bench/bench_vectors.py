"""Recall against exact search, milliseconds and megabytes of each layout, by size.

python -m tests.bench.bench_vectors [ROWS ...]
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np

from index.vectors import Floats, Layout, VectorIndex, build, layout_for

DIM, QUESTIONS = 384, 50


def rows(count: int, seed: int) -> Floats:
    """Unit vectors around 2,000 centres in a space of 60 dimensions, as sentence vectors lie."""
    rng = np.random.default_rng(seed)
    plane = np.random.default_rng(7).standard_normal((60, DIM)).astype(np.float32)
    centres = np.random.default_rng(8).standard_normal((2000, 60)).astype(np.float32)
    spread = rng.standard_normal((count, 60), np.float32)
    found = (centres[rng.integers(0, 2000, count)] + 0.7 * spread) @ plane
    found /= np.linalg.norm(found, axis=1, keepdims=True)
    return found


def best(vectors: Floats, question: Floats) -> set[int]:
    return set(np.argpartition(vectors @ question, -100)[-100:].tolist())


def measure(vectors: Floats, layout: Layout, folder: Path) -> None:
    started = perf_counter()
    build(vectors, np.arange(len(vectors)), folder / layout.name, layout)
    built = perf_counter() - started
    index = VectorIndex.open(folder / layout.name, np.zeros(1, np.int64))
    index.search(vectors[0], 100)
    taken, shares = [], []
    for question in rows(QUESTIONS, seed=2):
        started = perf_counter()
        found = index.search(question, 100).commits
        taken.append(1000 * (perf_counter() - started))
        shares.append(len(best(vectors, question) & set(found.tolist())) / 100)
    chosen = "<- chosen" if layout is layout_for(len(vectors)) else ""
    size = (folder / layout.name).stat().st_size / 1e6
    print(
        f"{len(vectors):9,} {layout:12} recall@100 {np.mean(shares):.3f}  "
        f"p50 {np.median(taken):6.2f} ms  p99 {np.percentile(taken, 99):6.2f} ms  "
        f"{size:7.0f} MB  built in {built:5.1f} s {chosen}"
    )


def main(counts: list[int]) -> None:
    for count in counts:
        vectors = rows(count, seed=1)
        with TemporaryDirectory() as folder:
            for layout in Layout:
                if layout is not Layout.CELLS or count > 500_000:
                    measure(vectors, layout, Path(folder))


if __name__ == "__main__":
    main([int(count) for count in sys.argv[1:]] or [33_000, 200_000])
