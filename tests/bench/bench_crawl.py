"""How fast a history is crawled, beside bare git and other readers, in one run.

    python tests/bench/bench_crawl.py [REPO_DIR] [--json] [--sample 300] [--repeat 1]

Seconds depend on the machine and on what else it does; the ratios are what to compare. Each
reader is a process of its own. Without REPO_DIR the sample is read, which is too short for its
ratios to say much. Other readers read a sample of commits, scaled to all of them.
"""

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from on_sample import history

from ingest.borrowed import borrowed, head
from ingest.gitchild import environment
from ingest.missing import mend, reachable

ROOT = Path(__file__).parent.parent.parent
RUNS = Path(__file__).parent / "runs"
RAW, NUMSTAT = "git log --raw", "git log --numstat -M"
OURS = """
import resource, sys
from pathlib import Path
from ingest.crawl import crawl
from sourcer.commits import Depth
if __name__ == "__main__":
    source, into, depth, processes = sys.argv[1:]
    crawl(Path(source), Path(into), Depth(depth), processes=int(processes))
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""
OTHERS = {
    "pydriller": """
from pydriller import Git
git = Git(repo)
for sha in shas:
    for file in git.get_commit(sha).modified_files:
        file.added_lines, file.deleted_lines
""",
    "gitpython": """
from git import Repo
git = Repo(repo)
for sha in shas:
    git.commit(sha).stats.files
""",
    "pygit2": """
import pygit2
git = pygit2.Repository(repo)
for sha in shas:
    commit = git[sha]
    if len(commit.parents) == 1:
        diff = git.diff(commit.parents[0], commit, context_lines=0)
        diff.find_similar()
        [patch.line_stats for patch in diff]
""",
    "perceval": """
from perceval.backends.core.git import GitParser
import subprocess
log = "git log --raw --numstat --pretty=fuller --decorate=full --parents -M -C -c".split()
told = subprocess.run([*log, "--no-walk=unsorted", "--stdin"], cwd=repo, text=True,
    input="\\n".join(shas), capture_output=True, errors="surrogateescape", check=True).stdout
list(GitParser(told.splitlines(keepends=True)).parse())
""",
}


@dataclass(frozen=True, slots=True)
class Timed:
    """One reader's run, beside the bare git it is compared with."""

    name: str
    seconds: float
    cpu: float
    """Seconds of processor time, children too: what a busy machine distorts least."""
    against: str
    ratio: float
    note: str = ""


def main() -> None:
    options = _options()
    with history(options.repository) as repository, borrowed(repository) as scratch:
        at = head(repository) or sys.exit("the repository has no commits")
        shas = reachable(scratch, at)
        missing = mend(scratch, at, blobs=True).objects
        rows = list(_measured(repository, scratch, at, shas, options))
    result = {
        "what": "crawl",
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": _machine(),
        "repository": {"commits": len(shas), "head": at, "missing_objects": len(missing)},
        "rows": [asdict(row) for row in rows],
    }
    _print(rows, len(shas))
    if options.json:
        RUNS.mkdir(exist_ok=True)
        place = RUNS / f"{datetime.now(UTC):%Y-%m-%d}-crawl-{at[:7]}.json"
        place.write_text(json.dumps(result, indent=1) + "\n")
        print(f"\nwritten to {place.relative_to(ROOT)}")


def _measured(
    source: Path, scratch: Path, at: str, shas: list[str], options: argparse.Namespace
) -> Iterator[Timed]:
    """Bare git reads the scratch repository, where missing blobs do not end it."""
    git = ["git", f"--git-dir={scratch}", "log"]
    raw, cpu, _ = min(_run([*git, "--raw", at]) for _ in range(options.repeat))
    yield Timed(RAW, raw, cpu, RAW, 1.0)
    yield _ours(source, "paths", 1, RAW, raw, options.repeat)
    numstat, cpu, _ = min(_run([*git, "--numstat", "-M", at]) for _ in range(options.repeat))
    yield Timed(NUMSTAT, numstat, cpu, NUMSTAT, 1.0)
    yield _ours(source, "lines", 1, NUMSTAT, numstat, options.repeat)
    yield _ours(source, "lines", 2, NUMSTAT, numstat, options.repeat)
    with _clone(source) as clone:
        for name, code in OTHERS.items():
            yield _other(name, code, clone, shas, numstat, options.sample)


