"""The web app, assembled: what is opened once, what surrounds a request, and the routes."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path

from fastapi import APIRouter, FastAPI
from mcp.server.mcpserver import MCPServer
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware

from api import mcp, pages, problems
from api.access import Access
from api.auditing import Auditing
from api.cursors import Cursors
from api.desk import Desk
from api.documentation import documented
from api.envelope import Envelope
from api.limits import Limits
from api.metrics import Metrics
from api.openid import OpenId
from api.pools import Pool
from api.repeats import Repeats
from api.routes import (
    accounts,
    alerts,
    audit,
    decisions,
    duties,
    exports,
    health,
    jobs,
    knowledge,
    listed_people,
    login,
    people,
    questions,
    searches,
    shortlists,
    suppressions,
)
from api.serving import Serving
from api.snapshots import Snapshots
from api.work import Work
from sourcer.errors import SourcerError
from sourcer.lanes.file import lanes
from sourcer.screening import chosen
from sourcer.settings import Settings, salt
from sourcer.topics import load
from sourcer.workspace import Workspace

PREFIX = "/api/v1"
WAITING_THREADS = 8
ABOUT = """
Finds the engineers who did the work. Every claim cites the commits behind it; emails are never
shown. Answers come from one snapshot: pages of an answer fit together, and an answer asked for
again with its ETag is not sent twice.
"""
NOUNS = (
    questions,
    exports,
    duties,
    people,
    knowledge,
    alerts,
    searches,
    shortlists,
    listed_people,
    decisions,
    suppressions,
    jobs,
    accounts,
    login,
    audit,
)


def create_app(settings: Settings, serving: Serving | None = None) -> FastAPI:
    """The app of a data directory: `uvicorn` runs it, `TestClient` tests it."""
    serving = serving or Serving()
    desk = open_desk(settings, serving)
    tools = mcp.server(desk)
    access = Access(
        desk.workspace,
        desk.auditing,
        desk.pool,
        Limits(settings.rate_limit),
        is_open=not serving.accounts,
    )
    bounds = replace(serving.bounds, only_loopback=not serving.accounts)
    app = FastAPI(
        title="sourcer",
        version=version("sourcer"),
        description=ABOUT,
        lifespan=_lifespan(desk, tools),
        middleware=[
            Middleware(Envelope, metrics=desk.metrics, bounds=bounds, prefix=PREFIX),
            Middleware(Repeats, path=f"{PREFIX}/search", desk=desk, access=access),
            Middleware(GZipMiddleware, minimum_size=1000, compresslevel=5),
        ],
    )
    app.state.desk = desk
    app.state.serving = serving
    app.state.access = access
    problems.install(app)
    app.include_router(health.router)
    app.include_router(json_router())
    app.mount("/mcp", mcp.Door(mcp.http_app(tools), access))
    app.openapi = documented(app)  # type: ignore[method-assign]
    pages.install(app)
    return app


def open_desk(settings: Settings, serving: Serving) -> Desk:
    """What routes and tools work with."""
    workspace = Workspace.open(settings.data, settings.workspace_url)
    taxonomy = load(settings.topics_file)
    screening = chosen(settings, taxonomy)
    secret = salt(settings.data)
    return Desk(
        settings=settings,
        workspace=workspace,
        snapshots=Snapshots(
            settings.data,
            workspace,
            taxonomy,
            serving.open_snapshot,
            lanes(settings, taxonomy),
            edition(settings),
        ),
        auditing=Auditing(workspace),
        cursors=Cursors(secret),
        pool=Pool(WAITING_THREADS),
        searching=Pool(serving.threads),
        work=Work(workspace, serving.doing),
        metrics=Metrics(),
        openid=OpenId(settings, secret),
        screening=screening,
        today=serving.today,
    )


def json_router() -> APIRouter:
    """Every route of the JSON API."""
    router = APIRouter(prefix=PREFIX, responses=problems.DOCUMENTED)
    for noun in NOUNS:
        router.include_router(noun.router)
    return router


def edition(settings: Settings) -> str:
    """A short name of what shapes an answer beside the snapshot: the program and its files."""
    files = (str(settings.topics_file), settings.lanes, settings.screening)
    read = (Path(file).read_bytes() for file in files if file)
    return blake2b(b"\0".join((version("sourcer").encode(), *read)), digest_size=9).hexdigest()


def _lifespan(
    desk: Desk, tools: MCPServer
) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def alive(_app: FastAPI) -> AsyncIterator[None]:
        desk.auditing.start()
        try:
            await asyncio.to_thread(desk.snapshots.current)
        except SourcerError as error:
            logging.getLogger("api").warning("serving without a snapshot: %s", error)
        try:
            async with mcp.running(tools):
                yield
        finally:
            desk.close()

    return alive
