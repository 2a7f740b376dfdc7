"""The audit log: append-only, each row carrying the hash of the one before it.

The hashes are keyed with the installation's secret, so that whoever can only write to the
database cannot make a chain that holds. What a row says is hashed apart: it can be blotted out
when a person asks to be erased, and the chain still holds. Old rows are dropped at a checkpoint,
from which the chain is verified afterwards.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import Row, delete, func, insert, select, update

from sourcer.workspace.actors import Actor, Role
from sourcer.workspace.database import Session
from sourcer.workspace.tables import audit, audit_checkpoints

BEGINNING = "0" * 64
SEARCHED = "searched"
BLOTTED = "audit.blotted"
DROPPED = "audit.dropped"
PAGE = 1000


@dataclass(frozen=True, slots=True)
class Entry:
    """What happened. Of people it names ids only.

    `details` of a search: question, how it was read (the query's JSON), snapshot, ranker, and
    the ids of who was shown; of an export its format; of a change what was changed.
    """

    actor: str
    action: str
    details: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Logged:
    """One row of the log; `details` is None when they were blotted out."""

    id: int
    at: datetime
    actor: str
    action: str
    details: Mapping[str, object] | None
    digest: str


def append(session: Session, *entries: Entry) -> None:
    """Adds to the log; several entries in one go cost one wait for the disk.

    An entry that belongs to a change goes into the change's own session: both or neither.
    """
    number, previous = head(session)
    rows: list[dict[str, object]] = []
    for entry in entries:
        number += 1
        details_digest = session.keyed("audit details", _canonical(entry.details))
        values = (number, session.now, entry.actor, entry.action, details_digest, previous)
        digest = _digest(session, *values)
        rows.append(
            {
                "id": number,
                "at": session.now,
                "actor": entry.actor,
                "action": entry.action,
                "details": dict(entry.details),
                "details_digest": details_digest,
                "previous": previous,
                "digest": digest,
            }
        )
        previous = digest
    if rows:
        session.db.execute(insert(audit), rows)


def head(session: Session) -> tuple[int, str]:
    """The number and hash of the last row: noted elsewhere, it shows if the end is cut off."""
    row = session.db.execute(select(audit.c.id, audit.c.digest).order_by(audit.c.id.desc())).first()
    return _checkpoint(session) if row is None else (row.id, row.digest)


def verify(session: Session, known_head: tuple[int, str] | None = None) -> int | None:
    """The number of the first row that does not hold; None: the whole log does.

    With the `head` of an earlier day it also notices rows cut off at the end.
    """
    number, previous = _checkpoint(session)
    blotted: set[int] = set()
    for row in _rows(session):
        number += 1
        known = known_head is None or row.id != known_head[0] or row.digest == known_head[1]
        if row.id != number or row.previous != previous or not known or not _holds(session, row):
            return number
        previous = row.digest
        if row.details is None:
            blotted.add(row.id)
        elif row.action == BLOTTED:
            blotted.difference_update(row.details["rows"])
    if blotted:
        return min(blotted)
    return number + 1 if known_head and number < known_head[0] else None


def entries(
    session: Session, actor: Actor, *, before: int | None = None, limit: int = 100
) -> tuple[Logged, ...]:
    """The newest rows, or those before a number; for admins."""
    actor.must_be(Role.ADMIN)
    asked = select(audit).order_by(audit.c.id.desc()).limit(limit)
    if before is not None:
        asked = asked.where(audit.c.id < before)
    return tuple(_logged(row) for row in session.db.execute(asked))


def about(session: Session, words: frozenset[str]) -> tuple[Logged, ...]:
    """The rows whose details name any of the words, such as a person's ids and logins."""
    wanted = {word.casefold() for word in words}
    names = [word for word in wanted if " " in word]
    return tuple(
        _logged(row)
        for row in _rows(session)
        if row.details is not None and _names(_texts(row.details), wanted, names)
    )


def _names(texts: set[str], words: set[str], names: list[str]) -> bool:
    """Whether texts hold one of the words by itself, or one of the names within."""
    within = any(name in text for name in names for text in texts)
    return within or not words.isdisjoint(texts)


def times_shown(session: Session, since: datetime) -> Counter[str]:
    """How often each person was among the answers to a question since a moment, by id."""
    asked = select(audit.c.details).where(audit.c.action == SEARCHED, audit.c.at >= since)
    found = Counter[str]()
    for details in session.db.execute(asked).scalars():
        shown = (details or {}).get("shown", ())
        found.update(dict.fromkeys(shown, int((details or {}).get("times", 1))))
    return found


def blot(session: Session, words: frozenset[str], actor: str) -> int:
    """Takes out what rows say that name any of the words; says how many rows that were."""
    rows = [row.id for row in about(session, words)]
    if rows:
        session.db.execute(update(audit).where(audit.c.id.in_(rows)).values(details=None))
        append(session, Entry(actor, BLOTTED, {"rows": rows}))
    return len(rows)


def drop_before(session: Session, moment: datetime) -> int:
    """Retention: drops older rows and notes where the chain goes on; says how many.

    Blots are dropped with what they blotted, never sooner, as they are always newer.
    """
    old = select(audit).where(audit.c.at < moment).order_by(audit.c.id.desc())
    newest = session.db.execute(old).first()
    if newest is None:
        return 0
    dropped = session.db.execute(delete(audit).where(audit.c.id <= newest.id)).rowcount
    said = {"up_to": newest.id, "digest": newest.digest, "dropped": dropped}
    session.db.execute(insert(audit_checkpoints).values(at=session.now, **said))
    append(session, Entry("retention", DROPPED, said))
    return dropped


def count(session: Session) -> int:
    return session.db.execute(select(func.count()).select_from(audit)).scalar_one()


def oldest(session: Session) -> datetime | None:
    """When the first entry that is left was written."""
    row = session.db.execute(select(audit.c.at).order_by(audit.c.id)).first()
    return None if row is None else row.at


def _checkpoint(session: Session) -> tuple[int, str]:
    newest = select(audit_checkpoints).order_by(audit_checkpoints.c.id.desc())
    row = session.db.execute(newest).first()
    return (0, BEGINNING) if row is None else (row.up_to, row.digest)


def _rows(session: Session) -> Iterator[Row[tuple[object, ...]]]:
    """Every row, oldest first, a page at a time."""
    last = -1
    while True:
        asked = select(audit).where(audit.c.id > last).order_by(audit.c.id).limit(PAGE)
        page = session.db.execute(asked).all()
        yield from page
        if len(page) < PAGE:
            return
        last = page[-1].id


def _holds(session: Session, row: Row[tuple[object, ...]]) -> bool:
    values = (row.id, row.at, row.actor, row.action, row.details_digest, row.previous)
    if row.digest != _digest(session, *values):
        return False
    return row.details is None or row.details_digest == session.keyed(
        "audit details", _canonical(row.details)
    )


def _digest(
    session: Session,
    number: int,
    at: datetime,
    actor: str,
    action: str,
    details_digest: str,
    previous: str,
) -> str:
    row = (str(number), at.isoformat(), actor, action, details_digest, previous)
    return session.keyed("audit row", *row)


def _canonical(details: Mapping[str, object]) -> str:
    return json.dumps(details, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def _texts(value: object) -> set[str]:
    """Every text in a JSON value, and the words in each.

    >>> sorted(_texts({"shown": ["p1"], "question": "like Mira-L"}))
    ['like', 'like mira-l', 'mira-l', 'p1']
    """
    if isinstance(value, str):
        return {value.casefold(), *value.casefold().split()}
    if isinstance(value, Mapping):
        return set().union(*map(_texts, value.values()))
    if isinstance(value, list | tuple):
        return set().union(*map(_texts, value))
    return set()


def _logged(row: Row[tuple[object, ...]]) -> Logged:
    return Logged(row.id, row.at, row.actor, row.action, row.details, row.digest)
