"""Mirrors: of a local server that allows filters, of local repositories, of nothing at all."""

from pathlib import Path

import pytest

from ingest.clones import address, fetch_contents, mirror, page
from ingest.crawl import batches
from ingest.owners import holdings, versions
from sourcer.commits import Depth
from sourcer.errors import CrawlFailed, NoSuchRepository
from tests.histories import History, crawled


@pytest.fixture
def server(tmp_path: Path) -> History:
    """A repository that a file:// URL serves as any git server would, filters and all."""
    history = History.start(tmp_path / "server")
    history.git("config", "uploadpack.allowFilter", "true")
    history.git("config", "uploadpack.allowAnySHA1InWant", "true")
    history.commit({"a.py": "1\n", ".github/CODEOWNERS": "* @ada\n"})
    history.commit({"a.py": "2\n", ".github/CODEOWNERS": "* @bo\n"})
    return history


def missing(git_dir: Path) -> int:
    listed = History(git_dir).git("rev-list", "--objects", "--all", "--missing=print")
    return sum(line.startswith("?") for line in listed.splitlines())


def test_a_clone_at_depth_paths_has_no_blobs_and_needs_none(
    server: History, tmp_path: Path
) -> None:
    clone = mirror(f"file://{server.path}", tmp_path / "mirrors", "acme/engine")
    assert clone == tmp_path / "mirrors" / "acme+engine.git"
    assert missing(clone) == 4
    result = crawled(clone, tmp_path / "out", Depth.PATHS)
    assert [row[:2] for row in result.changes(server.head)] == [
        ("M", ".github/CODEOWNERS"),
        ("M", "a.py"),
    ]
    assert missing(clone) == 4, "crawling fetched blobs"


def test_a_partial_clone_survives_depth_lines_without_fetching(
    server: History, tmp_path: Path
) -> None:
    clone = mirror(f"file://{server.path}", tmp_path / "mirrors", "acme/engine")
    result = crawled(clone, tmp_path / "out", Depth.LINES)
    assert (result.report.commits_total, result.report.unknown_line_counts) == (2, 4)
    assert result.report.missing_objects == 4
    assert missing(clone) == 4


def test_a_partial_clone_becomes_whole_when_lines_are_wanted(
    server: History, tmp_path: Path
) -> None:
    mirror(f"file://{server.path}", tmp_path / "mirrors", "acme/engine")
    clone = mirror(f"file://{server.path}", tmp_path / "mirrors", "acme/engine", Depth.LINES)
    assert missing(clone) == 0
    assert crawled(clone, tmp_path / "out").report.unknown_line_counts == 0


def test_the_pages_of_owners_are_fetched_for_a_partial_clone(
    server: History, tmp_path: Path
) -> None:
    clone = mirror(f"file://{server.path}", tmp_path / "mirrors", "acme/engine")
    crawled(clone, tmp_path / "out", Depth.PATHS)
    pages = versions(batches(tmp_path / "out"))
    fetch_contents(clone, [page.name for page in pages])
    held = holdings(pages, clone)
    assert [(who.login, who.until is None) for who in held] == [("ada", False), ("bo", True)]
    assert missing(clone) == 2, "only what was asked for came"


def test_a_mailmap_is_fetched_for_a_partial_clone(server: History, tmp_path: Path) -> None:
    server.commit({".mailmap": "Ada Proper <ada@roe.dev>\n"})
    clone = mirror(f"file://{server.path}", tmp_path / "mirrors", "acme/engine")
    result = crawled(clone, tmp_path / "out", Depth.PATHS)
    assert result.rows("select distinct name from signatures") == [("Ada Proper",)]


@pytest.mark.parametrize("depth", [Depth.PATHS, Depth.LINES])
def test_a_mirror_is_fetched_again_and_follows_a_force_push(
    server: History, tmp_path: Path, depth: Depth
) -> None:
    url = f"file://{server.path}"
    mirror(url, tmp_path / "mirrors", "acme/engine", depth)
    server.git("reset", "-q", "--hard", "HEAD~1")
    sha = server.commit({"b.py": "x\n"})
    clone = mirror(url, tmp_path / "mirrors", "acme/engine", depth)
    assert History(clone).head == sha


def test_a_default_branch_that_is_renamed_is_followed(server: History, tmp_path: Path) -> None:
    url = f"file://{server.path}"
    mirror(url, tmp_path / "mirrors", "acme/engine")
    server.git("branch", "-m", "main", "trunk")
    sha = server.commit({"b.py": "x\n"})
    assert History(mirror(url, tmp_path / "mirrors", "acme/engine")).head == sha


