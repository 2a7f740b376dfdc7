"""Where the alerts of a saved search go: a webhook, a mailbox, a feed; and links to read along."""

from fastapi import APIRouter, Request, Response

from api.asked import Asked as Question
from api.blinding import Veil
from api.pages.asking import Asked
from api.pages.entries import Showing
from api.pages.forms import Said, field
from api.pages.site import AtSite, at_the_door
from api.routes.searches import LINK
from sourcer.errors import BadInput
from sourcer.workspace import deliveries, saved_searches
from sourcer.workspace.deliveries import Channel

router = APIRouter(include_in_schema=False)
SHOWN = 20


@router.get("/s/{slug}")
async def short(site: AtSite, slug: str) -> Response:
    """The short address of a saved search, as feeds and letters give it."""
    found = await site.read(lambda session: saved_searches.get(session, site.actor, slug))
    return site.go(f"/searches/{found.slug}")


@router.post("/searches/{slug}/subscribe")
async def subscribe(site: AtSite, slug: str) -> Response:
    form = await site.form()
    said, target = field(form, "channel"), field(form, "target")
    if said not in set(Channel):
        raise BadInput(f"a channel is one of {', '.join(Channel)}")
    made = await site.write(
        lambda session: deliveries.subscribe(session, site.actor, slug, Channel(said), target)
    )
    if made.channel is Channel.EMAIL:
        return site.go(f"/searches/{slug}", Said(site.words("done.subscribed")))
    view = {"slug": slug, "secret": made.secret, "says": "subscribe.secret", "paths": ()}
    return await site.page("once.html", lambda: view)


@router.post("/searches/{slug}/unsubscribe")
async def end(site: AtSite, slug: str) -> Response:
    form = await site.form()
    number = field(form, "number")
    if not number.isdecimal():
        raise BadInput(f"{number[:20]!r} is no subscription")
    await site.write(lambda session: deliveries.end(session, site.actor, int(number)))
    return site.go(f"/searches/{slug}", Said(site.words("done.unsubscribed")))


@router.post("/searches/{slug}/link")
async def link(site: AtSite, slug: str) -> Response:
    """A link by which anybody may read along, and its feed; shown only now."""
    await site.form()
    token = await site.write(lambda session: saved_searches.make_link(session, site.actor, slug))
    page = site.desk.settings.public_url or str(site.request.base_url).rstrip("/")
    paths = (f"{page}/shared/{token}", f"{page}/api/v1/shared/{token}/feed.atom")
    view = {"slug": slug, "secret": "", "says": "subscribe.link", "paths": paths}
    return await site.page("once.html", lambda: view)


@router.post("/searches/{slug}/unlink")
async def unlink(site: AtSite, slug: str) -> Response:
    await site.form()
    await site.write(lambda session: saved_searches.revoke_links(session, site.actor, slug))
    return site.go(f"/searches/{slug}", Said(site.words("done.unlinked")))


@router.get("/shared/{token}")
async def shared(request: Request, token: str) -> Response:
    """What a link leads to: the answer of now, to be read only. Needs no login."""
    site = at_the_door(request)
    found = await site.read(lambda session: saved_searches.by_link(session, token))

    def made() -> dict[str, object]:
        answer = site.opened.searcher.search(found.query, limit=SHOWN)
        site.desk.search(Question(found.query, None, SHOWN), LINK)
        veil = Veil(frozenset()) if site.is_blind else Veil()
        showing = Showing(site.opened.searcher, site.words, Asked(found.query.text), veil)
        views = [showing.entry(one, row) for row, one in enumerate(answer.entries, start=1)]
        return {"search": found, "entries": views, "total": answer.total}

    return await site.page("shared.html", made)
