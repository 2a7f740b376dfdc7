"""Saved searches, their history, and links by which others may read them."""

import json
from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from api.access import Recruiter, Viewer
from api.answering import AtDesk, IdempotencyKey, opened_of, read, write
from api.asked import Asked
from api.blinding import Veil
from api.desk import Desk
from api.desk_requests import ChangeSearchIn, SaveSearchIn
from api.desk_responses import (
    DoneOut,
    LinkOut,
    RevokedOut,
    SavedSearchesOut,
    SavedSearchOut,
    SharedOut,
    VersionOut,
    VersionsOut,
)
from api.responses import QueryOut, SearchOut
from api.routes.questions import Limit, Place, searched
from sourcer.errors import BadInput
from sourcer.query import Query, read_query
from sourcer.workspace import Session, saved_searches
from sourcer.workspace.actors import Actor, Role

router = APIRouter(tags=["saved searches"])

Slug = Annotated[str, Path(min_length=1, max_length=40, examples=["gbgbtze6nd"])]
LINK = Actor("a shared link", Role.VIEWER)


@router.get("/searches", response_model=SavedSearchesOut)
async def every(desk: AtDesk, actor: Viewer) -> SavedSearchesOut:
    """Every saved search that you may see, last changed first."""
    found = await read(desk, lambda session: saved_searches.every(session, actor))
    return SavedSearchesOut(searches=[SavedSearchOut.of(one) for one in found])


@router.post("/searches", response_model=SavedSearchOut, status_code=201)
async def save(
    request: Request, desk: AtDesk, actor: Recruiter, body: SaveSearchIn, _: IdempotencyKey = None
) -> Response:
    """Save a question under a short name."""
    query = await question_of(desk, body.query)

    def do(session: Session) -> SavedSearchOut:
        made = saved_searches.save(session, actor, body.name, query, body.note, body.sharing)
        return SavedSearchOut.of(made)

    return await write(request, desk, actor, do, 201)


@router.get("/searches/{slug}", response_model=SavedSearchOut)
async def one(desk: AtDesk, actor: Viewer, slug: Slug) -> SavedSearchOut:
    """One saved search."""
    return SavedSearchOut.of(
        await read(desk, lambda session: saved_searches.get(session, actor, slug))
    )


@router.get("/searches/{slug}/results", response_model=SearchOut)
async def results(
    request: Request,
    desk: AtDesk,
    actor: Viewer,
    slug: Slug,
    limit: Limit = 20,
    cursor: Place = None,
) -> Response:
    """Ask it now."""
    found = await read(desk, lambda session: saved_searches.get(session, actor, slug))
    return await searched(request, desk, actor, Asked(found.query, None, limit, cursor))


@router.patch("/searches/{slug}", response_model=SavedSearchOut)
async def change(
    request: Request,
    desk: AtDesk,
    actor: Recruiter,
    slug: Slug,
    body: ChangeSearchIn,
    _: IdempotencyKey = None,
) -> Response:
    """Change its name, note, question or sharing; what it was stays in its history."""
    query = None if body.query is None else await question_of(desk, body.query)

    def do(session: Session) -> SavedSearchOut:
        found = saved_searches.get(session, actor, slug)
        if body.sharing is not None:
            found = saved_searches.share(session, actor, slug, body.sharing)
        if (body.name, body.note, query) != (None, None, None):
            found = saved_searches.change(
                session, actor, slug, name=body.name, note=body.note, query=query
            )
        return SavedSearchOut.of(found)

    return await write(request, desk, actor, do)


@router.delete("/searches/{slug}", response_model=DoneOut)
async def remove(
    request: Request, desk: AtDesk, actor: Recruiter, slug: Slug, _: IdempotencyKey = None
) -> Response:
    """Take it out of sight; it can be recovered."""

    def do(session: Session) -> DoneOut:
        saved_searches.remove(session, actor, slug)
        return DoneOut()

    return await write(request, desk, actor, do)


@router.post("/searches/{slug}/recover", response_model=SavedSearchOut)
async def recover(
    request: Request, desk: AtDesk, actor: Recruiter, slug: Slug, _: IdempotencyKey = None
) -> Response:
    """Bring a removed one back."""
    return await write(
        request, desk, actor,
        lambda session: SavedSearchOut.of(saved_searches.recover(session, actor, slug)),
    )  # fmt: skip


@router.get("/searches/{slug}/history", response_model=VersionsOut)
async def history(desk: AtDesk, actor: Viewer, slug: Slug) -> VersionsOut:
    """Everything it has been, newest first."""
    found = await read(desk, lambda session: saved_searches.history(session, actor, slug))
    return VersionsOut(versions=[VersionOut.of(one) for one in found])


@router.post("/searches/{slug}/links", response_model=LinkOut, status_code=201)
async def make_link(
    request: Request, desk: AtDesk, actor: Recruiter, slug: Slug, _: IdempotencyKey = None
) -> Response:
    """A link by which anybody may read this search and its answer; shown only now."""
    return await write(
        request, desk, actor,
        lambda session: LinkOut(token=saved_searches.make_link(session, actor, slug)), 201,
        hide=frozenset({"token"}),
    )  # fmt: skip


@router.delete("/searches/{slug}/links", response_model=RevokedOut)
async def revoke_links(
    request: Request, desk: AtDesk, actor: Recruiter, slug: Slug, _: IdempotencyKey = None
) -> Response:
    """Every link to it stops working."""
    return await write(
        request, desk, actor,
        lambda session: RevokedOut(links=saved_searches.revoke_links(session, actor, slug)),
    )  # fmt: skip


Token = Annotated[str, Path(min_length=1, max_length=100)]


@router.get("/shared/{token}", response_model=SharedOut)
async def shared(desk: AtDesk, token: Token) -> SharedOut:
    """What a link leads to: a search by name, and its answer now. Needs no login."""
    found = await read(desk, lambda session: saved_searches.by_link(session, token))
    await opened_of(desk)
    answer = await desk.searching.run(desk.search, Asked(found.query), LINK)
    veil = Veil(frozenset()) if desk.settings.blind else Veil()
    return SharedOut(
        name=found.name,
        query=QueryOut.of(found.query),
        results=veil.found(SearchOut.model_validate_json(answer.body)),
    )


async def question_of(desk: Desk, said: str | dict[str, object]) -> Query:
    """A question as it is saved: read with the names at hand, or given in its canonical form."""
    if isinstance(said, dict):
        return read_query(json.dumps(said))
    if not said.strip() or len(said) > 2000:
        raise BadInput("a question has 1 to 2000 characters")
    await opened_of(desk)
    return await desk.pool.run(desk.read, said)
