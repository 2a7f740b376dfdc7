"""Planned commits -> a bare git repository, by one `git fast-import`."""

import os
import re
import subprocess
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import IO

from ingest.sample.planned import Planned
from ingest.sample.tree import Tree
from sourcer.commits import Signature
from sourcer.errors import CrawlFailed

GITHUB = Signature("GitHub", "noreply@github.com")
SHA_OF = re.compile(r"\{sha(\d*):([^}]+)\}")


def write_repository(commits: Iterable[Planned], tags: dict[str, str], at: Path) -> dict[str, str]:
    """Writes the commits, oldest first, to the main branch of a new bare repository; their SHAs.

    `tags` maps a tag's name to the key of its commit. The same commits give the same SHAs: no
    setting, clock or account of this machine goes into them.
    """
    _git("init", "--quiet", "--bare", "--template=", "-b", "main", "--object-format=sha1", str(at))
    importer = subprocess.Popen(
        [
            "git",
            "-C",
            str(at),
            "-c",
            "core.compression=1",
            "fast-import",
            "--quiet",
            "--force",
            "--date-format=raw-permissive",
            "--export-marks=marks",
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=_alone(),
    )
    keys: dict[str, int] = {}
    try:
        keys = _feed(importer, commits, tags)
    finally:
        said = importer.communicate()[1].decode("utf-8", "replace").strip()
    if importer.returncode:
        raise CrawlFailed(f"git fast-import ended with {importer.returncode}: {said}")
    return _shas(at / "marks", keys)


def _shas(marks: Path, keys: dict[str, int]) -> dict[str, str]:
    """What git called each commit, by its key; the file that says so is removed."""
    lines = (line.split() for line in marks.read_text("ascii").splitlines())
    shas = {int(mark.removeprefix(":")): sha for mark, sha in lines}
    marks.unlink()
    return {key: shas[mark] for key, mark in keys.items()}


def _feed(
    importer: "subprocess.Popen[bytes]", commits: Iterable[Planned], tags: dict[str, str]
) -> dict[str, int]:
    if importer.stdin is None or importer.stdout is None:
        raise CrawlFailed("git fast-import: no pipes")
    writer = _Writer(importer.stdin, importer.stdout)
    with suppress(BrokenPipeError):  # git gave up: its exit status and own words say why
        writer.write(commits, tags)
    return writer.marks


def _git(*arguments: str) -> None:
    done = subprocess.run(["git", *arguments], capture_output=True, env=_alone(), check=False)
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip()
        raise CrawlFailed(f"git {arguments[0]} ended with {done.returncode}: {said}")


def _alone() -> dict[str, str]:
    """An environment in which no user's or machine's git settings count."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    return kept | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C"}


class _Writer:
    """Turns planned commits into fast-import's language; asks git for a sha where one is cited."""

    def __init__(self, out: IO[bytes], answers: IO[bytes]) -> None:
        self._out = out
        self._answers = answers
        self._tree = Tree()
        self.marks: dict[str, int] = {}
        self._next = 1
        self._tip = 0

    def write(self, commits: Iterable[Planned], tags: dict[str, str]) -> None:
        for commit in commits:
            self._commit(commit)
        for name, key in tags.items():
            self._out.write(f"reset refs/tags/{name}\nfrom :{self.marks[key]}\n\n".encode())

    def _commit(self, commit: Planned) -> None:
        message = SHA_OF.sub(self._cited, message_of(commit)).encode(commit.encoding)
        mark, self._next = self._next, self._next + 1
        key = commit.key or f"#{mark}"
        self.marks[key] = mark
        lines = [
            f"commit refs/heads/{'aside' if commit.onto is not None else 'main'}\nmark :{mark}\n"
        ]
        lines.append(_signed("author", commit.author, commit, commit.zone))
        lines.append(_signed("committer", commit.committer or GITHUB, commit, "+0000"))
        if commit.encoding != "utf-8":
            lines.append(f"encoding {commit.encoding}\n")
        self._out.write("".join(lines).encode() + b"data %d\n%s\n" % (len(message), message))
        self._out.write(self._parents(commit))
        self._out.writelines(self._tree.undo(commit.undoes))
        self._out.writelines(self._tree.apply(commit.edits, key))
        self._out.write(b"\n")
        if commit.onto is None:
            self._tip = mark
        else:
            self._out.write(b"reset refs/heads/aside\nfrom " + b"0" * 40 + b"\n\n")

    def _parents(self, commit: Planned) -> bytes:
        first = self._tip if commit.onto is None else self.marks.get(commit.onto, 0)
        merged = [f"merge :{self.marks[key]}\n" for key in commit.merges]
        return ((f"from :{first}\n" if first else "") + "".join(merged)).encode()

    def _cited(self, found: re.Match[str]) -> str:
        """The sha of an earlier commit, whole or its first few digits."""
        self._out.write(b"get-mark :%d\n" % self.marks[found[2]])
        self._out.flush()
        sha = self._answers.readline().decode().strip()
        return sha[: int(found[1])] if found[1] else sha


def _signed(role: str, who: Signature, commit: Planned, zone: str) -> str:
    name = f"{who.name} " if who.name else ""
    stamp = int(commit.when.timestamp())
    return f"{role} {name}<{who.email}> {stamp} {zone or commit.when.strftime('%z')}\n"


def message_of(commit: Planned) -> str:
    """Subject, body and trailers with git's blank lines between.

    >>> from datetime import datetime, UTC
    >>> plan = Planned(datetime.now(UTC), GITHUB, "Fix it (#7)", trailers=("Acked: me",))
    >>> print(message_of(plan))
    Fix it (#7)
    <BLANKLINE>
    Acked: me
    <BLANKLINE>
    """
    parts = (commit.subject, commit.body, "\n".join(commit.trailers))
    return "\n\n".join(part for part in parts if part) + "\n"
