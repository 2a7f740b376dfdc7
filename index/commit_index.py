"""A snapshot's index, opened: everything that recall and ranking read but the DuckDB file."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from index.columns import Columns, starts
from index.embedder import Embedder
from index.lexical import LexicalIndex
from index.onnx_embedder import OnnxEmbedder
from index.vectors import VectorIndex
from sourcer.errors import DamagedSnapshot, ModelMismatch

LEXICAL, VECTORS, COLUMNS, ENCODER, CARD = (
    "lexical",
    "vectors.faiss",
    "columns",
    "encoder",
    "index.json",
)
"""What a snapshot's index is made of; the card says of which model and input."""
MODEL, LEARNT_FROM = "model", "learnt from"
"""On the card: the model of the vectors, and how many commits there were when they were laid out
anew for the last time."""


@dataclass(frozen=True, slots=True)
class CommitIndex:
    lexical: LexicalIndex
    vectors: VectorIndex
    columns: Columns
    encoder: Embedder

    @classmethod
    def open(cls, folder: Path, encoder: Embedder | None = None) -> Self:
        """From a snapshot's folder; questions are encoded by the snapshot's own model, or by
        `encoder`, which must be the one that the index was built with.
        """
        card = read_card(folder)
        encoder = encoder or OnnxEmbedder.for_questions(folder / ENCODER)
        if encoder.name != card[MODEL]:
            raise ModelMismatch(
                f"the index in {folder} was built with {card['model']!r}, the settings ask for "
                f"{encoder.name!r}. Run: sourcer ingest"
            )
        columns = Columns.open(folder / COLUMNS)
        first = starts(columns.repo)
        return cls(
            LexicalIndex.open(folder / LEXICAL, first),
            VectorIndex.open(folder / VECTORS, first),
            columns,
            encoder,
        )


def read_card(folder: Path) -> dict[str, str]:
    """What an index says of itself: its model, and digests of what its parts were built from."""
    try:
        card: dict[str, str] = json.loads((folder / CARD).read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise DamagedSnapshot(
            f"{folder / CARD} cannot be read: {error}. Run: sourcer ingest"
        ) from error
    return card
