"""People: everything held on one, those near them, and what to ask them."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from api.access import Viewer
from api.answering import AtDesk, from_snapshot, opened_of, unkept, veil_of
from api.asked import Asked
from api.cursors import Cursor, digest
from api.desk import Desk
from api.person_responses import CommitsOut, PersonDetailOut
from api.pool_responses import ScreeningOut
from api.problems import Gone
from api.responses import SearchOut
from api.routes.questions import Blind, Limit, Place, searched
from api.snapshots import Opened
from index.own_work import screening as screened
from sourcer.query import Filter
from sourcer.query import Query as Question

router = APIRouter(prefix="/people", tags=["people"])

Who = Annotated[
    str,
    Path(
        min_length=1,
        max_length=100,
        description="An id, an id of earlier times, or a login.",
        examples=["p7h2k9qw4mz", "mira-l"],
    ),
]
PAGE = 50


@router.get("/{id}", response_model=PersonDetailOut)
async def person(
    request: Request, desk: AtDesk, actor: Viewer, id: Who, blind: Blind = False
) -> Response:
    """Everything held on one person: commits, topics, colleagues, declared fields, roles held."""

    def made(opened: Opened) -> PersonDetailOut:
        return PersonDetailOut.of(opened.people.detail(id), opened.name)

    answer = await from_snapshot(request, desk, ("person", id), made)
    opened = await opened_of(desk)
    found = opened.people.find(id)
    desk.auditing.note(
        actor.name, "person.shown", found, {"person": found, "snapshot": opened.name}
    )
    if blind or desk.settings.blind:
        veil = await veil_of(desk, actor, blind=True)
        return unkept(veil.detail(await desk.pool.run(made, opened)))
    return answer


@router.get("/{id}/commits", response_model=CommitsOut)
async def commits(
    request: Request,
    desk: AtDesk,
    actor: Viewer,
    id: Who,
    limit: Limit = PAGE,
    cursor: Place = None,
) -> Response:
    """The person's commits in any role, newest first."""
    asked = digest("commits", id, limit)
    place = None if cursor is None else desk.cursors.read(cursor)
    if place is not None and place.question != asked:
        raise Gone("this cursor belongs to another list. Ask from the start")
    before = 0 if place is None else place.offset

    def made(opened: Opened) -> CommitsOut:
        found = opened.people.commits(id, limit + 1, before)
        after = Cursor(opened.name, before + limit, asked) if len(found) > limit else None
        return CommitsOut.of(
            opened.people.find(id),
            found[:limit],
            None if after is None else desk.cursors.write(after),
        )

    if desk.settings.blind:
        veil = await veil_of(desk, actor)
        return unkept(veil.commits(await desk.pool.run(made, await opened_of(desk))))
    return await from_snapshot(request, desk, ("commits", id, limit, before), made)


@router.get("/{id}/similar", response_model=SearchOut)
async def similar(
    request: Request,
    desk: AtDesk,
    actor: Viewer,
    id: Who,
    limit: Limit = 20,
    cursor: Place = None,
    blind: Blind = False,
) -> Response:
    """People whose commits lie where this person's lie."""
    question = await alike(desk, id)
    asked = Asked(question, None, limit, cursor)
    return await searched(request, desk, actor, asked, blind=blind)


async def alike(desk: Desk, said: str) -> Question:
    """The question for people like one; raises NoSuchPerson."""
    opened = await opened_of(desk)
    found = await desk.pool.run(opened.people.find, said)
    return Question(f"people like {found}", filters=(Filter("similar_to", "=", found),))


Topic = Annotated[
    str, Query(min_length=1, max_length=100, description="A topic's id.", examples=["moe"])
]


@router.get("/{id}/screening", response_model=ScreeningOut)
async def screening(
    request: Request,
    desk: AtDesk,
    actor: Viewer,
    id: Who,
    topic: Topic,
) -> Response:
    """What to ask this person on a topic, each question grown from their own commits."""

    def made(opened: Opened) -> ScreeningOut:
        person = opened.people.find(id)
        asked = screened(opened.searcher, person, topic, desk.screening)
        return ScreeningOut.of(opened.people.shown(person), topic, asked)

    if desk.settings.blind:
        veil = await veil_of(desk, actor)
        return unkept(veil.screening(await desk.pool.run(made, await opened_of(desk))))
    return await from_snapshot(request, desk, ("screening", id, topic), made)
