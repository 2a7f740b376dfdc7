"""Erasing a person: what the workspace holds goes at once, other stores are told what to purge.

Until they are purged the request keeps the words that the person goes by, as names stand in texts
where no hash finds them; then only keyed hashes are left, which keep the person out for good.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import JSON, ColumnElement, Row, Text, cast, delete, insert, or_, select, update

from sourcer.blotting import Blotter
from sourcer.errors import NotFound
from sourcer.workspace import audit, decisions, suppressions
from sourcer.workspace.actors import Actor, Role
from sourcer.workspace.database import Session
from sourcer.workspace.identifiers import Identifier, Kind
from sourcer.workspace.tables import (
    alert_events,
    alert_matches,
    changes,
    entries,
    erasures,
    hidden_people,
    idempotency_keys,
    jobs,
    metadata,
)
from sourcer.workspace.tables import decisions as decision_rows
from sourcer.workspace.tables import notes as note_rows
from sourcer.workspace.tables import notices as notice_rows

STORES = ("crawl", "profiles", "snapshots")
"""Where else a person is held: each tells `purged` once the person is gone from it."""
UNTOUCHED = frozenset(
    (
        "audit",
        "audit_checkpoints",
        "browser_sessions",
        "erasures",
        "suppressions",
        "tokens",
        "users",
    )
)
"""Tables whose texts are no prose about people, or chained by hashes."""


@dataclass(frozen=True, slots=True)
class Erasure:
    """One request, and the stores from which the person is not yet gone."""

    id: int
    channel: str
    at: datetime
    stores: tuple[str, ...]
    done_at: datetime | None
    words: tuple[str, ...]
    """What the person goes by, as it is written; empty once all stores are purged."""


def erase(
    session: Session, actor: Actor, known_by: Iterable[Identifier], channel: str,
    words: Iterable[str] = (),
) -> Erasure:  # fmt: skip
    """Suppresses the person, and deletes what the workspace holds: nothing of it can be undone.

    `words` are names, logins and emails as they are written, to be taken out of texts.
    """
    actor.must_be(Role.RECRUITER)
    given = list(known_by)
    suppressions.suppress(session, actor, given, channel)
    ids = frozenset(one.value for one in given if one.kind is Kind.PERSON)
    keys = frozenset(one.value for one in given if one.kind is Kind.SIGNATURE)
    logins = frozenset(one.value for one in given if one.kind is Kind.LOGIN)
    _delete_entries(session, ids)
    _delete_traces(session, ids, keys)
    said = sorted({*words, *logins} - {""})
    _blot_texts(session, Blotter.of(said))
    values = {"stores": list(STORES), "words": said, "channel": channel, "at": session.now}
    digests = suppressions.digests(session, given)
    made = insert(erasures).values(digests=digests, **values).returning(erasures.c.id)
    number = session.db.execute(made).scalar_one()
    audit.blot(session, ids | logins | frozenset(said), actor.name)
    audit.append(session, audit.Entry(actor.name, "erased", {"erasure": number}))
    return get(session, number)


def pending(session: Session) -> tuple[Erasure, ...]:
    """Those of which some store still has to be purged."""
    asked = select(erasures).where(erasures.c.done_at.is_(None)).order_by(erasures.c.id)
    return tuple(_erasure(row) for row in session.db.execute(asked))


def purged(session: Session, number: int, store: str) -> Erasure:
    """The person is gone from a store."""
    left = [one for one in get(session, number).stores if one != store]
    values: dict[str, object] = {"stores": left}
    if not left:
        values |= {"done_at": session.now, "words": None}
    session.db.execute(update(erasures).where(erasures.c.id == number).values(values))
    audit.append(session, audit.Entry("erasure", f"purged.{store}", {"erasure": number}))
    return get(session, number)


def standing(session: Session) -> suppressions.Suppressed:
    """Everyone who was erased and did not come back: nothing of them is to be kept again."""
    now = suppressions.load(session)
    rows = session.db.execute(select(erasures.c.digests)).scalars()
    erased = {(kind, digest) for row in rows for kind, digest in row}
    return suppressions.Suppressed(session.salt, now.digests & erased, now.revision)


def get(session: Session, number: int) -> Erasure:
    row = session.db.execute(select(erasures).where(erasures.c.id == number)).first()
    if row is None:
        raise NotFound(f"there is no erasure {number}")
    return _erasure(row)


def _delete_entries(session: Session, ids: frozenset[str]) -> None:
    """The entries with their notes, and their part of each shortlist's history."""
    theirs = or_(entries.c.person_id.in_(ids), entries.c.added_as.in_(ids))
    numbers = list(session.db.execute(select(entries.c.id).where(theirs)).scalars())
    noted = select(note_rows.c.id).where(note_rows.c.entry_id.in_(numbers))
    names = {f"entry {number}" for number in numbers}
    names |= {f"note {number}" for number in session.db.execute(noted).scalars()}
    lists = set(session.db.execute(select(entries.c.shortlist).where(theirs)).scalars())
    for row in session.db.execute(select(changes).where(changes.c.shortlist.in_(lists))).all():
        if not names.isdisjoint(row.after):
            _strip(session, row, names)
    session.db.execute(delete(entries).where(theirs))


def _strip(session: Session, row: Row[tuple[object, ...]], names: set[str]) -> None:
    before = {name: state for name, state in row.before.items() if name not in names}
    after = {name: state for name, state in row.after.items() if name not in names}
    same = changes.c.id == row.id
    if after:
        session.db.execute(update(changes).where(same).values(before=before, after=after))
    else:
        session.db.execute(delete(changes).where(same))


def _delete_traces(session: Session, ids: frozenset[str], keys: frozenset[str]) -> None:
    for table in (alert_matches, alert_events, hidden_people, notice_rows):
        theirs = or_(table.c.person_id.in_(ids), table.c.added_as.in_(ids))
        session.db.execute(delete(table).where(theirs))
    for one in decisions.about(session, keys):
        session.db.execute(delete(decision_rows).where(decision_rows.c.id == one.id))
    for id_ in ids:
        named = idempotency_keys.c.body
        session.db.execute(delete(idempotency_keys).where(_mentions(named, id_)))
        session.db.execute(update(jobs).where(_mentions(jobs.c.result, id_)).values(result=None))


def _blot_texts(session: Session, blotter: Blotter) -> None:
    """What others wrote that names the person: searches, notes on somebody else, reasons."""
    for table in metadata.sorted_tables:
        if table.name in UNTOUCHED:
            continue
        columns = [
            column
            for column in table.columns
            if isinstance(column.type, Text | JSON) and not column.primary_key
        ]
        for row in session.db.execute(select(table)).mappings().all():
            held = {column.name: row[column.name] for column in columns}
            left = {name: blotter.value(value) for name, value in held.items()}
            if left != held:
                same = [column == row[column.name] for column in table.primary_key]
                session.db.execute(update(table).where(*same).values(left))


def _mentions(column: ColumnElement[object], id_: str) -> ColumnElement[bool]:
    return cast(column, Text).contains(id_, autoescape=True)


def _erasure(row: Row[tuple[object, ...]]) -> Erasure:
    words = tuple(row.words or ())
    return Erasure(row.id, row.channel, row.at, tuple(row.stores), row.done_at, words)
