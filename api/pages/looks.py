"""How a browser wants to see the pages: its language, and blind or not."""

from fastapi import APIRouter, Request, Response

from api.pages.forms import Said, local_path
from api.pages.site import BLIND_COOKIE, LANGUAGE_COOKIE, at_the_door
from api.pages.words import languages, words_for

router = APIRouter(include_in_schema=False)
YEAR = 365 * 24 * 3600


@router.post("/look")
async def look(request: Request) -> Response:
    """Kept by the browser, for a year."""
    site = at_the_door(request)
    form = await site.form()
    language, blind = str(form.get("language", "")), form.get("blind") == "1"
    words = words_for(language) if language in languages() else site.words
    answer = site.go(local_path(str(form.get("back", ""))), Said(words("done.look")))
    kept = {LANGUAGE_COOKIE: words.language, BLIND_COOKIE: "1" if blind else ""}
    for name, value in kept.items():
        answer.set_cookie(
            name,
            value,
            max_age=YEAR,
            httponly=True,
            samesite="strict",
            secure=site.desk.settings.are_cookies_secure,
        )
    return answer
