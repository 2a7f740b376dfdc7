"""The fake at the seam: vectors from words alone, with no model to load."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from zlib import crc32

import numpy as np
import numpy.typing as npt

from index.passages import terms


@dataclass
class HashingEmbedder:
    """Texts that share terms are alike; says in `asked` what it was given.

    >>> same, alike, other = HashingEmbedder(256).encode(["moe kernel", "moe docs", "lora"])
    >>> bool(same @ alike > 0.4 > same @ other)
    True
    """

    dim: int
    asked: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        return f"hashing-{self.dim}"

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        self.asked.extend(texts)
        vectors = np.zeros((len(texts), self.dim), np.float32)
        for row, text in enumerate(texts):
            for term in terms(text) or [""]:
                vectors[row, crc32(term.encode()) % self.dim] += 1.0
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors
