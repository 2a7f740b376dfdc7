"""Answers to writes by their Idempotency-Key, so that a write sent twice is done once."""

from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256

from sqlalchemy import ColumnElement, delete, insert, select, update

from sourcer.errors import BadInput, Conflict
from sourcer.workspace.actors import Actor
from sourcer.workspace.database import Session
from sourcer.workspace.tables import idempotency_keys as keys

LASTS = timedelta(hours=24)
ABANDONED = timedelta(minutes=5)
"""A request still unanswered after this is taken for dead, and may be sent again."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the first request with a key was answered."""

    status: int
    body: object


def begin(session: Session, actor: Actor, key: str, request: bytes) -> Answer | None:
    """The answer given before; None: this is the first time, and `finish` must follow.

    Raises Conflict when the key was used for another request, or the first is still running.
    """
    if not 1 <= len(key) <= 255 or not key.isprintable():
        raise BadInput("an Idempotency-Key has 1 to 255 printable characters")
    session.db.execute(delete(keys).where(keys.c.at < session.now - LASTS))
    digest = sha256(request).hexdigest()
    row = session.db.execute(select(keys).where(_same(actor, key))).first()
    if row is not None and row.request != digest:
        raise Conflict("this Idempotency-Key was used for another request. Use a new one")
    if row is not None and row.status is not None:
        return Answer(row.status, row.body)
    if row is not None and row.at > session.now - ABANDONED:
        raise Conflict("the first request with this Idempotency-Key is still running. Wait for it")
    session.db.execute(delete(keys).where(_same(actor, key)))
    session.db.execute(
        insert(keys).values(actor=actor.name, key=key, request=digest, at=session.now)
    )
    return None


def finish(session: Session, actor: Actor, key: str, answer: Answer) -> None:
    """Keeps the answer; in the write's own session, so that both are on disk or neither."""
    values = {"status": answer.status, "body": answer.body}
    session.db.execute(update(keys).where(_same(actor, key)).values(values))


def give_up(session: Session, actor: Actor, key: str) -> None:
    """The write failed and may be tried again with the same key."""
    session.db.execute(delete(keys).where(_same(actor, key), keys.c.status.is_(None)))


def _same(actor: Actor, key: str) -> ColumnElement[bool]:
    return (keys.c.actor == actor.name) & (keys.c.key == key)
