"""A person's page, and what can be decided about a person."""

import asyncio
from collections import Counter
from datetime import datetime
from urllib.parse import quote

from fastapi import APIRouter, Request, Response

from api.forgetting import described
from api.pages.asking import Asked
from api.pages.forms import Said, field, local_path
from api.pages.person_view import view
from api.pages.shortlists import done
from api.pages.site import AtSite, Site
from api.pages.words import Words
from api.snapshots import TICK
from sourcer.errors import BadInput
from sourcer.workspace import (
    Session,
    audit,
    decisions,
    entries,
    erasures,
    notes,
    shortlists,
    suppressions,
)
from sourcer.workspace.actors import Role
from sourcer.workspace.decisions import Side
from sourcer.workspace.suppressions import Channel

router = APIRouter(prefix="/people", include_in_schema=False)


@router.get("/{id}")
async def person(request: Request, site: AtSite, id: str) -> Response:
    """Everything held on one person; with a question, why they answer it."""
    asked = Asked.of(request.query_params)

    def made() -> dict[str, object]:
        shown = view(site, id, asked)
        keys = frozenset(site.opened.people.keys(shown.id))
        with site.desk.workspace.reading() as session:
            here = _here(session, site, shown.id, keys)
        details = {"person": shown.id, "snapshot": site.opened.name}
        site.desk.auditing.note(site.actor.name, "person.shown", shown.id, details)
        return {"p": shown, "asked": asked, **here}

    return await site.page("person.html", made)


@router.post("/{id}/merge")
async def merge(site: AtSite, id: str) -> Response:
    """Says that two people are one; acts at the next ingest."""
    form = await site.form()
    people = site.opened.people
    other = people.find(field(form, "other").rpartition("/")[2])
    one, two = (Side(each, people.keys(each)) for each in (people.find(id), other))
    made = await site.write(
        lambda session: decisions.merge(session, site.actor, one, two, field(form, "reason"))
    )
    said = Said(site.words("done.merged"), f"/people/decisions/{made.id}/undo")
    return site.go(f"/people/{quote(id)}", said)


@router.post("/{id}/split")
async def split(site: AtSite, id: str) -> Response:
    """Says that some signatures are somebody else's; acts at the next ingest."""
    form = await site.form()
    found = site.opened.people.find(id)
    keys = site.opened.people.keys(found)
    goes = tuple(key for key in keys if key in form.getlist("key"))
    stays = tuple(key for key in keys if key not in goes)
    if not goes or not stays:
        raise BadInput("tick the names that are somebody else's, and leave at least one")
    made = await site.write(
        lambda session: decisions.split(
            session, site.actor, Side(found, stays), Side(found, goes), field(form, "reason")
        )
    )
    said = Said(site.words("done.split"), f"/people/decisions/{made.id}/undo")
    return site.go(f"/people/{quote(id)}", said)


@router.post("/decisions/{number}/undo")
async def undo(site: AtSite, number: int) -> Response:
    form = await site.form()
    made = await site.write(lambda session: decisions.undo(session, site.actor, number))
    back = local_path(str(form.get("back", "")), f"/people/{quote(made.people[0])}")
    return site.go(back, Said(site.words("done.undone")))


@router.post("/{id}/suppress")
async def suppress(site: AtSite, id: str) -> Response:
    """Takes a person out of every answer, now and after every later ingest."""
    form = await site.form()
    if form.get("sure") != "yes":
        raise BadInput("tick that you are sure: only an admin can bring the person back")
    found = site.opened.people.find(id)
    name = site.opened.people.shown(found).name

    who = await site.run(lambda: described(site.opened, found, None))
    erases = form.get("erase") == "yes"

    def leaving(session: Session) -> None:
        if erases:
            erasures.erase(session, site.actor, who.known_by, Channel.PAGE, who.words)
        else:
            suppressions.suppress(session, site.actor, who.known_by, Channel.PAGE)

    await site.write(leaving)
    await site.run(site.desk.snapshots.look_again)
    await asyncio.sleep(TICK)
    if erases:
        await site.run(lambda: site.desk.work.erase(site.actor))
        return site.go("/", Said(site.words("done.erased")))
    return site.go("/", Said(site.words("done.suppressed", name=name)))


def _here(session: Session, site: Site, id_: str, keys: frozenset[str]) -> dict[str, object]:
    """What was done with this person here."""
    names = {project.slug: project.name for project in shortlists.every(session, site.actor)}
    listed = entries.lists_of(session, site.actor, id_)
    written = [note for slug, _ in listed for note in notes.every(session, site.actor, slug, id_)]
    rows = {f"note {note.id}" for note in written}
    changes = []
    for slug, _ in listed:
        own = rows | {f"entry {one}" for one in entries.get(session, site.actor, slug, id_).ids}
        changes += [
            (names[slug], done(change, {}, site))
            for change in shortlists.history(session, site.actor, slug)
            if own & change.after.keys()
        ]
    return {
        "listed": [(slug, names[slug], stage) for slug, stage in listed],
        "other_lists": {slug: name for slug, name in names.items() if slug not in dict(listed)},
        "notes": written,
        "decisions": decisions.about(session, keys),
        "changes": changes,
        "history": _history(session, site, id_),
    }


def _history(session: Session, site: Site, id_: str) -> list[tuple[str, str, datetime]]:
    """Who did what with this person, how often and when last; for admins, as the whole log is."""
    if site.actor.role is not Role.ADMIN:
        return []
    found = audit.about(session, frozenset({id_}))
    times = Counter((one.actor, one.action) for one in found)
    last = {(one.actor, one.action): one.at for one in found}
    return [
        (actor, _acted(action, count, site.words), last[actor, action])
        for (actor, action), count in times.items()
        if not action.startswith("shortlist.")
    ]


def _acted(action: str, count: int, words: Words) -> str:
    key = f"act.{action.replace('.', '-')}"
    return words(key, n=count) if words.has(key) else action.replace(".", " ")
