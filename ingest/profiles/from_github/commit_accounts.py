"""Which account each author and co-author of each crawled commit belongs to.

History pages are followed from the head of the crawl until every crawled commit has been seen. The
head is pinned, so that a page means the same after an interruption, whatever was pushed meanwhile.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from ingest.profiles.from_github import queries
from ingest.profiles.from_github.answers import Answer, TooHeavy, number, rows, text, within
from ingest.profiles.from_github.client import Client
from ingest.profiles.from_github.crawled import Crawled, renamed, write_table
from ingest.profiles.json_values import Json
from sourcer.commits import Role
from sourcer.errors import GitHubUnreachable, NoSuchRepository

FILE = "accounts.parquet"
POSITION = "github.json"
PAGE = 100
KEPT_EVERY = 10
"""Pages between two writes: what an abrupt end can cost."""
SCHEMA = pa.schema(
    [
        ("sha", pa.string()),
        ("role", pa.string()),
        ("name", pa.string()),
        ("login", pa.string()),
        ("github_id", pa.int64()),
    ]
)
"""One row per author (first) and co-author; login null: GitHub knows no account for the commit.
`name` is as in the commit: it tells several co-authors of one commit apart."""
FORGIVEN = {"NOT_FOUND", "FORBIDDEN"}


@dataclass(frozen=True, slots=True)
class Position:
    """Where a walk through a history stands: from which commit, after which page."""

    head: str
    cursor: str | None = None


def load(folder: Path) -> pa.Table:
    """What is known of a repository's commits; an empty table where nothing was fetched."""
    file = folder / FILE
    return pq.read_table(file, schema=SCHEMA) if file.exists() else SCHEMA.empty_table()


class Walk:
    """A history under way; what has been read is on disk whenever `run` ends, however it does."""

    def __init__(self, client: Client, repository: str, folder: Path) -> None:
        self._client, self._folder = client, folder
        self.repository = repository
        """As GitHub calls it now: a repository that was renamed answers under its new name."""
        self._rows = load(folder).to_pylist()
        self._crawled = Crawled.read(folder)
        self._wanted = set(self._crawled.shas) - {row["sha"] for row in self._rows}
        self._total = len(self._wanted)
        self._position: Position | None = None
        self._size = PAGE
        self.read = 0

    def run(self, progress: Callable[[int, int], None]) -> None:
        """Raises NoSuchRepository, and whatever the client raises."""
        try:
            for start in self._starts():
                self._follow(start, progress)
            for sha in sorted(self._wanted):
                self._take(sha, [{"name": None, "user": None}])
        finally:
            self._keep()

    def _starts(self) -> Iterator[Position]:
        """Where an earlier run stopped; the head of the crawl; where GitHub's own head is."""
        held = self._folder / POSITION
        if self._wanted and held.exists():
            yield Position(**json.loads(held.read_text("utf-8")))
        for head in (self._crawled.head, "HEAD"):
            if self._wanted and head:
                yield Position(head)

    def _follow(self, start: Position, progress: Callable[[int, int], None]) -> None:
        at: Position | None = start
        pages = 0
        while at and self._wanted:
            self._position = at if at.cursor else None
            at = self._page(at)
            pages += 1
            progress(self.read, self._total)
            if pages % KEPT_EVERY == 0:
                self._position = at
                self._keep()
        self._position = None

    def _page(self, at: Position) -> Position | None:
        """Reads one page; the next position, or None at the end."""
        answer = self._asked(at)
        commit = within(answer.data, "repository", "object")
        self.repository = text(answer.data, "repository", "nameWithOwner") or self.repository
        for node in rows(within(commit, "history", "nodes")):
            sha = text(node, "oid") or ""
            if sha in self._wanted:
                self._take(sha, self._authors(sha, within(node, "authors")))
                self.read += 1
        info = within(commit, "history", "pageInfo")
        cursor = text(info, "endCursor")
        more = within(info, "hasNextPage") and cursor
        return Position(text(commit, "oid") or at.head, cursor) if more else None

    def _asked(self, at: Position) -> Answer:
        """The page, asked for in smaller pieces where it is too much at once."""
        while True:
            variables = queries.named(
                self.repository, at=at.head, first=self._size, after=at.cursor
            )
            try:
                return self._whole(self._client.graphql(queries.HISTORY, variables))
            except TooHeavy as error:
                if self._size == 1:
                    raise GitHubUnreachable(f"GitHub cannot read one commit: {error}") from error
                self._size = max(1, self._size // 2)

    def _whole(self, answer: Answer) -> Answer:
        if within(answer.data, "repository") is None:
            raise NoSuchRepository(
                f"GitHub has no repository {self.repository}, or the token may not see it"
            )
        if set(answer.errors.values()) - FORGIVEN:
            raise TooHeavy("parts of a page did not come")
        return answer

    def _authors(self, sha: str, connection: Json) -> list[dict[str, Json]]:
        authors = rows(within(connection, "nodes"))
        while within(connection, "pageInfo", "hasNextPage"):
            after = text(connection, "pageInfo", "endCursor")
            variables = queries.named(self.repository, oid=sha, after=after)
            more = self._client.graphql(queries.MORE_AUTHORS, variables)
            connection = within(more.data, "repository", "object", "authors")
            authors += rows(within(connection, "nodes"))
        return authors

    def _take(self, sha: str, authors: list[dict[str, Json]]) -> None:
        for place, author in enumerate(authors or [{}]):
            self._rows.append(
                {
                    "sha": sha,
                    "role": str(Role.CO_AUTHOR if place else Role.AUTHOR),
                    "name": text(author, "name"),
                    "login": text(author, "user", "login"),
                    "github_id": number(author, "user", "databaseId"),
                }
            )
        self._wanted.discard(sha)

    def _keep(self) -> None:
        """The rows first: a position ahead of them would lose some, the reverse repeats none."""
        write_table(self._folder / FILE, self._rows, SCHEMA)
        if self._position is None:
            (self._folder / POSITION).unlink(missing_ok=True)
            return
        with renamed(self._folder / POSITION) as draft:
            draft.write_text(json.dumps(asdict(self._position)), "utf-8")
