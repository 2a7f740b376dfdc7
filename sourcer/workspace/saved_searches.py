"""Saved searches: a question in its canonical form, under a short name that can be shared."""

import json
import secrets
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Row, insert, select, update

from sourcer.errors import NotFound
from sourcer.query import Query, read_query
from sourcer.workspace import audit
from sourcer.workspace.actors import Actor, Role, Sharing
from sourcer.workspace.database import Session
from sourcer.workspace.tables import saved_search_versions, saved_searches, shared_links
from sourcer.workspace.wording import kept, name_kept, slug, without_emails


@dataclass(frozen=True, slots=True)
class SavedSearch:
    """A saved search as it is now."""

    slug: str
    name: str
    note: str
    query: Query
    owner: str
    sharing: Sharing
    version: int
    created_at: datetime
    changed_at: datetime


@dataclass(frozen=True, slots=True)
class Version:
    """What a saved search was at one time."""

    version: int
    name: str
    note: str
    query: Query
    changed_by: str
    changed_at: datetime


def save(
    session: Session, actor: Actor, name: str, query: Query, note: str = "",
    sharing: Sharing = Sharing.TEAM,
) -> SavedSearch:  # fmt: skip
    """A new saved search, under a slug of its own."""
    actor.must_be(Role.RECRUITER)
    name_in_links = slug()
    values = {
        "slug": name_in_links,
        "owner": actor.name,
        "sharing": sharing,
        "version": 1,
        "created_at": session.now,
        "changed_at": session.now,
        **_written(name, note, query),
    }
    session.db.execute(insert(saved_searches).values(values))
    return _recorded(session, actor, name_in_links, "search.saved")


def change(
    session: Session, actor: Actor, slug: str, *,
    name: str | None = None, note: str | None = None, query: Query | None = None,
) -> SavedSearch:  # fmt: skip
    """Changes what is given; what it was before stays in its history."""
    actor.must_be(Role.RECRUITER)
    old = get(session, actor, slug)
    values = {
        "version": old.version + 1,
        "changed_at": session.now,
        **_written(
            old.name if name is None else name,
            old.note if note is None else note,
            old.query if query is None else query,
        ),
    }
    _update(session, slug, values)
    return _recorded(session, actor, slug, "search.changed")


def share(session: Session, actor: Actor, slug: str, sharing: Sharing) -> SavedSearch:
    """Makes it private or the team's; for its owner."""
    found = _owned(session, actor, slug)
    _update(session, found.slug, {"sharing": sharing})
    _log(session, actor, "search.shared", slug, sharing=sharing)
    return get(session, actor, slug)


def remove(session: Session, actor: Actor, slug: str) -> None:
    """Takes it out of sight; `recover` brings it back."""
    _owned(session, actor, slug)
    _update(session, slug, {"removed_at": session.now})
    _log(session, actor, "search.removed", slug)


def recover(session: Session, actor: Actor, slug: str) -> SavedSearch:
    found = _found(session, slug, removed=True)
    actor.must_see(found.owner, found.sharing, f"saved search {slug}")
    actor.must_own(found.owner, f"saved search {slug}")
    _update(session, slug, {"removed_at": None})
    _log(session, actor, "search.recovered", slug)
    return get(session, actor, slug)


def get(session: Session, actor: Actor, slug: str) -> SavedSearch:
    """Raises NotFound, for another's private one too."""
    found = _found(session, slug)
    actor.must_see(found.owner, found.sharing, f"saved search {slug}")
    return found


def every(session: Session, actor: Actor) -> tuple[SavedSearch, ...]:
    """All that the user may see, last changed first."""
    visible = (saved_searches.c.sharing == Sharing.TEAM) | (saved_searches.c.owner == actor.name)
    asked = select(saved_searches).where(visible, saved_searches.c.removed_at.is_(None))
    rows = session.db.execute(asked.order_by(saved_searches.c.changed_at.desc()))
    return tuple(_saved(row) for row in rows)


def watched(session: Session) -> tuple[SavedSearch, ...]:
    """All there are, whoever they belong to: what the nightly job asks again."""
    asked = select(saved_searches).where(saved_searches.c.removed_at.is_(None))
    return tuple(_saved(row) for row in session.db.execute(asked.order_by(saved_searches.c.slug)))


