"""What surrounds every request: its id, its limits, its log line, and the last word on errors.

Nothing that a person typed or is called goes into the log: a route is logged as it is declared,
never as it was asked for.
"""

import asyncio
import json
import logging
from dataclasses import dataclass
from secrets import token_hex
from time import perf_counter

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api import problems
from api.metrics import Metrics

log = logging.getLogger("api.requests")
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
PATIENCE = 30.0
"""Seconds to wait for the next part of a request's body."""
LONGEST = 300.0
"""Seconds for all of it."""
SECURITY = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
)


@dataclass(frozen=True, slots=True)
class Bounds:
    """What is let in."""

    body: int = 2 << 20
    upload: int = 64 << 20
    """For imports alone."""
    only_loopback: bool = False
    """Answer only to loopback's own names: a page elsewhere may point its name at us."""


class Envelope:
    """Wraps the app; it must be the outermost."""

    def __init__(self, app: ASGIApp, metrics: Metrics, bounds: Bounds, prefix: str = "") -> None:
        self._app = app
        self._prefix = prefix
        self._metrics = metrics
        self._bounds = bounds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        scope["request_id"] = token_hex(8)
        answering = _Answering(scope, send)
        began = perf_counter()
        try:
            await self._answer(scope, receive, answering)
        except Exception as error:  # noqa: BLE001 - the last word on any error
            log.error(json.dumps({"request_id": scope["request_id"], "error": _where(error)}))
            if answering.status == 0:
                said = problems.answer(500, "this is our fault; the log has more", _id(scope))
                await said(scope, receive, answering)
        finally:
            self._record(scope, answering.status, perf_counter() - began)

    async def _answer(self, scope: Scope, receive: Receive, answering: "_Answering") -> None:
        refused = self._refused(Headers(scope=scope), scope)
        if refused is not None:
            await refused(scope, receive, answering)
            return
        most = self._bounds.upload if scope["path"].endswith("/imports") else self._bounds.body
        await self._app(scope, _Reading(receive, most), answering)

    def _refused(self, headers: Headers, scope: Scope) -> ASGIApp | None:
        origin = headers.get("origin")
        if self._bounds.only_loopback and _host(headers.get("host", "")) not in LOOPBACK:
            detail = "this server answers to localhost only. For other names, set up accounts"
            return problems.answer(403, detail, _id(scope))
        if (
            origin
            and scope["method"] not in SAFE
            and _host(origin) != _host(headers.get("host", ""))
        ):
            return problems.answer(403, "another site may not make changes here", _id(scope))
        return None

    def _record(self, scope: Scope, status: int, seconds: float) -> None:
        route = self._declared(scope)
        method = scope["method"] if scope["method"].isalpha() else "OTHER"
        self._metrics.requests.labels(method[:10], route, status).inc()
        self._metrics.seconds.labels(route).observe(seconds)
        if log.isEnabledFor(logging.INFO):
            line = {
                "request_id": scope["request_id"],
                "method": method[:10],
                "route": route,
                "status": status,
                "ms": round(seconds * 1000, 1),
            }
            log.info(json.dumps(line))

    def _declared(self, scope: Scope) -> str:
        """A route's address as it was declared; the API's and the pages' have names in common."""
        path: str = getattr(scope.get("route"), "path", "other")
        inside = path.startswith("/") and scope["path"].startswith(f"{self._prefix}/")
        return f"{self._prefix}{path}" if inside else path


class _Answering:
    """Sends, and adds the headers that every answer has."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self._scope = scope
        self._send = send
        self.status = 0

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            more = self._scope.get("answer_headers", ())
            name = (b"x-request-id", self._scope["request_id"].encode())
            message["headers"] = [*message.get("headers", ()), name, *SECURITY, *more]
        await self._send(message)


class _Reading:
    """Receives, but neither too much nor for too long."""

    def __init__(self, receive: Receive, most: int) -> None:
        self._receive = receive
        self._left = most
        self._whole = False
        self._until = perf_counter() + LONGEST

    async def __call__(self) -> Message:
        if self._whole:
            return await self._receive()
        try:
            left = self._until - perf_counter()
            message = await asyncio.wait_for(self._receive(), min(PATIENCE, left))
        except TimeoutError:
            raise HTTPException(408, "the request did not arrive in time. Send it again") from None
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            raise HTTPException(413, "the request is too large. Send less at a time")
        self._whole = not message.get("more_body", False)
        return message


def _host(text: str) -> str:
    """
    >>> _host("http://localhost:8000"), _host("[::1]:8000"), _host("127.0.0.1")
    ('localhost', '::1', '127.0.0.1')
    """
    name = text.rpartition("//")[2]
    if name.startswith("["):
        return name[1:].partition("]")[0]
    return name.partition(":")[0].lower()


def _id(scope: Scope) -> str:
    return str(scope["request_id"])


def _where(error: BaseException) -> str:
    """The kind of an error and where it was raised; its words may hold personal data."""
    trace, last = error.__traceback__, ""
    while trace is not None:
        code = trace.tb_frame.f_code
        last = f"{code.co_filename.rpartition('/')[2]}:{trace.tb_lineno} {code.co_name}"
        trace = trace.tb_next
    return f"{type(error).__name__} at {last}"
