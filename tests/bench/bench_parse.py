"""Parsing against one bare pass of the tokenizer: `python -m tests.bench.bench_parse`."""

import json
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from statistics import quantiles

from sourcer.query import default_vocabulary, parse
from sourcer.query.tokens import tokenise

CASES = Path(__file__).parents[1] / "cases"
TODAY = date(2026, 6, 15)
ROUNDS = 5
LONG = "engineers in Poland who did not work on MoE since 2024, ideally senior. "


def questions() -> list[str]:
    lines = (
        line
        for name in ("queries.jsonl", "questions_own.jsonl")
        for line in (CASES / name).read_text("utf-8").splitlines()
    )
    return [json.loads(line)["text"] for line in lines]


def best_of(run: Callable[[str], object], text: str) -> float:
    """Milliseconds of the fastest of a few rounds: what else the machine does counts less."""
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        run(text)
        times.append(time.perf_counter() - start)
    return 1000 * min(times)


def main() -> None:
    start = time.perf_counter()
    vocabulary = default_vocabulary()
    print(f"vocabulary built once: {time.perf_counter() - start:.2f} s")

    def parsed(text: str) -> object:
        return parse(text, today=TODAY, vocabulary=vocabulary)

    texts = questions()
    whole = [best_of(parsed, text) for text in texts]
    bare = [best_of(tokenise, text) for text in texts]
    cuts = quantiles(whole, n=100)
    print(f"{len(texts)} questions: p50 {cuts[49]:.2f} ms, p90 {cuts[89]:.2f}, p99 {cuts[98]:.2f}")
    print(f"against the bare tokenizer: {sum(whole) / sum(bare):.1f} x")
    for size in (1000, 5000):
        text = (LONG * 80)[:size]
        print(f"{size} characters: {best_of(parsed, text):.1f} ms")


if __name__ == "__main__":
    main()
