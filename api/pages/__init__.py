"""The recruiter's pages: one module per noun, views made in Python, templates without logic."""

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

from api.pages import (
    admin,
    compare,
    exports,
    graph,
    imports,
    logging_in,
    looks,
    notices,
    overseeing,
    people,
    pool,
    saved,
    search,
    shortlists,
    subscriptions,
)
from api.pages.forms import quoted_path
from api.pages.site import HERE, at_the_door
from api.problems import status_of
from sourcer.errors import NotLoggedIn, SourcerError

NOUNS = (
    logging_in, looks, search, people, compare, shortlists, saved, pool, graph, exports, imports,
    admin, overseeing, notices, subscriptions,
)  # fmt: skip
YEAR = "public, max-age=31536000, immutable"


class OurFiles:
    """Style and script, kept by browsers for good: their address changes with their content."""

    def __init__(self) -> None:
        self._files = StaticFiles(directory=HERE / "static")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["answer_headers"] = [(b"cache-control", YEAR.encode())]
        await self._files(scope, receive, send)


def install(app: FastAPI) -> None:
    """Adds the pages to an app that has its other routes already."""
    for noun in NOUNS:
        app.include_router(noun.router)
    app.mount("/static", OurFiles())
    for kind in (SourcerError, RequestValidationError, HTTPException):
        app.add_exception_handler(kind, _also_for_people(app, kind))


def _also_for_people(app: FastAPI, kind: type[Exception]):  # type: ignore[no-untyped-def]
    """A browser that asked for a page is told in a page; all others as before."""
    otherwise = app.exception_handlers[kind]

    async def answer(request: Request, error: Exception) -> Response:
        if not _wants_page(request):
            told: Response = await otherwise(request, error)  # type: ignore[misc]
            return told
        if isinstance(error, NotLoggedIn):
            return RedirectResponse(f"/login?next={quoted_path(request)}", 303)
        return _page(request, error)

    return answer


def _wants_page(request: Request) -> bool:
    is_ours = not request.url.path.startswith(("/api/", "/mcp", "/static/"))
    return is_ours and "text/html" in request.headers.get("accept", "")


def _page(request: Request, error: Exception) -> Response:
    site = at_the_door(request)
    words = site.words
    if isinstance(error, SourcerError):
        status, detail = status_of(error), str(error)
    elif isinstance(error, HTTPException):
        status = error.status_code
        detail = words("error.no-page") if status == 404 else str(error.detail)
    else:
        status, detail = 422, words("error.unfit")
    key = f"error.{status}"
    title = words(key if words.has(key) else "error.title")
    return site.show("error.html", {"title": title, "detail": detail[:500]}, status)
