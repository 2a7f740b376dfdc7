"""Everything that the workspace holds on one person, as plain data for that person to read."""

from collections.abc import Iterable
from dataclasses import asdict
from datetime import datetime
from enum import StrEnum

from sqlalchemy import or_, select

from sourcer.workspace import alerts, audit, changes, decisions, hiding, notices, suppressions
from sourcer.workspace.actors import Actor, Role
from sourcer.workspace.database import Session
from sourcer.workspace.identifiers import Identifier, Kind
from sourcer.workspace.tables import alert_events, alert_matches, entries, notes, shortlists


def held(session: Session, actor: Actor, known_by: Iterable[Identifier]) -> dict[str, object]:
    """What was written about a person, why, by whom and when, whoever's shortlist it is on.

    Give all there is of one person: ids, former ids, logins, signature keys, emails.
    """
    actor.must_be(Role.ADMIN)
    given = list(known_by)
    ids = _values(given, Kind.PERSON)
    keys = _values(given, Kind.SIGNATURE)
    logins = _values(given, Kind.LOGIN)
    audit.append(session, audit.Entry(actor.name, "access", {"people": sorted(ids)}))
    return {
        "shortlists": _entries(session, ids),
        "alerts": _alerts(session, ids),
        "saved searches that found them": _matches(session, ids),
        "hidden from answers": hiding.about(session, ids),
        "told that data are held": [
            _plain(asdict(one)) for id_, one in notices.told(session).items() if id_ in ids
        ],
        "decisions about who they are": [
            _plain(asdict(one)) for one in decisions.about(session, keys)
        ],
        "suppressions": [_plain(asdict(one)) for one in suppressions.about(session, given)],
        "audit log": [_plain(asdict(one)) for one in audit.about(session, ids | logins)],
    }


def _entries(session: Session, ids: frozenset[str]) -> list[object]:
    theirs = or_(entries.c.person_id.in_(ids), entries.c.added_as.in_(ids))
    asked = (
        select(entries, shortlists.c.name, shortlists.c.owner)
        .join(shortlists, shortlists.c.slug == entries.c.shortlist)
        .where(theirs)
        .order_by(entries.c.id)
    )
    return [
        {
            "shortlist": row.name,
            "owner": row.owner,
            "stage": row.stage,
            "reason": row.reason,
            "added by": row.added_by,
            "added": row.added_at.isoformat(),
            "removed": _plain(row.removed_at),
            "notes": _notes(session, row.id),
            "history": _history(session, row.shortlist, f"entry {row.id}"),
        }
        for row in session.db.execute(asked).all()
    ]


def _notes(session: Session, entry: int) -> list[object]:
    asked = select(notes).where(notes.c.entry_id == entry).order_by(notes.c.id)
    return [
        {
            "author": row.author,
            "text": row.text,
            "written": row.written_at.isoformat(),
            "removed": _plain(row.removed_at),
        }
        for row in session.db.execute(asked)
    ]


def _history(session: Session, shortlist: str, name: str) -> list[object]:
    return [
        {
            "at": one.at.isoformat(),
            "by": one.changed_by,
            "what": one.kind,
            "before": one.before.get(name),
            "after": one.after[name],
        }
        for one in changes.history(session, shortlist)
        if name in one.after
    ]


def _alerts(session: Session, ids: frozenset[str]) -> list[object]:
    theirs = or_(alert_events.c.person_id.in_(ids), alert_events.c.added_as.in_(ids))
    numbers = session.db.execute(select(alert_events.c.id).where(theirs)).scalars().all()
    return [_plain(asdict(one)) for one in alerts.by_ids(session, numbers)]


def _matches(session: Session, ids: frozenset[str]) -> list[object]:
    asked = select(alert_matches.c.slug).where(alert_matches.c.person_id.in_(ids)).distinct()
    return list(session.db.execute(asked.order_by(alert_matches.c.slug)).scalars())


def _values(given: Iterable[Identifier], kind: Kind) -> frozenset[str]:
    return frozenset(one.value for one in given if one.kind is kind)


def _plain(value: object) -> object:
    """
    >>> _plain({"at": datetime(2026, 5, 1), "pairs": (("a", "b"),)})
    {'at': '2026-05-01T00:00:00', 'pairs': [['a', 'b']]}
    """
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, StrEnum):
        return str(value)
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value
