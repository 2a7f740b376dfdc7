"""Everything that was ever done to a shortlist: each change with what was before and after it.

A change holds the rows it touched, by table and id, so that any change can be undone as long as
nobody has changed the same rows since. An undo is a change too: undoing it does it again.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from sqlalchemy import Row, Table, insert, select, update

from sourcer.errors import Conflict, NotFound
from sourcer.workspace import audit
from sourcer.workspace.database import Session
from sourcer.workspace.tables import changes, entries, notes, shortlists

State: TypeAlias = Mapping[str, str | int | None]
TRACKED: dict[str, tuple[Table, str, tuple[str, ...]]] = {
    "shortlist": (shortlists, "slug", ("name", "about", "owner", "sharing", "removed_at")),
    "entry": (entries, "id", ("stage", "reason", "position", "removed_at")),
    "note": (notes, "id", ("text", "removed_at")),
}
"""What can change: its table, what it is told by, and the fields that are kept of it."""


@dataclass(frozen=True, slots=True)
class Change:
    """One step of a shortlist's history; `before` and `after` are told by "entry 7" and such."""

    id: int
    shortlist: str
    at: datetime
    changed_by: str
    kind: str
    before: Mapping[str, State]
    after: Mapping[str, State]
    undoes: int | None
    undone_by: int | None = None


def states(session: Session, rows: Iterable[str]) -> dict[str, State]:
    """What is kept now of each row, such as "entry 7"; a row not there has no state."""
    found: dict[str, State] = {}
    for name in rows:
        table, key, fields = TRACKED[_kind(name)]
        asked = select(*(table.c[field] for field in fields)).where(table.c[key] == _id(name))
        if (row := session.db.execute(asked).first()) is not None:
            found[name] = {field: _plain(row._mapping[field]) for field in fields}
    return found


def record(
    session: Session, shortlist: str, by: str, kind: str, before: Mapping[str, State],
    undoes: int | None = None, rows: Iterable[str] | None = None,
) -> int | None:  # fmt: skip
    """Notes what became of the rows of `before`, or of `rows`; nothing when they are the same."""
    after = states(session, before if rows is None else rows)
    if after == before:
        return None
    values = {"kind": kind, "before": dict(before), "after": after, "undoes": undoes}
    number: int = session.db.execute(
        insert(changes)
        .values(shortlist=shortlist, at=session.now, changed_by=by, **values)
        .returning(changes.c.id)
    ).scalar_one()
    details = {"shortlist": shortlist, "change": number, "rows": sorted(after)}
    audit.append(session, audit.Entry(by, f"shortlist.{kind}", details))
    return number


def undo(session: Session, change: Change, by: str) -> Change:
    """Takes a change back. Raises Conflict when what it changed was changed again since."""
    if change.undone_by is not None:
        raise Conflict(f"change {change.id} was undone already, by change {change.undone_by}")
    before = states(session, change.after)
    for name in change.after:
        was, became = _difference(session, change, name)
        if any(before[name][field] != value for field, value in became.items()):
            raise Conflict(
                f"{name} was changed again after change {change.id}. Undo the later change first"
            )
        _put(session, name, was)
    again = record(
        session, change.shortlist, by, f"undo of {change.kind}", before, undoes=change.id
    )
    return get(session, change.shortlist, again or change.id)


def history(session: Session, shortlist: str) -> tuple[Change, ...]:
    """Every change, newest first."""
    undoing = changes.alias()
    asked = (
        select(changes, undoing.c.id.label("undone_by"))
        .outerjoin(undoing, undoing.c.undoes == changes.c.id)
        .where(changes.c.shortlist == shortlist)
        .order_by(changes.c.id.desc())
    )
    return tuple(_change(row) for row in session.db.execute(asked))


def get(session: Session, shortlist: str, number: int) -> Change:
    found = next((one for one in history(session, shortlist) if one.id == number), None)
    if found is None:
        raise NotFound(f"shortlist {shortlist} has no change {number}")
    return found


def last_standing(session: Session, shortlist: str) -> Change:
    """The newest change that was neither undone nor is an undo."""
    for one in history(session, shortlist):
        if one.undone_by is None and one.undoes is None:
            return one
    raise NotFound(f"shortlist {shortlist} has nothing left to undo")


def _difference(session: Session, change: Change, name: str) -> tuple[State, State]:
    """The fields of a row that a change changed: as they were, and as they became.

    A row that the change made was, so to say, removed before: nothing is ever deleted.
    """
    became = change.after[name]
    if name not in change.before:
        return {"removed_at": session.now.isoformat()}, {"removed_at": None}
    was = change.before[name]
    changed = [field for field in became if was[field] != became[field]]
    return {field: was[field] for field in changed}, {field: became[field] for field in changed}


def _put(session: Session, name: str, state: State) -> None:
    table, key, _ = TRACKED[_kind(name)]
    values: dict[str, object] = dict(state)
    if (removed := state.get("removed_at")) is not None:
        values["removed_at"] = datetime.fromisoformat(str(removed))
    if _kind(name) == "entry":
        values["changed_at"] = session.now
    if values:
        session.db.execute(update(table).where(table.c[key] == _id(name)).values(values))


def _kind(name: str) -> str:
    return name.partition(" ")[0]


def _id(name: str) -> str | int:
    kind, _, key = name.partition(" ")
    return key if kind == "shortlist" else int(key)


def _plain(value: str | int | datetime | None) -> str | int | None:
    return value.isoformat() if isinstance(value, datetime) else value


def _change(row: Row[tuple[object, ...]]) -> Change:
    return Change(
        id=row.id,
        shortlist=row.shortlist,
        at=row.at,
        changed_by=row.changed_by,
        kind=row.kind,
        before=row.before,
        after=row.after,
        undoes=row.undoes,
        undone_by=row.undone_by,
    )
