"""Notes on a person of a shortlist, and the colleagues they mention."""

import re
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Row, Select, insert, select, update

from sourcer.errors import BadInput, NotFound
from sourcer.workspace import changes, entries, shortlists
from sourcer.workspace.actors import Actor, Sharing
from sourcer.workspace.database import Session
from sourcer.workspace.tables import entries as entry_rows
from sourcer.workspace.tables import mentions, notes, users
from sourcer.workspace.tables import shortlists as shortlist_rows
from sourcer.workspace.wording import kept

MENTION = re.compile(r"(?<![\w@./])@([\w][\w.-]{0,63}?)(?=[.,;:!?)]*(?:\s|$))")


@dataclass(frozen=True, slots=True)
class Note:
    """What somebody wrote about a person in one project."""

    id: int
    shortlist: str
    person_id: str
    author: str
    text: str
    written_at: datetime


def mentioned(text: str) -> tuple[str, ...]:
    """The names behind an @.

    >>> mentioned("@ida, ask @jon.b about this (not mira@firm.example)")
    ('ida', 'jon.b')
    """
    return tuple(dict.fromkeys(MENTION.findall(text)))


def write(session: Session, actor: Actor, slug: str, person_id: str, text: str) -> Note:
    """A new note; users whom it mentions find it among their mentions."""
    shortlists.writable(session, actor, slug)
    entry = entries.get(session, actor, slug, person_id).ids[0]
    text = _worded(text)
    number = session.db.execute(
        insert(notes)
        .values(entry_id=entry, author=actor.name, text=text, written_at=session.now)
        .returning(notes.c.id)
    ).scalar_one()
    _mention(session, number, text)
    changes.record(session, slug, actor.name, "noted", {}, rows=[f"note {number}"])
    return get(session, actor, number)


def reword(session: Session, actor: Actor, number: int, text: str) -> Note:
    """Other words for a note; for its author, or an admin."""
    return _changed(session, actor, number, "note reworded", {"text": _worded(text)})


def remove(session: Session, actor: Actor, number: int) -> None:
    """Takes a note away; undo brings it back."""
    _changed(session, actor, number, "note removed", {"removed_at": session.now})


def get(session: Session, actor: Actor, number: int) -> Note:
    row = session.db.execute(_asked().where(notes.c.id == number)).first()
    if row is None:
        raise NotFound(f"there is no note {number}")
    shortlists.get(session, actor, row.shortlist)
    return _note(row)


def every(
    session: Session, actor: Actor, slug: str, person_id: str | None = None
) -> tuple[Note, ...]:
    """The notes of a shortlist, or on one person of it, oldest first."""
    shortlists.get(session, actor, slug)
    asked = _asked().where(entry_rows.c.shortlist == slug)
    if person_id is not None:
        asked = asked.where(entry_rows.c.person_id == person_id)
    return _notes(session, asked)


def mentioning(session: Session, actor: Actor, *, unseen: bool = False) -> tuple[Note, ...]:
    """The notes that mention the user, in shortlists they may see."""
    visible = (shortlist_rows.c.sharing == Sharing.TEAM) | (shortlist_rows.c.owner == actor.name)
    asked = (
        _asked()
        .join(mentions, mentions.c.note_id == notes.c.id)
        .join(shortlist_rows, shortlist_rows.c.slug == entry_rows.c.shortlist)
        .where(mentions.c.user_name == actor.name, visible, shortlist_rows.c.removed_at.is_(None))
    )
    return _notes(session, asked.where(mentions.c.seen_at.is_(None)) if unseen else asked)


def mark_seen(session: Session, actor: Actor) -> None:
    """The user has seen every note that mentions them until now."""
    mine = (mentions.c.user_name == actor.name) & mentions.c.seen_at.is_(None)
    session.db.execute(update(mentions).where(mine).values(seen_at=session.now))


def _changed(
    session: Session, actor: Actor, number: int, kind: str, values: dict[str, object]
) -> Note:
    note = get(session, actor, number)
    shortlists.writable(session, actor, note.shortlist)
    actor.must_own(note.author, f"note {number}")
    before = changes.states(session, [f"note {number}"])
    session.db.execute(update(notes).where(notes.c.id == number).values(values))
    if "text" in values:
        _mention(session, number, str(values["text"]))
    changes.record(session, note.shortlist, actor.name, kind, before)
    return note if "removed_at" in values else get(session, actor, number)


def _mention(session: Session, note: int, text: str) -> None:
    """Only users are mentioned, and nobody twice by one note."""
    known = select(mentions.c.user_name).where(mentions.c.note_id == note)
    already = set(session.db.execute(known).scalars())
    named = select(users.c.name).where(users.c.name.in_(mentioned(text)))
    for name in session.db.execute(named).scalars():
        if name not in already:
            session.db.execute(insert(mentions).values(note_id=note, user_name=name))


def _worded(text: str) -> str:
    text = kept(text, "note")
    if not text:
        raise BadInput("a note needs words")
    return text


def _asked() -> Select[tuple[object, ...]]:
    return (
        select(notes, entry_rows.c.shortlist, entry_rows.c.person_id)
        .join(entry_rows, entry_rows.c.id == notes.c.entry_id)
        .where(notes.c.removed_at.is_(None))
    )


def _notes(session: Session, asked: Select[tuple[object, ...]]) -> tuple[Note, ...]:
    rows = session.db.execute(asked.order_by(notes.c.written_at, notes.c.id))
    return tuple(_note(row) for row in rows)


def _note(row: Row[tuple[object, ...]]) -> Note:
    return Note(row.id, row.shortlist, row.person_id, row.author, row.text, row.written_at)
