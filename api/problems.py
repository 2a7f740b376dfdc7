"""Errors as problem+json (RFC 9457): what happened, with which value, and what to do next."""

import logging
from collections.abc import Mapping
from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException

from sourcer import errors
from sourcer.workspace.wording import without_emails

MEDIA_TYPE = "application/problem+json"
LONGEST = 600


class Fault(BaseModel):
    """One part of a request that does not fit."""

    where: str = Field(examples=["query.limit"])
    says: str = Field(examples=["Input should be less than or equal to 100"])


class Problem(BaseModel):
    """What went wrong, and what to do about it."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "type": "about:blank",
                    "title": "Not Found",
                    "status": 404,
                    "detail": "nobody here has the id or login 'mira-l'. Try a search",
                    "request_id": "b1f0c6a2d3e44f5a",
                    "errors": [],
                }
            ]
        }
    )
    type: str = "about:blank"
    title: str
    status: int
    detail: str
    request_id: str = ""
    errors: list[Fault] = []


class Gone(errors.SourcerError):
    """A cursor of a snapshot that answers no more."""


class TooMany(errors.SourcerError):
    """A token used up its requests for now."""


class TooBusy(errors.SourcerError):
    """More searches are waiting than can be answered soon."""


STATUS: Mapping[type[errors.SourcerError], int] = {
    errors.BadInput: 400,
    errors.NoSuchPerson: 404,
    errors.NotFound: 404,
    errors.NotAllowed: 403,
    errors.Conflict: 409,
    errors.Busy: 409,
    errors.TooManyAttempts: 429,
    errors.NotLoggedIn: 401,
    Gone: 410,
    TooMany: 429,
    TooBusy: 503,
    errors.NoSnapshot: 503,
    errors.DamagedSnapshot: 503,
    errors.ModelMismatch: 503,
}
HEADERS: Mapping[int, Mapping[str, str]] = {
    401: {"WWW-Authenticate": "Bearer"},
    429: {"Retry-After": "60"},
    503: {"Retry-After": "5"},
}
DOCUMENTED: dict[int | str, dict[str, object]] = {
    status: {
        "description": HTTPStatus(status).phrase,
        "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
    for status in (400, 401, 403, 404, 405, 409, 410, 413, 415, 422, 429, 503)
}
"""What every route may answer beside its own."""


def status_of(error: errors.SourcerError) -> int:
    """
    >>> status_of(errors.TooManyAttempts("wait")), status_of(errors.BadSettings("?"))
    (429, 500)
    """
    return next((STATUS[kind] for kind in type(error).__mro__ if kind in STATUS), 500)


def install(app: FastAPI) -> None:
    app.add_exception_handler(errors.SourcerError, _refused)
    app.add_exception_handler(RequestValidationError, _unfit)
    app.add_exception_handler(HTTPException, _http)


def answer(
    status: int,
    detail: str,
    request_id: str = "",
    faults: tuple[Fault, ...] = (),
    headers: Mapping[str, str] | None = None,
) -> JSONResponse:
    problem = Problem(
        title=HTTPStatus(status).phrase,
        status=status,
        detail=without_emails(_clean(detail)),
        request_id=request_id,
        errors=list(faults),
    )
    return JSONResponse(
        problem.model_dump(mode="json"),
        status,
        {**HEADERS.get(status, {}), **(headers or {})},
        MEDIA_TYPE,
    )


async def _refused(request: Request, error: Exception) -> JSONResponse:
    known = error if isinstance(error, errors.SourcerError) else errors.SourcerError(str(error))
    status = status_of(known)
    if status == 500:
        logging.getLogger("api").error("refused with %s", type(error).__name__)
    return answer(status, str(error), _id(request))


async def _unfit(request: Request, error: Exception) -> JSONResponse:
    """Names what does not fit; never repeats the value, which may be anything."""
    found = error.errors() if isinstance(error, RequestValidationError) else []
    faults = tuple(
        Fault(
            where=without_emails(_clean(".".join(map(str, one["loc"])))),
            says=without_emails(_clean(one["msg"])),
        )
        for one in found[:20]
    )
    first = f"{faults[0].where}: {faults[0].says}" if faults else "the request does not fit"
    return answer(422, f"{first}. See /docs for what is expected", _id(request), faults)


async def _http(request: Request, error: Exception) -> JSONResponse:
    status = error.status_code if isinstance(error, HTTPException) else 500
    said = {
        404: "there is no such page. See /docs for what there is",
        405: "this address does not take that method. See /docs",
    }.get(status, str(getattr(error, "detail", "")))
    headers = error.headers if isinstance(error, HTTPException) else None
    return answer(status, said, _id(request), headers=headers)


def _id(request: Request) -> str:
    return str(request.scope.get("request_id", ""))


def _clean(text: str) -> str:
    """One line of printable characters, not too long."""
    printable = "".join(letter if letter.isprintable() else " " for letter in text[:LONGEST])
    return printable.encode("utf-8", "replace").decode()
