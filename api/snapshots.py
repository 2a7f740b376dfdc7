"""The snapshot that answers now. A new one is picked up while the old one goes on answering."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from threading import Lock, Thread
from time import monotonic

from api.answers import Answers
from api.search_body import MOST_TOLD, Told
from index.details import Details
from index.person import People
from index.pool import Pools
from index.search import Searcher
from index.withholding import withheld
from sourcer import snapshot
from sourcer.errors import SourcerError
from sourcer.lanes.file import Lane
from sourcer.query import Vocabulary, vocabulary_of
from sourcer.snapshot import Snapshot
from sourcer.store.database import check_schema, open_readonly
from sourcer.topics import Taxonomy
from sourcer.withheld import hidden_people
from sourcer.workspace import Workspace, suppressions
from sourcer.workspace.suppressions import Suppressed

TICK = 0.25
"""Seconds within which every worker has noticed a new snapshot or a suppression."""
GRACE = 300.0
"""Seconds for which the snapshot before still answers those who page through it."""

Open = Callable[[Snapshot, Taxonomy], Searcher]


@dataclass(frozen=True)
class Opened:
    """A snapshot opened, without those who asked not to be found, and the answers it gave."""

    snapshot: Snapshot
    searcher: Searcher
    people: People
    taxonomy: Taxonomy
    vocabulary: Vocabulary
    known: Details
    """With everyone in it; never shown."""
    suppressed: Suppressed
    lanes: Sequence[Lane] | None = None
    """None: those that are built in."""
    edition: str = ""
    """Of the program and the files that shape an answer beside the snapshot."""
    answers: Answers = field(default_factory=Answers)
    told: Told = field(default_factory=lambda: Told(MOST_TOLD))

    @property
    def name(self) -> str:
        return self.snapshot.name

    @cached_property
    def pools(self) -> Pools:
        return Pools(self.searcher, self.lanes)

    def etag(self, *asked: object) -> str:
        """Of any answer that follows from this snapshot, the edition and what was asked alone."""
        said = repr((self.name, self.edition, self.suppressed.revision, asked))
        return f'"{blake2b(said.encode(), digest_size=12).hexdigest()}"'


class Snapshots:
    """Opens what is published; threads may share it.

    Looks at `data/current` and at the suppressions every quarter of a second, when asked.
    """

    def __init__(
        self,
        data: Path,
        workspace: Workspace,
        taxonomy: Taxonomy,
        open_: Open = Searcher.open,
        lanes: Sequence[Lane] | None = None,
        edition: str = "",
    ) -> None:
        self._data = data
        self._workspace = workspace
        self._taxonomy = taxonomy
        self._lanes = lanes
        self._edition = edition
        self._vocabulary = vocabulary_of(taxonomy)
        self._open = open_
        self._now: Opened | None = None
        self._pointed = ""
        """What `current` named when it was opened; a damaged one is not what answers."""
        self._before: tuple[Opened, float] | None = None
        self._checked = 0.0
        self._lock = Lock()
        self._loading: Thread | None = None

    @property
    def is_ready(self) -> bool:
        """Whether a snapshot is open already."""
        return self._now is not None

    def current(self) -> Opened:
        """Raises NoSnapshot while nothing is published."""
        held = self._now
        if held is not None and monotonic() - self._checked < TICK:
            return held
        with self._lock:
            return self._looked()

    def named(self, name: str) -> Opened | None:
        """The current snapshot, or the one before while people still page through it."""
        held = self.current()
        if held.name == name:
            return held
        before = self._before
        return before[0] if before and before[0].name == name else None

    def look_again(self) -> Opened:
        """The same as `current`, but a change of this moment is seen."""
        with self._lock:
            return self._looked()

    def _looked(self) -> Opened:
        self._checked = monotonic()
        if self._now is None:
            self._pointed = snapshot.pointed_at(self._data)
            self._now = self._opened(snapshot.current_good(self._data))
            return self._now
        self._drop_the_old()
        self._pick_up()
        with self._workspace.reading() as session:
            if suppressions.revision(session) == self._now.suppressed.revision:
                return self._now
            suppressed = suppressions.load(session)
        self._now = _without(self._now, suppressed)
        if self._before is not None:
            before, until = self._before
            self._before = (_without(before, suppressed), until)
        return self._now

    def _pick_up(self) -> None:
        """Opens a newly published snapshot beside the one that answers."""
        if self._now is None or (self._loading and self._loading.is_alive()):
            return
        name = snapshot.pointed_at(self._data)
        if name and name != self._pointed:
            self._loading = Thread(target=self._change_over, daemon=True)
            self._loading.start()

    def _change_over(self) -> None:
        pointed = snapshot.pointed_at(self._data)
        try:
            opened = self._opened(snapshot.current_good(self._data))
        except SourcerError as error:
            logging.getLogger(__name__).error("the new snapshot cannot be opened: %s", error)
            return
        with self._lock:
            if self._now is not None:
                self._before = (self._now, monotonic() + GRACE)
            self._now, self._pointed, self._checked = opened, pointed, 0.0

    def _drop_the_old(self) -> None:
        """Time is up, or it was deleted when somebody in it was erased."""
        if self._before is None:
            return
        opened, until = self._before
        if monotonic() > until or not opened.snapshot.database.exists():
            self._before = None

    def _opened(self, live: Snapshot) -> Opened:
        check_schema(live.database)
        searcher = self._open(live, self._taxonomy)
        with self._workspace.reading() as session:
            suppressed = suppressions.load(session)
        everyone = Opened(
            snapshot=live,
            searcher=searcher,
            people=People.open(live.database, searcher.details, frozenset()),
            taxonomy=self._taxonomy,
            lanes=self._lanes,
            edition=self._edition,
            vocabulary=self._vocabulary,
            known=searcher.details,
            suppressed=Suppressed(suppressed.salt, frozenset(), suppressed.revision),
        )
        return _without(everyone, suppressed) if suppressed.digests else everyone


def _without(opened: Opened, suppressed: Suppressed) -> Opened:
    db = open_readonly(opened.snapshot.database)
    try:
        hidden = hidden_people(db, suppressed)
    finally:
        db.close()
    found = [opened.known.person(id_) for id_ in hidden]
    ordinals = [each for each in found if each is not None]
    details = withheld(opened.known, ordinals)
    index, taxonomy = opened.searcher.index, opened.taxonomy
    searcher = Searcher(index, details, taxonomy, opened.name, ordinals)
    return Opened(
        snapshot=opened.snapshot,
        searcher=searcher,
        people=opened.people.without(searcher.details, hidden),
        taxonomy=opened.taxonomy,
        lanes=opened.lanes,
        edition=opened.edition,
        vocabulary=opened.vocabulary,
        known=opened.known,
        suppressed=suppressed,
    )
