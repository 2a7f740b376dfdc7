"""Shortlists: projects in which people stand in order."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from api.access import Recruiter, Viewer
from api.answering import AtDesk, IdempotencyKey, opened_of, read, write
from api.desk_requests import ChangeShortlistIn, StartShortlistIn, UndoIn
from api.desk_responses import (
    ChangeOut,
    ChangesOut,
    ComparisonOut,
    DoneOut,
    SharedPersonOut,
    ShortlistDetailOut,
    ShortlistOut,
    ShortlistsOut,
)
from api.showing import listed_out, shown_people
from sourcer.workspace import Session, entries, shortlists
from sourcer.workspace.shortlists import Project

router = APIRouter(prefix="/shortlists", tags=["shortlists"])

Slug = Annotated[str, Path(min_length=1, max_length=40, examples=["gbgbtze6nd"])]


@router.get("", response_model=ShortlistsOut)
async def every(desk: AtDesk, actor: Viewer) -> ShortlistsOut:
    """Every shortlist that you may see, newest first."""
    found = await read(desk, lambda session: shortlists.every(session, actor))
    return ShortlistsOut(shortlists=[out(one) for one in found])


@router.post("", response_model=ShortlistOut, status_code=201)
async def start(
    request: Request,
    desk: AtDesk,
    actor: Recruiter,
    body: StartShortlistIn,
    _: IdempotencyKey = None,
) -> Response:
    """A new, empty shortlist."""

    def do(session: Session) -> ShortlistOut:
        return out(shortlists.start(session, actor, body.name, body.about, body.sharing))

    return await write(request, desk, actor, do, 201)


@router.get("/{slug}", response_model=ShortlistDetailOut)
async def one(desk: AtDesk, actor: Viewer, slug: Slug) -> ShortlistDetailOut:
    """A shortlist with its people, in order."""

    def do(session: Session) -> tuple[Project, tuple[entries.Listed, ...]]:
        return shortlists.get(session, actor, slug), entries.every(session, actor, slug)

    project, people = await read(desk, do)
    opened = await opened_of(desk)
    shown = [listed_out(opened, each) for each in shown_people(opened, people)]
    return ShortlistDetailOut(people=shown, **out(project).model_dump())


@router.patch("/{slug}", response_model=ShortlistOut)
async def change(
    request: Request,
    desk: AtDesk,
    actor: Recruiter,
    slug: Slug,
    body: ChangeShortlistIn,
    _: IdempotencyKey = None,
) -> Response:
    """Change its name, description, sharing or owner."""

    def do(session: Session) -> ShortlistOut:
        found = shortlists.get(session, actor, slug)
        if (body.name, body.about) != (None, None):
            found = shortlists.describe(session, actor, slug, name=body.name, about=body.about)
        if body.sharing is not None:
            found = shortlists.share(session, actor, slug, body.sharing)
        if body.owner is not None:
            found = shortlists.give(session, actor, slug, body.owner)
        return out(found)

    return await write(request, desk, actor, do)


@router.delete("/{slug}", response_model=DoneOut)
async def remove(
    request: Request, desk: AtDesk, actor: Recruiter, slug: Slug, _: IdempotencyKey = None
) -> Response:
    """Take it out of sight with all its people; it can be recovered."""

    def do(session: Session) -> DoneOut:
        shortlists.remove(session, actor, slug)
        return DoneOut()

    return await write(request, desk, actor, do)


@router.post("/{slug}/recover", response_model=ShortlistOut)
async def recover(
    request: Request, desk: AtDesk, actor: Recruiter, slug: Slug, _: IdempotencyKey = None
) -> Response:
    """Bring a removed one back, with all that was in it."""
    return await write(
        request, desk, actor, lambda session: out(shortlists.recover(session, actor, slug))
    )


@router.get("/{slug}/history", response_model=ChangesOut)
async def history(desk: AtDesk, actor: Viewer, slug: Slug) -> ChangesOut:
    """Every change to it, its people and their notes, newest first."""
    found = await read(desk, lambda session: shortlists.history(session, actor, slug))
    return ChangesOut(changes=[ChangeOut.of(one) for one in found])


@router.post("/{slug}/undo", response_model=ChangeOut)
async def undo(
    request: Request,
    desk: AtDesk,
    actor: Recruiter,
    slug: Slug,
    body: UndoIn,
    _: IdempotencyKey = None,
) -> Response:
    """Take back one change, or the last that still stands."""
    return await write(
        request, desk, actor,
        lambda session: ChangeOut.of(shortlists.undo(session, actor, slug, body.change)),
    )  # fmt: skip


Other = Annotated[str, Query(min_length=1, max_length=40, alias="with")]


@router.get("/{slug}/compare", response_model=ComparisonOut)
async def compare(desk: AtDesk, actor: Viewer, slug: Slug, other: Other) -> ComparisonOut:
    """Who stands on both of two shortlists, and who on one of them only."""
    found = await read(desk, lambda session: entries.compare(session, actor, slug, other))
    return ComparisonOut(
        only_first=list(found.only_first),
        only_second=list(found.only_second),
        both=[SharedPersonOut(person_id=id_, first=a, second=b) for id_, a, b in found.both],
    )


def out(project: Project) -> ShortlistOut:
    fields = {name: getattr(project, name) for name in ShortlistOut.model_fields}
    return ShortlistOut.model_validate(fields)
