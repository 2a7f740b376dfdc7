"""Exports: an answer or a shortlist as a file, or handed over to an applicant-tracking system."""

import asyncio
from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field

from api.access import Recruiter
from api.answering import AtDesk, IdempotencyKey, once, opened_of, read, veil_of
from api.asked import Asked
from api.desk import Desk
from api.exported import Exported
from api.exports import FORMATS
from api.responses import EvidenceOut, SearchOut, Wire, clean
from api.routes.questions import Limit, Place, Repo, Words
from api.routes.shortlists import Slug
from api.showing import person_out, shown_people
from api.snapshots import Opened
from api.tracking import Delivered, deliver, system
from sourcer.workspace import audit, entries
from sourcer.workspace.actors import Actor
from sourcer.workspace.entries import Listed

router = APIRouter(tags=["exports"])

FormatName = StrEnum("FormatName", {name: name for name in FORMATS})  # type: ignore[misc]
Wanted = Annotated[FormatName, Query(alias="format", description="What kind of file.")]
SHOWN_COMMITS = 3
FILE: dict[int | str, dict[str, object]] = {
    200: {
        "description": "The file.",
        "content": {
            media: {"schema": {"type": "string", "format": "binary"}}
            for media in sorted({each.media_type.partition(";")[0] for each in FORMATS.values()})
        },
    }
}


class DeliverIn(Wire):
    to: str = Field(max_length=40, examples=["greenhouse"])
    people: list[Annotated[str, Field(max_length=100)]] = Field(
        [], max_length=500, description="Ids; everyone on the shortlist if none is named."
    )


class DeliveredOut(Wire):
    person_id: str
    external_id: str | None
    why_not: str | None


class DeliveriesOut(Wire):
    delivered: list[DeliveredOut]


@router.get("/search/export", response_class=Response, responses=FILE)
async def export_search(
    desk: AtDesk,
    actor: Recruiter,
    q: Words,
    wanted: Wanted,
    repo: Repo = None,
    limit: Limit = 100,
    cursor: Place = None,
) -> Response:
    """A page of the people who answer a question, as a file."""
    opened = await opened_of(desk)
    answer = await desk.searching.run(desk.search, Asked(q, repo, limit, cursor), actor)
    found = SearchOut.model_validate_json(answer.body)
    veil = await veil_of(desk, actor)
    people = [
        Exported.of(
            veil.entry(one),
            "" if veil.covers(one.person.id) else linkedin(opened, one.person.id),
        )
        for one in found.entries
    ]
    return await _file(desk, actor, wanted, people, {"question": q, "snapshot": found.snapshot})


@router.get("/shortlists/{slug}/export", response_class=Response, responses=FILE)
async def export_shortlist(desk: AtDesk, actor: Recruiter, slug: Slug, wanted: Wanted) -> Response:
    """The people on a shortlist, as a file."""
    opened = await opened_of(desk)
    listed = await read(desk, lambda session: entries.every(session, actor, slug))
    people = await desk.pool.run(exported, opened, listed)
    return await _file(desk, actor, wanted, people, {"shortlist": slug, "snapshot": opened.name})


@router.post("/shortlists/{slug}/deliver", response_model=DeliveriesOut)
async def hand_over(
    request: Request,
    desk: AtDesk,
    actor: Recruiter,
    slug: Slug,
    body: DeliverIn,
    _: IdempotencyKey = None,
) -> Response:
    """Hand people of a shortlist over to Greenhouse, Lever or Ashby, as set up by an admin."""

    async def do() -> DeliveriesOut:
        done = await handed_over(desk, actor, slug, body.to, body.people)
        return DeliveriesOut(delivered=[DeliveredOut.model_validate(one) for one in done])

    return await once(request, desk, actor, do)


async def handed_over(
    desk: Desk, actor: Actor, slug: str, name: str, ids: Sequence[str] = ()
) -> list[Delivered]:
    """What became of each; the log has those who went out."""
    to = system(desk.settings, name)
    opened = await opened_of(desk)
    listed = await read(desk, lambda session: entries.every(session, actor, slug))
    chosen = [one for one in listed if not ids or one.person_id in ids]
    people = await desk.pool.run(exported, opened, chosen)
    done = await asyncio.to_thread(deliver, to, people)
    sent = [each for each in people if each.person.id in {one.person_id for one in done}]
    await _log(desk, actor, f"to {to.name}", sent, {"shortlist": slug, "snapshot": opened.name})
    return done


async def _file(
    desk: Desk, actor: Actor, name: str, people: Sequence[Exported], about: dict[str, object]
) -> Response:
    """The log is on disk before the file goes out."""
    chosen = FORMATS[name]
    body = await desk.pool.run(chosen.write, people)
    await _log(desk, actor, str(name), people, about)
    headers = {
        "Content-Disposition": f'attachment; filename="sourcer-{name}.{chosen.ending}"',
        "Cache-Control": "no-store",
    }
    return Response(body, media_type=chosen.media_type, headers=headers)


async def _log(
    desk: Desk, actor: Actor, name: str, people: Sequence[Exported], about: dict[str, object]
) -> None:
    said = {**about, "format": name, "shown": [one.person.id for one in people]}

    def do() -> None:
        with desk.workspace.writing() as session:
            audit.append(session, audit.Entry(actor.name, "exported", said))

    await desk.pool.run(do)


def exported(opened: Opened, listed: Sequence[Listed]) -> list[Exported]:
    found = []
    for one in shown_people(opened, listed):
        person = person_out(opened, one.person_id)
        if person is None:
            continue
        rows = opened.people.commits(one.person_id, SHOWN_COMMITS, 0)
        dated = [clean({**row._asdict(), "date": f"{row.date:%Y-%m-%d}"}) for row in rows]
        found.append(
            Exported(
                person,
                "; ".join(one.reasons),
                [EvidenceOut.model_validate(each) for each in dated],
                stage=one.stage,
                reason="; ".join(one.reasons),
                linkedin=linkedin(opened, one.person_id),
            )
        )
    return found


def linkedin(opened: Opened, person: str) -> str:
    """The page that the person, or a file imported about them, names."""
    fact = opened.people.fact(person, "linkedin")
    return "" if fact is None else str(fact.value)
