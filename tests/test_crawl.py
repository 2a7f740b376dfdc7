"""What a crawl leaves on disk: whole, only what is new, and the same however it was run."""

import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from ingest.crawl import batches, crawl
from sourcer.commits import Depth
from sourcer.errors import CrawlFailed
from tests.histories import History, crawled

BOTH = pytest.mark.parametrize("depth", [Depth.PATHS, Depth.LINES])
TABLES = ("commits", "paths", "changes", "signatures", "roles")
KILLED = """
import os, signal, sys
from pathlib import Path
from ingest.crawl import crawl
from sourcer.commits import Depth
def die(done, of): done >= int(sys.argv[3]) and os.kill(os.getpid(), signal.SIGKILL)
crawl(Path(sys.argv[1]), Path(sys.argv[2]), Depth.LINES, die, processes=1)
"""
STOPPED = """
import os, signal, sys
from pathlib import Path
from ingest.crawl import crawl
from sourcer.commits import Depth
def stop(done, of): os.killpg(0, signal.SIGINT)
if __name__ == "__main__":
    try:
        crawl(Path(sys.argv[1]), Path(sys.argv[2]), Depth.LINES, stop, processes=2)
    except KeyboardInterrupt:
        print("stopped")
"""
FULL = """
import resource, sys
from pathlib import Path
from ingest.crawl import crawl
from sourcer.commits import Depth
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
crawl(Path(sys.argv[1]), Path(sys.argv[2]), Depth.PATHS)
"""


@pytest.fixture
def source(tmp_path: Path) -> History:
    history = History.start(tmp_path / "source")
    history.commit({"a.py": "one = 1\n", "b.cu": "int main() {\n}\n"})
    history.commit({"a.py": "one = 2\ndef two_things():\n    return 3\n"}, "Two (#12)")
    return history


def long_history(path: Path, commits: int) -> History:
    history = History.start(path, "--bare")
    lines = []
    for number in range(commits):
        lines += ["commit refs/heads/main", f"committer A{number % 7} <a@x> {number * 9} +0000"]
        lines += ["data 1", "x", f"M 644 inline f{number % 50}.py", "data 20"]
        lines += [f"value_of = {number:9}"]
    history.git("fast-import", "--quiet", feed="\n".join(lines).encode() + b"\n")
    return history


def listing(path: Path) -> dict[str, tuple[int, int]]:
    return {str(p): (p.stat().st_mtime_ns, p.stat().st_size) for p in path.rglob("*")}


def test_lines_are_counted_and_named(source: History, tmp_path: Path) -> None:
    result = crawled(source.dir, tmp_path / "out")
    assert result.changes(source.head) == [("M", "a.py", None, 3, 1)]
    assert result.rows("select identifiers from changes order by commit_id desc limit 1") == [
        (["two_things"],)
    ]
    assert result.rows("select subject, pull, added, deleted from commits where id = 1") == [
        ("Two (#12)", 12, 3, 1)
    ]


def test_paths_know_no_lines_and_say_so_without_calling_them_unknown(
    source: History, tmp_path: Path
) -> None:
    result = crawled(source.dir, tmp_path / "out", Depth.PATHS)
    assert result.rows("select distinct added, deleted from commits") == [(None, None)]
    assert result.report.unknown_line_counts == 0


@BOTH
def test_nothing_new_reads_nothing(source: History, tmp_path: Path, depth: Depth) -> None:
    crawl(source.dir, tmp_path / "out", depth)
    before = listing(tmp_path / "out")
    report = crawl(source.dir, tmp_path / "out", depth)
    assert (report.commits_new, report.commits_total) == (0, 2)
    assert listing(tmp_path / "out") == before


def test_only_new_commits_are_read(source: History, tmp_path: Path) -> None:
    crawl(source.dir, tmp_path / "out", Depth.LINES)
    sha = source.commit({"c.py": "x\n"})
    report = crawl(source.dir, tmp_path / "out", Depth.LINES)
    assert (report.commits_new, report.commits_total, report.head) == (1, 3, sha)
    newest = batches(tmp_path / "out").commits[-1]
    assert pq.read_table(newest)["sha"].to_pylist() == [sha]


