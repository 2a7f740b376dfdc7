"""What a search returns: people in order, each with why and with the commits that prove it."""

from dataclasses import dataclass, field
from datetime import datetime

from sourcer.evidence import Cited
from sourcer.people import Declared
from sourcer.query import Query
from sourcer.ranking import Score


@dataclass(frozen=True, slots=True)
class Holding:
    """A role that a project itself says the person holds."""

    repo: str
    role: str
    scope: str
    since: datetime | None

    def json(self) -> dict[str, object]:
        since = None if self.since is None else self.since.date().isoformat()
        return {"repo": self.repo, "role": self.role, "scope": self.scope, "since": since}


@dataclass(frozen=True, slots=True)
class Shown:
    """A person as a shortlist shows them; no email is in it."""

    id: str
    name: str
    aliases: tuple[str, ...] = ()
    logins: tuple[str, ...] = ()
    location: Declared | None = None
    employer: Declared | None = None
    title: Declared | None = None
    seniority: Declared | None = None
    open_to_offers: Declared | None = None
    roles_held: tuple[Holding, ...] = ()

    def json(self) -> dict[str, object]:
        declared = {
            name: declared_json(getattr(self, name))
            for name in ("location", "employer", "title", "seniority", "open_to_offers")
        }
        return {
            "id": self.id,
            "name": self.name,
            "aliases": list(self.aliases),
            "logins": list(self.logins),
            **declared,
            "roles_held": [held.json() for held in self.roles_held],
        }


def declared_json(fact: Declared | None) -> dict[str, object] | None:
    """
    >>> declared_json(Declared("Lyon", "github", datetime(2026, 5, 1), "declared"))
    {'value': 'Lyon', 'source': 'github', 'fetched_at': '2026-05-01T00:00:00', 'method': 'declared'}
    """
    if fact is None:
        return None
    return {
        "value": fact.value,
        "source": fact.source,
        "fetched_at": fact.fetched_at.isoformat(),
        "method": fact.method,
    }


@dataclass(frozen=True, slots=True)
class Entry:
    """One person of a shortlist."""

    person: Shown
    score: float
    """Against the first of the list, who has 1."""
    why: Score
    evidence: tuple[Cited, ...]
    unknown: tuple[str, ...] = ()
    """The conditions of the question that the data cannot decide for this person."""
    notes: tuple[str, ...] = ()
    """What else a reader should know, each with its label: it decided nothing."""

    def json(self, person: dict[str, object] | None = None) -> dict[str, object]:
        """`person`: how to tell of them, where that is known already."""
        return {
            "person": person or self.person.json(),
            "score": round(self.score, 4),
            "why": self.why.json(),
            "evidence": [one.json() for one in self.evidence],
            "unknown": list(self.unknown),
            "notes": list(self.notes),
        }


@dataclass(frozen=True, slots=True)
class Shortlist:
    """The answer to one question, from one snapshot."""

    query: Query
    snapshot: str
    total: int
    """How many people there are in all, matching or undecided."""
    entries: tuple[Entry, ...] = ()
    offset: int = 0
    notes: tuple[str, ...] = field(default=())
    """What a reader should know of the answer, such as a repository that is not held."""

    @property
    def next_offset(self) -> int | None:
        """Where the next page begins; None after the last."""
        after = self.offset + len(self.entries)
        return after if self.entries and after < self.total else None

    def json(self) -> dict[str, object]:
        return {
            "snapshot": self.snapshot,
            "query": self.query.json(),
            "total": self.total,
            "entries": [entry.json() for entry in self.entries],
            "next_cursor": None if self.next_offset is None else str(self.next_offset),
            "notes": list(self.notes),
        }
