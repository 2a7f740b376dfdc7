"""The people on a shortlist: stage, reason, order; removed ones can be brought back.

An entry remembers the id its person had when added. After an ingest `following` points it at the
id that person has now, so two entries may come to be one person: they are then shown as one, with
both reasons, and part again if the merge of the two people is undone.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from sqlalchemy import Row, func, insert, select, update

from sourcer.errors import BadInput, Conflict, NotFound
from sourcer.workspace import changes, shortlists
from sourcer.workspace.actors import Actor
from sourcer.workspace.database import Session
from sourcer.workspace.tables import entries
from sourcer.workspace.wording import kept


class Stage(StrEnum):
    """How far it has come with a person."""

    FOUND = "found"
    SHORTLISTED = "shortlisted"
    CONTACTED = "contacted"
    REPLIED = "replied"
    INTERVIEWING = "interviewing"
    OFFER = "offer"
    HIRED = "hired"
    NOT_NOW = "not now"


@dataclass(frozen=True, slots=True)
class Listed:
    """One person on a shortlist, with all entries that are this person."""

    person_id: str
    stage: Stage
    """Of the entry that was changed last."""
    reasons: tuple[str, ...]
    added_by: str
    added_at: datetime
    changed_at: datetime
    removed_at: datetime | None
    ids: tuple[int, ...]
    """The entries' own ids, the one changed last first."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two shortlists side by side, as ids of people."""

    only_first: tuple[str, ...]
    only_second: tuple[str, ...]
    both: tuple[tuple[str, Stage, Stage], ...]


def add(
    session: Session, actor: Actor, slug: str, person_id: str, reason: str = "",
    stage: Stage = Stage.FOUND,
) -> Listed:  # fmt: skip
    """Puts a person at the end. One who was removed comes back with all that was known."""
    shortlists.writable(session, actor, slug)
    found = _rows(session, slug, person_id)
    if any(row.removed_at is None for row in found):
        raise Conflict(f"{person_id} is on shortlist {slug} already")
    if found:
        return _brought_back(session, actor, slug, person_id, found, reason)
    number = session.db.execute(
        insert(entries)
        .values(
            shortlist=slug,
            added_as=person_id,
            person_id=person_id,
            stage=stage,
            reason=kept(reason, "reason"),
            position=_end(session, slug),
            added_by=actor.name,
            added_at=session.now,
            changed_at=session.now,
        )
        .returning(entries.c.id)
    ).scalar_one()
    changes.record(session, slug, actor.name, "added", {}, rows=[f"entry {number}"])
    return get(session, actor, slug, person_id)


def move_to(session: Session, actor: Actor, slug: str, person_id: str, stage: Stage) -> Listed:
    """Another stage."""
    return _changed(session, actor, slug, person_id, "moved", {"stage": stage})


def explain(session: Session, actor: Actor, slug: str, person_id: str, reason: str) -> Listed:
    """Another reason for being here."""
    values: dict[str, object] = {"reason": kept(reason, "reason")}
    return _changed(session, actor, slug, person_id, "explained", values)


def remove(session: Session, actor: Actor, slug: str, person_id: str) -> None:
    """Takes a person off; notes and history stay, and `add` or an undo bring them back."""
    shortlists.writable(session, actor, slug)
    ids = get(session, actor, slug, person_id).ids
    _set(session, actor, slug, "removed", ids, {"removed_at": session.now})


def order(session: Session, actor: Actor, slug: str, people: Sequence[str]) -> None:
    """Puts people in this order; those not named come after them, in the order they had."""
    shortlists.writable(session, actor, slug)
    listed = {one.person_id: one for one in every(session, actor, slug)}
    if len(set(people)) < len(people) or not listed.keys() >= set(people):
        raise BadInput(f"the order names people twice, or who are not on shortlist {slug}")
    wanted = [*people, *(person for person in listed if person not in set(people))]
    rows = [number for person in wanted for number in sorted(listed[person].ids)]
    before = changes.states(session, _names(rows))
    for place, number in enumerate(rows, start=1):
        session.db.execute(update(entries).where(entries.c.id == number).values(position=place))
    changes.record(session, slug, actor.name, "ordered", before)


def get(session: Session, actor: Actor, slug: str, person_id: str) -> Listed:
    shortlists.get(session, actor, slug)
    standing = [row for row in _rows(session, slug, person_id) if row.removed_at is None]
    if not standing:
        raise NotFound(f"{person_id} is not on shortlist {slug}")
    return _listed(standing)


def every(session: Session, actor: Actor, slug: str) -> tuple[Listed, ...]:
    """Who is on the shortlist, in order."""
    shortlists.get(session, actor, slug)
    return _people(row for row in _rows(session, slug) if row.removed_at is None)


