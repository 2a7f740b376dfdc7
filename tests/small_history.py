"""A snapshot made of a few lines, for tests of ranking and search."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from index.build import build
from index.commit_index import CommitIndex
from index.details import Details
from index.search import Searcher
from sourcer.store.database import Database, create
from sourcer.topics import load
from tests.hashing_embedder import HashingEmbedder


@dataclass(frozen=True)
class Change:
    """One commit: who, when, what, where."""

    by: str
    on: str
    subject: str
    paths: Sequence[str]
    repo: str = "acme/engine"
    co: Sequence[str] = ()
    reviewed_by: Sequence[str] = ()
    created: bool = False
    pull: int | None = None


@dataclass
class History:
    """Numbers repositories, paths and people in the order they are met, as the loader does."""

    db: Database = field(default_factory=create)
    repos: dict[str, int] = field(default_factory=dict)
    paths: dict[tuple[int, str], int] = field(default_factory=dict)
    people: dict[str, int] = field(default_factory=dict)
    commits: int = 0

    def add(self, *changes: Change) -> "History":
        for change in changes:
            self._commit(change)
        return self

    def declare(self, person: str, **fields: str) -> "History":
        self._person(person)
        for name, value in fields.items():
            self._insert(
                "profile_fields",
                (f"p-{person}", name, value, "github", "2026-01-01", "declared", None),
            )
        return self

    def hold(self, person: str, scope: str, since: str) -> "History":
        """A code owner of the first repository."""
        self._insert(
            "holdings", (0, person.lower(), f"p-{person}", "code owner", scope, since, None, None)
        )
        return self

    def searcher(self, folder: Path) -> Searcher:
        self._tag()
        build(self.db, folder / "index", HashingEmbedder(64), folder / "cache")
        index = CommitIndex.open(folder / "index", HashingEmbedder(64))
        return Searcher(index, Details.read(self.db), load(), "small")

    def _commit(self, change: Change) -> None:
        repo, commit = self._repo(change.repo), self.commits
        self.commits += 1
        when, sha = f"{change.on} 12:00:00", f"{commit:040x}"
        row = (commit, repo, sha, when, 0, when, 0, change.subject, "", change.pull, None, 1)
        self._insert("commits", (*row, len(change.paths), None, None))
        for path in change.paths:
            status = "A" if change.created else "M"
            self._insert(
                "changes",
                (commit, self._path(repo, path), None, status, None, None, False, None, None),
            )
        roles = [(change.by, "author"), *((name, "co-author") for name in change.co)]
        roles += [(name, "reviewer") for name in change.reviewed_by]
        for name, role in roles:
            self._insert("roles", (commit, self._person(name), role))

    def _repo(self, name: str) -> int:
        if name not in self.repos:
            self.repos[name] = len(self.repos)
            url = f"https://example.com/{name}"
            self._insert("repos", (self.repos[name], name, name, url, None, "paths", None))
        return self.repos[name]

    def _path(self, repo: int, path: str) -> int:
        if (repo, path) not in self.paths:
            self.paths[repo, path] = len(self.paths)
            self._insert("paths", (self.paths[repo, path], repo, path, path))
        return self.paths[repo, path]

    def _person(self, name: str) -> int:
        if name not in self.people:
            number = self.people[name] = len(self.people)
            self._insert("people", (f"p-{name}", number, name))
            self._insert("signatures", (number, name, f"{name}@example.com", f"key-{name}"))
            self._insert("person_signatures", (number, f"p-{name}", "same email", None))
            self._insert("logins", (f"p-{name}", name.lower(), None, "same GitHub account"))
        return self.people[name]

    def _tag(self) -> None:
        taxonomy = load()
        for ordinal, topic in enumerate(taxonomy.topics):
            self._insert("topics", (topic.id, ordinal, topic.name, topic.definition, []))
        rows = self.db.execute(
            "select commits.id, subject, list(path) from commits "
            "join changes on commit_id = commits.id join paths on path_id = paths.id "
            "group by all order by 1"
        ).fetchall()
        for commit, subject, paths in rows:
            for tag in taxonomy.tag(subject, paths):
                self._insert("commit_topics", (commit, tag.topic, list(tag.matched), tag.weight))

    def _insert(self, table: str, row: tuple[object, ...]) -> None:
        marks = ", ".join("?" * len(row))
        self.db.execute(f"insert into {table} values ({marks})", list(row))
