"""Alerts on their way: to a webhook or a mailbox, tried again with longer and longer waits."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from secrets import token_hex
from typing import Protocol

from sqlalchemy import Row, insert, select, update

from sourcer.errors import BadInput, NotFound, SourcerError
from sourcer.workspace import alerts, audit, saved_searches
from sourcer.workspace.actors import Actor, Role, Sharing
from sourcer.workspace.alerts import Event
from sourcer.workspace.database import Session, Workspace
from sourcer.workspace.tables import deliveries, subscriptions, users
from sourcer.workspace.tables import saved_searches as saved_search_rows
from sourcer.workspace.wording import kept

WAITS = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30, 120, 720))
"""Between one try and the next; after the last of them a delivery is dead."""


class Channel(StrEnum):
    WEBHOOK = "webhook"
    EMAIL = "email"


class State(StrEnum):
    WAITING = "waiting"
    DELIVERED = "delivered"
    DEAD = "dead"


@dataclass(frozen=True, slots=True)
class Subscription:
    """Where the alerts of one saved search go."""

    id: int
    slug: str
    channel: Channel
    target: str
    owner: str
    secret: str
    """With which a webhook's body is signed; made from the installation's secret, not stored."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """Some events for one subscription."""

    id: int
    subscription_id: int
    events: tuple[int, ...]
    state: State
    attempts: int
    next_at: datetime
    said: str | None
    """Why the last try failed."""


@dataclass(frozen=True, slots=True)
class Parcel:
    """What a courier takes: the events with the name of each person who may be shown."""

    delivery: int
    subscription: Subscription
    search: str
    events: tuple[tuple[Event, str], ...]
    at: datetime


class NotDelivered(SourcerError):
    """The other side did not take it; it is tried again."""


class Courier(Protocol):
    """Takes a parcel to its target. Raises NotDelivered."""

    def take(self, parcel: Parcel) -> None: ...


def subscribe(
    session: Session, actor: Actor, slug: str, channel: Channel, target: str
) -> Subscription:
    """Alerts of a saved search go to a webhook's URL, or to the user's own mailbox."""
    actor.must_be(Role.RECRUITER)
    saved_searches.get(session, actor, slug)
    if channel is Channel.WEBHOOK and not target.startswith(("https://", "http://")):
        raise BadInput(f"a webhook's address begins with https://; this one is {kept(target)!r}")
    if channel is Channel.EMAIL and "@" not in target:
        raise BadInput("an alert by email needs the address of a mailbox")
    number = session.db.execute(
        insert(subscriptions)
        .values(
            slug=slug,
            channel=channel,
            target=target,
            nonce=token_hex(16),
            owner=actor.name,
            created_at=session.now,
        )
        .returning(subscriptions.c.id)
    ).scalar_one()
    _log(session, actor.name, "alert.subscribed", number)
    return _subscription(session, number)


def end(session: Session, actor: Actor, number: int) -> None:
    """Nothing more is sent there; for who subscribed, or an admin."""
    found = _subscription(session, number)
    actor.must_own(found.owner, f"subscription {number}")
    same = subscriptions.c.id == number
    session.db.execute(update(subscriptions).where(same).values(ended_at=session.now))
    waiting = (deliveries.c.subscription_id == number) & (deliveries.c.state == State.WAITING)
    values = {"state": State.DEAD, "said": "the subscription ended", "ended_at": session.now}
    session.db.execute(update(deliveries).where(waiting).values(values))
    _log(session, actor.name, "alert.ended", number)


def subscribed(session: Session, actor: Actor, slug: str) -> tuple[Subscription, ...]:
    """Where alerts of a saved search go; others' mailboxes are theirs to see."""
    saved_searches.get(session, actor, slug)
    found = (_subscription(session, number) for number in _standing(session, slug))
    is_admin = actor.role is Role.ADMIN
    return tuple(one for one in found if is_admin or one.owner == actor.name)


def queue(session: Session, slug: str, events: tuple[Event, ...]) -> int:
    """Puts events on their way to everybody who subscribed; in the session that recorded them."""
    if not events:
        return 0
    numbers = _standing(session, slug)
    for number in numbers:
        session.db.execute(
            insert(deliveries).values(
                subscription_id=number,
                events=[event.id for event in events],
                state=State.WAITING,
                attempts=0,
                next_at=session.now,
                created_at=session.now,
            )
        )
    return len(numbers)


def deliver_due(
    workspace: Workspace, couriers: Mapping[Channel, Courier], names: Mapping[str, str]
) -> int:
    """Tries every delivery that is due, once; says how many were taken.

    `names` has the name of each person who may be shown: news of anybody else is left out. A
    delivery may come twice when this is killed in between, but always with the same number.
    """
    with workspace.reading() as session:
        due = (deliveries.c.state == State.WAITING) & (deliveries.c.next_at <= session.now)
        asked = select(deliveries).where(due).order_by(deliveries.c.id)
        parcels = [
            (one, _parcel(session, one, names))
            for one in map(_delivery, session.db.execute(asked).all())
        ]
    return sum(_try(workspace, couriers, *parcel) for parcel in parcels)


def deliver(
    workspace: Workspace, couriers: Mapping[Channel, Courier], names: Mapping[str, str],
    sleep: Callable[[float], object] = time.sleep, patience: timedelta = timedelta(minutes=10),
) -> int:  # fmt: skip
    """Tries again and again until nothing waits, or the next try lies beyond its patience."""
    until = workspace.clock() + patience
    taken = deliver_due(workspace, couriers, names)
    while (next_at := _next(workspace)) is not None and next_at <= until:
        sleep(max(0.0, (next_at - workspace.clock()).total_seconds()))
        taken += deliver_due(workspace, couriers, names)
    return taken


