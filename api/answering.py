"""How answers go out: from a snapshot with its ETag, or from the workspace as a read or a write."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Annotated, TypeVar

from fastapi import Depends, Header, Request
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel

from api.answers import Answer
from api.blinding import Veil
from api.desk import Desk
from api.snapshots import Opened
from sourcer.workspace import Session, idempotency
from sourcer.workspace.actors import Actor

T = TypeVar("T")
JSON = "application/json"
PRIVATE = {"Cache-Control": "private, no-cache", "Vary": "Authorization, Cookie, Accept-Encoding"}

IdempotencyKey = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=255,
        description="A write sent again with the same key within a day is done once.",
        examples=["5a0e2f1c-88f4-4f0e"],
    ),
]


async def desk_of(request: Request) -> Desk:
    found: Desk = request.app.state.desk
    return found


AtDesk = Annotated[Desk, Depends(desk_of)]


def sent(request: Request, answer: Answer) -> Response:
    """The answer, as small as the client takes it; 304 when it holds the same already."""
    headers = {"ETag": answer.etag, **PRIVATE}
    if _holds(request, answer.etag):
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", "") and len(answer.body) > 1000:
        return Response(
            answer.zipped, headers={**headers, "Content-Encoding": "gzip"}, media_type=JSON
        )
    return Response(answer.body, headers=headers, media_type=JSON)


def unkept(answer: BaseModel) -> Response:
    """An answer that depends on more than the snapshot, so that it is made each time."""
    headers = {**PRIVATE, "Cache-Control": "no-store"}
    return Response(answer.model_dump_json(), headers=headers, media_type=JSON)


async def from_snapshot(
    request: Request, desk: Desk, key: Sequence[object], make: Callable[[Opened], BaseModel]
) -> Response:
    """What follows from the snapshot and the key alone: made once, and asked for again by ETag."""
    opened = await opened_of(desk)
    etag = opened.etag(*key)
    answer = opened.answers.get(tuple(key))
    if answer is None and not _holds(request, etag):
        answer = await desk.pool.run(lambda: _made(opened, etag, make))
        opened.answers.keep(tuple(key), answer)
    return sent(request, answer or Answer(b"", etag))


async def opened_of(desk: Desk) -> Opened:
    """The snapshot that answers now; opening the first takes a moment, so in a thread."""
    if desk.snapshots.is_ready:
        return desk.snapshots.current()
    return await desk.pool.run(desk.snapshots.current)


async def read(desk: Desk, do: Callable[[Session], T]) -> T:
    """What the workspace holds, in one consistent view."""

    def reading() -> T:
        with desk.workspace.reading() as session:
            return do(session)

    return await desk.pool.run(reading)


async def veil_of(desk: Desk, actor: Actor, *, blind: bool = False) -> Veil:
    """Whose names are covered: nobody's, unless asked for or set so by an admin."""
    if not blind and not desk.settings.blind:
        return Veil()
    return await read(desk, lambda session: Veil.of(session, actor))


async def write(
    request: Request,
    desk: Desk,
    actor: Actor,
    do: Callable[[Session], BaseModel],
    status: int = 200,
    hide: frozenset[str] = frozenset(),
) -> Response:
    """A change of the workspace, on disk before it is answered; done once for one key.

    `hide` are fields that are shown this once and not kept for a request sent again.
    """
    key = request.headers.get("idempotency-key")
    asked = await _fingerprint(request) if key is not None else b""

    def writing() -> tuple[int, object]:
        with desk.workspace.writing() as session:
            if key is not None and (before := idempotency.begin(session, actor, key, asked)):
                return before.status, before.body
            made = do(session)
            body = made.model_dump(mode="json")
            if key is not None:
                kept = idempotency.Answer(status, made.model_dump(mode="json", exclude=set(hide)))
                idempotency.finish(session, actor, key, kept)
            return status, body

    code, body = await desk.pool.run(writing)
    return JSONResponse(body, code)


async def once(
    request: Request,
    desk: Desk,
    actor: Actor,
    do: Callable[[], Awaitable[BaseModel]],
    status: int = 200,
    body: bytes | None = None,
) -> Response:
    """Work that reaches further than the workspace, done once for one key.

    It is marked as begun before and as answered after; what fails may be tried again. `body` is
    what tells one request from another where that was read already.
    """
    key = request.headers.get("idempotency-key")
    if key is None:
        return JSONResponse((await do()).model_dump(mode="json"), status)
    asked = await _fingerprint(request, body)
    before = await _kept(desk, lambda session: idempotency.begin(session, actor, key, asked))
    if before is not None:
        return JSONResponse(before.body, before.status)
    try:
        made = (await do()).model_dump(mode="json")
    except BaseException:
        await _kept(desk, lambda session: idempotency.give_up(session, actor, key))
        raise
    answer = idempotency.Answer(status, made)
    await _kept(desk, lambda session: idempotency.finish(session, actor, key, answer))
    return JSONResponse(made, status)


async def _kept(desk: Desk, do: Callable[[Session], T]) -> T:
    def writing() -> T:
        with desk.workspace.writing() as session:
            return do(session)

    return await desk.pool.run(writing)


async def _fingerprint(request: Request, body: bytes | None = None) -> bytes:
    head = f"{request.method} {request.url.path}?{request.url.query}\n"
    return head.encode() + (await request.body() if body is None else body)


def _made(opened: Opened, etag: str, make: Callable[[Opened], BaseModel]) -> Answer:
    return Answer(make(opened).model_dump_json().encode(), etag)


def _holds(request: Request, etag: str) -> bool:
    """
    >>> from starlette.requests import Request
    >>> headers = [(b"if-none-match", b'W/"a", "b"')]
    >>> _holds(Request({"type": "http", "headers": headers}), '"a"')
    True
    """
    held = request.headers.get("if-none-match")
    if held is None:
        return False
    return any(one.strip().removeprefix("W/") in (etag, "*") for one in held.split(","))
