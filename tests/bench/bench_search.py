"""Questions answered in process, beside encoding the question and looking its words up alone.

    python tests/bench/bench_search.py [DATA]      a data directory with a published snapshot;
                                                   without one, the sample is published first

Everything is timed in one run, so that a busy machine slows all of it alike, and by the thread's
own processor time: a question is answered on one thread, and waiting for a core is not its cost.
"""

import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from time import thread_time

import numpy as np
from on_sample import data_directory

from index.recall import MOST_BY_WORDS, term_weights
from index.search import Searcher
from sourcer import snapshot
from sourcer.query import Query, parse

ROUNDS = 10
QUESTIONS = (
    "US engineers who have merged commits to vLLM or SGLang touching MoE, expert parallelism, "
    "or PD disaggregation, senior or above, open to talking",
    "FlashMLA kernels",
    "who introduced chunked prefill",
    "speculative decoding people, not at NVIDIA",
    "CUDA kernel engineers in Germany",
    "top 10 contributors to vllm/v1/attention since 2025",
    "Rust developers with more than 10 merged PRs in sglang",
    "contributors to both vLLM and SGLang",
    "KV cache transfer over RDMA in the last 12 months",
    "structured output and tool parsing",
    "LoRA serving, ideally in Europe",
    "quantization experts who also reviewed MoE",
)


def main(data: Path) -> None:
    searcher = Searcher.open(snapshot.current(data))
    queries = [parse(question, today=date.today()) for question in QUESTIONS]
    steps: dict[str, Callable[[Query], object]] = {
        "search, 20 entries": lambda query: searcher.search(query, limit=20),
        "encode the question": lambda query: searcher.index.encoder.encode([query.semantic]),
        "look its words up": lambda query: searcher.index.lexical.search(
            term_weights(query.semantic), MOST_BY_WORDS
        ),
        "parse": lambda query: parse(query.text, today=date.today()),
    }
    for query in queries:
        searcher.search(query)
    seconds = {name: timed(step, queries) for name, step in steps.items()}
    bare = float(np.median(seconds["encode the question"]))
    print(f"{len(searcher.index.columns.day):,} commits, {len(queries)} questions, {ROUNDS} rounds")
    for name, taken in seconds.items():
        p50, p99 = np.quantile(taken, (0.5, 0.99)) * 1000
        print(
            f"{name:24} p50 {p50:7.2f} ms   p99 {p99:7.2f} ms   {p50 / bare / 1000:6.2f} x encoding"
        )


def timed(step: Callable[[Query], object], queries: list[Query]) -> list[float]:
    taken = []
    for _ in range(ROUNDS):
        for query in queries:
            began = thread_time()
            step(query)
            taken.append(thread_time() - began)
    return taken


if __name__ == "__main__":
    with data_directory(Path(sys.argv[1]) if len(sys.argv) > 1 else None) as data:
        main(data)