def test_an_empty_remote_and_a_sha_256_remote(tmp_path: Path) -> None:
    empty = History.start(tmp_path / "empty")
    clone = mirror(f"file://{empty.path}", tmp_path / "mirrors", "acme/empty")
    assert crawled(clone, tmp_path / "out").report.commits_total == 0
    longer = History.start(tmp_path / "longer", "--object-format=sha256")
    sha = longer.commit({"a.py": "1\n"})
    clone = mirror(f"file://{longer.path}", tmp_path / "mirrors", "acme/longer")
    assert crawled(clone, tmp_path / "longer-out", Depth.PATHS).report.head == sha


def test_a_clone_that_was_killed_is_fetched_again(server: History, tmp_path: Path) -> None:
    (tmp_path / "mirrors").mkdir()
    History.start(tmp_path / "mirrors" / "acme+engine.git", "--bare")
    clone = mirror(f"file://{server.path}", tmp_path / "mirrors", "acme/engine")
    assert History(clone).head == server.head


def test_a_local_repository_is_used_where_it_is(server: History, tmp_path: Path) -> None:
    server.git("clone", "-q", "--bare", str(server.path), str(tmp_path / "bare.git"))
    server.git("worktree", "add", "-q", str(tmp_path / "tree"), "-b", "side")
    assert mirror(str(server.path), tmp_path, "x/y") == server.path / ".git"
    assert mirror(str(tmp_path / "bare.git"), tmp_path, "x/y") == tmp_path / "bare.git"
    side = mirror(str(tmp_path / "tree"), tmp_path, "x/y")
    assert crawled(side, tmp_path / "out").report.head == server.head


def test_a_bare_directory_without_a_config_is_a_repository(server: History, tmp_path: Path) -> None:
    server.git("clone", "-q", "--bare", str(server.path), str(tmp_path / "bare"))
    (tmp_path / "bare" / "config").unlink()
    assert crawled(mirror(str(tmp_path / "bare"), tmp_path, "x/y"), tmp_path / "out").report.head


@pytest.mark.parametrize("source", ["no such thing", "", "--upload-pack=x/y", "ext::sh -c id"])
def test_a_source_that_is_nothing(source: str, tmp_path: Path) -> None:
    with pytest.raises(NoSuchRepository, match="is no local repository, URL or owner/name"):
        mirror(source, tmp_path, "x/y")


def test_a_folder_that_is_not_a_repository_even_inside_one(server: History, tmp_path: Path) -> None:
    inside = server.path / "folder"
    inside.mkdir()
    with pytest.raises(NoSuchRepository, match="is not a git repository"):
        address(str(inside))


def test_a_url_that_does_not_answer_is_told_without_its_credentials(tmp_path: Path) -> None:
    url = "http://me:secret@127.0.0.1:9/x.git"
    with pytest.raises(
        NoSuchRepository, match=r"http://127\.0\.0\.1:9/x\.git.* not answer"
    ) as told:
        mirror(url, tmp_path, "x/y")
    assert "secret" not in str(told.value)
    assert "Failed to connect" in str(told.value)
    assert told.value.__cause__ is None or "secret" not in str(told.value.__cause__)


def test_a_server_that_breaks_during_the_fetch(server: History, tmp_path: Path) -> None:
    for pack in (server.dir / "objects").glob("??/*"):
        pack.unlink()
    with pytest.raises((CrawlFailed, NoSuchRepository), match="failed: "):
        mirror(f"file://{server.path}", tmp_path / "mirrors", "acme/engine")


def test_a_directory_has_the_page_of_its_remote_without_credentials(
    server: History, tmp_path: Path
) -> None:
    assert page(str(server.path)) is None, "it was cloned from nowhere"
    server.git("remote", "add", "origin", "https://me:secret@git.example/acme/engine.git")
    assert page(str(server.path)) == "https://git.example/acme/engine"
    tree = tmp_path / "tree"
    server.git("worktree", "add", "-q", str(tree))
    assert page(str(tree)) == "https://git.example/acme/engine"
    server.git("remote", "set-url", "origin", str(tmp_path))
    assert page(str(server.path)) is None, "a folder is no web page"
    assert page(str(tmp_path)) is None, "not a repository (any more)"