def removed(session: Session, actor: Actor, slug: str) -> tuple[Listed, ...]:
    """Who was taken off and can be brought back."""
    shortlists.get(session, actor, slug)
    here = {one.person_id for one in every(session, actor, slug)}
    return _people(row for row in _rows(session, slug) if row.person_id not in here)


def compare(session: Session, actor: Actor, first: str, second: str) -> Comparison:
    """Who stands on both of two shortlists, and who on one of them only."""
    left = {one.person_id: one.stage for one in every(session, actor, first)}
    right = {one.person_id: one.stage for one in every(session, actor, second)}
    return Comparison(
        only_first=tuple(person for person in left if person not in right),
        only_second=tuple(person for person in right if person not in left),
        both=tuple((person, left[person], right[person]) for person in left if person in right),
    )


def lists_of(session: Session, actor: Actor, person_id: str) -> tuple[tuple[str, Stage], ...]:
    """The shortlists that the user may see and the person is on, with the stage in each."""
    visible = [project.slug for project in shortlists.every(session, actor)]
    asked = select(entries.c.shortlist, entries.c.stage).where(
        entries.c.person_id == person_id,
        entries.c.shortlist.in_(visible),
        entries.c.removed_at.is_(None),
    )
    rows = session.db.execute(asked.order_by(entries.c.changed_at))
    return tuple({row.shortlist: Stage(row.stage) for row in rows}.items())


def on_any_list(session: Session, actor: Actor) -> frozenset[str]:
    """Everybody who stands on a shortlist that the user may see."""
    visible = [project.slug for project in shortlists.every(session, actor)]
    asked = select(entries.c.person_id).where(
        entries.c.shortlist.in_(visible), entries.c.removed_at.is_(None)
    )
    return frozenset(session.db.execute(asked).scalars())


def first_listed(session: Session) -> dict[str, datetime]:
    """Everybody who stands on any shortlist, whosever it is, and since when."""
    asked = select(entries.c.person_id, func.min(entries.c.added_at)).where(
        entries.c.removed_at.is_(None)
    )
    rows = session.db.execute(asked.group_by(entries.c.person_id)).all()
    return {row[0]: row[1] for row in rows}


def _brought_back(
    session: Session, actor: Actor, slug: str, person_id: str,
    rows: Sequence[Row[tuple[object, ...]]], reason: str,
) -> Listed:  # fmt: skip
    values: dict[str, object] = {"removed_at": None, "position": _end(session, slug)}
    if reason:
        values["reason"] = kept(reason, "reason")
    _set(session, actor, slug, "recovered", [row.id for row in rows], values)
    return get(session, actor, slug, person_id)


def _changed(
    session: Session, actor: Actor, slug: str, person_id: str, kind: str, values: dict[str, object]
) -> Listed:
    shortlists.writable(session, actor, slug)
    leading = get(session, actor, slug, person_id).ids[0]
    _set(session, actor, slug, kind, [leading], values)
    return get(session, actor, slug, person_id)


def _set(
    session: Session, actor: Actor, slug: str, kind: str, ids: Sequence[int],
    values: dict[str, object],
) -> None:  # fmt: skip
    before = changes.states(session, _names(ids))
    touched = {**values, "changed_at": session.now}
    session.db.execute(update(entries).where(entries.c.id.in_(ids)).values(touched))
    changes.record(session, slug, actor.name, kind, before)


def _names(ids: Iterable[int]) -> list[str]:
    return [f"entry {number}" for number in ids]


def _end(session: Session, slug: str) -> int:
    last = select(func.max(entries.c.position)).where(entries.c.shortlist == slug)
    return (session.db.execute(last).scalar() or 0) + 1


def _rows(
    session: Session, slug: str, person_id: str | None = None
) -> Sequence[Row[tuple[object, ...]]]:
    asked = select(entries).where(entries.c.shortlist == slug)
    if person_id is not None:
        asked = asked.where(entries.c.person_id == person_id)
    return session.db.execute(asked.order_by(entries.c.position, entries.c.id)).all()


def _people(rows: Iterable[Row[tuple[object, ...]]]) -> tuple[Listed, ...]:
    people: dict[str, list[Row[tuple[object, ...]]]] = {}
    for row in rows:
        people.setdefault(row.person_id, []).append(row)
    return tuple(map(_listed, people.values()))


def _listed(rows: Sequence[Row[tuple[object, ...]]]) -> Listed:
    latest = sorted(rows, key=lambda row: (row.changed_at, row.id), reverse=True)
    first = min(rows, key=lambda row: (row.added_at, row.id))
    return Listed(
        person_id=latest[0].person_id,
        stage=Stage(latest[0].stage),
        reasons=tuple(dict.fromkeys(row.reason for row in latest if row.reason)),
        added_by=first.added_by,
        added_at=first.added_at,
        changed_at=latest[0].changed_at,
        removed_at=latest[0].removed_at,
        ids=tuple(row.id for row in latest),
    )
