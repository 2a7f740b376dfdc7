"""Logging a browser in and out: by password, or at the company's login provider."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import RedirectResponse

from api.access import COOKIE, Viewer, access_of
from api.answering import AtDesk, read, write
from api.desk import Desk
from api.desk_requests import LogInIn
from api.desk_responses import DoneOut, SessionOut
from api.openid import CALLBACK, LASTS
from sourcer.errors import NotLoggedIn
from sourcer.workspace import Session, accounts, tokens
from sourcer.workspace.accounts import User

router = APIRouter(prefix="/session", tags=["accounts"])

BEGUN = "sourcer_login"


@router.post("", response_model=SessionOut, status_code=201)
async def log_in(response: Response, desk: AtDesk, body: LogInIn) -> SessionOut:
    """Log a browser in: it is given a cookie, and the secret that its changes must send."""
    user = await desk.pool.run(accounts.log_in, desk.workspace, body.name, body.password)
    csrf = await _let_in(response, desk, user)
    return SessionOut(name=user.name, role=user.role, csrf=csrf)


@router.get("", response_model=SessionOut)
async def session(request: Request, desk: AtDesk, actor: Viewer) -> SessionOut:
    """Who is logged in, and what a browser's changes must send as X-CSRF-Token."""
    secret = request.cookies.get(COOKIE)
    csrf = None
    if secret is not None:
        csrf = await read(desk, lambda reading: tokens.form_secret(reading, secret))
    return SessionOut(name=actor.name, role=actor.role, csrf=csrf)


@router.delete("", response_model=DoneOut)
async def log_out(request: Request, desk: AtDesk, actor: Viewer) -> Response:
    """Log this browser out."""
    secret = request.cookies.get(COOKIE, "")

    def do(writing: Session) -> DoneOut:
        tokens.log_out_browser(writing, secret)
        return DoneOut()

    answer = await write(request, desk, actor, do)
    access_of(request).forget()
    answer.delete_cookie(COOKIE)
    return answer


@router.get("/oidc", status_code=303, response_class=RedirectResponse)
async def begin(desk: AtDesk) -> Response:
    """Go to the login provider."""
    begun = await desk.openid.begin()
    answer = RedirectResponse(begun.url, 303)
    answer.set_cookie(
        BEGUN, begun.cookie, max_age=LASTS, httponly=True, samesite="lax", path=CALLBACK,
        secure=desk.settings.are_cookies_secure,
    )  # fmt: skip
    return answer


@router.get("/oidc/callback", status_code=303, response_class=RedirectResponse)
async def finish(
    request: Request,
    desk: AtDesk,
    state: Annotated[str, Query(max_length=500)],
    code: Annotated[str, Query(max_length=4000)],
) -> Response:
    """Come back from the login provider."""
    identity = await desk.openid.finish(request.cookies.get(BEGUN, ""), state, code)
    user = await read(desk, lambda reading: accounts.by_identity(reading, identity))
    if user is None:
        raise NotLoggedIn(f"nobody here has the identity {identity!r}. Ask an admin to add it")
    answer = RedirectResponse("/", 303)
    await _let_in(answer, desk, user)
    answer.delete_cookie(BEGUN, path=CALLBACK)
    return answer


async def _let_in(response: Response, desk: Desk, user: User) -> str:
    """Gives the browser its cookie; returns what its changes must send."""

    def logged_in() -> tuple[str, str]:
        with desk.workspace.writing() as session:
            secret = tokens.log_in_browser(session, user)
            return secret, tokens.form_secret(session, secret)

    secret, csrf = await desk.pool.run(logged_in)
    response.set_cookie(
        COOKIE,
        secret,
        max_age=int(tokens.BROWSER_WEEK.total_seconds()),
        httponly=True,
        secure=desk.settings.are_cookies_secure,
        samesite="lax",
    )
    return csrf
