"""Everything that the routes and the tools work with, opened once: they share nothing else."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date

from api.answers import Answer
from api.asked import Addresses, Asked
from api.auditing import Auditing
from api.cursors import Cursor, Cursors, digest
from api.metrics import Metrics
from api.openid import OpenId
from api.pools import Pool
from api.problems import Gone
from api.search_body import search_body
from api.snapshots import Opened, Snapshots
from api.work import Facts, Work
from sourcer.errors import NoSnapshot, NotAllowed
from sourcer.query import Query, parse
from sourcer.screening import Screening
from sourcer.settings import Settings
from sourcer.workspace import Workspace, audit
from sourcer.workspace.actors import Actor, Role

RANKER = "1"
"""Raise it when the same question on the same snapshot would give another order."""


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
    screening: Screening
    today: Callable[[], date] = date.today
    addresses: Addresses = field(default_factory=Addresses)

    def read(self, question: str | Query, repo: str | None = None) -> Query:
        """The question as the parser understands it with the names at hand."""
        if isinstance(question, Query):
            return question
        vocabulary = self.snapshots.current().vocabulary
        query = parse(question, today=self.today(), vocabulary=vocabulary)
        return query if repo is None else query.within(repo)

    def at_hand(self, asked: Asked) -> Answer | None:
        """The answer given to the same question before, on the same snapshot and day."""
        if asked.cursor is not None:
            return None
        return self.snapshots.current().answers.get((asked.key, self.today(), 0))

    def again(self, actor: Actor, answer: Answer) -> None:
        """Counts and notes an answer that was at hand."""
        self.metrics.remembered.labels("yes").inc()
        self._note(actor, answer)

    def search(self, asked: Asked, actor: Actor) -> Answer:
        """The answer to a question, or to its next page."""
        question = digest(*asked.key)
        opened, offset = self._place(asked, question)
        key = (asked.key, self.today(), offset)
        answer = opened.answers.get(key) or self._answered(asked, opened, offset, question)
        opened.answers.keep(key, answer)
        self.metrics.remembered.labels("no").inc()
        self._note(actor, answer)
        return answer

    def queue(self) -> list[Facts]:
        """Imported rows that may be about somebody; none of those who asked not to be found."""
        try:
            hidden = self.snapshots.current().people.hidden
        except NoSnapshot:
            hidden = frozenset()
        return [row for row in self.work.queue() if str(row["person"]) not in hidden]

    def may_decide_links(self, actor: Actor) -> None:
        """Who is who cannot be told without names: a blind installation leaves it to admins.

        Raises NotAllowed.
        """
        actor.must_be(Role.RECRUITER)
        if self.settings.blind and not actor.role.includes(Role.ADMIN):
            raise NotAllowed("names are hidden here until somebody is shortlisted. Ask an admin")

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
                told=opened.told,
            ),
            opened.etag(asked.key, offset, self.today()),
            {
                "question": query.text,
                "query": query.json(),
                "repo": asked.repo,
                "snapshot": opened.name,
                "ranker": RANKER,
                "shown": [entry.person.id for entry in found.entries],
            },
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

    def _note(self, actor: Actor, answer: Answer) -> None:
        self.auditing.note(actor.name, audit.SEARCHED, answer.etag, answer.about)
