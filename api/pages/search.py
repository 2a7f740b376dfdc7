"""The search page and its results; whom a user hides from them stays hidden."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from urllib.parse import urlencode

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from api.desk import RANKER
from api.pages import compare
from api.pages.asking import PER_PAGE, REASONS, SORTS, Asked
from api.pages.chips import ADDABLE, acted, chips, stretches
from api.pages.entries import Showing
from api.pages.examples import examples
from api.pages.forms import Said, field, local_path
from api.pages.holdings import holdings
from api.pages.site import AtSite, Site
from api.pages.slices import slices
from api.showing import is_hidden
from index.search import Searcher
from sourcer.errors import BadInput, NoSnapshot, NoSuchPerson
from sourcer.query import Query
from sourcer.ranking import Ints
from sourcer.shortlist import Entry, Shortlist
from sourcer.workspace import Session, alerts, entries, hiding, notes, shortlists
from sourcer.workspace.shortlists import Project

router = APIRouter(include_in_schema=False)
SEEN = 4
"""More than these fit on few screens: they are sent before the others are drawn."""


@router.get("/")
async def home(site: AtSite) -> Response:
    """The box, questions that work on the data at hand, and what is held."""

    news = await site.read(lambda session: _news(session, site))

    def made() -> dict[str, object]:
        try:
            opened = site.opened
        except NoSnapshot:
            return {"held": None, "examples": (), "asked": Asked(), **news}
        return {
            **news,
            "held": holdings(opened, site.desk.settings, site.words),
            "examples": examples(opened),
            "asked": Asked(),
        }

    return await site.page("home.html", made)


def _news(session: Session, site: Site) -> dict[str, object]:
    """What waits for whoever looks: notes that mention them, answers to saved searches."""
    return {
        "mentions": len(notes.mentioning(session, site.actor, unseen=True)),
        "answers": sum(alerts.unseen(session, site.actor).values()),
    }


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
    return await site.page_as_rendered("search.html", lambda: _answered(site, asked, fault))


@router.post("/search/hide")
async def hide(site: AtSite) -> Response:
    """Leaves somebody out of one's answers to this question, until shown again."""
    form = await site.form()
    q = field(form, "q")
    key, _, reason = field(form, "hide").partition(":")
    person = site.opened.people.find(key)
    said = reason if reason in REASONS else REASONS[0]
    await site.write(lambda session: hiding.hide(session, site.actor, q, person, said))
    undo = f"/search/show?{urlencode({'q': q, 'person': person})}"
    back = local_path(str(form.get("back", "")), Asked(q).url())
    return site.go(back, Said(site.words("done.hidden"), undo))


@router.post("/search/show")
async def show(request: Request, site: AtSite) -> Response:
    """Shows one person again, or everybody who was hidden from the answers to this question."""
    form = await site.form()
    q = request.query_params.get("q", "")
    person = str(form.get("person") or request.query_params.get("person", "")) or None
    await site.write(lambda session: hiding.show(session, site.actor, q, person))
    return site.go(local_path(str(form.get("back", "")), Asked(q).url()))


@router.get("/search/slices")
async def sides(request: Request, site: AtSite) -> Response:
    """The pool's histograms beside the results, which come a moment later."""
    asked = Asked.of(request.query_params)
    return await site.page("slices.html", lambda: {"slices": slices(site, asked), "asked": asked})


def _done(site: Site, asked: Asked, do: str) -> str:
    """The URL after a button of the chips."""
    params = site.request.query_params
    query = acted(asked.query(site.desk), do, params, site.opened.taxonomy)
    return asked.asking(query).url()


def _answered(site: Site, asked: Asked, fault: str) -> dict[str, object]:
    opened, words = site.opened, site.words
    query = asked.query(site.desk)
    with site.desk.workspace.reading() as session:
        projects = shortlists.every(session, site.actor)
        listed = listed_on(session, site, projects)
        hidden = hiding.of(session, site.actor, asked.q)
    gone = {one.person_id for one in hidden}
    order = None if asked.sort == SORTS[0] else partial(_sorted, opened.searcher, asked.sort)
    limit = PER_PAGE + len(gone)
    found = opened.searcher.search(query, limit=limit, offset=asked.after, order=order)
    kept, used = _page(found.entries, gone)
    _audit(site, query, found)
    showing = Showing(opened.searcher, words, asked, site.veil, query.wanted)
    views = (
        showing.entry(one, asked.after + row, listed.get(one.person.id, ()))
        for row, one in enumerate(kept, start=1)
    )
    after = asked.after + used
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
        "is_empty": not kept,
        "seen_at": kept[SEEN - 1].person.id if len(kept) > SEEN else "",
        "divided_at": _divided_at(found, kept, is_by_match=order is None),
        "reasons": [(reason, words(f"hide.{reason}")) for reason in REASONS],
        "hidden": [
            HiddenView(one.person_id, _name(site, one.person_id), one.reason)
            for one in hidden
            if not is_hidden(opened, one.person_id)
        ],
        "projects": projects,
        "compare_least": compare.LEAST,
        "compare_most": compare.MOST,
        "next_url": replace(asked, after=after).url() if after < found.total else "",
        "back_url": replace(asked, after=max(0, asked.after - PER_PAGE)).url()
        if asked.after
        else "",
        "sorts": [(name, replace(asked, sort=name, after=0).url()) for name in SORTS],
        "other_view": replace(asked, is_dense=not asked.is_dense).url(),
    }


@dataclass(frozen=True, slots=True)
class HiddenView:
    """Somebody whom the user left out, and why."""

    id: str
    name: str
    reason: str


def _page(entries: Sequence[Entry], gone: set[str]) -> tuple[list[Entry], int]:
    """Those of a page that are not hidden, and how many were gone through for it."""
    kept: list[Entry] = []
    for used, one in enumerate(entries):
        if len(kept) == PER_PAGE:
            return kept, used
        if one.person.id not in gone:
            kept.append(one)
    return kept, len(entries)


def _name(site: Site, person: str) -> str:
    """Of somebody who may be in the snapshot no more."""
    try:
        return site.veil.name(person, site.opened.people.shown(person).name)
    except NoSuchPerson:
        return site.words("shortlist.gone")


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
