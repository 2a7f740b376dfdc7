"""Odd histories, each a named case on a real repository."""

from datetime import datetime
from pathlib import Path

import pytest

from ingest.crawl import crawl
from sourcer.commits import Depth
from sourcer.errors import CrawlFailed, NoSuchRepository
from tests.histories import History, crawled

BOTH = pytest.mark.parametrize("depth", [Depth.PATHS, Depth.LINES])


@BOTH
def test_an_empty_repository_has_no_commits(tmp_path: Path, depth: Depth) -> None:
    source = History.start(tmp_path / "source")
    result = crawled(source.dir, tmp_path / "out", depth)
    assert (result.report.head, result.report.commits_total) == (None, 0)
    assert result.rows("select count(*) from commits") == [(0,)]


@BOTH
def test_a_shallow_clone_credits_nobody_with_the_whole_tree(tmp_path: Path, depth: Depth) -> None:
    source = History.start(tmp_path / "source")
    source.commit({"a.py": "1\n", "b.py": "1\n"})
    cut, last = source.commit({"a.py": "2\n"}), source.commit({"b.py": "2\n"})
    source.git("clone", "-q", "--bare", "--depth=2", f"file://{source.path}", str(tmp_path / "cut"))
    result = crawled(tmp_path / "cut", tmp_path / "out", depth)
    assert result.report.commits_total == 2
    assert result.changes(cut) == []
    assert [row[:2] for row in result.changes(last)] == [("M", "b.py")]


def test_a_shallow_clone_that_is_deepened_is_read_again(tmp_path: Path) -> None:
    source = History.start(tmp_path / "source")
    source.commit({"a.py": "1\n"})
    cut = source.commit({"a.py": "2\n"})
    clone = tmp_path / "cut"
    source.git("clone", "-q", "--bare", "--depth=1", f"file://{source.path}", str(clone))
    crawled(clone, tmp_path / "out")
    History(clone).git("fetch", "-q", "--unshallow")
    result = crawled(clone, tmp_path / "out")
    assert result.report.commits_total == 2
    assert result.changes(cut) == [("M", "a.py", None, 1, 1)]


@BOTH
def test_root_and_octopus_merges(tmp_path: Path, depth: Depth) -> None:
    source = History.start(tmp_path / "source")
    root = source.commit({"a.py": "1\n"})
    for branch in ("x", "y"):
        source.git("checkout", "-q", "-b", branch, root)
        source.commit({f"{branch}.py": "1\n"})
    source.git("checkout", "-q", "main")
    source.commit({"m.py": "1\n"})
    source.git("-c", "user.name=Ada Roe", "-c", "user.email=ada@roe.dev", "merge", "-q", "x", "y")
    result = crawled(source.dir, tmp_path / "out", depth)
    assert [row[:2] for row in result.changes(root)] == [("A", "a.py")]
    assert result.changes(source.head) == []
    parents = "select parents, files from commits order by id desc limit 1"
    assert result.rows(parents) == [(3, 0)]
    assert result.report.commits_total == 5


def test_a_submodule_is_one_path(tmp_path: Path) -> None:
    inner = History.start(tmp_path / "inner")
    inner.commit({"a.c": "1\n"})
    source = History.start(tmp_path / "source")
    source.git(
        "-c", "protocol.file.allow=always", "submodule", "-q", "add", str(inner.path), "third"
    )
    sha = source.seal()
    result = crawled(source.dir, tmp_path / "out")
    assert result.changes(sha) == [
        ("A", ".gitmodules", None, 3, 0),
        ("A", "third", None, 1, 0),
    ]


def test_a_mode_change_has_no_lines(tmp_path: Path) -> None:
    source = History.start(tmp_path / "source")
    source.commit({"run.sh": "1\n", "b.py": "1\n"})
    source.git("update-index", "--chmod=+x", "run.sh")
    (source.path / "b.py").write_text("2\n")
    source.git("add", "b.py")
    sha = source.seal()
    result = crawled(source.dir, tmp_path / "out")
    assert result.changes(sha) == [("M", "b.py", None, 1, 1), ("M", "run.sh", None, 0, 0)]


def test_a_change_of_type_counts_both_halves(tmp_path: Path) -> None:
    source = History.start(tmp_path / "source")
    source.commit({"a": "1\n2\n", "b.py": "1\n"})
    (source.path / "a").unlink()
    (source.path / "a").symlink_to("b.py")
    sha = source.commit({"b.py": "2\n"})
    result = crawled(source.dir, tmp_path / "out")
    assert result.changes(sha) == [("T", "a", None, 1, 2), ("M", "b.py", None, 1, 1)]