def _ours(
    source: Path, depth: str, processes: int, against: str, bare: float, repeat: int
) -> Timed:
    runs = []
    for _ in range(repeat):
        with tempfile.TemporaryDirectory() as into, tempfile.TemporaryDirectory() as place:
            script = Path(place) / "ours.py"
            script.write_text(OURS)
            told = [str(source), str(Path(into) / "out"), depth, str(processes)]
            runs.append(_run([sys.executable, str(script), *told]))
    best, cpu, _ = min(runs)
    peak = max(int(said) for _, _, said in runs)
    name = f"sourcer, {depth}, {processes} process{'es' * (processes > 1)}"
    return Timed(name, best, cpu, against, best / bare, f"peak {peak} MiB")


def _other(name: str, code: str, clone: Path, shas: list[str], bare: float, sample: int) -> Timed:
    try:
        release = version(name)
    except PackageNotFoundError:
        return Timed(name, 0, 0, NUMSTAT, 0, "not installed")
    chosen = shas[:: max(1, len(shas) // sample)]
    given = f"import sys\nrepo, shas = {str(clone)!r}, sys.stdin.read().split()\n"
    empty, idle, _ = _run([sys.executable, "-c", given + code], "")
    try:
        seconds, cpu, _ = _run([sys.executable, "-c", given + code], "\n".join(chosen))
    except subprocess.CalledProcessError as error:
        return Timed(name, 0, 0, NUMSTAT, 0, str(error.stderr).strip().splitlines()[-1][:80])
    scale = len(shas) / len(chosen)
    scaled = (seconds - empty) * scale
    note = f"{release}, {len(chosen)} commits scaled"
    return Timed(name, scaled, (cpu - idle) * scale, NUMSTAT, scaled / bare, note)


def _run(command: list[str], feed: str = "") -> tuple[float, float, str]:
    """Seconds, processor seconds, and what was printed unless it is git's log."""
    is_git = command[0] == "git"
    began, spent = time.perf_counter(), _spent()
    done = subprocess.run(
        command,
        input=feed,
        stdout=subprocess.DEVNULL if is_git else subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment() | {"PYTHONPATH": str(ROOT)},
        text=True,
        check=True,
    )
    return time.perf_counter() - began, _spent() - spent, done.stdout or ""


def _spent() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@contextmanager
def _clone(source: Path) -> Iterator[Path]:
    """The others want a `config`."""
    with tempfile.TemporaryDirectory() as place:
        clone = Path(place) / "clone.git"
        command = ["git", "clone", "-q", "--bare", "--shared", "--single-branch"]
        subprocess.run([*command, str(source), str(clone)], check=True, env=environment())
        yield clone


def _machine() -> dict[str, str | int | float | None]:
    git = subprocess.run(["git", "--version"], capture_output=True, text=True, check=True)
    return {
        "system": platform.platform(),
        "processors": os.cpu_count(),
        "load_before": round(os.getloadavg()[0], 2),
        "python": platform.python_version(),
        "git": git.stdout.split()[-1],
        "pyarrow": version("pyarrow"),
    }


def _print(rows: list[Timed], commits: int) -> None:
    print(f"{commits} commits, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors\n")
    for row in rows:
        ratio = f"{row.ratio:.2f} x {row.against}" if row.ratio else ""
        print(f"{row.name:32}{row.seconds:9.1f} s{row.cpu:9.1f} s cpu  {ratio:32}{row.note}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("repository", nargs="?", type=lambda path: Path(path).resolve())
    parser.add_argument(
        "--json", action="store_true", help="write tests/bench/runs/<date>-crawl-<head>"
    )
    parser.add_argument("--sample", type=int, default=300, help="commits that others read")
    parser.add_argument("--repeat", type=int, default=1, help="the best of how many runs")
    return parser.parse_args()


if __name__ == "__main__":
    main()
