"""A text is embedded once, whatever happens to the process."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from index.embedding_cache import cached_encode
from tests.hashing_embedder import HashingEmbedder

TEXTS = ["Tune MoE", "Fix docs", "Tune MoE", "修复"]


def test_equal_texts_are_embedded_once(tmp_path: Path) -> None:
    embedder = HashingEmbedder(32)
    vectors = cached_encode(TEXTS, embedder, tmp_path)[:]
    assert sorted(embedder.asked) == ["Fix docs", "Tune MoE", "修复"]
    assert vectors == pytest.approx(HashingEmbedder(32).encode(TEXTS), abs=1e-3)
    assert vectors.dtype == np.float32


def test_only_new_texts_are_embedded_and_the_old_come_back_equal(tmp_path: Path) -> None:
    first = cached_encode(TEXTS, HashingEmbedder(32), tmp_path)
    nightly = HashingEmbedder(32)
    second = cached_encode(["Add LoRA", *TEXTS], nightly, tmp_path)
    assert nightly.asked == ["Add LoRA"]
    assert np.array_equal(second[1:], first[:])


def test_models_are_kept_apart(tmp_path: Path) -> None:
    cached_encode(TEXTS, HashingEmbedder(32), tmp_path)
    assert cached_encode(TEXTS, HashingEmbedder(64), tmp_path).shape == (4, 64)


def test_progress_counts_what_is_new(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    texts = [f"commit {number:05d}" for number in range(3000)]
    cached_encode(texts, HashingEmbedder(8), tmp_path, lambda *counts: told.append(counts))
    assert told == [(2048, 3000), (3000, 3000)]
    cached_encode(texts, HashingEmbedder(8), tmp_path, lambda *counts: told.append(counts))
    assert len(told) == 2


class Killed(HashingEmbedder):
    """Dies while it embeds the second batch."""

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        if self.asked:
            raise KeyboardInterrupt
        return super().encode(texts)


def test_killed_process_loses_only_its_batch(tmp_path: Path) -> None:
    texts = [f"commit {number:05d}" for number in range(3000)]
    with pytest.raises(KeyboardInterrupt):
        cached_encode(texts, Killed(8), tmp_path)
    after = HashingEmbedder(8)
    cached_encode(texts, after, tmp_path)
    assert len(after.asked) == 3000 - 2048


def test_half_written_batch_is_not_read(tmp_path: Path) -> None:
    folder = tmp_path / "hashing-8" / "vectors"
    folder.mkdir(parents=True)
    (folder / ".draft-1").write_bytes(b"\x93NUMPY half")
    assert cached_encode(["x"], HashingEmbedder(8), tmp_path).shape == (1, 8)


def test_nothing_to_embed(tmp_path: Path) -> None:
    assert cached_encode([], HashingEmbedder(8), tmp_path).shape == (0, 8)
