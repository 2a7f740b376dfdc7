"""Who is new for a saved search since it was last asked, and why; each person once."""

from collections.abc import Container, Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import TypeAlias

from sqlalchemy import Row, delete, func, insert, select

from sourcer.workspace import saved_searches
from sourcer.workspace.actors import Actor
from sourcer.workspace.database import Session
from sourcer.workspace.saved_searches import SavedSearch
from sourcer.workspace.tables import alert_checks, alert_events, alert_matches, alerts_seen
from sourcer.workspace.wording import cleaned

CITED = 5
Json: TypeAlias = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit that made a person match."""

    repo: str
    sha: str
    subject: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Field:
    """A declared field that made a person match."""

    field: str
    value: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Match:
    """One person who answers a saved search, with what proves it, most telling first."""

    person_id: str
    commits: tuple[Commit, ...] = ()
    fields: tuple[Field, ...] = ()


@dataclass(frozen=True, slots=True)
class Checked:
    """When a saved search was last asked, and everyone it ever found."""

    at: datetime
    version: int
    people: frozenset[str]


@dataclass(frozen=True, slots=True)
class News:
    """A new person, and the commits or fields that brought them in."""

    person_id: str
    says: str
    commits: tuple[Commit, ...]
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Event:
    """News on record; ids go up, so a reader can ask for what came after."""

    id: int
    slug: str
    person_id: str
    at: datetime
    snapshot: str
    news: News


def diff(
    last: Checked, matches: Iterable[Match], held_before: Container[tuple[str, str]] | None = None
) -> tuple[News, ...]:
    """The matches that were not there before.

    `held_before` are (repo, sha) of the snapshot that was asked last; without it a commit counts
    as new by its date.

    >>> may, june = datetime(2026, 5, 1), datetime(2026, 6, 1)
    >>> known, new = Match("p1"), Match("p2", (Commit("a/b", "9f1c", "Fuse it", june),))
    >>> last = Checked(may, 1, frozenset({"p1"}))
    >>> [(one.person_id, one.says) for one in diff(last, [known, new])]
    [('p2', '1 new commit')]
    """
    return tuple(
        _news(last, one, held_before) for one in matches if one.person_id not in last.people
    )


def check(
    session: Session, saved: SavedSearch, matches: Iterable[Match], snapshot: str,
    held_before: Container[tuple[str, str]] | None = None,
) -> tuple[Event, ...]:  # fmt: skip
    """Compares with the last time and puts on record who is new.

    The first time, and the first time after the question was changed, everybody is taken as known.
    """
    found = list(matches)
    last = last_check(session, saved.slug)
    known = Checked(session.now, saved.version, frozenset()) if last is None else last
    fresh = diff(known, found, held_before)
    tells = last is not None and last.version == saved.version
    events = [_record(session, saved.slug, snapshot, one) for one in fresh] if tells else []
    _remember(session, saved, found, snapshot)
    return tuple(events)


def last_check(session: Session, slug: str) -> Checked | None:
    asked = select(alert_checks).where(alert_checks.c.slug == slug)
    row = session.db.execute(asked).first()
    if row is None:
        return None
    known = select(alert_matches.c.person_id).where(alert_matches.c.slug == slug)
    return Checked(row.checked_at, row.version, frozenset(session.db.execute(known).scalars()))


def asked_of(session: Session) -> dict[str, tuple[str, int]]:
    """The snapshot that each saved search was last asked of, and in which version."""
    rows = session.db.execute(select(alert_checks)).all()
    return {row.slug: (row.snapshot, row.version) for row in rows}


def events(
    session: Session, actor: Actor, slug: str, *, after: int = 0, limit: int = 200
) -> tuple[Event, ...]:
    """What is on record for a saved search, newest first. Show only people who may be shown."""
    saved_searches.get(session, actor, slug)
    mine = (alert_events.c.slug == slug) & (alert_events.c.id > after)
    asked = select(alert_events).where(mine).order_by(alert_events.c.id.desc()).limit(limit)
    return tuple(_event(row) for row in session.db.execute(asked))


def by_ids(session: Session, numbers: Iterable[int]) -> tuple[Event, ...]:
    """Those events that are still on record; an erased person's are not."""
    asked = select(alert_events).where(alert_events.c.id.in_(list(numbers)))
    return tuple(_event(row) for row in session.db.execute(asked.order_by(alert_events.c.id)))