def test_a_binary_file_has_no_lines(tmp_path: Path) -> None:
    source = History.start(tmp_path / "source")
    sha = source.commit({"w.bin": b"\0\1\2", "z.py": "x\n"})
    result = crawled(source.dir, tmp_path / "out")
    assert result.changes(sha) == [("A", "w.bin", None, 0, 0), ("A", "z.py", None, 1, 0)]
    assert result.rows("select count(*) from changes where is_binary") == [(1,)]


@BOTH
def test_renames_of_renames_lead_to_the_name_at_the_head(tmp_path: Path, depth: Depth) -> None:
    source = History.start(tmp_path / "source")
    source.commit({"a.py": "def one():\n    return 1\n", "gone.py": "2\n"})
    source.commit({"a.py": None, "b.py": "def one():\n    return 1\n"})
    sha = source.commit({"b.py": None, "lib/c.py": "def one():\n    return 1\n"})
    source.commit({"gone.py": None})
    result = crawled(source.dir, tmp_path / "out", depth)
    assert [row[:3] for row in result.changes(sha)] == [("R", "lib/c.py", "b.py")]
    assert result.rows("select path, current from paths order by path") == [
        ("a.py", "lib/c.py"),
        ("b.py", "lib/c.py"),
        ("gone.py", None),
        ("lib/c.py", "lib/c.py"),
    ]


@BOTH
def test_a_path_that_was_renamed_away_and_made_again_is_itself(
    tmp_path: Path, depth: Depth
) -> None:
    source = History.start(tmp_path / "source")
    source.commit({"a.py": "def one():\n    return 1\n"})
    source.commit({"a.py": None, "b.py": "def one():\n    return 1\n"})
    source.commit({"a.py": "something = 'else'\n"})
    result = crawled(source.dir, tmp_path / "out", depth)
    assert result.rows("select path, current from paths order by path") == [
        ("a.py", "a.py"),
        ("b.py", "b.py"),
    ]


@BOTH
def test_file_names_with_newlines_quotes_tabs_and_stray_bytes(tmp_path: Path, depth: Depth) -> None:
    source = History.start(tmp_path / "source")
    names = ['quo"te.py', "new\nline.py", "ta\tb.py", "back\\slash.py", "naïve.py", " space .py"]
    stray = b"caf\xe9.py".decode("utf-8", "surrogateescape")
    sha = source.commit(dict.fromkeys([*names, stray], "1\n"))
    result = crawled(source.dir, tmp_path / "out", depth)
    counts = (None, None) if depth is Depth.PATHS else (1, 0)
    assert sorted(row[1:2] + row[3:] for row in result.changes(sha)) == sorted(
        (name, *counts) for name in [*names, r"caf\xe9.py"]
    )


def test_messages_in_latin_1_declared_or_not(tmp_path: Path) -> None:
    source = History.start(tmp_path / "source")
    source.commit({})
    head = "tree {tree}\nparent {parent}\nauthor A <a@x> 5 +0000\ncommitter A <a@x> 5 +0000"
    source.raw_commit(head, "Grüße".encode("latin-1"))
    source.raw_commit(head + "\nencoding ISO-8859-1", "Größe".encode("latin-1"))
    result = crawled(source.dir, tmp_path / "out")
    subjects = "select subject from commits order by id"
    assert result.rows(subjects) == [("Work",), ("Grüße",), ("Größe",)]


def test_a_message_in_utf_16_ends_where_git_thinks_it_does_but_the_commit_is_kept(
    tmp_path: Path,
) -> None:
    source = History.start(tmp_path / "source")
    source.commit({})
    head = "tree {tree}\nparent {parent}\nauthor A <a@x> 5 +0000\ncommitter A <a@x> 5 +0000"
    source.raw_commit(head, "Hello".encode("utf-16-le"))
    source.commit({"a.py": "1\n"}, "After")
    result = crawled(source.dir, tmp_path / "out")
    assert result.rows("select subject from commits order by id") == [
        ("Work",),
        ("H",),
        ("After",),
    ]


def test_an_author_without_name_or_email(tmp_path: Path) -> None:
    source = History.start(tmp_path / "source")
    source.commit({})
    head = "tree {tree}\nparent {parent}\nauthor  <> 5 +0000\ncommitter A <a@x> 5 +0000"
    source.raw_commit(head, b"Nobody")
    result = crawled(source.dir, tmp_path / "out")
    assert result.rows("select name, email from signatures order by name") == [
        ("", ""),
        ("Ada Roe", "ada@roe.dev"),
    ]


