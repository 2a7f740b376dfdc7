"""People who asked not to be found: gone from every answer when the request is answered."""

import asyncio

from fastapi import APIRouter, Request, Response

from api.access import Admin, Recruiter
from api.answering import AtDesk, IdempotencyKey, opened_of, read, write
from api.auditing import EVERY
from api.desk import Desk
from api.desk_requests import LiftIn, SuppressIn
from api.desk_responses import ForgottenOut, LiftedOut, SuppressionOut, SuppressionsOut
from api.forgetting import Described, described, given
from api.snapshots import TICK
from sourcer.workspace import Session, audit, erasures, suppressions
from sourcer.workspace.actors import Actor
from sourcer.workspace.suppressions import Channel

router = APIRouter(prefix="/suppressions", tags=["suppressions"])


@router.get("", response_model=SuppressionsOut)
async def every(desk: AtDesk, _: Admin) -> SuppressionsOut:
    """What is kept: kinds and times of hashes, never what they are of."""
    found = await read(desk, suppressions.every)
    return SuppressionsOut(suppressions=[SuppressionOut.model_validate(one) for one in found])


@router.post("", response_model=ForgottenOut, status_code=201)
async def suppress(
    request: Request, desk: AtDesk, actor: Recruiter, body: SuppressIn, _: IdempotencyKey = None
) -> Response:
    """Somebody is not to be found any more, by any face, now and after every later ingest.

    The answer comes once every worker of this server has noticed. An erasure goes on as a job:
    crawled signatures, imported rows and older snapshots are gone when it has ended.
    """
    opened = await opened_of(desk)
    who = await desk.pool.run(described, opened, body.who, body.context)

    def do(session: Session) -> ForgottenOut:
        number = None
        if body.erase:
            number = erasures.erase(session, actor, who.known_by, Channel.API, who.words).id
        kept = suppressions.suppress(session, actor, who.known_by, Channel.API)
        return ForgottenOut(people=len(who.people), hashes=len(kept), erasure=number)

    await desk.pool.run(desk.auditing.flush)
    answer = await write(request, desk, actor, do, 201)
    await desk.pool.run(desk.snapshots.look_again)
    await asyncio.sleep(TICK)
    if body.erase:
        await asyncio.sleep(EVERY)
        await desk.pool.run(_blot_late, desk, actor, who)
        await desk.pool.run(desk.work.erase, actor)
    return answer


def _blot_late(desk: Desk, actor: Actor, who: Described) -> None:
    """What other workers still had to log when the person was erased."""
    with desk.workspace.writing() as session:
        audit.blot(session, frozenset(who.people), actor.name)


@router.post("/lift", response_model=LiftedOut)
async def lift(
    request: Request, desk: AtDesk, actor: Admin, body: LiftIn, _: IdempotencyKey = None
) -> Response:
    """Somebody may be found again, having asked for it; for admins."""
    one = given(body.who, body.context)
    return await write(
        request, desk, actor,
        lambda session: LiftedOut(hashes=suppressions.lift(session, actor, [one])),
    )  # fmt: skip