def unseen(session: Session, actor: Actor) -> dict[str, int]:
    """How many events each saved search has that the user has not seen."""
    visible = [saved.slug for saved in saved_searches.every(session, actor)]
    mine = (alerts_seen.c.slug == alert_events.c.slug) & (alerts_seen.c.user_name == actor.name)
    asked = (
        select(alert_events.c.slug, func.count())
        .outerjoin(alerts_seen, mine)
        .where(alert_events.c.slug.in_(visible))
        .where(alert_events.c.id > func.coalesce(alerts_seen.c.event_id, 0))
        .group_by(alert_events.c.slug)
    )
    return {row[0]: row[1] for row in session.db.execute(asked)}


def mark_seen(session: Session, actor: Actor, slug: str) -> None:
    """The user has seen all events of a saved search until now."""
    saved_searches.get(session, actor, slug)
    mine = (alerts_seen.c.slug == slug) & (alerts_seen.c.user_name == actor.name)
    newest = select(func.coalesce(func.max(alert_events.c.id), 0)).where(
        alert_events.c.slug == slug
    )
    session.db.execute(delete(alerts_seen).where(mine))
    session.db.execute(
        insert(alerts_seen).values(
            user_name=actor.name, slug=slug, event_id=session.db.execute(newest).scalar_one()
        )
    )


def _news(last: Checked, match: Match, held: Container[tuple[str, str]] | None) -> News:
    commits = tuple(one for one in match.commits if _is_new(one, last, held))
    fields = tuple(one for one in match.fields if one.at > last.at)
    said = [
        f"{len(found)} new {what}{'s' if len(found) > 1 else ''}"
        for found, what in ((commits, "commit"), (fields, "declared field"))
        if found
    ]
    if said:
        return News(match.person_id, " and ".join(said), commits[:CITED], fields[:CITED])
    return News(match.person_id, "matches now", match.commits[:CITED], match.fields[:CITED])


def _is_new(commit: Commit, last: Checked, held: Container[tuple[str, str]] | None) -> bool:
    return commit.at > last.at if held is None else (commit.repo, commit.sha) not in held


def _record(session: Session, slug: str, snapshot: str, news: News) -> Event:
    why = {
        "says": news.says,
        "commits": [_json(one) for one in news.commits],
        "fields": [_json(one) for one in news.fields],
    }
    number = session.db.execute(
        insert(alert_events)
        .values(
            slug=slug,
            added_as=news.person_id,
            person_id=news.person_id,
            at=session.now,
            snapshot=snapshot,
            why=why,
        )
        .returning(alert_events.c.id)
    ).scalar_one()
    return by_ids(session, [number])[0]


def _remember(session: Session, saved: SavedSearch, found: Iterable[Match], snapshot: str) -> None:
    """Whoever matched once stays known, so that coming back is no news."""
    last = last_check(session, saved.slug)
    known = frozenset() if last is None else last.people
    rows = [
        {"slug": saved.slug, "added_as": one.person_id, "person_id": one.person_id}
        for one in {one.person_id: one for one in found}.values()
        if one.person_id not in known
    ]
    if rows:
        session.db.execute(insert(alert_matches), rows)
    session.db.execute(delete(alert_checks).where(alert_checks.c.slug == saved.slug))
    values = {"checked_at": session.now, "snapshot": snapshot, "version": saved.version}
    session.db.execute(insert(alert_checks).values(slug=saved.slug, **values))


def _json(one: Commit | Field) -> Json:
    plain = {key: cleaned(str(value)) for key, value in asdict(one).items() if key != "at"}
    return {**plain, "at": one.at.isoformat()}


def _event(row: Row[tuple[object, ...]]) -> Event:
    commits = tuple(Commit(**{**one, "at": _moment(one)}) for one in row.why["commits"])
    fields = tuple(Field(**{**one, "at": _moment(one)}) for one in row.why["fields"])
    news = News(row.person_id, row.why["says"], commits, fields)
    return Event(row.id, row.slug, row.person_id, row.at, row.snapshot, news)


def _moment(record: Mapping[str, str]) -> datetime:
    return datetime.fromisoformat(record["at"])