def name_of(session: Session, slug: str) -> str:
    """Its name, for whoever subscribed to it, though it may be removed by now."""
    asked = select(saved_searches.c.name).where(saved_searches.c.slug == slug)
    name: str = session.db.execute(asked).scalar_one()
    return name


def history(session: Session, actor: Actor, slug: str) -> tuple[Version, ...]:
    """Everything it has been, newest first."""
    get(session, actor, slug)
    versions = saved_search_versions
    asked = select(versions).where(versions.c.slug == slug).order_by(versions.c.version.desc())
    return tuple(
        Version(row.version, row.name, row.note, _query(row.query), row.changed_by, row.changed_at)
        for row in session.db.execute(asked)
    )


def make_link(session: Session, actor: Actor, slug: str) -> str:
    """A token that lets its bearer read this search, and nothing else; it is shown only now."""
    actor.must_be(Role.RECRUITER)
    found = get(session, actor, slug)
    token = secrets.token_urlsafe(24)
    values = {"slug": slug, "made_by": actor.name, "made_at": session.now}
    session.db.execute(insert(shared_links).values(digest=_link(session, token), **values))
    _log(session, actor, "search.link made", found.slug)
    return token


def by_link(session: Session, token: str) -> SavedSearch:
    """The search that a link leads to. Raises NotFound when it was revoked or never made."""
    row = session.db.execute(
        select(shared_links.c.slug).where(
            shared_links.c.digest == _link(session, token), shared_links.c.revoked_at.is_(None)
        )
    ).first()
    if row is None:
        raise NotFound("this link leads nowhere: it may have been revoked. Ask who sent it")
    return _found(session, row.slug)


def revoke_links(session: Session, actor: Actor, slug: str) -> int:
    """Every link to the search stops working; says how many did."""
    _owned(session, actor, slug)
    active = (shared_links.c.slug == slug) & shared_links.c.revoked_at.is_(None)
    done = session.db.execute(update(shared_links).where(active).values(revoked_at=session.now))
    _log(session, actor, "search.links revoked", slug, links=done.rowcount)
    return done.rowcount


def _written(name: str, note: str, query: Query) -> dict[str, object]:
    """What a version keeps; an email in the question is blotted out, its spans still fit."""
    return {
        "name": name_kept(name, "saved search"),
        "note": kept(note, "note"),
        "query": json.loads(without_emails(query.to_json())),
    }


def _recorded(session: Session, actor: Actor, slug: str, action: str) -> SavedSearch:
    asked = select(saved_searches).where(saved_searches.c.slug == slug)
    row = session.db.execute(asked).one()
    session.db.execute(
        insert(saved_search_versions).values(
            slug=slug,
            version=row.version,
            name=row.name,
            note=row.note,
            query=row.query,
            changed_by=actor.name,
            changed_at=session.now,
        )
    )
    _log(session, actor, action, slug, version=row.version)
    return _saved(row)


def _owned(session: Session, actor: Actor, slug: str) -> SavedSearch:
    actor.must_be(Role.RECRUITER)
    found = get(session, actor, slug)
    actor.must_own(found.owner, f"saved search {slug}")
    return found


def _found(session: Session, slug: str, *, removed: bool = False) -> SavedSearch:
    row = _row(session, slug)
    if row is None or (row.removed_at is not None) is not removed:
        raise NotFound(f"there is no saved search {slug}")
    return _saved(row)


def _row(session: Session, slug: str) -> Row[tuple[object, ...]] | None:
    return session.db.execute(select(saved_searches).where(saved_searches.c.slug == slug)).first()


def _update(session: Session, slug: str, values: dict[str, object]) -> None:
    session.db.execute(update(saved_searches).where(saved_searches.c.slug == slug).values(values))


def _log(session: Session, actor: Actor, action: str, slug: str, **details: object) -> None:
    audit.append(session, audit.Entry(actor.name, action, {"search": slug, **details}))


def _link(session: Session, token: str) -> str:
    return session.keyed("shared link", token)


def _query(record: object) -> Query:
    return read_query(json.dumps(record))


def _saved(row: Row[tuple[object, ...]]) -> SavedSearch:
    return SavedSearch(
        slug=row.slug,
        name=row.name,
        note=row.note,
        query=_query(row.query),
        owner=row.owner,
        sharing=Sharing(row.sharing),
        version=row.version,
        created_at=row.created_at,
        changed_at=row.changed_at,
    )
