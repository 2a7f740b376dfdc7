"""Merging and splitting people; it acts at the next ingest, and each can be undone."""

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from api.access import Recruiter, Viewer
from api.answering import AtDesk, IdempotencyKey, opened_of, read, write
from api.desk_requests import MergeIn
from api.desk_responses import DecisionOut, DecisionsOut
from api.snapshots import Opened
from sourcer.errors import BadInput
from sourcer.workspace import Session, decisions
from sourcer.workspace.decisions import Decision, Side

router = APIRouter(prefix="/merges", tags=["merges"])

Number = Annotated[int, Path(ge=1, le=2**31 - 1)]


@router.get("", response_model=DecisionsOut)
async def every(desk: AtDesk, _: Viewer) -> DecisionsOut:
    """All merges and splits, the undone ones too, newest first."""
    found = await read(desk, decisions.every)
    return DecisionsOut(merges=[out(one) for one in found])


@router.post("", response_model=DecisionOut, status_code=201)
async def decide(
    request: Request, desk: AtDesk, actor: Recruiter, body: MergeIn, _: IdempotencyKey = None
) -> Response:
    """Two people are one (`other`), or one is two (`signatures`), from the next ingest on."""
    if (body.other is None) is not bool(body.signatures):
        raise BadInput("say who is the same person (other), or which signatures are not theirs")
    opened = await opened_of(desk)
    first, second = await desk.pool.run(_sides, opened, body)

    def do(session: Session) -> DecisionOut:
        act = decisions.split if body.other is None else decisions.merge
        return out(act(session, actor, first, second, body.reason))

    return await write(request, desk, actor, do, 201)


@router.delete("/{number}", response_model=DecisionOut)
async def undo(
    request: Request, desk: AtDesk, actor: Recruiter, number: Number, _: IdempotencyKey = None
) -> Response:
    """The decision counts no more, from the next ingest on; its record stays."""
    return await write(
        request, desk, actor, lambda session: out(decisions.undo(session, actor, number))
    )


def out(decision: Decision) -> DecisionOut:
    fields = {name: getattr(decision, name) for name in DecisionOut.model_fields}
    return DecisionOut.model_validate({**fields, "people": list(decision.people)})


def _sides(opened: Opened, body: MergeIn) -> tuple[Side, Side]:
    person = opened.people.find(body.person)
    keys = opened.people.keys(person)
    if body.other is not None:
        other = opened.people.find(body.other)
        return Side(person, keys), Side(other, opened.people.keys(other))
    going = set(body.signatures)
    if not going <= set(keys):
        raise BadInput(f"some of these signatures are not of {person}. See GET /people/{person}")
    stay = tuple(key for key in keys if key not in going)
    return Side(person, stay), Side(person, tuple(key for key in keys if key in going))
