"""Imports: a file, its mapping confirmed on its first rows, its progress, and the link queue."""

from collections.abc import Iterator
from pathlib import Path
from secrets import token_hex

from fastapi import APIRouter, Response, UploadFile
from starlette.datastructures import UploadFile as StarletteUpload

from api.pages.forms import Said, field
from api.pages.site import AtSite, Site
from api.pages.words import Words
from api.routes.jobs import keep
from sourcer.errors import BadInput, NotAllowed, NotFound
from sourcer.workspace import jobs
from sourcer.workspace.actors import Role
from sourcer.workspace.jobs import ENDED, Job

router = APIRouter(prefix="/imports", include_in_schema=False)
SHOWN_UNREAD = 100
Facts = dict[str, object]


@router.get("")
async def every(site: AtSite) -> Response:
    """What was imported, and what waits to be decided."""
    found = [_before(one, site) for one in await site.read(jobs.recent) if one.kind == "import"]
    waiting = [row for row in await site.run(site.desk.queue) if row["decided"] is None]
    can_import = site.desk.work.doing.import_file is not None
    view = {"jobs": found, "waiting": len(waiting), "can_import": can_import}
    return await site.page("imports.html", lambda: view)


@router.post("")
async def upload(site: AtSite) -> Response:
    """Keeps the file in the inbox and leads to its first rows."""
    site.actor.must_be(Role.RECRUITER)
    form = await site.form()
    file = form.get("file")
    if not isinstance(file, StarletteUpload) or not file.filename:
        raise BadInput(site.words("imports.pick"))
    token = token_hex(8)
    given = UploadFile(file.file, filename=file.filename)
    await site.run(lambda: keep(given, _inbox(site, token)))
    await form.close()
    return site.go(f"/imports/inbox/{token}")


@router.get("/inbox/{token}")
async def preview(site: AtSite, token: str) -> Response:
    """The first rows, each column with what it will be read as."""
    site.actor.must_be(Role.RECRUITER)
    file = _file(site, token)
    seen = await site.run(lambda: site.desk.work.preview(file))
    chosen = {str(column): name for name, column in dict(_table(seen["columns"])).items()}
    view = {"token": token, "file": file.name, "seen": seen, "chosen": chosen}
    return await site.page("import_preview.html", lambda: view)


@router.post("/inbox/{token}")
async def begin(site: AtSite, token: str) -> Response:
    """Imports the file as the mapping says."""
    form = await site.form()
    file = _file(site, token)
    seen = await site.run(lambda: site.desk.work.preview(file))
    header = seen["header"] if isinstance(seen["header"], list) else []
    read = {str(form.get(f"column.{row}") or ""): name for row, name in enumerate(header)}
    read.pop("", None)
    unset = {name: "" for name in _table(seen["columns"]) if name not in read}
    options = {"kind": None, "encoding": None, "columns": {**unset, **read}, "yes": True}
    job = await site.run(lambda: site.desk.work.import_file(site.actor, file, options))
    return site.go(f"/imports/jobs/{job.slug}")


@router.get("/jobs/{slug}")
async def progress(site: AtSite, slug: str) -> Response:
    """How far a job has come; what it kept, what it could not read and why."""
    job = await site.read(lambda session: jobs.get(session, slug))
    result = _table(job.result)
    unread = result.get("unread")
    rows = unread if isinstance(unread, list) else []
    view = {
        "job": job,
        "ended": job.state in ENDED,
        "result": result,
        "unread": rows[:SHOWN_UNREAD],
        "more": max(0, len(rows) - SHOWN_UNREAD),
    }
    return await site.page("job.html", lambda: view)


@router.get("/queue")
async def queue(site: AtSite) -> Response:
    """Rows that may be about somebody, one decision each; closed to whoever chose to be blind."""
    site.desk.may_decide_links(site.actor)
    if _is_closed(site):
        return site.show("queue.html", {"is_closed": True}, 403)
    rows = await site.run(site.desk.queue)
    waiting = [row for row in rows if row["decided"] is None]
    decided = [row for row in rows if row["decided"] is not None]
    view = {"is_closed": False, "waiting": waiting, "decided": decided}
    return await site.page("queue.html", lambda: view)


@router.post("/queue")
async def decide(site: AtSite) -> Response:
    site.desk.may_decide_links(site.actor)
    if _is_closed(site):
        raise NotAllowed(site.words("queue.closed"))
    form = await site.form()
    row, verdict = field(form, "row"), field(form, "verdict")
    if verdict not in ("accept", "reject", "undo"):
        raise BadInput(f"{verdict[:20]!r} is no verdict: accept, reject or undo")
    await site.run(lambda: site.desk.work.decide(verdict, row))
    return site.go("/imports/queue", Said(site.words(f"done.{verdict}")))


def _before(job: Job, site: Site) -> tuple[Job, str, str]:
    """An import with its file and, once it is done, what it kept."""
    result = _table(job.result)
    return job, str(result.get("file", "")), " ".join(_kept(result, site.words))


def _kept(result: Facts, words: Words) -> Iterator[str]:
    if result.get("already_imported"):
        yield words("job.already")
    elif "records" in result:
        yield words("job.records", n=result["records"])
        if isinstance(unread := result.get("unread"), list) and unread:
            yield words("job.unread", n=len(unread))


def _is_closed(site: Site) -> bool:
    """Rows name people. Where all are blind an admin decides them, and so must see."""
    return site.is_blind and not site.desk.settings.blind


def _inbox(site: Site, token: str) -> Path:
    return site.desk.settings.data / "inbox" / token


def _file(site: Site, token: str) -> Path:
    """The one file of an upload. Raises NotFound."""
    folder = _inbox(site, token)
    held = sorted(folder.iterdir()) if token.isalnum() and folder.is_dir() else []
    if not held:
        raise NotFound(site.words("imports.gone"))
    return held[0]


def _table(value: object) -> Facts:
    return {str(key): each for key, each in value.items()} if isinstance(value, dict) else {}
