"""Who reviewed the pull requests of the crawled range, and what they said: approved or not.

Append-only: each batch is `reviews-NNNNNN.parquet` with `pulls-NNNNNN.parquet`, which lists the
pull requests that were read for it, those without a review too. Only the latter makes them read.
"""

from collections import deque
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from ingest.profiles.from_github import queries
from ingest.profiles.from_github.answers import (
    NOT_FOUND,
    Answer,
    TooHeavy,
    number,
    rows,
    text,
    within,
)
from ingest.profiles.from_github.client import Client, chunks
from ingest.profiles.from_github.crawled import Crawled, write_table
from ingest.profiles.json_values import Json
from sourcer.errors import NoSuchRepository

AT_ONCE = 50
KEPT_EVERY = 20
"""Requests between two batches: what an abrupt end can cost."""
REVIEWS = pa.schema(
    [
        ("pull", pa.int32()),
        ("sha", pa.string()),
        ("login", pa.string()),
        ("github_id", pa.int64()),
        ("state", pa.string()),
        ("submitted_at", pa.timestamp("s")),
    ]
)
"""`sha` is the commit that the pull request was merged as; `state` is GitHub's own word."""
PULLS = pa.schema([("pull", pa.int32()), ("sha", pa.string())])


def load(folder: Path) -> pa.Table:
    """Every review once, of people's accounts only."""
    tables = [pq.read_table(file, schema=REVIEWS) for file in sorted(folder.glob("reviews-*"))]
    table = pa.concat_tables([REVIEWS.empty_table(), *tables])
    return table.group_by(REVIEWS.names, use_threads=False).aggregate([])


def read_pulls(folder: Path) -> frozenset[int]:
    """The pull requests whose reviews are known."""
    files = folder.glob("pulls-*.parquet")
    return frozenset(
        pull for file in files for pull in pq.read_table(file, columns=["pull"])["pull"].to_pylist()
    )


class Reading:
    """The pull requests of one repository, newest first."""

    def __init__(self, client: Client, repository: str, folder: Path) -> None:
        self._client, self._repository, self._folder = client, repository, folder
        wanted = Crawled.read(folder).pulls - read_pulls(folder)
        self._wanted = sorted(wanted, reverse=True)
        self._pulls: list[dict[str, object]] = []
        self._reviews: list[dict[str, object]] = []
        self.pulls = self.reviews = self.unanswered = 0

    def run(self, progress: Callable[[int, int], None]) -> None:
        """Raises NoSuchRepository, and whatever the client raises."""
        waiting = deque(chunks(self._wanted, AT_ONCE))
        asked = 0
        try:
            while waiting:
                numbers = waiting.popleft()
                waiting.extendleft(reversed(self._ask(numbers)))
                asked += 1
                progress(self.pulls, len(self._wanted))
                if asked % KEPT_EVERY == 0:
                    self._keep()
        finally:
            self._keep()

    def _ask(self, numbers: list[int]) -> list[list[int]]:
        """Reads these pull requests; what is to be asked again, in smaller pieces."""
        try:
            answer = self._client.graphql(*queries.pulls(self._repository, numbers))
        except TooHeavy:
            if len(numbers) == 1:
                self.unanswered += 1
                return []
            half = len(numbers) // 2
            return [numbers[:half], numbers[half:]]
        if within(answer.data, "repository") is None:
            raise NoSuchRepository(
                f"GitHub has no repository {self._repository}, or the token may not see it"
            )
        for pull in numbers:
            self._take(pull, answer)
        return []

    def _take(self, pull: int, answer: Answer) -> None:
        node = within(answer.data, "repository", f"p{pull}")
        if node is None and answer.why("repository", f"p{pull}") != NOT_FOUND:
            self.unanswered += 1
            return
        sha = text(node, "mergeCommit", "oid")
        reviews = self._all(pull, within(node, "reviews")) if sha else []
        found = [row for each in reviews if (row := _review(each, text(node, "author", "login")))]
        self._reviews += [{"pull": pull, "sha": sha, **row} for row in found]
        self._pulls.append({"pull": pull, "sha": sha})
        self.pulls += 1
        self.reviews += len(found)

    def _all(self, pull: int, connection: Json) -> list[dict[str, Json]]:
        reviews = rows(within(connection, "nodes"))
        while within(connection, "pageInfo", "hasNextPage"):
            after = text(connection, "pageInfo", "endCursor")
            variables = queries.named(self._repository, number=pull, after=after)
            more = self._client.graphql(queries.MORE_REVIEWS, variables)
            connection = within(more.data, "repository", "pullRequest", "reviews")
            reviews += rows(within(connection, "nodes"))
        return reviews

    def _keep(self) -> None:
        if not self._pulls:
            return
        taken = [int(file.stem.rpartition("-")[2]) for file in self._folder.glob("reviews-*")]
        place = max(taken, default=0) + 1
        write_table(self._folder / f"reviews-{place:06}.parquet", self._reviews, REVIEWS)
        write_table(self._folder / f"pulls-{place:06}.parquet", self._pulls, PULLS)
        self._pulls, self._reviews = [], []


def _review(review: Json, author: str | None) -> dict[str, object] | None:
    """One row; None for what is no review by another person.

    GitHub counts an author's answer to a remark as a review, and lets bots review; a review that
    is still pending is its writer's own business.
    """
    submitted, login = text(review, "submittedAt"), text(review, "author", "login")
    is_person = text(review, "author", "__typename") == "User"
    if not is_person or not submitted or login == author or text(review, "state") == "PENDING":
        return None
    at = datetime.fromisoformat(submitted).astimezone(UTC).replace(tzinfo=None)
    return {
        "login": login,
        "github_id": number(review, "author", "databaseId"),
        "state": text(review, "state"),
        "submitted_at": at,
    }
