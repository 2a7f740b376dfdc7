"""Saved searches: what is asked again and again, and what came new since somebody looked."""

from fastapi import APIRouter, Request, Response

from api.pages.asking import Asked, compact
from api.pages.forms import Said, field
from api.pages.site import AtSite, Site
from api.showing import is_hidden
from sourcer.errors import NoSuchPerson
from sourcer.query import Query
from sourcer.workspace import Session, alerts, deliveries, saved_searches
from sourcer.workspace.actors import Sharing
from sourcer.workspace.saved_searches import SavedSearch

router = APIRouter(prefix="/searches", include_in_schema=False)
AT_ONCE = 100


@router.get("")
async def every(site: AtSite) -> Response:
    def read(session: Session) -> dict[str, object]:
        news = alerts.unseen(session, site.actor)
        found = saved_searches.every(session, site.actor)
        checked = {one.slug: alerts.last_check(session, one.slug) for one in found}
        return {
            "searches": [
                (one, asked_by(one.query).url(), news.get(one.slug, 0), checked[one.slug])
                for one in found
            ]
        }

    found = await site.read(read)
    return await site.page("searches.html", lambda: found)


@router.get("/new")
async def new(request: Request, site: AtSite) -> Response:
    asked = Asked.of(request.query_params)
    return await site.page("search_new.html", lambda: {"asked": asked})


@router.post("")
async def save(site: AtSite) -> Response:
    form = await site.form()
    asked = Asked(field(form, "q"), str(form.get("edit", "")))
    sharing = Sharing.PRIVATE if form.get("private") == "yes" else Sharing.TEAM
    query = await site.run(lambda: asked.query(site.desk))
    made = await site.write(
        lambda session: saved_searches.save(
            session, site.actor, field(form, "name"), query, str(form.get("note", "")), sharing
        )
    )
    said = Said(site.words("done.saved", name=made.name), f"/searches/{made.slug}/delete")
    return site.go(f"/searches/{made.slug}", said)


@router.get("/{slug}")
async def one(site: AtSite, slug: str) -> Response:
    """The search, its versions, and its news, each with why."""

    def made() -> dict[str, object]:
        with site.desk.workspace.reading() as session:
            found = saved_searches.get(session, site.actor, slug)
            events = alerts.events(session, site.actor, slug, limit=AT_ONCE)
            versions = saved_searches.history(session, site.actor, slug)
            checked = alerts.last_check(session, slug)
            subscriptions = deliveries.subscribed(session, site.actor, slug)
        return {
            "search": found,
            "url": asked_by(found.query).url(),
            "events": [
                (event, _name(site, event.person_id))
                for event in reversed(events)
                if not is_hidden(site.opened, event.person_id)
            ],
            "versions": versions,
            "checked": checked,
            "subscriptions": subscriptions,
            "channels": tuple(deliveries.Channel),
            "has_mail": bool(site.desk.settings.mail_url),
        }

    answer = await site.page("search_saved.html", made)
    await site.write(lambda session: alerts.mark_seen(session, site.actor, slug))
    return answer


@router.post("/{slug}/change")
async def change(site: AtSite, slug: str) -> Response:
    form = await site.form()
    sharing = Sharing.PRIVATE if form.get("private") == "yes" else Sharing.TEAM

    def changing(session: Session) -> SavedSearch:
        name, note = field(form, "name"), field(form, "note")
        found = saved_searches.change(session, site.actor, slug, name=name, note=note)
        if found.sharing is not sharing:
            found = saved_searches.share(session, site.actor, slug, sharing)
        return found

    await site.write(changing)
    return site.go(f"/searches/{slug}", Said(site.words("done.described")))


@router.post("/{slug}/delete")
async def delete(site: AtSite, slug: str) -> Response:
    await site.form()
    await site.write(lambda session: saved_searches.remove(session, site.actor, slug))
    return site.go("/searches", Said(site.words("done.deleted"), f"/searches/{slug}/recover"))


@router.post("/{slug}/recover")
async def recover(site: AtSite, slug: str) -> Response:
    await site.form()
    await site.write(lambda session: saved_searches.recover(session, site.actor, slug))
    return site.go(f"/searches/{slug}", Said(site.words("done.undone")))


def asked_by(query: Query) -> Asked:
    """The results page of a query that was kept."""
    return Asked(query.text, compact(query))


def _name(site: Site, person: str) -> str:
    """Empty for somebody who asked not to be found."""
    try:
        return site.veil.name(person, site.opened.people.shown(person).name)
    except NoSuchPerson:
        return ""