def is_any_due(session: Session) -> bool:
    """Whether a delivery waits whose time has come."""
    due = (deliveries.c.state == State.WAITING) & (deliveries.c.next_at <= session.now)
    return session.db.execute(select(deliveries.c.id).where(due).limit(1)).first() is not None


def dead(session: Session, actor: Actor) -> tuple[Delivery, ...]:
    """Those that were given up, newest first, for an admin to look into."""
    actor.must_be(Role.ADMIN)
    asked = select(deliveries).where(deliveries.c.state == State.DEAD)
    rows = session.db.execute(asked.order_by(deliveries.c.id.desc()))
    return tuple(_delivery(row) for row in rows)


def revive(session: Session, actor: Actor, number: int) -> Delivery:
    """A dead delivery is tried again, from the beginning."""
    actor.must_be(Role.ADMIN)
    values = {"state": State.WAITING, "attempts": 0, "next_at": session.now, "ended_at": None}
    session.db.execute(update(deliveries).where(deliveries.c.id == number).values(values))
    _log(session, actor.name, "alert.revived", number)
    return get(session, number)


def get(session: Session, number: int) -> Delivery:
    row = session.db.execute(select(deliveries).where(deliveries.c.id == number)).first()
    if row is None:
        raise NotFound(f"there is no delivery {number}")
    return _delivery(row)


def target_of(session: Session, one: Delivery) -> tuple[str, str]:
    """The saved search that a delivery is about, and where it went; a mailbox is not told."""
    found = _subscription(session, one.subscription_id)
    is_mail = found.channel is Channel.EMAIL
    return saved_searches.name_of(session, found.slug), "" if is_mail else found.target


def _parcel(session: Session, one: Delivery, names: Mapping[str, str]) -> Parcel:
    subscription = _subscription(session, one.subscription_id)
    shown = [
        (event, names[event.person_id])
        for event in alerts.by_ids(session, one.events)
        if event.person_id in names
    ]
    search = saved_searches.name_of(session, subscription.slug)
    return Parcel(one.id, subscription, search, tuple(shown), session.now)


def _try(
    workspace: Workspace, couriers: Mapping[Channel, Courier], one: Delivery, parcel: Parcel
) -> bool:
    why = None
    if parcel.events:
        try:
            _courier(couriers, parcel.subscription.channel).take(parcel)
        except NotDelivered as error:
            why = str(error)
    with workspace.writing() as session:
        values = _delivered(session) if why is None else _postponed(session, one, kept(why))
        same = (deliveries.c.id == one.id) & (deliveries.c.state == State.WAITING)
        session.db.execute(
            update(deliveries).where(same).values(attempts=one.attempts + 1, **values)
        )
    return why is None


def _courier(couriers: Mapping[Channel, Courier], channel: Channel) -> Courier:
    if channel not in couriers:
        raise NotDelivered(f"no way to send by {channel} is set up")
    return couriers[channel]


def _delivered(session: Session) -> dict[str, object]:
    return {"state": State.DELIVERED, "said": None, "ended_at": session.now}


def _postponed(session: Session, one: Delivery, why: str) -> dict[str, object]:
    if one.attempts >= len(WAITS):
        return {"state": State.DEAD, "said": why, "ended_at": session.now}
    return {"said": why, "next_at": session.now + WAITS[one.attempts]}


def _next(workspace: Workspace) -> datetime | None:
    with workspace.reading() as session:
        waiting = deliveries.c.state == State.WAITING
        asked = select(deliveries.c.next_at).where(waiting).order_by(deliveries.c.next_at)
        return session.db.execute(asked.limit(1)).scalar()


def _standing(session: Session, slug: str) -> list[int]:
    """Subscriptions of those who may still see the search and were not disabled."""
    asked = (
        select(subscriptions.c.id)
        .join(saved_search_rows, saved_search_rows.c.slug == subscriptions.c.slug)
        .outerjoin(users, users.c.name == subscriptions.c.owner)
        .where(subscriptions.c.slug == slug, subscriptions.c.ended_at.is_(None))
        .where(users.c.disabled_at.is_(None), saved_search_rows.c.removed_at.is_(None))
        .where(
            (saved_search_rows.c.sharing == Sharing.TEAM)
            | (saved_search_rows.c.owner == subscriptions.c.owner)
        )
    )
    return list(session.db.execute(asked.order_by(subscriptions.c.id)).scalars())


def _subscription(session: Session, number: int) -> Subscription:
    asked = select(subscriptions).where(subscriptions.c.id == number)
    row = session.db.execute(asked).first()
    if row is None:
        raise NotFound(f"there is no subscription {number}")
    secret = session.keyed("webhook", row.nonce)
    return Subscription(row.id, row.slug, Channel(row.channel), row.target, row.owner, secret)


def _delivery(row: Row[tuple[object, ...]]) -> Delivery:
    return Delivery(
        id=row.id,
        subscription_id=row.subscription_id,
        events=tuple(row.events),
        state=State(row.state),
        attempts=row.attempts,
        next_at=row.next_at,
        said=row.said,
    )


def _log(session: Session, by: str, action: str, number: int) -> None:
    audit.append(session, audit.Entry(by, action, {"number": number}))
