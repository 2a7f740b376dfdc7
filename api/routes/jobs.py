"""Long work: imports, ingests, and how far each has come."""

import asyncio
import json
from collections.abc import AsyncIterator
from hashlib import sha256
from pathlib import Path as FilePath
from secrets import token_hex
from typing import Annotated

from fastapi import APIRouter, File, Form, Path, Request, Response, UploadFile
from fastapi.responses import StreamingResponse

from api.access import Admin, Recruiter, Viewer
from api.answering import AtDesk, IdempotencyKey, once, read
from api.desk import Desk
from api.desk_requests import DecideIn
from api.desk_responses import DoneOut, JobOut, JobsOut, QueuedOut, QueueOut
from sourcer.errors import BadInput
from sourcer.workspace import jobs
from sourcer.workspace.jobs import ENDED, Job

router = APIRouter(tags=["jobs"])

Slug = Annotated[str, Path(min_length=1, max_length=40)]
LOOK = 0.3
"""Seconds between two looks at a job whose progress is being streamed."""
LONGEST = 3600.0
"""Seconds after which a stream ends; whoever still watches asks again."""


@router.get("/jobs", response_model=JobsOut)
async def recent(desk: AtDesk, _: Viewer) -> JobsOut:
    """The last fifty jobs, newest first."""
    found = await read(desk, jobs.recent)
    return JobsOut(jobs=[JobOut.model_validate(one) for one in found])


@router.get("/jobs/{slug}", response_model=JobOut)
async def one(desk: AtDesk, _: Viewer, slug: Slug) -> JobOut:
    """How far a job has come."""
    return JobOut.model_validate(await read(desk, lambda session: jobs.get(session, slug)))


@router.get(
    "/jobs/{slug}/events",
    response_class=StreamingResponse,
    responses={
        200: {
            "description": "Server-sent events: `progress` for each step, then `ended`.",
            "content": {"text/event-stream": {"schema": {"type": "string"}}},
        }
    },
)
async def events(desk: AtDesk, _: Viewer, slug: Slug) -> StreamingResponse:
    """A job's progress as it happens."""
    first = await read(desk, lambda session: jobs.get(session, slug))
    return StreamingResponse(
        _events(desk, first),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


@router.post("/imports", response_model=JobOut, status_code=202)
async def start_import(
    request: Request,
    desk: AtDesk,
    actor: Recruiter,
    file: Annotated[UploadFile, File(description="LinkedIn's export, CSV, XLSX, JSON …")],
    kind: Annotated[str | None, Form(max_length=40)] = None,
    columns: Annotated[
        str | None, Form(max_length=5000, examples=['{"title": "Current role"}'])
    ] = None,
    encoding: Annotated[str | None, Form(max_length=40)] = None,
    yes: Annotated[bool, Form(description="Take the mapping as it was guessed.")] = False,
    _: IdempotencyKey = None,
) -> Response:
    """Import profiles that you hold. They are linked to people at the next ingest."""
    options = {"kind": kind, "columns": _columns(columns), "encoding": encoding, "yes": yes}
    digest = await desk.pool.run(_digest, file)

    async def do() -> JobOut:
        inbox = desk.settings.data / "inbox" / token_hex(8)
        await file.seek(0)
        kept = await desk.pool.run(keep, file, inbox)
        job = await desk.pool.run(desk.work.import_file, actor, kept, options)
        return JobOut.model_validate(job)

    told = json.dumps([options, file.filename, digest]).encode()
    return await once(request, desk, actor, do, 202, told)


@router.get("/imports", response_model=JobsOut)
async def imports(desk: AtDesk, _: Viewer) -> JobsOut:
    """The last imports."""
    found = await read(desk, jobs.recent)
    return JobsOut(jobs=[JobOut.model_validate(one) for one in found if one.kind == "import"])


@router.get("/imports/queue", response_model=QueueOut)
async def queue(desk: AtDesk, actor: Recruiter) -> QueueOut:
    """Imported rows that may be about somebody, with what speaks for and against each."""
    desk.may_decide_links(actor)
    rows = await desk.pool.run(desk.queue)
    return QueueOut(queue=[QueuedOut.model_validate(row) for row in rows])


RowId = Annotated[str, Path(min_length=1, max_length=100)]


@router.post("/imports/queue/{id}", response_model=DoneOut)
async def decide(
    request: Request,
    desk: AtDesk,
    actor: Recruiter,
    id: RowId,
    body: DecideIn,
    _: IdempotencyKey = None,
) -> Response:
    """Accept, reject or undo; the decision acts at the next ingest."""
    desk.may_decide_links(actor)

    async def do() -> DoneOut:
        await desk.pool.run(desk.work.decide, body.verdict, id)
        return DoneOut()

    return await once(request, desk, actor, do)


@router.post("/ingests", response_model=JobOut, status_code=202)
async def start_ingest(
    request: Request, desk: AtDesk, actor: Admin, _: IdempotencyKey = None
) -> Response:
    """Bring every remembered repository up to date and publish a snapshot; for admins."""

    async def do() -> JobOut:
        return JobOut.model_validate(await desk.pool.run(desk.work.ingest, actor))

    return await once(request, desk, actor, do, 202)


async def _events(desk: Desk, job: Job) -> AsyncIterator[str]:
    waited, last, name = 0.0, None, job.slug
    while waited < LONGEST:
        if job != last:
            yield _event("ended" if job.state in ENDED else "progress", job)
        if job.state in ENDED:
            return
        last = job
        await asyncio.sleep(LOOK)
        waited += LOOK
        job = await read(desk, lambda session: jobs.get(session, name))


def _event(name: str, job: Job) -> str:
    """Its data is one line, whatever the job says, as JSON writes line ends as \\n."""
    data = JobOut.model_validate(job).model_dump_json()
    return f"event: {name}\nid: {job.changed_at.isoformat()}\ndata: {data}\n\n"


def _columns(text: str | None) -> dict[str, str]:
    if text is None:
        return {}
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict) or not all(isinstance(each, str) for each in said.values()):
        raise BadInput('columns is not an object such as {"title": "Current role"}')
    return said


def _digest(file: UploadFile) -> str:
    seen = sha256()
    while part := file.file.read(1 << 20):
        seen.update(part)
    return seen.hexdigest()


def keep(file: UploadFile, inbox: FilePath) -> FilePath:
    """The upload under a name of its last part only, in a folder of its own."""
    name = FilePath((file.filename or "upload").replace("\\", "/")).name
    safe = "".join(letter for letter in name if letter.isalnum() or letter in "._- ")[-80:].strip(
        ". "
    )
    inbox.mkdir(parents=True)
    kept = inbox / (safe or "upload")
    with kept.open("wb") as into:
        while part := file.file.read(1 << 20):
            into.write(part)
    return kept
