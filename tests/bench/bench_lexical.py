"""BM25 by tantivy against plain sums over arrays: building, asking, room on disk.

    python -m tests.bench.bench_lexical [COMMITS ...]

The array version scores every commit exactly; tantivy keeps lengths as one byte and skips what
cannot be among the best.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np
import numpy.typing as npt
from scipy import sparse

from index.lexical import Entry, LexicalIndex, build

VOCABULARY, LENGTH, LIMIT = 20_000, 28, 2000


def documents(count: int) -> list[list[int]]:
    """Term numbers, as frequent as Zipf has them in real subjects and paths."""
    rng = np.random.default_rng(0)
    lengths = rng.geometric(1 / LENGTH, count)
    drawn = rng.zipf(1.3, lengths.sum()) % VOCABULARY
    return [part.tolist() for part in np.split(drawn, np.cumsum(lengths)[:-1])]


def entries(texts: list[list[int]]) -> Iterator[Entry]:
    for commit, text in enumerate(texts):
        yield Entry(commit, commit % 2, 19_000 + commit % 900, [f"t{term}" for term in text], [])


class Arrays:
    """The same scores by one sparse column per term."""

    def __init__(self, texts: list[list[int]]) -> None:
        lengths = np.array([len(text) for text in texts])
        starts = np.concatenate([[0], np.cumsum(lengths)])
        terms = np.fromiter((term for text in texts for term in text), np.int32, starts[-1])
        ones = np.ones(len(terms), np.float32)
        counts = sparse.csr_array((ones, terms, starts), shape=(len(texts), VOCABULARY))
        counts.sum_duplicates()
        having = np.bincount(counts.indices, minlength=VOCABULARY)
        rarity = np.log1p((len(texts) - having + 0.5) / (having + 0.5))
        slack = np.repeat(1.2 * (0.25 + 0.75 * lengths / lengths.mean()), np.diff(counts.indptr))
        counts.data *= 2.2 * rarity[counts.indices] / (counts.data + slack)
        self.columns = counts.tocsc()

    def search(self, terms: list[int]) -> npt.NDArray[np.intp]:
        scores = np.zeros(self.columns.shape[0], np.float32)
        for term in terms:
            part = slice(self.columns.indptr[term], self.columns.indptr[term + 1])
            scores[self.columns.indices[part]] += self.columns.data[part]
        best = np.argpartition(scores, -LIMIT)[-LIMIT:]
        return best[np.argsort(-scores[best], kind="stable")]


def main(counts: list[int]) -> None:
    questions = np.random.default_rng(1).integers(3, 400, (100, 6)).tolist()
    for count in counts:
        texts = documents(count)
        with TemporaryDirectory() as folder:
            started = perf_counter()
            build(entries(texts), Path(folder) / "lexical")
            built = perf_counter() - started
            size = sum(file.stat().st_size for file in (Path(folder) / "lexical").iterdir()) / 1e6
            index = LexicalIndex.open(Path(folder) / "lexical")
            taken, found = [], []
            for question in questions:
                started = perf_counter()
                weights = {f"t{term}": 1.0 for term in question}
                found.append(index.search(weights, LIMIT).commits)
                taken.append(1000 * (perf_counter() - started))
        report("tantivy", count, built, size, taken)
        started = perf_counter()
        arrays = Arrays(texts)
        built = perf_counter() - started
        taken, shares = [], []
        for question, ours in zip(questions, found, strict=True):
            started = perf_counter()
            exact = arrays.search(question)
            taken.append(1000 * (perf_counter() - started))
            shares.append(len(set(exact[:100].tolist()) & set(ours[:100].tolist())) / 100)
        report("arrays", count, built, arrays.columns.nnz * 8 / 1e6, taken)
        print(f"{count:9,} best 100 in common: {np.mean(shares):.3f}")


def report(name: str, count: int, built: float, size: float, taken: list[float]) -> None:
    print(
        f"{count:9,} {name:8} built in {built:5.1f} s  {size:6.0f} MB  top {LIMIT}: "
        f"p50 {np.median(taken):6.2f} ms  p99 {np.percentile(taken, 99):6.2f} ms"
    )


if __name__ == "__main__":
    main([int(count) for count in sys.argv[1:]] or [33_000])