@pytest.mark.parametrize(
    ("written", "at", "zone"),
    [
        ("-86400 +0000", datetime(1970, 1, 1), 0),
        ("4200000000 +0000", datetime(2100, 12, 31, 23, 59, 59), 0),
        ("99999999999999999999 +0000", None, 0),
        ("1700000000 +1400", datetime(2023, 11, 14, 22, 13, 20), 840),
        ("1700000000 -1200", datetime(2023, 11, 14, 22, 13, 20), -720),
        ("1700000000 +9999", datetime(2023, 11, 14, 22, 13, 20), 0),
        ("1700000000 nonsense", datetime(1970, 1, 1), 0),
        ("", datetime(1970, 1, 1), 0),
    ],
)
def test_dates_and_zones_out_of_this_world(
    tmp_path: Path, written: str, at: datetime | None, zone: int
) -> None:
    source = History.start(tmp_path / "source")
    source.commit({})
    head = f"tree {{tree}}\nparent {{parent}}\nauthor A <a@x> {written}\ncommitter A <a@x> 5 +0000"
    sha = source.raw_commit(head, b"When?")
    [(found, minutes)] = crawled(source.dir, tmp_path / "out").rows(
        f"select authored_at, authored_zone from commits where sha = '{sha}'"
    )
    assert minutes == zone
    assert found == at or (at is None and found.year in (1970, 2100))


@BOTH
def test_a_commit_of_50_000_files(tmp_path: Path, depth: Depth) -> None:
    source = History.start(tmp_path / "source", "--bare")
    lines = ["commit refs/heads/main", "committer A <a@x> 5 +0000", "data 4", "Big!"]
    for number in range(50_000):
        lines += [f"M 644 inline d{number % 97}/f{number}.py", "data 4", "x=1", ""]
    source.git("fast-import", "--quiet", feed="\n".join(lines).encode() + b"\n")
    result = crawled(source.dir, tmp_path / "out", depth)
    assert result.rows("select files from commits") == [(50_000,)]
    if depth is Depth.LINES:
        assert result.rows("select added, deleted from commits") == [(50_000, 0)]


@BOTH
def test_a_sha_256_repository(tmp_path: Path, depth: Depth) -> None:
    source = History.start(tmp_path / "source", "--object-format=sha256")
    sha = source.commit({"a.py": "1\n"})
    source.commit({"a.py": None, "b.py": "1\n"})
    result = crawled(source.dir, tmp_path / "out", depth)
    assert len(sha) == 64
    assert [row[:3] for row in result.changes(source.head)] == [("R", "b.py", "a.py")]


def test_a_mailmap_is_honoured_in_headers_and_trailers(tmp_path: Path) -> None:
    source = History.start(tmp_path / "source")
    source.commit({}, "One", author="ada <old@corp.com>")
    trailer = "Two\n\nCo-authored-by: ada <OLD@corp.com>\nCo-authored-by: Bo <bo@x>"
    source.commit({".mailmap": "Ada Roe <ada@roe.dev> <old@corp.com>\n"}, trailer)
    result = crawled(source.dir, tmp_path / "out")
    assert result.rows("select name, email from signatures order by name") == [
        ("Ada Roe", "ada@roe.dev"),
        ("Bo", "bo@x"),
    ]


def test_a_mailmap_that_changes_is_applied_to_what_was_crawled_before(tmp_path: Path) -> None:
    source = History.start(tmp_path / "source")
    source.commit({}, author="ada <old@corp.com>")
    crawled(source.dir, tmp_path / "out")
    source.commit({".mailmap": "Ada Roe <ada@roe.dev> <old@corp.com>\n"})
    result = crawled(source.dir, tmp_path / "out")
    assert result.rows("select distinct name from signatures") == [("Ada Roe",)]
    assert result.rows("select count(*) from commits") == [(2,)]


def test_a_bare_directory_without_a_config_file(tmp_path: Path) -> None:
    source = History.start(tmp_path / "source")
    source.commit({"a.py": "1\n"})
    source.git("clone", "-q", "--bare", str(source.path), str(tmp_path / "bare"))
    (tmp_path / "bare" / "config").unlink()
    assert crawled(tmp_path / "bare", tmp_path / "out").report.commits_total == 1


def test_a_path_that_is_not_a_repository(tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    with pytest.raises(NoSuchRepository, match="not a git repository"):
        crawl(tmp_path / "plain", tmp_path / "out", Depth.PATHS)


def test_a_head_that_is_missing_is_an_error_in_gits_words(tmp_path: Path) -> None:
    source = History.start(tmp_path / "source")
    source.commit({"a.py": "1\n"})
    (source.dir / "refs/heads/main").write_text("1" * 40 + "\n")
    with pytest.raises(CrawlFailed, match="bad object"):
        crawl(source.dir, tmp_path / "out", Depth.PATHS)
