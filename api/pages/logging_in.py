"""Logging in and out, where a server asks for it."""

from fastapi import APIRouter, Request, Response

from api.access import COOKIE, access_of
from api.pages.forms import field, local_path
from api.pages.site import AtSite, at_the_door
from sourcer.errors import NotLoggedIn
from sourcer.workspace import accounts, tokens

router = APIRouter(include_in_schema=False)


@router.get("/login")
async def ask(request: Request) -> Response:
    site = at_the_door(request)
    after = local_path(request.query_params.get("next", "/"))
    return await site.page("login.html", lambda: {"after": after, "fault": ""})


@router.post("/login")
async def log_in(request: Request) -> Response:
    site = at_the_door(request)
    form = await site.form()
    name, password = field(form, "name"), str(form.get("password", ""))
    after = local_path(str(form.get("next", "/")))
    try:
        user = await site.run(lambda: accounts.log_in(site.desk.workspace, name, password))
    except NotLoggedIn as error:
        return site.show("login.html", {"after": after, "fault": str(error)}, 401)
    secret = await site.write(lambda session: tokens.log_in_browser(session, user))
    answer = site.go(after)
    lasts = int(tokens.BROWSER_WEEK.total_seconds())
    secure = site.desk.settings.are_cookies_secure
    answer.set_cookie(
        COOKIE, secret, max_age=lasts, httponly=True, samesite="strict", secure=secure
    )
    return answer


@router.post("/logout")
async def log_out(request: Request, site: AtSite) -> Response:
    await site.form()
    secret = request.cookies.get(COOKIE, "")
    await site.write(lambda session: tokens.log_out_browser(session, secret))
    access_of(request).forget()
    answer = site.go("/login")
    answer.delete_cookie(COOKIE)
    return answer
