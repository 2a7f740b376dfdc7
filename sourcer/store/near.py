"""Who works with whom: the part of the contributor graph around somebody, or on a topic."""

from collections.abc import Sequence
from typing import NamedTuple

from sourcer.store.database import Database


class TieRow(NamedTuple):
    """Two people, in how many commits and files they met, how many commits of the one the other
    reviewed, and how strong that tie is."""

    a: str
    b: str
    co_authored: int
    shared_files: int
    reviewed: int
    weight: float


def around(db: Database, person: str, limit: int) -> list[str]:
    """Ids of those nearest to a person, the nearest first."""
    rows = db.execute(
        """
        select case when person_a = $person then person_b else person_a end as id
        from collaborations where $person in (person_a, person_b)
        order by weight desc, id limit $most
        """,
        {"person": person, "most": limit},
    ).fetchall()
    return [id_ for (id_,) in rows]


def on_topic(db: Database, topic: str, limit: int) -> list[str]:
    """Ids of those with most commits on a topic."""
    rows = db.execute(
        """
        select person_id from person_topics where topic_id = $topic
        order by commits desc, person_id limit $most
        """,
        {"topic": topic, "most": limit},
    ).fetchall()
    return [id_ for (id_,) in rows]


def central(db: Database, limit: int) -> list[str]:
    """Ids of the best connected people."""
    rows = db.execute(
        "select person_id from centralities order by pagerank desc, person_id limit $most",
        {"most": limit},
    ).fetchall()
    return [id_ for (id_,) in rows]


def ties_among(db: Database, people: Sequence[str], limit: int) -> list[TieRow]:
    """The strongest ties between these people.

    >>> from sourcer.store.database import create
    >>> ties_among(create(), ["p1", "p2"], 10)
    []
    """
    rows = db.execute(
        """
        select person_a, person_b, co_authored, shared_files, reviewed, weight
        from collaborations
        where list_contains($people, person_a) and list_contains($people, person_b)
        order by weight desc, person_a, person_b limit $most
        """,
        {"people": list(people), "most": limit},
    ).fetchall()
    return [TieRow(*row) for row in rows]
