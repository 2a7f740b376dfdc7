"""Who was told that data on them are held that came from elsewhere, and by when they must be."""

import calendar
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, insert, select

from sourcer.workspace import audit
from sourcer.workspace.actors import Actor, Role
from sourcer.workspace.database import Session
from sourcer.workspace.tables import notices
from sourcer.workspace.wording import kept

HOW = 200


@dataclass(frozen=True, slots=True)
class Notice:
    """That a person was told: by whom, how and when."""

    person_id: str
    sent_by: str
    how: str
    at: datetime


def due(obtained: datetime) -> datetime:
    """A month after the data were obtained; GDPR, Article 14(3)(a).

    >>> due(datetime(2026, 1, 31)), due(datetime(2026, 12, 5))
    (datetime.datetime(2026, 2, 28, 0, 0), datetime.datetime(2027, 1, 5, 0, 0))
    """
    year, month = (
        (obtained.year + 1, 1) if obtained.month == 12 else (obtained.year, obtained.month + 1)
    )
    last = calendar.monthrange(year, month)[1]
    return obtained.replace(year=year, month=month, day=min(obtained.day, last))


def sent(session: Session, actor: Actor, people: Iterable[str], how: str) -> int:
    """Records that people were told; says how many were not recorded before."""
    actor.must_be(Role.RECRUITER)
    known = told(session)
    new = [one for one in dict.fromkeys(people) if one not in known]
    for person in new:
        values = {"added_as": person, "person_id": person, "sent_by": actor.name}
        session.db.execute(
            insert(notices).values(**values, how=kept(how, "way of sending", HOW), at=session.now)
        )
    if new:
        audit.append(session, audit.Entry(actor.name, "notice.sent", {"people": new}))
    return len(new)


def unsent(session: Session, actor: Actor, people: Iterable[str]) -> int:
    """Takes back that people were told."""
    actor.must_be(Role.RECRUITER)
    gone = list(dict.fromkeys(people))
    done: int = session.db.execute(delete(notices).where(notices.c.person_id.in_(gone))).rowcount
    if done:
        audit.append(session, audit.Entry(actor.name, "notice.undone", {"people": gone}))
    return done


def told(session: Session) -> Mapping[str, Notice]:
    """Everybody who was told, by id."""
    return {
        row.person_id: Notice(row.person_id, row.sent_by, row.how, row.at)
        for row in session.db.execute(select(notices))
    }
