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
    assert build(vectors, tmp_path / "vectors") is Layout.HALVES
    found = VectorIndex.open(tmp_path / "vectors").search(vectors[3], limit=20)
    truth = vectors @ vectors[3]
    assert set(found.rows[:15].tolist()) <= set(np.argsort(-truth)[:20].tolist())
    assert found.similarities == pytest.approx(truth[found.rows], abs=1e-3)


def test_codes_recall(tmp_path: Path) -> None:
    vectors = unit_rows(5000, dim=128)
    build(vectors, tmp_path / "vectors", Layout.CODES)
    index = VectorIndex.open(tmp_path / "vectors")
    shares = [
        len(set(index.search(question, 100).rows) & set(np.argsort(-(vectors @ question))[:100]))
        for question in unit_rows(20, dim=128, seed=1)
    ]
    assert np.mean(shares) >= 85
    found = index.search(vectors[3], 100)
    assert found.similarities == pytest.approx((vectors @ vectors[3])[found.rows], abs=0.06)


def test_codes_are_the_same_every_time(tmp_path: Path) -> None:
    for name in ("one", "two"):
        build(unit_rows(5000), tmp_path / name, Layout.CODES)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


@pytest.mark.slow
def test_cells_recall(tmp_path: Path) -> None:
    vectors = unit_rows(40_000, dim=16)
    build(vectors, tmp_path / "vectors", Layout.CELLS)
    assert VectorIndex.open(tmp_path / "vectors").search(vectors[7], 1).rows.tolist() == [7]


def test_no_vectors_find_nothing(tmp_path: Path) -> None:
    build(np.empty((0, 8), np.float32), tmp_path / "vectors")
    index = VectorIndex.open(tmp_path / "vectors")
    assert len(index) == 0
    assert index.search(np.ones(8, np.float32), limit=5).rows.tolist() == []
