"""After an ingest, everything written about a person goes with that person to the id it has now."""

from collections.abc import Container, Mapping

from sqlalchemy import Table, select, update

from sourcer.workspace.database import Session
from sourcer.workspace.tables import (
    alert_events,
    alert_matches,
    entries,
    hidden_people,
    notices,
)

ABOUT_PEOPLE = (entries, alert_matches, alert_events, hidden_people, notices)


def follow(session: Session, redirects: Mapping[str, str], living: Container[str]) -> int:
    """Points each row at the person's id of now; says how many rows moved.

    `redirects` and `living` (every id of a person) are those of the snapshot just published. Each
    row keeps the id it was written for, so when a merge is undone it goes back by itself.
    """
    return sum(_follow(session, table, redirects, living) for table in ABOUT_PEOPLE)


def id_now(first: str, last: str, redirects: Mapping[str, str], living: Container[str]) -> str:
    """The id now of a person who once had the id `first`, and at the last ingest `last`.

    >>> id_now("p2", "p2", {"p2": "p1"}, {"p1"})
    'p1'
    >>> id_now("p2", "p1", {}, {"p1", "p2"})
    'p2'
    >>> id_now("p2", "p1", {"p1": "p9"}, {"p9"})
    'p9'
    """
    if first in living:
        return first
    return redirects.get(first) or redirects.get(last, last)


def _follow(
    session: Session, table: Table, redirects: Mapping[str, str], living: Container[str]
) -> int:
    asked = select(table.c.added_as, table.c.person_id).distinct()
    moved = 0
    for first, last in session.db.execute(asked).all():
        current = id_now(first, last, redirects, living)
        if current != last:
            same = (table.c.added_as == first) & (table.c.person_id == last)
            done = session.db.execute(update(table).where(same).values(person_id=current))
            moved += done.rowcount
    return moved
