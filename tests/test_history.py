"""The crawl's Parquet in the snapshot's tables."""

from pathlib import Path

from ingest.crawl import batches, crawl
from sourcer.commits import Depth, Repo
from sourcer.store.database import create
from sourcer.store.history import Crawled, load_history, signature_key
from tests.histories import History, crawled


def test_ids_are_dense_by_repository_and_age(tmp_path: Path) -> None:
    made: list[Crawled] = []
    for name in ("acme/one", "acme/two"):
        source = History.start(tmp_path / name)
        for subject in ("first", "second"):
            source.commit({"a.py": f"{subject}\n"}, f"{name} {subject}")
            crawl(source.dir, tmp_path / f"{name}-out", Depth.LINES)
        source.commit({"a.py": "3\n"}, f"{name} third")
        source.commit({"a.py": "4\n"}, f"{name} fourth")
        crawl(source.dir, tmp_path / f"{name}-out", Depth.LINES)
        files = batches(tmp_path / f"{name}-out")
        made.append(Crawled(Repo(name, str(source.path)), Depth.LINES, files))
    db = create()
    load_history(db, made, b"salt")
    assert db.execute("select id, repo_id, subject from commits order by id").fetchall() == [
        (0, 0, "acme/one first"),
        (1, 0, "acme/one second"),
        (2, 0, "acme/one third"),
        (3, 0, "acme/one fourth"),
        (4, 1, "acme/two first"),
        (5, 1, "acme/two second"),
        (6, 1, "acme/two third"),
        (7, 1, "acme/two fourth"),
    ]
    assert db.execute("select name, head, depth from repos").fetchall() == [
        (each.repo.name, each.files.head, "lines") for each in made
    ]
    assert db.execute("select id, repo_id, path from paths").fetchall() == [
        (0, 0, "a.py"),
        (1, 1, "a.py"),
    ]


def test_a_repository_without_commits_is_still_listed(tmp_path: Path) -> None:
    result = crawled(History.start(tmp_path / "source").dir, tmp_path / "out")
    assert result.rows("select name, head from repos") == [("acme/engine", None)]


def test_emails_that_differ_in_case_are_one_signature(tmp_path: Path) -> None:
    source = History.start(tmp_path / "source")
    source.commit({}, author="Ada Roe <Ada@Roe.dev>")
    source.commit({}, "Two\n\nCo-authored-by: Ada Roe <ada@roe.dev>", author="Bo <bo@x>")
    result = crawled(source.dir, tmp_path / "out")
    assert result.rows("select name, email, key from signatures order by name") == [
        ("Ada Roe", "Ada@Roe.dev", signature_key("Ada Roe", "ada@roe.dev", b"salt")),
        ("Bo", "bo@x", signature_key("Bo", "bo@x", b"salt")),
    ]
    assert result.rows("select commit_id, role from roles order by all") == [
        (0, "author"),
        (1, "author"),
        (1, "co-author"),
    ]


def test_a_rename_with_edits_is_followed_at_depth_paths_by_its_name(tmp_path: Path) -> None:
    source = History.start(tmp_path / "source")
    body = "".join(f"line_{number} = {number}\n" for number in range(50))
    source.commit({"old/moe.py": body, "old/__init__.py": "a = 1\n", "x.py": "1\n"})
    moved = {"old/moe.py": None, "new/moe.py": f"import new\n{body}"}
    source.commit(moved | {"old/__init__.py": None, "new/__init__.py": "b = 2\n"})
    source.commit({"x.py": None})
    result = crawled(source.dir, tmp_path / "out", Depth.PATHS)
    assert result.rows("select path, current from paths where path like 'old/%' order by 1") == [
        ("old/__init__.py", None),
        ("old/moe.py", "new/moe.py"),
    ]


def test_the_lines_of_a_commit_are_unknown_when_those_of_a_file_are(tmp_path: Path) -> None:
    source = History.start(tmp_path / "source")
    source.commit({"a.py": "1\n", "b.py": "1\n"})
    sha = source.git("rev-parse", "HEAD:a.py")
    source.commit({"c.py": "2\n"})
    source.commit({})
    (source.dir / "objects" / sha[:2] / sha[2:]).unlink()
    result = crawled(source.dir, tmp_path / "out")
    assert result.rows("select files, added, deleted from commits order by id") == [
        (2, None, None),
        (1, 1, 0),
        (0, 0, 0),
    ]
