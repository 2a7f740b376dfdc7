"""The people on a shortlist, and the notes on them."""

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from api.access import Recruiter, Viewer
from api.answering import AtDesk, IdempotencyKey, opened_of, read, write
from api.desk_requests import AddPersonIn, ChangePersonIn, NoteIn, OrderIn
from api.desk_responses import DoneOut, ListedOut, NoteOut, NotesOut, PeopleOut
from api.routes.shortlists import Slug
from api.showing import is_hidden, listed_out, shown_people
from sourcer.errors import BadInput, NotFound
from sourcer.workspace import Session, entries, notes

router = APIRouter(tags=["shortlists"])

PersonId = Annotated[str, Path(min_length=1, max_length=100, examples=["p7h2k9qw4mz"])]
Number = Annotated[int, Path(ge=1, le=2**31 - 1)]


@router.post("/shortlists/{slug}/people", response_model=ListedOut, status_code=201)
async def add(
    request: Request,
    desk: AtDesk,
    actor: Recruiter,
    slug: Slug,
    body: AddPersonIn,
    _: IdempotencyKey = None,
) -> Response:
    """Put a person at the end; one who was removed comes back with all that was known."""
    opened = await opened_of(desk)
    person = await desk.pool.run(opened.people.find, body.person)

    def do(session: Session) -> ListedOut:
        made = entries.add(session, actor, slug, person, body.reason, body.stage)
        return listed_out(opened, made)

    return await write(request, desk, actor, do, 201)


@router.get("/shortlists/{slug}/removed", response_model=PeopleOut)
async def removed(desk: AtDesk, actor: Viewer, slug: Slug) -> PeopleOut:
    """Who was taken off and can be brought back."""
    found = await read(desk, lambda session: entries.removed(session, actor, slug))
    opened = await opened_of(desk)
    return PeopleOut(people=[listed_out(opened, one) for one in shown_people(opened, found)])


@router.patch("/shortlists/{slug}/people/{person}", response_model=ListedOut)
async def change(
    request: Request,
    desk: AtDesk,
    actor: Recruiter,
    slug: Slug,
    person: PersonId,
    body: ChangePersonIn,
    _: IdempotencyKey = None,
) -> Response:
    """Another stage or reason."""
    opened = await opened_of(desk)
    if body.stage is None and body.reason is None:
        raise BadInput("say what to change: a stage or a reason")
    if is_hidden(opened, person):
        raise NotFound(f"{person} is not on shortlist {slug}")

    def do(session: Session) -> ListedOut:
        found = entries.get(session, actor, slug, person)
        if body.stage is not None:
            found = entries.move_to(session, actor, slug, person, body.stage)
        if body.reason is not None:
            found = entries.explain(session, actor, slug, person, body.reason)
        return listed_out(opened, found)

    return await write(request, desk, actor, do)


@router.delete("/shortlists/{slug}/people/{person}", response_model=DoneOut)
async def remove(
    request: Request,
    desk: AtDesk,
    actor: Recruiter,
    slug: Slug,
    person: PersonId,
    _: IdempotencyKey = None,
) -> Response:
    """Take a person off; notes and history stay."""

    def do(session: Session) -> DoneOut:
        entries.remove(session, actor, slug, person)
        return DoneOut()

    return await write(request, desk, actor, do)


@router.put("/shortlists/{slug}/order", response_model=DoneOut)
async def order(
    request: Request,
    desk: AtDesk,
    actor: Recruiter,
    slug: Slug,
    body: OrderIn,
    _: IdempotencyKey = None,
) -> Response:
    """Put people in this order; those not named come after them."""

    def do(session: Session) -> DoneOut:
        entries.order(session, actor, slug, body.people)
        return DoneOut()

    return await write(request, desk, actor, do)


@router.get("/shortlists/{slug}/notes", response_model=NotesOut)
async def notes_of(desk: AtDesk, actor: Viewer, slug: Slug) -> NotesOut:
    """The notes on a shortlist's people, oldest first."""
    found = await read(desk, lambda session: notes.every(session, actor, slug))
    opened = await opened_of(desk)
    return NotesOut(
        notes=[NoteOut.model_validate(one) for one in found if not is_hidden(opened, one.person_id)]
    )


@router.post("/shortlists/{slug}/people/{person}/notes", response_model=NoteOut, status_code=201)
async def write_note(
    request: Request,
    desk: AtDesk,
    actor: Recruiter,
    slug: Slug,
    person: PersonId,
    body: NoteIn,
    _: IdempotencyKey = None,
) -> Response:
    """A note on a person; colleagues named with an @ find it among their mentions."""
    return await write(
        request, desk, actor,
        lambda session: NoteOut.model_validate(
            notes.write(session, actor, slug, person, body.text)
        ), 201,
    )  # fmt: skip


@router.patch("/notes/{number}", response_model=NoteOut)
async def reword(
    request: Request,
    desk: AtDesk,
    actor: Recruiter,
    number: Number,
    body: NoteIn,
    _: IdempotencyKey = None,
) -> Response:
    """Other words for a note, by its author."""
    return await write(
        request, desk, actor,
        lambda session: NoteOut.model_validate(notes.reword(session, actor, number, body.text)),
    )  # fmt: skip


@router.delete("/notes/{number}", response_model=DoneOut)
async def remove_note(
    request: Request, desk: AtDesk, actor: Recruiter, number: Number, _: IdempotencyKey = None
) -> Response:
    """Take a note away; undo brings it back."""

    def do(session: Session) -> DoneOut:
        notes.remove(session, actor, number)
        return DoneOut()

    return await write(request, desk, actor, do)


@router.get("/mentions", response_model=NotesOut)
async def mentions(desk: AtDesk, actor: Viewer) -> NotesOut:
    """The notes that mention you, in shortlists that you may see."""
    found = await read(desk, lambda session: notes.mentioning(session, actor))
    opened = await opened_of(desk)
    return NotesOut(
        notes=[NoteOut.model_validate(one) for one in found if not is_hidden(opened, one.person_id)]
    )
