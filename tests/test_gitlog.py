"""The parser on literal bytes: no repository, no git."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from ingest.gitlog import LONG, commits
from sourcer.commits import Commit, FileChange, Role, Signature, Signed

OLD, NEW = b"1" * 40, b"2" * 40


def record(
    raw: bytes = b"",
    patch: bytes = b"",
    subject: str = "Work",
    body: str = "",
    sha: str = "a" * 40,
) -> bytes:
    head = [sha, "p1 p2", "Ada", "a@x", "1700000000 +0530", "Bo", "b@x", "1700000060 -0800"]
    text = "\0".join([*head, subject, body]).encode()
    return b"\0MARK\0" + text + b"\0" + (b"\n" + raw if raw else b"") + (patch and b"\0" + patch)


def entry(status: bytes, *paths: bytes, old: bytes = OLD, new: bytes = NEW) -> bytes:
    return b":100644 100644 %s %s %s\0" % (old, new, status) + b"".join(p + b"\0" for p in paths)


def one(log: bytes, missing: frozenset[bytes] = frozenset(), block: int = 1 << 18) -> Commit:
    [commit] = read(log, missing, block)
    return commit


def read(log: bytes, missing: frozenset[bytes] = frozenset(), block: int = 1 << 18) -> list[Commit]:
    blocks = (log[at : at + block] for at in range(0, len(log), block))
    return list(commits(blocks, "MARK", missing))


def test_a_whole_commit() -> None:
    commit = one(record(entry(b"R100", b"old.py", b"new.py"), subject="Fix it (#9)"))
    assert commit == Commit(
        sha="a" * 40,
        parents=("p1", "p2"),
        author=Signature("Ada", "a@x"),
        committer=Signature("Bo", "b@x"),
        authored_at=datetime(
            2023, 11, 15, 3, 43, 20, tzinfo=timezone(timedelta(hours=5, minutes=30))
        ),
        committed_at=datetime(2023, 11, 14, 22, 14, 20, tzinfo=UTC),
        subject="Fix it (#9)",
        pull=9,
        changes=(FileChange("new.py", "R", "old.py"),),
    )


@pytest.mark.parametrize("block", [1, 7, 64, 1 << 18])
def test_blocks_may_end_anywhere(block: int) -> None:
    patch = b"diff --git a/a.py b/a.py\n--- a\n+++ b\n@@ -1 +1,2 @@ def f():\n-x\n+y_yy\n+z\n"
    log = record(entry(b"M", b"a.py"), patch) * 3
    changed = FileChange("a.py", "M", None, 2, 1, False, ("f",), ("y_yy",))
    assert [commit.changes for commit in read(log, block=block)] == [(changed,)] * 3


def test_contents_that_look_like_the_log_itself() -> None:
    patch = (
        b"diff --git a/a.py b/a.py\n@@ -0,0 +1,4 @@\n"
        b"+diff --git a/b.py b/b.py\n+@@ -1 +1 @@ def fake():\n+\0\0NOTMARK\0x\n+:100644\n"
        b"diff --git a/b.py b/b.py\n@@ -1 +0,0 @@\n-- x\n"
    )
    commit = one(record(entry(b"A", b"a.py") + entry(b"M", b"b.py"), patch))
    assert [(c.path, c.added, c.deleted, c.functions) for c in commit.changes] == [
        ("a.py", 4, 0, ()),
        ("b.py", 0, 1, ()),
    ]


def test_a_message_that_looks_like_a_diff() -> None:
    body = "diff --git a/x b/x\n@@ -1 +1 @@\n:100644 100644"
    commit = one(record(entry(b"M", b"a.py"), body=body))
    assert commit.body == body
    assert [change.path for change in commit.changes] == ["a.py"]


def test_a_diff_longer_than_what_is_held_is_read_in_parts() -> None:
    hunk = b"@@ -%d,0 +%d,2 @@ class Big:\n+" + b"x" * 500 + b"\n+y\n"
    hunks = b"".join(hunk % (at, at) for at in range(2 * LONG // 500))
    patch = (
        b"diff --git a/big.py b/big.py\n" + hunks + b"diff --git a/z.py b/z.py\n@@ -1 +0,0 @@\n-x\n"
    )
    commit = one(record(entry(b"M", b"big.py") + entry(b"M", b"z.py"), patch))
    assert [(c.path, c.added, c.deleted) for c in commit.changes] == [
        ("big.py", 2 * (2 * LONG // 500), 0),
        ("z.py", 0, 1),
    ]


def test_counts_that_rest_on_a_missing_blob_are_unknown() -> None:
    patch = b"diff --git a/b.py b/b.py\n@@ -1 +1 @@\n-x\n+y\n"
    raw = entry(b"M", b"a.py", old=b"3" * 40, new=b"4" * 40) + entry(b"M", b"b.py")
    commit = one(record(raw, patch), missing=frozenset((b"3" * 40, b"4" * 40)))
    assert [(c.path, c.added, c.deleted) for c in commit.changes] == [
        ("a.py", None, None),
        ("b.py", 1, 1),
    ]


def test_a_quoted_name_finds_its_diff() -> None:
    patch = (
        b'diff --git "a/t\\tb.py" "b/t\\tb.py"\n@@ -1 +1,3 @@\n-x\n+y\n+y\n+y\n'
        b"diff --git a/b.py b/b.py\n@@ -0,0 +1 @@\n+x\n"
    )
    commit = one(record(entry(b"M", b"t\tb.py") + entry(b"M", b"b.py"), patch))
    assert [(c.path, c.added) for c in commit.changes] == [("t\tb.py", 3), ("b.py", 1)]


def test_trailers_in_any_case_with_carriage_returns_and_damage() -> None:
    body = (
        "Because.\r\n\r\nCO-AUTHORED-BY: Bo Li <bo@x>\r\nsigned-off-by: Ada <a@x>\n"
        "* Reviewed-by: Cy <cy@x>\nCo-authored-by: Dee\n <dee@x>\nSigned-off-by: Eve eve@x\n"
        "Co-authored-by:\nReviewed the kernel with care."
    )
    commit = one(record(body=body))
    assert commit.trailers == (
        Signed(Role.CO_AUTHOR, Signature("Bo Li", "bo@x")),
        Signed(Role.SIGNER, Signature("Ada", "a@x")),
        Signed(Role.REVIEWER, Signature("Cy", "cy@x")),
        Signed(Role.CO_AUTHOR, Signature("Dee", "dee@x")),
        Signed(Role.SIGNER, Signature("Eve", "eve@x")),
    )
    assert commit.malformed_trailers == 2
    assert "Reviewed the kernel with care." in commit.body
    assert "@x" not in commit.body


def test_a_revert_names_what_it_takes_back() -> None:
    commit = one(record(subject='Revert "X (#1)" (#2)', body=f"This reverts commit {'b' * 40}."))
    assert (commit.pull, commit.reverts) == (2, "b" * 40)
