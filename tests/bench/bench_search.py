"""Questions answered in process, beside encoding the question and looking its words up alone.

    python tests/bench/bench_search.py [DATA] [--simulate 1000000 [--keep DIR]] [--run]

DATA is a data directory with a published snapshot; without one, the sample is published first.
With --simulate a made-up history of so many commits is searched in its place. --run keeps the
figures under tests/bench/runs.

Everything is timed in one run, so that a busy machine slows all of it alike, and by the thread's
own processor time: a question is answered on one thread, and waiting for a core is not its cost.
Each round asks the questions in other words, so that none was answered or encoded before.
"""

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from time import thread_time

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from measured import memory_mb, write_run
from on_sample import data_directory

from index.recall import MOST_BY_WORDS, term_weights
from index.search import Searcher
from sourcer import snapshot
from sourcer.query import Query, parse

TODAY = date(2026, 6, 15)
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
WORDS = ("graph", "batch", "router", "scheduler", "tokens", "worker", "stream", "norm", "layout")
"""One more word for each round: what is asked is new, and as long as before."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, nargs="?")
    parser.add_argument("--simulate", type=int, metavar="COMMITS")
    parser.add_argument("--keep", type=Path, help="Where the made-up history is, or will be.")
    parser.add_argument("--run", action="store_true", help="Keep the figures.")
    given = parser.parse_args()
    with _opened(given) as searcher:
        figures = measured(searcher)
    for name, (p50, p99, ratio) in figures["steps"].items():
        print(f"{name:24} p50 {p50:7.2f} ms   p99 {p99:7.2f} ms   {ratio:6.2f} x encoding")
    print(
        f"{figures['commits']:,} commits, {figures['memory_mb']} MB, peak {figures['peak_mb']} MB"
    )
    if given.run:
        name = f"search-{given.simulate}" if given.simulate else "search"
        print(write_run(name, figures))


@contextmanager
def _opened(given: argparse.Namespace) -> Iterator[Searcher]:
    if not given.simulate:
        with data_directory(given.data) as data:
            yield Searcher.open(snapshot.current(data))
        return
    from simulated import searcher

    with TemporaryDirectory() as scratch:
        folder = given.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        yield searcher(given.simulate, folder, lambda says: print(says, file=sys.stderr))


def measured(searcher: Searcher) -> dict[str, object]:
    rounds = [
        [parse(f"{question} {word}", today=TODAY) for question in QUESTIONS] for word in WORDS
    ]
    index = searcher.index
    steps: dict[str, Callable[[Query], object]] = {
        "search, 20 entries": lambda query: searcher.search(query, limit=20),
        "encode the question": lambda query: index.encoder.encode([query.semantic]),
        "look its words up": lambda query: index.lexical.search(
            term_weights(query.semantic), MOST_BY_WORDS
        ),
        "look its meaning up": lambda query: index.vectors.search(vector, 2000),
        "parse": lambda query: parse(query.text, today=TODAY),
    }
    vector = index.encoder.encode(["fused MoE kernels"])[0]
    for question in QUESTIONS:
        searcher.search(parse(question, today=TODAY))
    seconds = {name: timed(step, rounds) for name, step in steps.items()}
    bare = float(np.median(seconds["encode the question"]))
    mb, peak = memory_mb(os.getpid())
    return {
        "commits": len(index.columns.day),
        "people": len(index.columns.person_commits),
        "questions": len(QUESTIONS) * len(rounds),
        "steps": {name: _quantiles(taken, bare) for name, taken in seconds.items()},
        "memory_mb": mb,
        "peak_mb": peak,
    }


def timed(step: Callable[[Query], object], rounds: list[list[Query]]) -> list[float]:
    taken = []
    for queries in rounds:
        for query in queries:
            began = thread_time()
            step(query)
            taken.append(thread_time() - began)
    return taken


def _quantiles(seconds: list[float], bare: float) -> tuple[float, float, float]:
    """Median and 99th percentile in milliseconds, and the median against encoding."""
    p50, p99 = np.quantile(seconds, (0.5, 0.99)) * 1000
    return round(float(p50), 2), round(float(p99), 2), round(float(p50 / bare / 1000), 2)


if __name__ == "__main__":
    main()
