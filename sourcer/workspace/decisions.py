"""Merging and splitting people by hand: records with author, time and reason, each undoable.

People are told by their signatures' keys, which outlive every ingest; nothing is rewritten, so
undoing a decision gives back at the next ingest what there was before it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import chain, product

from sqlalchemy import Row, insert, select, update

from sourcer import resolution
from sourcer.errors import BadInput, Conflict, NotFound
from sourcer.workspace import audit
from sourcer.workspace.actors import Actor, Role
from sourcer.workspace.database import Session
from sourcer.workspace.tables import decisions
from sourcer.workspace.wording import kept


class Kind(StrEnum):
    MERGE = "merge"
    SPLIT = "split"


@dataclass(frozen=True, slots=True)
class Side:
    """One of two people, or one part of a person: its id and all its signature keys."""

    person_id: str
    keys: tuple[str, ...]
    """Oldest first."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What somebody decided; it counts until it is undone."""

    id: int
    kind: Kind
    pairs: tuple[tuple[str, str], ...]
    people: tuple[str, ...]
    reason: str
    author: str
    at: datetime
    undone_at: datetime | None
    undone_by: str | None

    @property
    def says(self) -> str:
        return f"decision {self.id}, a {self.kind} by {self.author} on {self.at:%Y-%m-%d}"


def merge(session: Session, actor: Actor, a: Side, b: Side, reason: str) -> Decision:
    """Two people are one, from the next ingest on. Raises Conflict when a split says otherwise."""
    _check(a, b, "merge")
    merges = _standing(session, Kind.MERGE)
    crossing = _pairs(_reached(merges, a.keys), _reached(merges, b.keys))
    for split in _standing(session, Kind.SPLIT):
        if crossing & _both_ways(split.pairs):
            raise Conflict(
                f"{a.person_id} and {b.person_id} were taken apart ({split.says}). "
                f"Undo that first: sourcer people undo {split.id}"
            )
    return _record(session, actor, Kind.MERGE, ((a.keys[0], b.keys[0]),), (a, b), reason)


def split(session: Session, actor: Actor, stays: Side, goes: Side, reason: str) -> Decision:
    """One person is two, from the next ingest on. Raises Conflict when a merge says otherwise."""
    _check(stays, goes, "split")
    crossing = _pairs(stays.keys, goes.keys)
    merges = _standing(session, Kind.MERGE)
    for a, b in sorted(crossing):
        if (through := _joining(merges, a, b)) is not None:
            raise Conflict(
                f"these signatures of {stays.person_id} were put together ({through.says}). "
                f"Undo that first: sourcer people undo {through.id}"
            )
    return _record(session, actor, Kind.SPLIT, tuple(sorted(crossing)), (stays, goes), reason)


def undo(session: Session, actor: Actor, number: int) -> Decision:
    """The decision counts no more, from the next ingest on; its record stays."""
    actor.must_be(Role.RECRUITER)
    found = get(session, number)
    if found.undone_at is not None:
        raise Conflict(f"{found.says}, was undone on {found.undone_at:%Y-%m-%d} already")
    values = {"undone_at": session.now, "undone_by": actor.name}
    session.db.execute(update(decisions).where(decisions.c.id == number).values(values))
    audit.append(session, audit.Entry(actor.name, f"{found.kind}.undone", {"decision": number}))
    return get(session, number)


def get(session: Session, number: int) -> Decision:
    row = session.db.execute(select(decisions).where(decisions.c.id == number)).first()
    if row is None:
        raise NotFound(f"there is no decision {number}. See: sourcer people decisions")
    return _decision(row)


def every(session: Session) -> tuple[Decision, ...]:
    """All decisions, the undone ones too, newest first."""
    rows = session.db.execute(select(decisions).order_by(decisions.c.id.desc()))
    return tuple(_decision(row) for row in rows)


def standing(session: Session) -> resolution.Decisions:
    """What the resolver of people has to obey at each ingest."""
    return resolution.Decisions(
        merges=_all_pairs(_standing(session, Kind.MERGE)),
        splits=_all_pairs(_standing(session, Kind.SPLIT)),
    )


def about(session: Session, keys: frozenset[str]) -> tuple[Decision, ...]:
    """The decisions that name any of the signature keys."""
    return tuple(one for one in every(session) if not keys.isdisjoint(chain(*one.pairs)))


def _record(
    session: Session,
    actor: Actor,
    kind: Kind,
    pairs: tuple[tuple[str, str], ...],
    sides: tuple[Side, Side],
    reason: str,
) -> Decision:
    actor.must_be(Role.RECRUITER)
    reason = kept(reason, "reason")
    if not reason:
        raise BadInput(f"a {kind} needs a reason: somebody will ask why")
    ids = list(dict.fromkeys(side.person_id for side in sides))
    number = session.db.execute(
        insert(decisions)
        .values(
            kind=kind,
            pairs=[list(pair) for pair in pairs],
            people=ids,
            reason=reason,
            author=actor.name,
            at=session.now,
        )
        .returning(decisions.c.id)
    ).scalar_one()
    audit.append(
        session, audit.Entry(actor.name, f"people.{kind}", {"decision": number, "people": ids})
    )
    return get(session, number)


def _check(a: Side, b: Side, doing: str) -> None:
    if not a.keys or not b.keys:
        raise BadInput(f"a {doing} needs signatures on both sides")
    if not set(a.keys).isdisjoint(b.keys):
        raise BadInput(f"cannot {doing} {a.person_id} and {b.person_id}: they share a signature")


def _standing(session: Session, kind: Kind) -> list[Decision]:
    counts = decisions.c.undone_at.is_(None) & (decisions.c.kind == kind)
    rows = session.db.execute(select(decisions).where(counts).order_by(decisions.c.id))
    return [_decision(row) for row in rows]


def _joining(merges: Sequence[Decision], a: str, b: str) -> Decision | None:
    """The first of the merges, oldest first, with which one key leads to another."""
    for count, one in enumerate(merges, start=1):
        if b in _reached(merges[:count], (a,)):
            return one
    return None


def _reached(merges: Sequence[Decision], keys: Iterable[str]) -> set[str]:
    """The keys, and those that the merges put together with them, one after the other."""
    reached, pairs = set(keys), _all_pairs(merges)
    while more := {key for pair in pairs if not reached.isdisjoint(pair) for key in pair} - reached:
        reached |= more
    return reached


def _pairs(left: Iterable[str], right: Iterable[str]) -> set[tuple[str, str]]:
    return set(product(left, right))


def _both_ways(pairs: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
    return {way for a, b in pairs for way in ((a, b), (b, a))}


def _all_pairs(found: Iterable[Decision]) -> tuple[tuple[str, str], ...]:
    return tuple(pair for one in found for pair in one.pairs)


def _decision(row: Row[tuple[object, ...]]) -> Decision:
    return Decision(
        id=row.id,
        kind=Kind(row.kind),
        pairs=tuple((a, b) for a, b in row.pairs),
        people=tuple(row.people),
        reason=row.reason,
        author=row.author,
        at=row.at,
        undone_at=row.undone_at,
        undone_by=row.undone_by,
    )
