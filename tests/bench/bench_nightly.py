"""What a night costs as the history grows: the first, one with nothing new, one with 100 commits.

    python tests/bench/bench_nightly.py [--commits 10000 100000 1000000] [--repositories 20]

The history is made up: commits touch a few of many files, by authors of whom few write most. Its
vectors are hashed words, so that what is timed is everything but the embedding of what is new.
CPU seconds are those of the night's process and of the git commands that it ran.
"""

import argparse
import json
import logging
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from sourcer import settings
from sourcer.cli.night import nightly
from sourcer.cli.night_steps import Surroundings
from sourcer.commits import Depth
from sourcer.runs import Outcome
from sourcer.settings import Repository
from tests.bench.measured import write_run
from tests.hashing_embedder import HashingEmbedder

NEW = 100
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
    """One repository that grows, by the same history each time."""

    path: Path
    seed: int
    size: int
    made: int = 0

    def __post_init__(self) -> None:
        if self.path.exists():
            counted = subprocess.check_output(self._git("rev-list", "--count", "main"))
            self.made = int(counted)
        else:
            subprocess.run(["git", "init", "-q", "--bare", "-b", "main", self.path], check=True)

    def grow(self, count: int) -> None:
        dice = random.Random(self.seed + self.made)
        feed = subprocess.Popen(self._git("fast-import", "--quiet"), stdin=subprocess.PIPE)
        assert feed.stdin is not None
        for number in range(self.made, self.made + count):
            feed.stdin.write(self._commit(number, dice))
        feed.stdin.close()
        assert feed.wait() == 0
        self.made += count

    def _git(self, *words: str) -> list[str]:
        return ["git", f"--git-dir={self.path}", *words]

    def _commit(self, number: int, dice: random.Random) -> bytes:
        author = int(dice.paretovariate(0.7)) % (10 + self.size // 10)
        who = f"Author{self.seed} N{author} <n{author}@repo{self.seed}.example>"
        at = 1_600_000_000 + number * 600
        subject = " ".join(dice.choices(WORDS, k=6)) + f" (#{number})"
        lines = [
            "commit refs/heads/main",
            f"author {who} {at} +0000",
            f"committer {who} {at} +0000",
            f"data {len(subject)}",
            subject,
        ]
        if number and number == self.made:
            lines.append("from refs/heads/main^0")
        for _ in range(dice.randint(1, 6)):
            file = int(dice.paretovariate(0.5)) % (50 + self.size // 8)
            text = f"{number}"
            path = f"src/{WORDS[file % 27]}/{WORDS[file // 27 % 27]}/file_{file}.py"
            lines += [f"M 100644 inline {path}", f"data {len(text)}", text]
        return ("\n".join(lines) + "\n\n").encode()


@dataclass(frozen=True, slots=True)
class Installation:
    """A data directory beside the repositories that it crawls."""

    folder: Path
    repositories: tuple[Simulated, ...]

    @classmethod
    def made(cls, folder: Path, commits: int, repositories: int) -> "Installation":
        each = commits // repositories
        grown = [Simulated(folder / f"r{n}.git", n, each) for n in range(repositories)]
        for one in grown:
            one.grow(max(0, each - one.made))
            source = str(one.path.resolve())
            settings.remember(folder / "data", Repository(f"sim/r{one.seed}", source, Depth.PATHS))
        return cls(folder, tuple(grown))

    def grow(self, new: int) -> None:
        """Adds commits to a few of the repositories."""
        growing = self.repositories[:4]
        for one in growing:
            one.grow(new // len(growing))

    def night(self) -> dict[str, Any]:
        """One night in a process of its own, as it is in life: its memory is its own."""
        command = [sys.executable, __file__, "--night", str(self.folder / "data")]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        measured: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        return measured


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--commits", type=int, nargs="+", default=[10_000, 100_000])
    asked.add_argument("--repositories", type=int, default=20)
    asked.add_argument(
        "--folder", type=Path, help="where to work; histories stay there for another time"
    )
    asked.add_argument("--night", type=Path, help=argparse.SUPPRESS)
    options = asked.parse_args()
    if options.night:
        print(json.dumps(one_night(options.night)))
        return
    rows = []
    for commits in options.commits:
        with tempfile.TemporaryDirectory() as temporary:
            folder = (options.folder or Path(temporary)) / str(commits)
            shutil.rmtree(folder / "data", ignore_errors=True)
            folder.mkdir(parents=True, exist_ok=True)
            for row in nights(Installation.made(folder, commits, options.repositories)):
                rows.append({"commits": commits, **row})
                print(told(rows[-1]), flush=True)
    ratios = against_first(rows)
    print("\n".join(f"{name}: {ratio}" for name, ratio in ratios.items()))
    write_run("nightly", {"repositories": options.repositories, "nights": rows, "ratios": ratios})


def nights(installation: Installation) -> Iterator[dict[str, Any]]:
    for name, new in (("first", 0), ("nothing new", 0), (f"{NEW} new", NEW)):
        installation.grow(new)
        yield {"night": name, **installation.night()}


def one_night(data: Path) -> dict[str, Any]:
    """What a night took, step by step; the parts of the steps stand in the snapshot's manifest."""
    logging.disable(logging.INFO)
    around = Surroundings(lambda _step, _done, _of: None, {}, HashingEmbedder(384))
    began = time.perf_counter()
    run = nightly(data, around)
    seconds = time.perf_counter() - began
    assert run.exit_code == 0, run
    published = run.outcome is Outcome.PUBLISHED
    manifest = json.loads((data / "current" / "manifest.json").read_text("utf-8"))
    return {
        "seconds": round(seconds, 2),
        "cpu_seconds": round(sum(os.times()[:4]), 2),
        "peak_memory_mb": run.peak_memory_mb,
        "steps": {**run.seconds, **(manifest["seconds"] if published else {})},
    }


def told(row: dict[str, Any]) -> str:
    steps = ", ".join(f"{name} {took:.1f}" for name, took in row["steps"].items() if took >= 0.1)
    return (
        f"{row['commits']:>9,} commits  {row['night']:<12} {row['seconds']:7.1f} s "
        f"{row['cpu_seconds']:7.1f} s CPU {row['peak_memory_mb']:6,} MB   {steps}"
    )


def against_first(rows: list[dict[str, Any]]) -> dict[str, float]:
    """CPU of a night with new commits: per first night, and per such a night of the smallest."""
    cpu = {(row["commits"], row["night"]): row["cpu_seconds"] for row in rows}
    sizes = sorted({row["commits"] for row in rows})
    night = f"{NEW} new"
    return {
        f"{night} at {size:,}, per {against} at {base:,}": round(
            cpu[size, night] / cpu[base, against], 3
        )
        for size in sizes
        for base, against in ((size, "first"), (sizes[0], night))
    }


if __name__ == "__main__":
    main()
