"""What is owed to people: that they are told, and a look at who is shown; and the nightly runs."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from api.access import Admin, Recruiter, Viewer
from api.answering import AtDesk, IdempotencyKey, opened_of, read, veil_of, write
from api.duty_responses import (
    CountedOut,
    ExposedOut,
    ExposureOut,
    LetterOut,
    NoticeOut,
    NoticesOut,
    RunOut,
    RunsOut,
    TellIn,
    UntellIn,
)
from api.exposing import Exposed, exposed
from api.notifying import duties
from api.pages.letters import letter
from api.pages.words import words_for
from api.routes.people import Who
from sourcer import runs
from sourcer.errors import NotFound
from sourcer.workspace import Session, entries, notices

router = APIRouter(tags=["duties"])
Days = Annotated[int, Query(ge=1, le=1000, description="How many days back.")]
Languages = Annotated[str, Query(max_length=20, examples=["en"])]


@router.get("/notices", response_model=NoticesOut)
async def due(
    desk: AtDesk,
    actor: Recruiter,
    listed: Annotated[bool, Query(description="Only people on a shortlist.")] = False,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
) -> NoticesOut:
    """Who has to be told that data on them are held, and by when: a month after they came."""
    opened, veil = await opened_of(desk), await veil_of(desk, actor)

    def do(session: Session) -> NoticesOut:
        held = notices.told(session), entries.first_listed(session)
        found = [one for one in duties(opened, *held, veil) if one.is_listed or not listed]
        late = sum(one.is_late(session.now) for one in found)
        shown = [NoticeOut.of(one) for one in found[:limit]]
        return NoticesOut(notices=shown, total=len(found), late=late)

    return await read(desk, do)


@router.post("/notices", response_model=CountedOut, status_code=201)
async def tell(
    request: Request, desk: AtDesk, actor: Recruiter, body: TellIn, _: IdempotencyKey = None
) -> Response:
    """Record that people were told; sending it is yours to do."""
    opened = await opened_of(desk)
    people = await desk.pool.run(lambda: [opened.people.find(one) for one in body.people])
    return await write(
        request, desk, actor,
        lambda session: CountedOut(people=notices.sent(session, actor, people, body.how)), 201,
    )  # fmt: skip


@router.post("/notices/undo", response_model=CountedOut)
async def untell(
    request: Request, desk: AtDesk, actor: Recruiter, body: UntellIn, _: IdempotencyKey = None
) -> Response:
    """They were not told after all."""
    return await write(
        request, desk, actor,
        lambda session: CountedOut(people=notices.unsent(session, actor, body.people)),
    )  # fmt: skip


@router.get("/people/{id}/notice", response_model=LetterOut)
async def notice(desk: AtDesk, actor: Recruiter, id: Who, language: Languages = "en") -> LetterOut:
    """The notice to one person: what is held, where it came from, and what they may ask for."""
    opened, veil = await opened_of(desk), await veil_of(desk, actor)
    words = words_for(language)

    def do(session: Session) -> LetterOut:
        person = opened.people.find(id)
        held = notices.told(session), entries.first_listed(session)
        one = next((one for one in duties(opened, *held, veil) if one.person_id == person), None)
        if one is None:
            raise NotFound(f"nothing but commits is held on {person}, and no list names them")
        text = letter(one, words, desk.settings)
        return LetterOut(person_id=person, language=words.language, text=text)

    return await read(desk, do)


@router.get("/exposure", response_model=ExposureOut)
async def exposure(desk: AtDesk, _: Admin, days: Days = 30) -> ExposureOut:
    """Who was shown, by declared country, employer and tenure, against the pool."""
    opened = await opened_of(desk)
    await desk.pool.run(desk.auditing.flush)

    def do(session: Session) -> Exposed:
        return exposed(opened, session, days)

    found = await read(desk, do)
    return ExposureOut(
        days=found.days, times=found.times, by=[ExposedOut.of(one) for one in found.by]
    )


@router.get("/runs", response_model=RunsOut)
async def nightly(
    desk: AtDesk, _: Viewer, limit: Annotated[int, Query(ge=1, le=200)] = 30
) -> RunsOut:
    """The last nightly runs, newest first: what each did, how long it took, what failed."""
    found = await desk.pool.run(lambda: runs.recent(desk.settings.data, limit))
    return RunsOut(runs=[RunOut.of(one) for one in found])
