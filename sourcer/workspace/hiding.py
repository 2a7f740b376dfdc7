"""People whom a user hid from the answers to one question, with the reason; they stay hidden."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, insert, select

from sourcer.workspace.actors import Actor
from sourcer.workspace.database import Session
from sourcer.workspace.tables import hidden_people
from sourcer.workspace.wording import kept

REASON = 200


@dataclass(frozen=True, slots=True)
class Hidden:
    """Somebody left out of a list, and why."""

    person_id: str
    reason: str
    at: datetime


def hide(session: Session, actor: Actor, question: str, person_id: str, reason: str) -> None:
    """Leaves a person out of this user's answers to this question; again changes the reason."""
    show(session, actor, question, person_id)
    values = {
        "user_name": actor.name,
        "question": _key(session, question),
        "added_as": person_id,
        "person_id": person_id,
        "reason": kept(reason, "reason", REASON),
        "at": session.now,
    }
    session.db.execute(insert(hidden_people).values(values))


def show(session: Session, actor: Actor, question: str, person_id: str | None = None) -> int:
    """Takes it back for a person, or for all of the question; says for how many."""
    theirs = (hidden_people.c.user_name == actor.name) & (
        hidden_people.c.question == _key(session, question)
    )
    if person_id is not None:
        theirs &= hidden_people.c.person_id == person_id
    done: int = session.db.execute(delete(hidden_people).where(theirs)).rowcount
    return done


def of(session: Session, actor: Actor, question: str) -> tuple[Hidden, ...]:
    """Whom the user hid from the answers to a question, last first; each person once."""
    asked = (
        select(hidden_people)
        .where(hidden_people.c.user_name == actor.name)
        .where(hidden_people.c.question == _key(session, question))
        .order_by(hidden_people.c.at.desc(), hidden_people.c.person_id)
    )
    rows = session.db.execute(asked).all()
    last = {row.person_id: Hidden(row.person_id, row.reason, row.at) for row in reversed(rows)}
    return tuple(reversed(last.values()))


def about(session: Session, ids: Iterable[str]) -> list[dict[str, object]]:
    """Who hid a person, when and why."""
    asked = select(hidden_people).where(hidden_people.c.person_id.in_(list(ids)))
    return [
        {"by": row.user_name, "reason": row.reason, "at": row.at.isoformat()}
        for row in session.db.execute(asked.order_by(hidden_people.c.at))
    ]


def _key(session: Session, question: str) -> str:
    """The same question in other spacing or capitals is the same; the text is not kept."""
    return session.keyed("hidden for", " ".join(question.casefold().split()))
