"""Who is asking: a token, a browser's session, or, on loopback without accounts, whoever it is."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from hashlib import sha256
from hmac import compare_digest
from time import monotonic
from typing import Annotated

from fastapi import Depends, Request, Security
from fastapi.security import APIKeyCookie, HTTPAuthorizationCredentials, HTTPBearer

from api.auditing import Auditing
from api.limits import Limits
from api.pools import Pool
from api.problems import TooMany
from sourcer.errors import NotAllowed, NotLoggedIn
from sourcer.workspace import Workspace, tokens
from sourcer.workspace.actors import LOCAL, Actor, Role

COOKIE = "sourcer_session"
FORM_HEADER = "x-csrf-token"
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
REMEMBERED = 0.25
"""Seconds for which a credential is not looked up again: so long a revoked one may still hold."""
MOST_REMEMBERED = 10_000

bearer = HTTPBearer(auto_error=False, description="A token: POST /api/v1/tokens")
cookie = APIKeyCookie(name=COOKIE, auto_error=False, description="A browser that logged in")


@dataclass(frozen=True, slots=True)
class Known:
    """Who a credential belongs to, and until when that need not be looked up."""

    actor: Actor
    name: str
    """What its rate is counted by."""
    form_secret: str | None
    until: float


class Access:
    """Finds out who asks, for every route and for /mcp."""

    def __init__(
        self, workspace: Workspace, auditing: Auditing, pool: Pool, limits: Limits, *, is_open: bool
    ) -> None:
        self._workspace = workspace
        self._auditing = auditing
        self._pool = pool
        self._limits = limits
        self.is_open = is_open
        self._known: dict[bytes, Known] = {}

    async def actor(self, request: Request, token: str | None, session: str | None) -> Actor:
        """Raises NotLoggedIn, TooMany, or NotAllowed when a browser's write lacks its secret."""
        if token is None and session is None:
            if self.is_open:
                return LOCAL
            raise NotLoggedIn("log in, or send a token: Authorization: Bearer sourcer_…")
        known = await self._find(token, session)
        if known.form_secret is not None and request.method not in SAFE:
            _check_form(request, known.form_secret)
        allowance = self._limits.take(known.name) if self._limits.per_minute else None
        if allowance is not None:
            request.scope["answer_headers"] = allowance.headers()
            if not allowance.allowed:
                raise TooMany(f"more than {allowance.limit} requests in a minute. Wait a little")
        return known.actor

    async def visitor(self, session: str | None) -> Actor:
        """Who looks at a page, whose forms carry a secret of their own. Raises NotLoggedIn."""
        if session is None:
            if self.is_open:
                return LOCAL
            raise NotLoggedIn("log in to go on")
        return (await self._find(None, session)).actor

    def forget(self) -> None:
        """A credential was revoked or a role changed: look all of them up again."""
        self._known.clear()

    async def _find(self, token: str | None, session: str | None) -> Known:
        secret = (f"token {token}" if token is not None else f"session {session}").encode()
        digest = sha256(secret).digest()
        known = self._known.get(digest)
        if known is None or known.until < monotonic():
            known = await self._pool.run(self._looked_up, token, session)
            if len(self._known) > MOST_REMEMBERED:
                self._known.clear()
            self._known[digest] = known
        return known

    def _looked_up(self, token: str | None, session: str | None) -> Known:
        until = monotonic() + REMEMBERED
        with self._workspace.reading() as reading:
            if token is not None:
                actor, row = tokens.bearer(reading, token)
                self._auditing.token_used(row.id)
                return Known(actor, f"token {row.id}", None, until)
            secret = session or ""
            actor = tokens.browser(reading, secret)
            return Known(actor, f"user {actor.name}", tokens.form_secret(reading, secret), until)


def _check_form(request: Request, secret: str) -> None:
    given = request.headers.get(FORM_HEADER, "")
    if not compare_digest(given.encode(), secret.encode()):
        raise NotAllowed(
            f"a browser's change needs the header {FORM_HEADER}, from GET /api/v1/session"
        )


def access_of(request: Request) -> Access:
    found: Access = request.app.state.access
    return found


def credentials(request: Request) -> tuple[str | None, str | None]:
    """The token and the session that a request carries.

    >>> headers = [(b"authorization", b"Bearer sourcer_a"), (b"cookie", b"sourcer_session=b")]
    >>> credentials(Request({"type": "http", "headers": headers}))
    ('sourcer_a', 'b')
    """
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    given = token.strip() if kind.lower() == "bearer" else ""
    return given or None, request.cookies.get(COOKIE)


async def who(
    request: Request,
    token: Annotated[HTTPAuthorizationCredentials | None, Security(bearer)],
    session: Annotated[str | None, Security(cookie)],
) -> Actor:
    """The user behind a request."""
    secret = None if token is None else token.credentials
    return await access_of(request).actor(request, secret, session)


def needs(role: Role) -> Callable[[Actor], Awaitable[Actor]]:
    async def allowed(actor: Annotated[Actor, Depends(who)]) -> Actor:
        actor.must_be(role)
        return actor

    return allowed


Viewer = Annotated[Actor, Depends(who)]
Recruiter = Annotated[Actor, Depends(needs(Role.RECRUITER))]
Admin = Annotated[Actor, Depends(needs(Role.ADMIN))]
