"""Builds tiny real repositories, for tests that need git's own view of an odd history."""

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ingest.crawl import CrawlReport, batches, crawl
from sourcer.commits import Depth, Repo
from sourcer.store.database import Database, create
from sourcer.store.history import Crawled, load_history

ADA = "Ada Roe <ada@roe.dev>"
QUIET = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}


@dataclass
class History:
    """A repository under way; `git` is its directory."""

    path: Path
    clock: int = 1_700_000_000

    @classmethod
    def start(cls, path: Path, *options: str) -> "History":
        path.mkdir(parents=True)
        history = cls(path)
        history.git("init", "-q", "-b", "main", *options)
        history.git("config", "protocol.file.allow", "always")
        return history

    def git(self, *arguments: str, feed: bytes = b"", **environment: str) -> str:
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.path,
            input=feed,
            capture_output=True,
            env={**os.environ, **QUIET, **environment},
        )
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode("utf-8", "surrogateescape").strip()

    def commit(
        self, files: Mapping[str, str | bytes | None], message: str = "Work", author: str = ADA
    ) -> str:
        """Writes the files (None: removes) and commits them; the sha."""
        for name, text in files.items():
            place = self.path / name
            if text is None:
                place.unlink()
                continue
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(text.encode() if isinstance(text, str) else text)
        self.git("add", "-A")
        return self.seal(message, author)

    def seal(self, message: str = "Work", author: str = ADA, **environment: str) -> str:
        """Commits what is staged."""
        self.clock += 60
        name, _, email = author.removesuffix(">").partition(" <")
        who = {
            f"GIT_{role}_{key}": value
            for role in ("AUTHOR", "COMMITTER")
            for key, value in (
                ("NAME", name),
                ("EMAIL", email),
                ("DATE", f"{self.clock} +0200"),
            )
        }
        options = ("-q", "--allow-empty", "--allow-empty-message", "-F", "-")
        self.git("commit", *options, feed=message.encode(), **(who | environment))
        return self.head

    def raw_commit(self, header: str, message: bytes) -> str:
        """A commit written byte by byte; {tree} and {parent} stand in."""
        filled = header.format(tree=self.git("write-tree"), parent=self.head).encode()
        body = filled + b"\n\n" + message
        sha = self.git("hash-object", "-t", "commit", "-w", "--stdin", "--literally", feed=body)
        self.git("update-ref", "refs/heads/main", sha)
        return sha

    @property
    def head(self) -> str:
        return self.git("rev-parse", "HEAD")

    @property
    def dir(self) -> Path:
        return self.path / ".git" if (self.path / ".git").is_dir() else self.path


@dataclass
class Result:
    """A crawl and the database that it gives."""

    report: CrawlReport
    into: Path
    db: Database

    def rows(self, query: str) -> list[tuple[object, ...]]:
        return self.db.execute(query).fetchall()

    def changes(self, sha: str) -> list[tuple[object, ...]]:
        """status, path, old path, added, deleted of a commit, by path."""
        return self.db.execute(
            "select x.status, p.path, o.path, x.added, x.deleted from changes x"
            " join commits c on c.id = x.commit_id join paths p on p.id = x.path_id"
            " left join paths o on o.id = x.old_path_id where c.sha = ? order by p.path",
            [sha],
        ).fetchall()


def crawled(source: Path, into: Path, depth: Depth = Depth.LINES, processes: int = 1) -> Result:
    report = crawl(source, into, depth, processes=processes)
    db = create()
    repo = Repo("acme/engine", source=str(source))
    load_history(db, [Crawled(repo, depth, batches(into))], b"salt")
    return Result(report, into, db)
