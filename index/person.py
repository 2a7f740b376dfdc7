"""One person with all that is held, for a page of their own; no email is in it."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Self

from index.details import Details
from sourcer.conflicts import explained
from sourcer.errors import NoSuchPerson
from sourcer.people import Declared
from sourcer.shortlist import Shown
from sourcer.store import near as nearby
from sourcer.store import person as rows
from sourcer.store.database import Database, open_readonly
from sourcer.time_zones import Clock

COMMITS_SHOWN = 50


@dataclass(frozen=True, slots=True)
class PersonDetail:
    """What a snapshot knows of one person, each fact with where it comes from."""

    shown: Shown
    roles: dict[str, int]
    topics: tuple[rows.TopicRow, ...]
    areas: tuple[rows.AreaRow, ...]
    quarters: tuple[rows.QuarterRow, ...]
    colleagues: tuple[rows.ColleagueRow, ...]
    signatures: tuple[rows.SignatureRow, ...]
    fields: tuple[rows.FieldRow, ...]
    affiliations: tuple[rows.AffiliationRow, ...]
    artifacts: tuple[rows.ArtifactRow, ...]
    commits: tuple[rows.CommitRow, ...]
    clock: Clock | None
    """By which clock they write commits: a weak hint."""


class People:
    """The people of a snapshot, one at a time. Threads may share it.

    `hidden` are ids of people who asked not to be found: they are nobody here, and nobody's
    colleague.
    """

    def __init__(self, db: Database, details: Details, hidden: frozenset[str]) -> None:
        self._db = db
        self._lock = Lock()
        self._details = details
        self.hidden = hidden

    @classmethod
    def open(cls, file: Path, details: Details, hidden: frozenset[str]) -> Self:
        return cls(open_readonly(file), details, hidden)

    def without(self, details: Details, hidden: frozenset[str]) -> Self:
        """The same people, but those."""
        return type(self)(self._db, details, hidden)

    def find(self, said: str) -> str:
        """The id of a person by id, earlier id or login. Raises NoSuchPerson."""
        ordinal = self._details.person(said)
        if ordinal is None:
            with self._cursor() as db:
                now = rows.redirect(db, said)
            ordinal = None if now is None else self._details.person(now)
        if ordinal is None:
            raise NoSuchPerson(f"nobody here has the id or login {said[:100]!r}. Try a search")
        return str(self._details.people["id"][ordinal].as_py())

    def detail(self, said: str) -> PersonDetail:
        """Everything on the person of that id, earlier id or login."""
        id_ = self.find(said)
        with self._cursor() as db:
            return PersonDetail(
                shown=self.shown(id_),
                roles=rows.role_counts(db, id_),
                topics=tuple(rows.topics(db, id_)),
                areas=tuple(rows.areas(db, id_)),
                quarters=tuple(rows.quarters(db, id_)),
                colleagues=tuple(
                    one for one in rows.colleagues(db, id_) if one.person_id not in self.hidden
                ),
                signatures=tuple(rows.signatures(db, id_)),
                fields=tuple(explained(rows.fields(db, id_))),
                affiliations=tuple(rows.affiliations(db, id_)),
                artifacts=tuple(rows.artifacts(db, id_)),
                commits=tuple(rows.commits(db, id_, COMMITS_SHOWN)),
                clock=self._clock(id_),
            )

    def commits(self, said: str, limit: int, before: int) -> list[rows.CommitRow]:
        """A page of the person's commits, newest first."""
        with self._cursor() as db:
            return rows.commits(db, self.find(said), limit, before)

    def shown(self, id_: str) -> Shown:
        ordinal = self._details.person(id_)
        if ordinal is None:
            raise NoSuchPerson(f"nobody here has the id {id_[:100]!r}")
        return self._details.shown(ordinal)

    def _clock(self, id_: str) -> Clock | None:
        ordinal = self._details.person(id_)
        return None if ordinal is None else self._details.clocks.get(ordinal)

    def fact(self, id_: str, field: str) -> Declared | None:
        """What was declared for one field, newest first."""
        ordinal = self._details.person(id_)
        return None if ordinal is None else self._details.known(ordinal).profile.first(field)

    def keys(self, id_: str) -> tuple[str, ...]:
        """The signature keys of a person, by which decisions tell people."""
        with self._cursor() as db:
            return tuple(rows.keys(db, id_))

    def near(self, around: str | None, topic: str | None, limit: int) -> list[str]:
        """Ids of people for a picture: around one, or on a topic, or the best connected."""
        with self._cursor() as db:
            if around is not None:
                found = [around, *nearby.around(db, around, limit - 1)]
            elif topic is not None:
                found = nearby.on_topic(db, topic, limit)
            else:
                found = nearby.central(db, limit)
        return [id_ for id_ in found if id_ not in self.hidden]

    def ties(self, people: Sequence[str], limit: int) -> list[nearby.TieRow]:
        """Who of these works with whom."""
        with self._cursor() as db:
            return nearby.ties_among(db, people, limit)

    def _cursor(self) -> Database:
        """A connection for one thread: DuckDB's may not be shared."""
        with self._lock:
            return self._db.cursor()
