"""Everything that the routes and the tools work with, opened once: they share nothing else."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from api.answers import Answer
from api.auditing import Auditing
from api.cursors import Cursor, Cursors, digest
from api.metrics import Metrics
from api.openid import OpenId
from api.pools import Pool
from api.problems import Gone
from api.search_body import search_body
from api.snapshots import Opened, Snapshots
from api.work import Work
from sourcer.query import Query, parse
from sourcer.settings import Settings
from sourcer.workspace import Workspace
from sourcer.workspace.actors import Actor

RANKER = "1"
"""Raise it when the same question on the same snapshot would give another order."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as a face was given it: plain English, or its canonical form."""

    question: str | Query
    repo: str | None = None
    limit: int = 20
    cursor: str | None = None
    by_lane: bool = False

    @property
    def key(self) -> tuple[object, ...]:
        return (self.question, self.repo, self.limit, self.by_lane)


@dataclass(frozen=True)
class Desk:
    """What an installation answers with."""

    settings: Settings
    workspace: Workspace
    snapshots: Snapshots
    auditing: Auditing
    cursors: Cursors
    pool: Pool
    """For what waits for a disk: the workspace, one person, a file."""
    searching: Pool
    """For what keeps a core busy: as many threads as there are cores for this process."""
    work: Work
    metrics: Metrics
    openid: OpenId
    today: Callable[[], date] = date.today

    def read(self, question: str | Query, repo: str | None = None) -> Query:
        """The question as the parser understands it with the names at hand."""
        if isinstance(question, Query):
            return question
        vocabulary = self.snapshots.current().vocabulary
        query = parse(question, today=self.today(), vocabulary=vocabulary)
        return query if repo is None else query.within(repo)

    def remembered(self, asked: Asked, actor: Actor) -> Answer | None:
        """The answer given to the same question before, on the same snapshot and day."""
        opened = self.snapshots.current()
        if asked.cursor is not None:
            return None
        answer = opened.answers.get((asked.key, self.today()))
        if answer is not None:
            self._audit(asked, actor, opened, answer)
        return answer

    def search(self, asked: Asked, actor: Actor) -> Answer:
        """The answer to a question, or to its next page."""
        question = digest(*asked.key)
        opened, offset = self._place(asked, question)
        key = (asked.key, self.today(), offset)
        answer = opened.answers.get(key) or self._answered(asked, opened, offset, question)
        opened.answers.keep(key, answer)
        if asked.cursor is None:
            opened.answers.keep((asked.key, self.today()), answer)
        self._audit(asked, actor, opened, answer)
        return answer

    def close(self) -> None:
        self.work.close()
        self.searching.close()
        self.pool.close()
        self.auditing.stop()
        self.workspace.close()

    def _answered(self, asked: Asked, opened: Opened, offset: int, question: str) -> Answer:
        query = self.read(asked.question, asked.repo)
        found = opened.searcher.search(query, limit=asked.limit, offset=offset)
        after = found.next_offset
        cursor = None if after is None else Cursor(opened.name, after, question)
        return Answer(
            search_body(
                found,
                search_id=digest(opened.name, query.json(), self.today()),
                next_cursor=None if cursor is None else self.cursors.write(cursor),
                lanes=opened.pools.by_lanes(found.entries) if asked.by_lane else None,
            ),
            opened.etag(asked.key, offset, self.today()),
            tuple(entry.person.id for entry in found.entries),
        )

    def _place(self, asked: Asked, question: str) -> tuple[Opened, int]:
        if asked.cursor is None:
            return self.snapshots.current(), 0
        place = self.cursors.read(asked.cursor)
        opened = self.snapshots.named(place.snapshot)
        if place.question != question:
            raise Gone("this cursor belongs to another question, repo or limit. Ask from the start")
        if opened is None:
            raise Gone(
                f"snapshot {place.snapshot} was replaced while you paged. Ask from the start"
            )
        return opened, place.offset

    def _audit(self, asked: Asked, actor: Actor, opened: Opened, answer: Answer) -> None:
        said = asked.question if isinstance(asked.question, str) else asked.question.text
        details = {
            "question": said,
            "repo": asked.repo,
            "snapshot": opened.name,
            "ranker": RANKER,
            "shown": answer.shown,
        }
        self.auditing.note(actor.name, "searched", answer.etag, details)
