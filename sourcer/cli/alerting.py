"""After a publication: who moved to another id, who is new for a saved search, and telling so."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from sourcer.settings import Settings
from sourcer.snapshot import Snapshot

if TYPE_CHECKING:
    from index.search import Searcher
    from sourcer.shortlist import Entry
    from sourcer.workspace import Workspace
    from sourcer.workspace.alerts import Match
    from sourcer.workspace.deliveries import Channel, Courier
    from sourcer.workspace.saved_searches import SavedSearch

MOST = 100
"""So many people of a saved search's answer are watched: further down, chance moves them."""
PATIENCE = timedelta(seconds=90)
"""For so long a webhook or mail server that does not answer is asked again."""


def follow(settings: Settings, live: Snapshot) -> int:
    """What recruiters wrote about people goes with them to the ids that a snapshot gives them."""
    from sourcer.store import people, profiles
    from sourcer.store.database import open_readonly
    from sourcer.workspace import following

    if not settings.has_workspace:
        return 0
    db = open_readonly(live.database)
    try:
        redirects, living = profiles.redirects(db), people.living(db)
    finally:
        db.close()
    with _desk(settings) as desk, desk.writing() as session:
        return following.follow(session, redirects, living)


def alert(
    settings: Settings, live: Snapshot, before: Path | None, opened: Callable[[], "Searcher"],
    patience: timedelta = PATIENCE,
) -> dict[str, int]:  # fmt: skip
    """Asks every saved search that this snapshot has not answered yet, and delivers the news.

    `before` is the database of the snapshot that was current until now, by which commits are new.
    """
    from sourcer.workspace import deliveries

    if not settings.has_workspace:
        return {}
    with _desk(settings) as desk:
        asked = _unasked(desk, live.name)
        searcher = opened() if asked or _is_anything_due(desk) else None
        if searcher is None:
            return {}
        news = sum(_check(desk, one, searcher, live.name, before) for one in asked)
        people = searcher.details.people
        names = dict(zip(people["id"].to_pylist(), people["name"].to_pylist(), strict=True))
        sent = deliveries.deliver(desk, _couriers(settings), names, patience=patience)
    return {"searches asked": len(asked), "alerts": news, "deliveries": sent}


@contextmanager
def _desk(settings: Settings) -> "Iterator[Workspace]":
    from sourcer.workspace import Workspace

    workspace = Workspace.open(settings.data, settings.workspace_url)
    try:
        yield workspace
    finally:
        workspace.close()


def _unasked(desk: "Workspace", snapshot: str) -> "list[SavedSearch]":
    from sourcer.workspace import alerts, saved_searches

    with desk.reading() as session:
        asked = alerts.asked_of(session)
        watched = saved_searches.watched(session)
    return [one for one in watched if asked.get(one.slug) != (snapshot, one.version)]


def _is_anything_due(desk: "Workspace") -> bool:
    from sourcer.workspace import deliveries

    with desk.reading() as session:
        return deliveries.is_any_due(session)


def _check(
    desk: "Workspace", saved: "SavedSearch", searcher: "Searcher", name: str, before: Path | None
) -> int:
    from sourcer.workspace import alerts, deliveries

    matches = [_match(entry) for entry in searcher.search(saved.query, limit=MOST).entries]
    held = _held(before, [commit.sha for match in matches for commit in match.commits])
    with desk.writing() as session:
        events = alerts.check(session, saved, matches, name, held)
        deliveries.queue(session, saved.slug, events)
    return len(events)


def _match(entry: "Entry") -> "Match":
    from sourcer.workspace.alerts import Commit, Field, Match

    shown = entry.person
    declared = {
        "location": shown.location,
        "employer": shown.employer,
        "title": shown.title,
        "open to offers": shown.open_to_offers,
    }
    return Match(
        shown.id,
        tuple(Commit(one.repo, one.sha, one.subject, _utc(one.date)) for one in entry.evidence),
        tuple(
            Field(name, fact.value, _utc(fact.fetched_at))
            for name, fact in declared.items()
            if fact
        ),
    )


def _held(before: Path | None, shas: list[str]) -> set[tuple[str, str]] | None:
    from sourcer.store import history
    from sourcer.store.database import open_readonly

    if before is None:
        return None
    db = open_readonly(before)
    try:
        return history.held_among(db, shas)
    finally:
        db.close()


def _couriers(settings: Settings) -> "dict[Channel, Courier]":
    from sourcer.workspace.couriers import Mail, Webhook
    from sourcer.workspace.deliveries import Channel, Courier

    page = settings.public_url
    couriers: dict[Channel, Courier] = {Channel.WEBHOOK: Webhook(page=page)}
    if settings.mail_url:
        couriers[Channel.EMAIL] = Mail.by_url(settings.mail_url, page)
    return couriers


def _utc(moment: datetime) -> datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
