"""The search page and its results; nothing here changes anything."""

from dataclasses import replace
from functools import partial

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from api.desk import RANKER
from api.pages.asking import PER_PAGE, REASONS, SORTS, Asked, Hidden
from api.pages.chips import ADDABLE, acted, chips, stretches
from api.pages.entries import Showing
from api.pages.examples import examples
from api.pages.holdings import holdings
from api.pages.site import AtSite, Site
from api.pages.slices import slices
from index.search import Searcher
from sourcer.errors import BadInput, NoSnapshot
from sourcer.query import Query
from sourcer.ranking import Ints
from sourcer.shortlist import Entry, Shortlist
from sourcer.workspace import Session, entries, shortlists
from sourcer.workspace.shortlists import Project

router = APIRouter(include_in_schema=False)


@router.get("/")
async def home(site: AtSite) -> Response:
    """The box, questions that work on the data at hand, and what is held."""

    def made() -> dict[str, object]:
        try:
            opened = site.opened
        except NoSnapshot:
            return {"held": None, "examples": (), "asked": Asked()}
        return {
            "held": holdings(opened, site.desk.settings, site.words),
            "examples": examples(opened),
            "asked": Asked(),
        }

    return await site.page("home.html", made)


@router.get("/search")
async def search(request: Request, site: AtSite) -> Response:
    """Who answers the question. A button of the chips' form leads to the URL it makes."""
    asked = Asked.of(request.query_params)
    fault = ""
    if do := request.query_params.get("do"):
        try:
            return RedirectResponse(await site.run(lambda: _done(site, asked, do)), 303)
        except BadInput as error:
            fault = str(error)
    if not asked.q and not asked.edit:
        return RedirectResponse("/", 303)
    return await site.page("search.html", lambda: _answered(site, asked, fault))


@router.get("/search/slices")
async def sides(request: Request, site: AtSite) -> Response:
    """The pool's histograms beside the results, which come a moment later."""
    asked = Asked.of(request.query_params)
    return await site.page("slices.html", lambda: {"slices": slices(site, asked), "asked": asked})


def _done(site: Site, asked: Asked, do: str) -> str:
    """The URL after a button: chips, hiding, showing again."""
    action, _, key = do.partition(":")
    params = site.request.query_params
    if action == "hide":
        reason = params.get("reason", REASONS[0])
        return replace(asked, hidden=(*asked.hidden, Hidden(key, reason))).url()
    if action == "show":
        kept = tuple(one for one in asked.hidden if key not in ("", one.person))
        return replace(asked, hidden=kept).url()
    query = acted(asked.query(site.desk), do, params, site.opened.taxonomy)
    return asked.asking(query).url()


def _answered(site: Site, asked: Asked, fault: str) -> dict[str, object]:
    opened, words = site.opened, site.words
    query = asked.query(site.desk)
    hidden = {one.person for one in asked.hidden}
    order = None if asked.sort == SORTS[0] else partial(_sorted, opened.searcher, asked.sort)
    limit = PER_PAGE + len(hidden)
    found = opened.searcher.search(query, limit=limit, offset=asked.after, order=order)
    kept = [one for one in found.entries if one.person.id not in hidden][:PER_PAGE]
    _audit(site, query, found)
    showing = Showing(opened.searcher, words, asked, query.wanted)
    with site.desk.workspace.reading() as session:
        projects = shortlists.every(session, site.actor)
        listed = listed_on(session, site, projects)
    views = [
        showing.entry(one, asked.after + row, listed.get(one.person.id, ()))
        for row, one in enumerate(kept, start=1)
    ]
    after = asked.after + len(found.entries[: PER_PAGE + len(hidden)])
    return {
        "asked": asked,
        "query": query,
        "fault": fault,
        "stretches": stretches(query, opened.taxonomy, words),
        "chips": chips(query, opened.taxonomy, words),
        "addable": ADDABLE,
        "topics": [topic.name for topic in opened.taxonomy.topics],
        "total": found.total,
        "notes": found.notes,
        "entries": views,
        "divided_at": _divided_at(found, kept, is_by_match=order is None),
        "reasons": REASONS,
        "projects": projects,
        "next_url": replace(asked, after=after).url() if after < found.total else "",
        "back_url": replace(asked, after=max(0, asked.after - PER_PAGE)).url()
        if asked.after
        else "",
        "sorts": [(name, replace(asked, sort=name, after=0).url()) for name in SORTS],
        "other_view": replace(asked, is_dense=not asked.is_dense).url(),
    }


def _sorted(searcher: Searcher, sort: str, people: Ints) -> list[int]:
    """Rows by the latest work, or by name."""
    ordinals = people.tolist()
    if sort == "recent":
        days = [searcher.activity.last_day(person) or 0 for person in ordinals]
        return sorted(range(len(days)), key=lambda row: -days[row])
    names = searcher.details.people["name"].take(ordinals).to_pylist()
    return sorted(range(len(names)), key=lambda row: names[row].casefold())


def _divided_at(found: Shortlist, kept: list[Entry], *, is_by_match: bool) -> str:
    """The id of the first whom the data do not decide, where others come before."""
    if not is_by_match:
        return ""
    first = next((one for one in kept if one.unknown), None)
    begins_page = first is None or first is kept[0]
    return "" if first is None or (begins_page and found.offset) else first.person.id


def listed_on(
    session: Session, site: Site, projects: tuple[Project, ...]
) -> dict[str, tuple[str, ...]]:
    """Ids of people, each with the names of the shortlists that they stand on."""
    found: dict[str, tuple[str, ...]] = {}
    for project in projects:
        for one in entries.every(session, site.actor, project.slug):
            found[one.person_id] = (*found.get(one.person_id, ()), project.name)
    return found


def _audit(site: Site, query: Query, found: Shortlist) -> None:
    shown = [one.person.id for one in found.entries]
    details = {
        "question": query.text,
        "query": query.json(),
        "snapshot": found.snapshot,
        "ranker": RANKER,
        "shown": shown,
    }
    site.desk.auditing.note(site.actor.name, "searched", tuple(shown), details)
