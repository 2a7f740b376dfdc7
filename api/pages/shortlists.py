"""Shortlists: all of them, one as a board or a table, and every change with its way back."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import quote

from fastapi import APIRouter, Request, Response

from api.pages.entries import Fact, facts
from api.pages.forms import Said, field, local_path
from api.pages.site import AtSite, Site
from api.showing import names_shown, shown_people
from sourcer.errors import BadInput, NoSuchPerson
from sourcer.workspace import Session, accounts, entries, notes, shortlists
from sourcer.workspace.actors import Sharing
from sourcer.workspace.changes import Change
from sourcer.workspace.entries import Listed, Stage
from sourcer.workspace.notes import Note

router = APIRouter(prefix="/shortlists", include_in_schema=False)
MENTIONS = 10
"""Notes that mention somebody, shown at once."""


@dataclass(frozen=True, slots=True)
class Card:
    """A person on a shortlist, as the snapshot of today knows them."""

    listed: Listed
    name: str
    """Empty when nobody here has that id any more."""
    facts: tuple[Fact, ...]
    notes: tuple[Note, ...]
    href: str


@router.get("")
async def every(site: AtSite) -> Response:
    def read(session: Session) -> list[tuple[shortlists.Project, int]]:
        return [
            (
                one,
                sum(
                    1
                    for _ in shown_people(site.opened, entries.every(session, site.actor, one.slug))
                ),
            )
            for one in shortlists.every(session, site.actor)
        ]

    found = await site.read(read)
    written = await site.read(lambda session: notes.mentioning(session, site.actor))
    view = {"projects": found, "mentions": await site.run(lambda: _mentions(site, written))}
    answer = await site.page("shortlists.html", lambda: view)
    await site.write(lambda session: notes.mark_seen(session, site.actor))
    return answer


def _mentions(site: Site, written: Iterable[Note]) -> list[tuple[Note, str]]:
    """The latest notes, each with the name of the person it is on."""
    names = names_shown(site.opened, (each.person_id for each in written), site.veil)
    known = [(each, names[each.person_id]) for each in written if each.person_id in names]
    return known[::-1][:MENTIONS]


@router.post("")
async def start(site: AtSite) -> Response:
    form = await site.form()
    sharing = Sharing.PRIVATE if form.get("private") == "yes" else Sharing.TEAM
    made = await site.write(
        lambda session: shortlists.start(
            session, site.actor, field(form, "name"), str(form.get("about", "")), sharing
        )
    )
    return site.go(f"/shortlists/{made.slug}", Said(site.words("done.started", name=made.name)))


@router.post("/add")
async def add(site: AtSite) -> Response:
    """One person (`only`) or all that are ticked, to a list or to a new one."""
    form = await site.form()
    asked = [str(form["only"])] if form.get("only") else [str(one) for one in form.getlist("id")]
    people = [site.opened.people.find(one) for one in asked]
    if not people:
        raise BadInput(site.words("shortlist.pick-first"))

    def adding(session: Session) -> tuple[shortlists.Project, int]:
        slug = str(form.get("slug", ""))
        project = (
            shortlists.get(session, site.actor, slug)
            if slug
            else shortlists.start(session, site.actor, site.words("shortlist.first"))
        )
        there = {one.person_id for one in entries.every(session, site.actor, project.slug)}
        new = [one for one in dict.fromkeys(people) if one not in there]
        for one in new:
            entries.add(session, site.actor, project.slug, one, str(form.get("reason", "")))
        return project, len(new)

    project, count = await site.write(adding)
    back = local_path(str(form.get("back", "")), f"/shortlists/{project.slug}")
    undo = f"/shortlists/{project.slug}/undo" if count else None
    key = "done.added" if count else "done.already"
    return site.go(back, Said(site.words(key, n=count, name=project.name), undo))


@router.get("/{slug}")
async def one(request: Request, site: AtSite, slug: str) -> Response:
    as_table = request.query_params.get("view") == "table"

    def made() -> dict[str, object]:
        with site.desk.workspace.reading() as session:
            project = shortlists.get(session, site.actor, slug)
            listed = entries.every(session, site.actor, slug)
            written = notes.every(session, site.actor, slug)
            gone = entries.removed(session, site.actor, slug)
            history = shortlists.history(session, site.actor, slug)
        cards = [_card(site, each, written) for each in shown_people(site.opened, listed)]
        removed = [_card(site, each, written) for each in shown_people(site.opened, gone)]
        names = _names(site, (*cards, *removed))
        return {
            "project": project,
            "cards": cards,
            "columns": _columns(cards),
            "stages": tuple(Stage),
            "removed": removed,
            "changes": [done(each, names, site) for each in history[:30]],
            "as_table": as_table,
        }

    return await site.page("shortlist.html", made)


@router.post("/{slug}/describe")
async def describe(site: AtSite, slug: str) -> Response:
    form = await site.form()
    sharing = Sharing.PRIVATE if form.get("private") == "yes" else Sharing.TEAM

    def describing(session: Session) -> None:
        name, about = field(form, "name"), field(form, "about")
        shortlists.describe(session, site.actor, slug, name=name, about=about)
        if shortlists.get(session, site.actor, slug).sharing is not sharing:
            shortlists.share(session, site.actor, slug, sharing)

    await site.write(describing)
    return _back(site, slug, "done.described")


@router.post("/{slug}/stage")
async def stage(site: AtSite, slug: str) -> Response:
    form = await site.form()
    person, to = field(form, "person"), Stage(field(form, "stage"))
    await site.write(lambda session: entries.move_to(session, site.actor, slug, person, to))
    return _back(site, slug, "done.moved", str(form.get("back", "")))


@router.post("/{slug}/reason")
async def reason(site: AtSite, slug: str) -> Response:
    form = await site.form()
    person, said = field(form, "person"), field(form, "reason")
    await site.write(lambda session: entries.explain(session, site.actor, slug, person, said))
    return _back(site, slug, "done.explained", str(form.get("back", "")))


@router.post("/{slug}/note")
async def note(site: AtSite, slug: str) -> Response:
    form = await site.form()
    where = str(form.get("slug") or slug)
    person, text = field(form, "person"), field(form, "text")
    await site.write(lambda session: notes.write(session, site.actor, where, person, text))
    users = {one.name for one in await site.read(accounts.every)}
    named = notes.mentioned(text)
    said = [site.words("done.noted")]
    if told := [one for one in named if one in users]:
        said.append(site.words("done.told-of-note", names=site.words.all_of(told)))
    if unknown := [f"@{one}" for one in named if one not in users]:
        said.append(site.words("done.nobody-called", names=site.words.either(unknown)))
    back = local_path(str(form.get("back", "")), f"/shortlists/{where}")
    return site.go(back, Said(" ".join(said), f"/shortlists/{where}/undo"))


@router.post("/{slug}/remove")
async def remove(site: AtSite, slug: str) -> Response:
    form = await site.form()
    person = field(form, "person")
    await site.write(lambda session: entries.remove(session, site.actor, slug, person))
    return _back(site, slug, "done.removed", str(form.get("back", "")))


@router.post("/{slug}/delete")
async def delete(site: AtSite, slug: str) -> Response:
    await site.form()
    await site.write(lambda session: shortlists.remove(session, site.actor, slug))
    return site.go("/shortlists", Said(site.words("done.deleted"), f"/shortlists/{slug}/recover"))


@router.post("/{slug}/recover")
async def recover(site: AtSite, slug: str) -> Response:
    await site.form()
    await site.write(lambda session: shortlists.recover(session, site.actor, slug))
    return site.go(f"/shortlists/{slug}", Said(site.words("done.undone")))


@router.post("/{slug}/undo")
async def undo(site: AtSite, slug: str) -> Response:
    """Takes back one change, or the last that stands."""
    form = await site.form()
    number = str(form.get("change", ""))
    chosen = int(number) if number.isdecimal() else None
    await site.write(lambda session: shortlists.undo(session, site.actor, slug, chosen))
    back = local_path(str(form.get("back", "")), f"/shortlists/{slug}")
    return site.go(back, Said(site.words("done.undone")))


def _back(site: Site, slug: str, key: str, back: str = "") -> Response:
    return site.go(
        local_path(back, f"/shortlists/{slug}"),
        Said(site.words(key), f"/shortlists/{slug}/undo"),
    )


def _card(site: Site, listed: Listed, written: tuple[Note, ...]) -> Card:
    own = tuple(each for each in written if each.person_id == listed.person_id)
    href = f"/people/{quote(listed.person_id)}"
    try:
        shown = site.opened.people.shown(listed.person_id)
    except NoSuchPerson:
        return Card(listed, "", (), own, "")
    return Card(listed, shown.name, facts(shown, site.words), own, href)


def _columns(cards: list[Card]) -> Mapping[Stage, list[Card]]:
    return {stage: [card for card in cards if card.listed.stage is stage] for stage in Stage}


def _names(site: Site, cards: Iterable[Card]) -> dict[str, str]:
    """Of the people behind entries and notes, by "entry 7" and "note 3"."""
    found: dict[str, str] = {}
    for card in cards:
        name = site.veil.name(card.listed.person_id, card.name)
        found |= {f"entry {number}": name for number in card.listed.ids}
        found |= {f"note {note.id}": name for note in card.notes}
    return found


@dataclass(frozen=True, slots=True)
class Done:
    number: int
    whom: str
    says: str
    to: str
    """The stage that somebody was moved to."""
    by: str
    day: str
    can_undo: bool


def done(one: Change, names: Mapping[str, str], site: Site) -> Done:
    """A change as it is told; `names` are those of the people behind its rows."""
    moved = (state["stage"] for state in one.after.values() if one.kind == "moved")
    return Done(
        one.id,
        site.words.all_of(dict.fromkeys(names[row] for row in one.after if names.get(row))),
        _says(one.kind, site),
        "".join(site.words(f"stage.{stage}") for stage in moved),
        one.changed_by,
        site.words.day(one.at),
        one.undone_by is None,
    )


def _says(kind: str, site: Site) -> str:
    """What was changed; of an undo also what was undone."""
    undone = kind.removeprefix("undo of ")
    if undone != kind:
        return site.words("change.undone", what=_says(undone, site))
    return site.words(f"change.{kind.replace(' ', '-')}")
