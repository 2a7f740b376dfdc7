"""Texts a second by sentence-transformers and ONNX Runtime, and the time of one question.

    python -m tests.bench.bench_embed [TEXTS]

Compares in one run, on one machine: read the ratios.
"""

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np

from index.embedder import PACKAGED, Embedder, SentenceTransformerEmbedder, export_onnx
from index.onnx_embedder import OnnxEmbedder

WORDS = [
    "Fix", "Add", "Support", "Tune", "Refactor", "MoE", "FusedMoE", "kernel", "attention",
    "FlashMLA", "KV", "cache", "prefix", "speculative", "decoding", "EAGLE", "scheduler", "LoRA",
    "NIXL", "DeepEP", "quantization", "FP8", "MXFP4", "Qwen3", "docs", "CI"
]  # fmt: skip


def subjects(count: int) -> list[str]:
    """Made-up subjects as long as real ones: 17 tokens on average."""
    rng = np.random.default_rng(0)
    return [
        f"[{rng.choice(WORDS)}] " + " ".join(rng.choice(WORDS, rng.integers(2, 11)))
        for _ in range(count)
    ]


def texts_per_second(embedder: Embedder, texts: list[str]) -> float:
    embedder.encode(texts[:64])
    started = perf_counter()
    embedder.encode(sorted(texts, key=len))
    return len(texts) / (perf_counter() - started)


def milliseconds(embedder: Embedder, rounds: int = 200) -> tuple[float, float]:
    """The median and the 99th percentile of one question."""
    taken = []
    for question in subjects(rounds):
        started = perf_counter()
        embedder.encode([question])
        taken.append(1000 * (perf_counter() - started))
    return float(np.median(taken)), float(np.percentile(taken, 99))


def main(count: int) -> None:
    texts, cores = subjects(count), os.cpu_count() or 1
    with TemporaryDirectory() as folder:
        started = perf_counter()
        export_onnx(PACKAGED, Path(folder) / "onnx")
        print(f"export to ONNX, once per model      {perf_counter() - started:8.1f} s")
        torch = SentenceTransformerEmbedder(bfloat16=False)
        many, one = (OnnxEmbedder(Path(folder) / "onnx", threads) for threads in (cores, 1))
        slow = texts_per_second(torch, texts)
        fast = texts_per_second(many, texts)
        print(f"sentence-transformers               {slow:8.0f} texts/s")
        print(f"ONNX Runtime, {cores} threads             {fast:8.0f} texts/s  {fast / slow:.2f} x")
        for name, embedder in (("sentence-transformers", torch), ("ONNX Runtime, 1 thread", one)):
            median, worst = milliseconds(embedder)
            print(f"a question by {name:22} p50 {median:5.1f} ms  p99 {worst:5.1f} ms")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
