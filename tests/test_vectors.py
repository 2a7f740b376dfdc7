"""FAISS: the layout follows the size, and every layout finds nearly what exact search finds."""

from pathlib import Path

import numpy as np
import pytest

from index.vectors import Floats, Layout, VectorIndex, build, extend, keys, layout_for


def unit_rows(count: int, dim: int = 32, seed: int = 0) -> Floats:
    """Vectors in clusters, as texts are."""
    rng = np.random.default_rng(seed)
    centres = rng.standard_normal((50, dim))
    rows = centres[rng.integers(0, 50, count)] + 0.5 * rng.standard_normal((count, dim))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def built(vectors: Floats, file: Path, layout: Layout | None = None) -> Layout:
    """Of one repository's commits."""
    return build(vectors, np.arange(len(vectors)), file, layout)


def opened(file: Path) -> VectorIndex:
    return VectorIndex.open(file, np.zeros(1, np.int64))


def recall(index: VectorIndex, vectors: Floats, questions: Floats) -> float:
    """How many of the true best hundred are found."""
    shares = [
        len(set(index.search(asked, 100).commits) & set(np.argsort(-(vectors @ asked))[:100]))
        for asked in questions
    ]
    return float(np.mean(shares))


@pytest.mark.parametrize(
    ("count", "layout"),
    [
        (0, Layout.HALVES),
        (5_000, Layout.HALVES),
        (5_001, Layout.CODES),
        (4_000_000, Layout.CODES),
        (4_000_001, Layout.CELLS),
    ],
)
def test_layout_follows_size(count: int, layout: Layout) -> None:
    assert layout_for(count) is layout


def test_halves_are_nearly_the_inner_product(tmp_path: Path) -> None:
    vectors = unit_rows(500)
    assert built(vectors, tmp_path / "vectors") is Layout.HALVES
    found = opened(tmp_path / "vectors").search(vectors[3], limit=20)
    truth = vectors @ vectors[3]
    assert set(found.commits[:15].tolist()) <= set(np.argsort(-truth)[:20].tolist())
    assert found.similarities == pytest.approx(truth[found.commits], abs=1e-3)


def test_codes_recall(tmp_path: Path) -> None:
    vectors = unit_rows(5000, dim=128)
    built(vectors, tmp_path / "vectors", Layout.CODES)
    index = opened(tmp_path / "vectors")
    assert recall(index, vectors, unit_rows(20, dim=128, seed=1)) >= 85
    found = index.search(vectors[3], 100)
    assert found.similarities == pytest.approx((vectors @ vectors[3])[found.commits], abs=0.06)


def test_codes_are_the_same_every_time(tmp_path: Path) -> None:
    for name in ("one", "two"):
        built(unit_rows(5000), tmp_path / name, Layout.CODES)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_codes_that_grew_are_as_good_as_new_ones(tmp_path: Path) -> None:
    vectors = unit_rows(6000, dim=128)
    built(vectors, tmp_path / "anew", Layout.CODES)
    built(vectors[:5001], tmp_path / "grown", Layout.CODES)
    for some in (slice(5001, 5800), slice(5800, 6000)):
        extend(vectors[some], np.arange(6000)[some], tmp_path / "grown")
    anew, grown = (opened(tmp_path / name) for name in ("anew", "grown"))
    questions = unit_rows(20, dim=128, seed=1)
    assert recall(grown, vectors, questions) >= recall(anew, vectors, questions) - 1
    assert [grown.search(vectors[row], 1).commits[0] for row in (7, 5001, 5999)] == [7, 5001, 5999]


def test_a_repository_may_grow_before_others(tmp_path: Path) -> None:
    """What is new of the first repository takes numbers that were the second's."""
    vectors, repo = unit_rows(30), np.array([0] * 10 + [1] * 10 + [0] * 10)
    commits = keys(repo, np.array([*range(10), *range(10), *range(10, 20)]))
    build(vectors[:20], commits[:20], tmp_path / "vectors", Layout.HALVES)
    extend(vectors[20:], commits[20:], tmp_path / "vectors")
    index = VectorIndex.open(tmp_path / "vectors", starts=np.array([0, 20]))
    found = [int(index.search(vectors[row], 1).commits[0]) for row in (0, 10, 20, 29)]
    assert found == [0, 20, 10, 19]


@pytest.mark.slow
def test_cells_recall(tmp_path: Path) -> None:
    vectors = unit_rows(40_000, dim=16)
    built(vectors, tmp_path / "vectors", Layout.CELLS)
    assert opened(tmp_path / "vectors").search(vectors[7], 1).commits.tolist() == [7]


def test_no_vectors_find_nothing(tmp_path: Path) -> None:
    built(np.empty((0, 8), np.float32), tmp_path / "vectors")
    index = opened(tmp_path / "vectors")
    assert len(index) == 0
    assert index.search(np.ones(8, np.float32), limit=5).commits.tolist() == []
