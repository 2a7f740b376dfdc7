"""What every page needs: who looks, the words, the desk, and how a template becomes an answer."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Annotated, TypeVar

from fastapi import Depends, Request
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.datastructures import FormData
from starlette.responses import HTMLResponse, RedirectResponse, Response

from api.access import COOKIE as SESSION_COOKIE
from api.access import access_of
from api.blinding import Veil
from api.desk import Desk
from api.pages.forms import SAID_COOKIE, Said, Seal, cookie_of, keep_cookie, sent_form
from api.pages.sending import finished, sent_in_stretches, stretches_of
from api.pages.words import Words, languages, names_of_languages, words_for
from api.snapshots import Opened
from sourcer.pool import Pool
from sourcer.query import Query
from sourcer.workspace import Session
from sourcer.workspace.actors import Actor, Role
from sourcer.workspace.wording import without_emails

T = TypeVar("T")
NOBODY = Actor("", Role.VIEWER)
PART = "sourcer-part"
"""The header by which our script asks for what is inside a page, without what surrounds it."""
BLIND_COOKIE = "sourcer_blind"
LANGUAGE_COOKIE = "sourcer_language"
PATH = re.compile(r"(?<=\w)/(?=\w)")
"""Where a path is parted; not in a tag, whose slash comes first."""
HERE = Path(__file__).parent.parent
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cache-Control": "private, no-cache",
    "Vary": "Accept-Language, Cookie, Sourcer-Part",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cross-Origin-Opener-Policy": "same-origin",
}


@dataclass(frozen=True)
class Site:
    """One visit: a request with whoever made it."""

    request: Request
    desk: Desk
    actor: Actor
    words: Words

    @property
    def opened(self) -> Opened:
        """Raises NoSnapshot while nothing is published."""
        return self.desk.snapshots.current()

    async def run(self, do: Callable[[], T]) -> T:
        return await self.desk.pool.run(do)

    async def read(self, do: Callable[[Session], T]) -> T:
        def reading() -> T:
            with self.desk.workspace.reading() as session:
                return do(session)

        return await self.run(reading)

    async def write(self, do: Callable[[Session], T]) -> T:
        def writing() -> T:
            with self.desk.workspace.writing() as session:
                return do(session)

        return await self.run(writing)

    async def form(self) -> FormData:
        return await sent_form(self.request, self._seal)

    async def page(self, template: str, make: Callable[[], Mapping[str, object]]) -> Response:
        """Makes what a template shows and renders it, both in a thread."""
        return await self.run(lambda: self.show(template, make()))

    async def page_as_rendered(
        self, template: str, make: Callable[[], Mapping[str, object]]
    ) -> Response:
        """The same, sent while the part below the first screen is still being rendered."""

        def begun() -> Iterator[bytes]:
            stretches = stretches_of(self._rendered(template, make()))
            return chain((next(stretches),), stretches)

        sentence = Markup('<p class="notice" role="alert">{}</p>').format(
            self.words("error.broken")
        )
        stretches = finished(await self.run(begun), sentence)
        return self._kept(sent_in_stretches(self.request.headers, stretches, 200, HEADERS))

    def show(self, template: str, view: Mapping[str, object], status: int = 200) -> Response:
        html = "".join(self._rendered(template, view))
        return self._kept(HTMLResponse(html, status, HEADERS))

    def _rendered(self, template: str, view: Mapping[str, object]) -> Iterator[str]:
        return (
            environment()
            .get_template(template)
            .generate(
                view,
                layout="part.html" if PART in self.request.headers else "layout.html",
                t=self.words,
                actor=self.actor,
                beyond=self._beyond,
                may_write=self.actor.role.includes(Role.RECRUITER),
                said=self._said,
                here=self.here,
                is_blind=self.is_blind,
                must_be_blind=bool(self.desk.settings.blind),
                languages=names_of_languages(),
                has_accounts=not access_of(self.request).is_open,
                form_secret=self._seal.secret(cookie_of(self.request)),
                static=static_path,
            )
        )

    def _kept(self, response: Response) -> Response:
        """With the cookies of a page."""
        keep_cookie(self.request, response, secure=self._secure)
        if self._said is not None:
            response.delete_cookie(SAID_COOKIE)
        return response

    def go(self, path: str, said: Said | None = None) -> Response:
        """To another page, where what was done is said."""
        response = RedirectResponse(path, 303, HEADERS)
        if said is not None:
            sealed = self._seal.closed(said)
            response.set_cookie(
                SAID_COOKIE, sealed, httponly=True, samesite="strict", secure=self._secure
            )
        return response

    def pool(self, query: Query) -> Pool:
        """Who there is for a question; in blind mode without what would tell who it is."""
        found = self.opened.pools.of(query)
        return found.in_blind() if self.is_blind else found

    @property
    def here(self) -> str:
        url = self.request.url
        return f"{url.path}?{url.query}" if url.query else url.path

    @cached_property
    def _said(self) -> Said | None:
        """What was done by the request before this one."""
        return self._seal.opened(self.request.cookies.get(SAID_COOKIE, "."))

    @property
    def _beyond(self) -> frozenset[str]:
        """Pages that are not for whoever looks; nothing while that is not known."""
        is_known = bool(self.actor.name)
        return frozenset(
            page
            for page, role in (("imports", Role.RECRUITER), ("admin", Role.ADMIN))
            if is_known and not self.actor.role.includes(role)
        )

    @property
    def _seal(self) -> Seal:
        return Seal(self.desk.workspace.salt)

    @property
    def _secure(self) -> bool:
        return self.desk.settings.are_cookies_secure

    @property
    def is_blind(self) -> bool:
        """Whether names, employers and places are hidden: as an admin set it, or the browser."""
        return bool(self.desk.settings.blind) or self.request.cookies.get(BLIND_COOKIE) == "1"

    @cached_property
    def veil(self) -> Veil:
        """Who is covered in this visit; reads the workspace, so in a thread."""
        if not self.is_blind:
            return Veil()
        with self.desk.workspace.reading() as session:
            return Veil.of(session, self.actor)


async def site_of(request: Request) -> Site:
    """Raises NotLoggedIn."""
    desk: Desk = request.app.state.desk
    actor = await access_of(request).visitor(request.cookies.get(SESSION_COOKIE))
    return Site(request, desk, actor, words_of(request))


def at_the_door(request: Request) -> Site:
    """A visit by somebody who need not have logged in."""
    return Site(request, request.app.state.desk, NOBODY, words_of(request))


def words_of(request: Request) -> Words:
    """In the language chosen on a page, else in the one that the browser asks for."""
    chosen = request.cookies.get(LANGUAGE_COOKIE, "")
    accepted = request.headers.get("accept-language", "")
    return words_for(f"{chosen},{accepted}" if chosen in languages() else accepted)


AtSite = Annotated[Site, Depends(site_of)]


@cache
def environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["breaking"] = breaking
    return made


def breaking(text: str) -> Markup:
    """A sentence whose paths may go on in the next line.

    >>> breaking("most of them in vllm/model_executor")
    Markup('most of them in vllm/<wbr>model_executor')
    """
    return Markup(PATH.sub("/<wbr>", escape(text)))  # noqa: S704 - escaped just now


@cache
def static_path(name: str) -> str:
    """The address of a file of ours, another one whenever its content is another."""
    digest = sha256((HERE / "static" / name).read_bytes()).hexdigest()[:10]
    return f"/static/{name}?v={digest}"


def _shown(value: object) -> object:
    """The last gate: whatever a template prints, no email passes."""
    if isinstance(value, Markup):
        return Markup(without_emails(value)) if "@" in value else value  # noqa: S704
    if isinstance(value, str) and ("@" in value or "\uff20" in value):
        return escape(without_emails(value))
    return "" if value is None else value
