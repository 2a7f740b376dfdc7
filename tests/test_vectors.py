"""FAISS: the layout follows the size, and every layout finds nearly what exact search finds."""

from pathlib import Path

import numpy as np
import pytest

from index.vectors import Floats, Layout, VectorIndex, build, layout_for


def unit_rows(count: int, dim: int = 32, seed: int = 0) -> Floats:
    """Vectors in clusters, as texts are."""
    rng = np.random.default_rng(seed)
    centres = rng.standard_normal((50, dim))
    rows = centres[rng.integers(0, 50, count)] + 0.5 * rng.standard_normal((count, dim))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


@pytest.mark.parametrize(
    ("count", "layout"),
    [
        (0, Layout.HALVES),
        (100_000, Layout.HALVES),
        (100_001, Layout.BYTES),
        (1_000_000, Layout.BYTES),
        (1_000_001, Layout.CELLS),
    ],
)
def test_layout_follows_size(count: int, layout: Layout) -> None:
    assert layout_for(count) is layout


def test_halves_are_nearly_the_inner_product(tmp_path: Path) -> None:
    vectors = unit_rows(500)
    assert build(vectors, tmp_path / "vectors") is Layout.HALVES
    found = VectorIndex.open(tmp_path / "vectors").search(vectors[3], limit=20)
    truth = vectors @ vectors[3]
    assert set(found.rows[:15].tolist()) <= set(np.argsort(-truth)[:20].tolist())
    assert found.similarities == pytest.approx(truth[found.rows], abs=1e-3)


def test_bytes_recall(tmp_path: Path) -> None:
    vectors = unit_rows(5000)
    build(vectors, tmp_path / "vectors", Layout.BYTES)
    index = VectorIndex.open(tmp_path / "vectors")
    shares = [
        len(set(index.search(question, 100).rows) & set(np.argsort(-(vectors @ question))[:100]))
        for question in unit_rows(20, seed=1)
    ]
    assert np.mean(shares) >= 95


@pytest.mark.slow
def test_cells_recall_and_lookup(tmp_path: Path) -> None:
    vectors = unit_rows(40_000, dim=16)
    build(vectors, tmp_path / "vectors", Layout.CELLS)
    index = VectorIndex.open(tmp_path / "vectors")
    rows = np.array([7, 39_999, 0])
    assert index.similarities(vectors[7], rows) == pytest.approx(
        vectors[rows] @ vectors[7], abs=0.02
    )
    assert index.search(vectors[7], 1).rows.tolist() == [7]


@pytest.mark.parametrize("layout", [Layout.HALVES, Layout.BYTES])
def test_similarities_of_chosen_rows(tmp_path: Path, layout: Layout) -> None:
    vectors = unit_rows(300)
    build(vectors, tmp_path / "vectors", layout)
    rows = np.array([250, 3, 3], np.int32)
    found = VectorIndex.open(tmp_path / "vectors").similarities(vectors[9], rows)
    assert found == pytest.approx(vectors[rows] @ vectors[9], abs=0.02)


def test_no_vectors_find_nothing(tmp_path: Path) -> None:
    build(np.empty((0, 8), np.float32), tmp_path / "vectors")
    index = VectorIndex.open(tmp_path / "vectors")
    assert len(index) == 0
    assert index.search(np.ones(8, np.float32), limit=5).rows.tolist() == []