def test_progress_ends_at_the_number_of_new_commits(source: History, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    crawl(source.dir, tmp_path / "out", Depth.LINES, lambda *step: told.append(step))
    assert told == [(2, 2)]


@BOTH
def test_a_force_push_takes_commits_back(source: History, tmp_path: Path, depth: Depth) -> None:
    lost = source.commit({"lost.py": "x\n"})
    crawl(source.dir, tmp_path / "out", depth)
    source.git("reset", "-q", "--hard", "HEAD~1")
    kept = source.commit({"kept.py": "x\n"})
    result = crawled(source.dir, tmp_path / "out", depth)
    shas = [sha for (sha,) in result.rows("select sha from commits")]
    assert (result.report.rewritten, result.report.commits_total) == (1, 3)
    assert kept in shas
    assert lost not in shas
    assert result.rows("select count(*) from paths where path = 'lost.py'") == [(0,)]


def test_commits_that_a_force_push_brings_back_are_there_once(
    source: History, tmp_path: Path
) -> None:
    lost = source.commit({"lost.py": "x\n"})
    crawl(source.dir, tmp_path / "out", Depth.LINES)
    source.git("reset", "-q", "--hard", "HEAD~1")
    crawl(source.dir, tmp_path / "out", Depth.LINES)
    source.git("reset", "-q", "--hard", lost)
    result = crawled(source.dir, tmp_path / "out", Depth.LINES)
    assert (result.report.commits_new, result.report.rewritten) == (0, 0)
    assert result.rows("select count(*) from commits") == [(3,)]


def test_another_depth_reads_everything_again_and_clears_up(
    source: History, tmp_path: Path
) -> None:
    crawl(source.dir, tmp_path / "out", Depth.PATHS)
    result = crawled(source.dir, tmp_path / "out", Depth.LINES)
    assert result.changes(source.head) == [("M", "a.py", None, 3, 1)]
    assert len(list((tmp_path / "out").glob("commits-*.parquet"))) == 1


@pytest.mark.slow
@pytest.mark.parametrize("killed_after", [1, 1001])
def test_a_killed_crawl_resumes_with_the_same_result(tmp_path: Path, killed_after: int) -> None:
    source = long_history(tmp_path / "source", 2500)
    arguments = [str(source.dir), str(tmp_path / "killed"), str(killed_after)]
    done = subprocess.run([sys.executable, "-c", KILLED, *arguments], check=False)
    assert done.returncode == -signal.SIGKILL
    partial = crawl_of(batches(tmp_path / "killed").commits)
    (tmp_path / "killed" / "commits-000009.parquet").write_bytes(b"half a file")

    resumed = crawled(source.dir, tmp_path / "killed")
    straight = crawled(source.dir, tmp_path / "straight")
    assert resumed.report.commits_new == 2500 - partial
    for table in TABLES:
        query = f"from {table} order by all"
        assert resumed.rows(query) == straight.rows(query), table


@pytest.mark.slow
def test_many_nights_leave_few_files_and_the_same_rows(tmp_path: Path) -> None:
    source = long_history(tmp_path / "source", 200)
    shas = source.git("rev-list", "--reverse", "main").split()
    for night in range(70):
        source.git("update-ref", "refs/heads/main", shas[99 + night])
        crawl(source.dir, tmp_path / "nights", Depth.PATHS)
    assert len(batches(tmp_path / "nights").commits) == 7
    assert len(list((tmp_path / "nights").glob("changes-*.parquet"))) == 7
    nightly = crawled(source.dir, tmp_path / "nights", Depth.PATHS)
    straight = crawled(source.dir, tmp_path / "straight", Depth.PATHS)
    assert nightly.report.commits_total == 169
    for table in TABLES:
        query = f"from {table}"
        assert nightly.rows(query) == straight.rows(query), table


def crawl_of(paths: tuple[Path, ...]) -> int:
    return sum(pq.read_metadata(path).num_rows for path in paths)


def test_an_interrupt_from_the_terminal_is_told_once(tmp_path: Path) -> None:
    source, script = long_history(tmp_path / "long.git", 4500), tmp_path / "stopped.py"
    script.write_text(STOPPED)
    ended = subprocess.run(
        [sys.executable, script, source.dir, tmp_path / "out"],
        capture_output=True,
        text=True,
        start_new_session=True,
        check=False,
    )
    assert (ended.stdout, ended.stderr, ended.returncode) == ("stopped\n", "", 0)


@pytest.mark.slow
def test_two_processes_give_what_one_gives(tmp_path: Path) -> None:
    source = long_history(tmp_path / "source", 2500)
    one = crawled(source.dir, tmp_path / "one", processes=1)
    two = crawled(source.dir, tmp_path / "two", processes=2)
    for table in TABLES:
        query = f"from {table} order by all"
        assert one.rows(query) == two.rows(query), table


@BOTH
def test_the_source_is_never_written_to(source: History, tmp_path: Path, depth: Depth) -> None:
    forget(source, "HEAD:a.py")
    before = listing(source.path)
    crawl(source.dir, tmp_path / "out", depth)
    assert listing(source.path) == before


def test_a_missing_blob_makes_its_counts_unknown_and_no_others(
    source: History, tmp_path: Path
) -> None:
    forget(source, "HEAD:a.py")
    result = crawled(source.dir, tmp_path / "out")
    assert result.changes(source.head) == [("M", "a.py", None, None, None)]
    assert result.rows("select added from commits order by id") == [(3,), (None,)]
    assert (result.report.missing_objects, result.report.unknown_line_counts) == (1, 1)


def test_missing_blobs_on_both_sides_leave_the_other_files_in_step(
    source: History, tmp_path: Path
) -> None:
    sha = source.commit({"a.py": "x\ny\n", "b.cu": "z\n"})
    forget(source, "HEAD:a.py", "HEAD~1:a.py")
    result = crawled(source.dir, tmp_path / "out")
    assert result.changes(sha) == [("M", "a.py", None, None, None), ("M", "b.cu", None, 1, 2)]


def test_missing_blobs_do_not_trouble_depth_paths(source: History, tmp_path: Path) -> None:
    forget(source, "HEAD:a.py", "HEAD~1:a.py")
    report = crawl(source.dir, tmp_path / "out", Depth.PATHS)
    assert (report.commits_total, report.missing_objects) == (2, 0)


@BOTH
def test_a_missing_directory_keeps_the_commits_and_what_is_known(
    source: History, tmp_path: Path, depth: Depth
) -> None:
    before = source.commit({"lib/x.py": "1\n", "a.py": "1\n"})
    during = source.commit({"lib/x.py": "2\n", "a.py": "2\n"})
    after = source.commit({"lib/x.py": "3\n", "a.py": "3\n"})
    forget(source, "HEAD~1:lib")
    result = crawled(source.dir, tmp_path / "out", depth)
    assert [row[:2] for row in result.changes(before)] == [("M", "a.py"), ("A", "lib/x.py")]
    assert [row[:2] for row in result.changes(during)] == [("M", "a.py")]
    assert [row[:2] for row in result.changes(after)] == [("M", "a.py")]
    assert result.report.missing_objects == 1


@BOTH
def test_a_missing_root_directory_keeps_the_commits(
    source: History, tmp_path: Path, depth: Depth
) -> None:
    source.commit({"a.py": "5\n"})
    source.commit({"a.py": "6\n"})
    forget(source, "HEAD~1^{tree}")
    result = crawled(source.dir, tmp_path / "out", depth)
    assert [files for (files,) in result.rows("select files from commits order by id")] == [
        2, 1, 0, 0,
    ]  # fmt: skip


@BOTH
def test_a_missing_commit_ends_the_history_there(
    source: History, tmp_path: Path, depth: Depth
) -> None:
    cut = source.commit({"a.py": "5\n"})
    last = source.commit({"a.py": "6\n"})
    forget(source, "HEAD~2")
    result = crawled(source.dir, tmp_path / "out", depth)
    assert result.report.commits_total == 2
    assert result.changes(cut) == []
    assert [row[:2] for row in result.changes(last)] == [("M", "a.py")]


def forget(history: History, *names: str) -> None:
    """Loses objects, as a damaged disk does."""
    for sha in [history.git("rev-parse", name) for name in names]:
        (history.dir / "objects" / sha[:2] / sha[2:]).unlink()


def test_a_disk_that_fills_says_so_and_spoils_nothing(tmp_path: Path) -> None:
    source = long_history(tmp_path / "source", 2500)
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(source.dir), str(tmp_path / "out")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "CrawlFailed" in done.stderr
    assert "cannot be written: File too large" in done.stderr
    assert [path.name for path in (tmp_path / "out").iterdir()] == []
    assert crawled(source.dir, tmp_path / "out").report.commits_total == 2500


def test_a_git_that_is_killed_is_an_error_not_a_short_history(
    source: History, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = subprocess.run(["which", "git"], capture_output=True, text=True, check=True).stdout
    fake = tmp_path / "bin" / "git"
    fake.parent.mkdir()
    fake.write_text(f'#!/bin/sh\ncase "$*" in *" log "*) exit 0;; esac\nexec {real.strip()} "$@"\n')
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake.parent}:{os.environ['PATH']}")
    with pytest.raises(CrawlFailed, match="gave 0 of 2 commits"):
        crawl(source.dir, tmp_path / "out", Depth.PATHS)


def test_settings_of_the_source_do_not_change_what_is_read(source: History, tmp_path: Path) -> None:
    expected = crawled(source.dir, tmp_path / "plain").changes(source.head)
    for key, value in {
        "diff.noprefix": "true",
        "diff.external": "false",
        "color.ui": "always",
        "log.showSignature": "true",
        "diff.renames": "copies",
        "log.date": "relative",
    }.items():
        source.git("config", key, value)
    assert crawled(source.dir, tmp_path / "set").changes(source.head) == expected


def test_memory_does_not_grow_with_a_file(tmp_path: Path) -> None:
    source = History.start(tmp_path / "source")
    source.commit({"big.py": "some_value = 1234567890\n" * 3_000_000, "z.py": "x\n"})
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    result = crawled(source.dir, tmp_path / "out")
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert result.changes(source.head) == [
        ("A", "big.py", None, 3_000_000, 0),
        ("A", "z.py", None, 1, 0),
    ]
    assert grown < 100_000, "KiB; the file alone is 72 MB"
