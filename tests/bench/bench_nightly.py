"""What a night costs as the history grows: the first, one with nothing new, one with 100 commits.

    python tests/bench/bench_nightly.py [--commits 10000 100000 1000000] [--repositories 20]

The history is made up: commits touch a few of many files, by authors of whom few write most. Its
vectors are hashed words, so that what is timed is everything but the embedding of what is new.
"""

import argparse
import json
import logging
import os
import platform
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from sourcer import settings
from sourcer.cli.night import nightly
from sourcer.cli.night_steps import Surroundings
from sourcer.commits import Depth
from sourcer.runs import Run
from sourcer.settings import Repository
from tests.hashing_embedder import HashingEmbedder

NEW = 100
RUNS = Path(__file__).parent / "runs"
WORDS = [
    "moe",
    "kernel",
    "router",
    "expert",
    "decode",
    "prefill",
    "cache",
    "attention",
    "quantize",
    "fuse",
    "tune",
    "batch",
    "scheduler",
    "mxfp4",
    "triton",
    "cuda",
    "graph",
    "lora",
    "speculative",
    "tokens",
    "worker",
    "transfer",
    "layer",
    "norm",
    "sampler",
    "docs",
    "test",
]


@dataclass
class Simulated:
    """One repository that grows; `dice` makes the same history each time."""

    path: Path
    seed: int
    size: int
    made: int = 0
    dice: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self.dice = random.Random(self.seed)
        subprocess.run(["git", "init", "-q", "--bare", "-b", "main", self.path], check=True)

    def grow(self, count: int) -> None:
        feed = subprocess.Popen(
            ["git", f"--git-dir={self.path}", "fast-import", "--quiet"], stdin=subprocess.PIPE
        )
        assert feed.stdin is not None
        for number in range(self.made, self.made + count):
            feed.stdin.write(self._commit(number))
        feed.stdin.close()
        assert feed.wait() == 0
        self.made += count

    def _commit(self, number: int) -> bytes:
        author = int(self.dice.paretovariate(0.7)) % (10 + self.size // 10)
        who = f"Author{self.seed} N{author} <n{author}@repo{self.seed}.example>"
        at = 1_600_000_000 + number * 600
        subject = " ".join(self.dice.choices(WORDS, k=6)) + f" (#{number})"
        lines = [
            "commit refs/heads/main",
            f"author {who} {at} +0000",
            f"committer {who} {at} +0000",
            f"data {len(subject)}",
            subject,
        ]
        if number and number == self.made:
            lines.append("from refs/heads/main^0")
        for _ in range(self.dice.randint(1, 6)):
            file = int(self.dice.paretovariate(0.5)) % (50 + self.size // 8)
            text = f"{number}"
            path = f"src/{WORDS[file % 27]}/{WORDS[file // 27 % 27]}/file_{file}.py"
            lines += [f"M 100644 inline {path}", f"data {len(text)}", text]
        return ("\n".join(lines) + "\n\n").encode()


def nights(commits: int, repositories: int, folder: Path) -> Iterator[tuple[str, Run, float]]:
    """What is run, the record of it, and how long it took."""
    data, each = folder / "data", commits // repositories
    grown = [Simulated(folder / f"r{n}.git", n, each) for n in range(repositories)]
    for one in grown:
        one.grow(each)
        settings.remember(
            data, Repository(f"sim/r{one.seed}", str(one.path.resolve()), Depth.PATHS)
        )
    around = Surroundings(lambda _step, _done, _of: None, {}, HashingEmbedder(384))
    for name, new in (("first", 0), ("nothing new", 0), (f"{NEW} new", NEW)):
        for one in grown[:4] if new else ():
            one.grow(new // len(grown[:4]))
        began = time.perf_counter()
        run = nightly(data, around)
        yield name, run, time.perf_counter() - began
        assert run.exit_code == 0, run


def main() -> None:
    """Each size in a process of its own, so that its peak of memory is its own."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--commits", type=int, nargs="+", default=[10_000, 100_000])
    asked.add_argument("--repositories", type=int, default=20)
    asked.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    options = asked.parse_args()
    logging.disable(logging.INFO)
    if options.alone:
        print(json.dumps(measure(options.commits[0], options.repositories)))
        return
    rows = []
    for commits in options.commits:
        command = [sys.executable, __file__, "--alone", "--commits", str(commits)]
        command += ["--repositories", str(options.repositories)]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        rows += json.loads(done.stdout.splitlines()[-1])
        for row in rows[-3:]:
            steps = ", ".join(
                f"{name} {took:.1f}" for name, took in row["steps"].items() if took >= 0.1
            )
            print(
                f"{row['commits']:>9,} commits  {row['night']:<12} {row['seconds']:7.1f} s "
                f"{row['peak_memory_mb']:6,} MB   {steps}",
                flush=True,
            )
    now = datetime.now(UTC)
    facts = {
        "at": now.isoformat(timespec="seconds"),
        "cores": os.cpu_count(),
        "machine": platform.machine(),
    }
    RUNS.mkdir(exist_ok=True)
    file = RUNS / f"{now:%Y-%m-%dT%H%M%SZ}-nightly.json"
    file.write_text(
        json.dumps({**facts, "repositories": options.repositories, "nights": rows}, indent=1) + "\n"
    )


def measure(commits: int, repositories: int) -> list[dict[str, object]]:
    with tempfile.TemporaryDirectory() as folder:
        return [
            {
                "commits": commits,
                "night": name,
                "seconds": round(took, 2),
                "peak_memory_mb": run.peak_memory_mb,
                "steps": {**run.seconds, **_parts(Path(folder), name)},
            }
            for name, run, took in nights(commits, repositories, Path(folder))
        ]


def _parts(folder: Path, night: str) -> dict[str, float]:
    if night == "nothing new":
        return {}
    manifest = json.loads((folder / "data" / "current" / "manifest.json").read_text())
    parts: dict[str, float] = manifest["seconds"]
    return parts


if __name__ == "__main__":
    main()
