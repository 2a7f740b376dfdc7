"""Forms that only our own pages can send, and the sentence shown after one was."""

import base64
import hmac
import json
from dataclasses import dataclass
from hashlib import sha256
from secrets import token_urlsafe
from urllib.parse import quote

from fastapi import Request
from starlette.datastructures import FormData
from starlette.responses import Response

from sourcer.errors import BadInput, NotAllowed

COOKIE = "sourcer_form"
FIELD = "form_secret"
SAID_COOKIE = "sourcer_said"


@dataclass(frozen=True, slots=True)
class Said:
    """What was done, and where a form takes it back."""

    text: str
    undo: str | None = None


@dataclass(frozen=True, slots=True)
class Seal:
    """Keeps what goes to the browser and comes back from being made up elsewhere.

    >>> seal = Seal(b"secret")
    >>> seal.opened(seal.closed(Said("Added", "/undo"))), seal.opened("x.y")
    (Said(text='Added', undo='/undo'), None)
    """

    key: bytes

    def secret(self, cookie: str) -> str:
        return self._mac("form", cookie)

    def closed(self, said: Said) -> str:
        body = base64.urlsafe_b64encode(json.dumps([said.text, said.undo]).encode()).decode()
        return f"{body}.{self._mac('said', body)}"

    def opened(self, text: str) -> Said | None:
        body, _, mac = text.partition(".")
        if not hmac.compare_digest(mac.encode(), self._mac("said", body).encode()):
            return None
        return Said(*json.loads(base64.urlsafe_b64decode(body)))

    def _mac(self, *parts: str) -> str:
        return hmac.new(self.key, "\0".join(("page", *parts)).encode(), sha256).hexdigest()


def cookie_of(request: Request) -> str:
    """The browser's own random word; made at its first page."""
    return request.cookies.get(COOKIE) or str(
        request.scope.setdefault("form_cookie", token_urlsafe(18))
    )


def keep_cookie(request: Request, response: Response, *, secure: bool) -> None:
    if (made := request.scope.get("form_cookie")) is not None:
        response.set_cookie(COOKIE, made, httponly=True, samesite="strict", secure=secure)


async def sent_form(request: Request, seal: Seal) -> FormData:
    """The fields of a form. Raises NotAllowed when it did not come from one of our pages."""
    form = await request.form()
    given = str(form.get(FIELD, ""))
    expected = seal.secret(request.cookies.get(COOKIE, ""))
    if COOKIE not in request.cookies or not hmac.compare_digest(given.encode(), expected.encode()):
        raise NotAllowed("this form is too old or came from elsewhere. Load the page again")
    return form


def field(form: FormData, name: str) -> str:
    """A field's text, without white space around it. Raises BadInput when it is not there."""
    value = form.get(name)
    if not isinstance(value, str):
        raise BadInput(f"the form lacks the field {name!r}")
    return value.strip()


def local_path(text: str, otherwise: str = "/") -> str:
    """A path of this server: nothing sent along can lead elsewhere.

    >>> local_path("/search?q=moe"), local_path("//evil.example"), local_path("https://a.b")
    ('/search?q=moe', '/', '/')
    """
    is_local = text.startswith("/") and not text.startswith(("//", "/\\"))
    return text if is_local and text.isprintable() else otherwise


def quoted_path(request: Request) -> str:
    """Where a visitor wanted to go, to be led there after logging in; pages only."""
    url = request.url
    wanted = f"{url.path}?{url.query}" if url.query and request.method == "GET" else url.path
    return quote(wanted if request.method == "GET" else "/", safe="")
