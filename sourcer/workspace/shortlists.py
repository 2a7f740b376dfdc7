"""Shortlists: projects in which people stand in order, each with a stage and a reason."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Row, insert, select, update

from sourcer.errors import BadInput, NotFound
from sourcer.workspace import changes
from sourcer.workspace.actors import Actor, Role, Sharing
from sourcer.workspace.changes import Change
from sourcer.workspace.database import Session
from sourcer.workspace.tables import shortlists
from sourcer.workspace.wording import kept, name_kept
from sourcer.workspace.wording import slug as new_slug


@dataclass(frozen=True, slots=True)
class Project:
    """A shortlist without its people; `entries.every` has those."""

    slug: str
    name: str
    about: str
    owner: str
    sharing: Sharing
    created_at: datetime
    removed_at: datetime | None


def start(
    session: Session, actor: Actor, name: str, about: str = "", sharing: Sharing = Sharing.TEAM
) -> Project:
    """A new, empty shortlist."""
    actor.must_be(Role.RECRUITER)
    slug = new_slug()
    session.db.execute(
        insert(shortlists).values(
            slug=slug,
            name=name_kept(name, "shortlist"),
            about=kept(about, "description"),
            owner=actor.name,
            sharing=sharing,
            created_at=session.now,
        )
    )
    changes.record(session, slug, actor.name, "started", {}, rows=[f"shortlist {slug}"])
    return get(session, actor, slug)


def get(session: Session, actor: Actor, slug: str) -> Project:
    """Raises NotFound, for another's private one too."""
    found = _found(session, slug)
    if found.removed_at is not None:
        raise NotFound(f"shortlist {slug} was removed on {found.removed_at:%Y-%m-%d}")
    actor.must_see(found.owner, found.sharing, f"shortlist {slug}")
    return found


def every(session: Session, actor: Actor) -> tuple[Project, ...]:
    """All that the user may see, newest first."""
    visible = (shortlists.c.sharing == Sharing.TEAM) | (shortlists.c.owner == actor.name)
    asked = select(shortlists).where(visible, shortlists.c.removed_at.is_(None))
    rows = session.db.execute(asked.order_by(shortlists.c.created_at.desc()))
    return tuple(_project(row) for row in rows)


def writable(session: Session, actor: Actor, slug: str) -> Project:
    """The shortlist, for somebody who may add people and notes to it."""
    actor.must_be(Role.RECRUITER)
    return get(session, actor, slug)


def describe(
    session: Session, actor: Actor, slug: str, *, name: str | None = None, about: str | None = None
) -> Project:
    """Changes its name or description."""
    writable(session, actor, slug)
    values: dict[str, object] = {}
    if name is not None:
        values["name"] = name_kept(name, "shortlist")
    if about is not None:
        values["about"] = kept(about, "description")
    if not values:
        raise BadInput("say what to change: a name or a description")
    return _changed(session, actor, slug, "described", values)


def share(session: Session, actor: Actor, slug: str, sharing: Sharing) -> Project:
    """Makes it private or the team's; for its owner."""
    _owned(session, actor, slug)
    return _changed(session, actor, slug, "shared", {"sharing": sharing})


def give(session: Session, actor: Actor, slug: str, owner: str) -> Project:
    """Makes somebody else its owner."""
    _owned(session, actor, slug)
    return _changed(session, actor, slug, "given", {"owner": name_kept(owner, "owner")})


def remove(session: Session, actor: Actor, slug: str) -> None:
    """Takes it out of sight with all its people; `recover` brings everything back."""
    _owned(session, actor, slug)
    _changed(session, actor, slug, "removed", {"removed_at": session.now})


def recover(session: Session, actor: Actor, slug: str) -> Project:
    found = _found(session, slug)
    actor.must_see(found.owner, found.sharing, f"shortlist {slug}")
    actor.must_own(found.owner, f"shortlist {slug}")
    return _changed(session, actor, slug, "recovered", {"removed_at": None})


def history(session: Session, actor: Actor, slug: str) -> tuple[Change, ...]:
    """Every change to the shortlist, its people and their notes, newest first."""
    get(session, actor, slug)
    return changes.history(session, slug)


def undo(session: Session, actor: Actor, slug: str, number: int | None = None) -> Change:
    """Takes back one change, or the last that still stands; sharing and owning by owners only."""
    writable(session, actor, slug)
    change = (
        changes.last_standing(session, slug)
        if number is None
        else changes.get(session, slug, number)
    )
    if f"shortlist {slug}" in change.after:
        _owned(session, actor, slug)
    return changes.undo(session, change, actor.name)


def _owned(session: Session, actor: Actor, slug: str) -> Project:
    found = writable(session, actor, slug)
    actor.must_own(found.owner, f"shortlist {slug}")
    return found


def _changed(
    session: Session, actor: Actor, slug: str, kind: str, values: dict[str, object]
) -> Project:
    before = changes.states(session, [f"shortlist {slug}"])
    session.db.execute(update(shortlists).where(shortlists.c.slug == slug).values(values))
    changes.record(session, slug, actor.name, kind, before)
    return _found(session, slug)


def _found(session: Session, slug: str) -> Project:
    row = session.db.execute(select(shortlists).where(shortlists.c.slug == slug)).first()
    if row is None:
        raise NotFound(f"there is no shortlist {slug}")
    return _project(row)


def _project(row: Row[tuple[object, ...]]) -> Project:
    return Project(
        slug=row.slug,
        name=row.name,
        about=row.about,
        owner=row.owner,
        sharing=Sharing(row.sharing),
        created_at=row.created_at,
        removed_at=row.removed_at,
    )
