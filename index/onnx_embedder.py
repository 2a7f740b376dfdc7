"""Text to unit vectors by ONNX Runtime: what encodes questions, without importing torch."""

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from weakref import WeakValueDictionary

import numpy as np
import numpy.typing as npt
import onnxruntime
from tokenizers import Tokenizer

Floats = npt.NDArray[np.float32]

MODEL, QUESTIONS, TOKENIZER, CARD = (
    "model.onnx",
    "questions.onnx",
    "tokenizer.json",
    "card.json",
)
"""The files of an exported model; the second is the first in eight bits, for questions alone."""
SLOWER = ["SkipLayerNormFusion"]
"""The fused operator takes twice the time of the sum and the norm that it stands for: up to a
quarter of a question."""
_BATCH = 16
"""A fifth less work than with 64 for texts as short as subjects."""


class OnnxEmbedder:
    """A model that embedder.export_onnx wrote.

    Each batch runs on one thread, which is the fastest for a single question; with more
    `threads`, batches run side by side, which wastes less than sharing out each of them.
    """

    def __init__(self, folder: Path, threads: int = 1, model: str = MODEL) -> None:
        card = json.loads((folder / CARD).read_text("utf-8"))
        self.name: str = card["name"]
        self.dim: int = card["dim"]
        self._threads = threads
        self._padding: int = card["padding"]
        self._tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(card["max_tokens"])
        self._session = _session(folder / model)

    @staticmethod
    def for_questions(folder: Path) -> "OnnxEmbedder":
        """In eight bits where the export has them: half the time and two thirds of the memory.

        An export that is open already, in another folder or not, is not opened once more.
        """
        card = (folder / CARD).read_text("utf-8")
        model = QUESTIONS if (folder / QUESTIONS).exists() else MODEL
        held = _ASKED.get((model, card))
        if held is None:
            held = OnnxEmbedder(folder, model=model)
            if "sha256" in json.loads(card):
                _ASKED[model, card] = held
        return held

    def encode(self, texts: Sequence[str]) -> Floats:
        tokens = [encoding.ids for encoding in self._tokenizer.encode_batch(list(texts))]
        by_length = sorted(range(len(tokens)), key=lambda row: len(tokens[row]))
        batches = [by_length[at : at + _BATCH] for at in range(0, len(tokens), _BATCH)]
        vectors = np.empty((len(tokens), self.dim), np.float32)
        for rows, found in self._run_all(batches, tokens):
            vectors[rows] = found
        return vectors

    def _run_all(
        self, batches: list[list[int]], tokens: list[list[int]]
    ) -> Iterator[tuple[list[int], Floats]]:
        if self._threads == 1 or len(batches) < 2:
            yield from ((rows, self._run([tokens[row] for row in rows])) for rows in batches)
            return
        with ThreadPoolExecutor(self._threads) as pool:
            run = pool.map(lambda rows: self._run([tokens[row] for row in rows]), batches)
            yield from zip(batches, run, strict=True)

    def _run(self, tokens: list[list[int]]) -> Floats:
        width = max(map(len, tokens))
        ids = np.full((len(tokens), width), self._padding, np.int64)
        mask = np.zeros((len(tokens), width), np.int64)
        for row, found in enumerate(tokens):
            ids[row, : len(found)] = found
            mask[row, : len(found)] = 1
        vectors: Floats = self._session.run(None, {"input_ids": ids, "attention_mask": mask})[0]
        return vectors


_ASKED: WeakValueDictionary[tuple[str, str], OnnxEmbedder] = WeakValueDictionary()
"""What encodes questions now, by model and card; cards say what is in their files."""


def _session(file: Path) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(
        str(file),
        options,
        providers=["CPUExecutionProvider"],
        disabled_optimizers=SLOWER,
    )
