"""Alerts: who is new for a saved search, where that is sent, and what could not be delivered."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from api.access import Admin, Recruiter, Viewer
from api.alert_responses import (
    AlertOut,
    AlertsOut,
    DeliveriesDeadOut,
    DeliveryOut,
    SubscribeIn,
    SubscriptionGivenOut,
    SubscriptionOut,
    SubscriptionsOut,
)
from api.answering import AtDesk, IdempotencyKey, opened_of, read, veil_of, write
from api.blinding import Veil
from api.desk import Desk
from api.desk_responses import DoneOut
from api.routes.searches import LINK, Slug, Token
from api.showing import names_shown
from sourcer.workspace import Session, alerts, deliveries, feeds, saved_searches
from sourcer.workspace.actors import Actor
from sourcer.workspace.alerts import Event

router = APIRouter(tags=["alerts"])
AT_ONCE = 200
ATOM = "application/atom+xml"
Number = Annotated[int, Path(ge=1, le=2**31 - 1)]
FEED: dict[int | str, dict[str, object]] = {
    200: {"description": "The feed.", "content": {ATOM: {"schema": {"type": "string"}}}}
}


@router.get("/searches/{slug}/alerts", response_model=AlertsOut)
async def news(
    desk: AtDesk,
    actor: Viewer,
    slug: Slug,
    after: Annotated[int, Query(ge=0, le=2**31 - 1, description="The last alert you have.")] = 0,
    limit: Annotated[int, Query(ge=1, le=AT_ONCE)] = 100,
) -> AlertsOut:
    """Who is new for a saved search since an earlier alert, and why."""

    def do(session: Session) -> tuple[tuple[Event, ...], alerts.Checked | None]:
        found = alerts.events(session, actor, slug, after=after, limit=limit)
        return found, alerts.last_check(session, slug)

    events, checked = await read(desk, do)
    names = await names_of(desk, events, await veil_of(desk, actor))
    shown = [AlertOut.of(one, names[one.person_id]) for one in events if one.person_id in names]
    return AlertsOut(alerts=shown, checked_at=None if checked is None else checked.at)


@router.get("/searches/{slug}/subscriptions", response_model=SubscriptionsOut)
async def subscribed(desk: AtDesk, actor: Viewer, slug: Slug) -> SubscriptionsOut:
    """Where alerts of a saved search go: your own subscriptions; all of them for an admin."""
    found = await read(desk, lambda session: deliveries.subscribed(session, actor, slug))
    return SubscriptionsOut(subscriptions=[SubscriptionOut.of(one) for one in found])


@router.post("/searches/{slug}/subscriptions", response_model=SubscriptionGivenOut, status_code=201)
async def subscribe(
    request: Request,
    desk: AtDesk,
    actor: Recruiter,
    slug: Slug,
    body: SubscribeIn,
    _: IdempotencyKey = None,
) -> Response:
    """Send alerts of a saved search to a webhook or to your mailbox."""

    def do(session: Session) -> SubscriptionGivenOut:
        made = deliveries.subscribe(session, actor, slug, body.channel, body.target)
        return SubscriptionGivenOut(subscription=SubscriptionOut.of(made), secret=made.secret)

    return await write(request, desk, actor, do, 201, hide=frozenset({"secret"}))


@router.delete("/subscriptions/{number}", response_model=DoneOut)
async def end(
    request: Request, desk: AtDesk, actor: Recruiter, number: Number, _: IdempotencyKey = None
) -> Response:
    """Send nothing more there."""

    def do(session: Session) -> DoneOut:
        deliveries.end(session, actor, number)
        return DoneOut()

    return await write(request, desk, actor, do)


@router.get("/deliveries/dead", response_model=DeliveriesDeadOut)
async def dead(desk: AtDesk, actor: Admin) -> DeliveriesDeadOut:
    """Deliveries that were given up, newest first."""
    found = await read(desk, lambda session: deliveries.dead(session, actor))
    return DeliveriesDeadOut(deliveries=[DeliveryOut.of(one) for one in found])


@router.post("/deliveries/{number}/revive", response_model=DeliveryOut)
async def revive(
    request: Request, desk: AtDesk, actor: Admin, number: Number, _: IdempotencyKey = None
) -> Response:
    """Try a dead delivery again, from the beginning."""
    return await write(
        request, desk, actor,
        lambda session: DeliveryOut.of(deliveries.revive(session, actor, number)),
    )  # fmt: skip


@router.get("/shared/{token}/feed.atom", response_class=Response, responses=FEED)
async def feed(desk: AtDesk, token: Token) -> Response:
    """The alerts of a shared search as an Atom feed. Needs no login: the link is the key."""
    saved = await read(desk, lambda session: saved_searches.by_link(session, token))
    owner = Actor(saved.owner, LINK.role)
    events = await read(
        desk, lambda session: alerts.events(session, owner, saved.slug, limit=AT_ONCE)
    )
    veil = Veil(frozenset()) if desk.settings.blind else Veil()
    names = await names_of(desk, events, veil)
    text = feeds.atom(saved, events, names, desk.settings.public_url)
    return Response(text, media_type=ATOM, headers={"Cache-Control": "no-store"})


async def names_of(desk: Desk, events: tuple[Event, ...], veil: Veil) -> dict[str, str]:
    """Of those who may be shown."""
    opened = await opened_of(desk)
    ids = [one.person_id for one in events]
    return await desk.pool.run(lambda: names_shown(opened, ids, veil))
