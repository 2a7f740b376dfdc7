"""For those who watch over the server: is it alive, can it answer, how is it doing."""

from fastapi import APIRouter, Response
from fastapi.responses import PlainTextResponse

from api import problems
from api.access import Viewer
from api.answering import AtDesk, opened_of
from api.responses import Wire

router = APIRouter(tags=["health"])


class HealthOut(Wire):
    status: str


class ReadyOut(Wire):
    status: str
    snapshot: str


@router.get("/healthz", response_model=HealthOut)
async def healthz() -> HealthOut:
    """Whether the process is alive."""
    return HealthOut(status="alive")


@router.get("/readyz", response_model=ReadyOut, responses={503: problems.DOCUMENTED[503]})
async def readyz(desk: AtDesk) -> ReadyOut:
    """Whether questions can be answered: a snapshot is open and the workspace can be read."""
    opened = await opened_of(desk)
    return ReadyOut(status="ready", snapshot=opened.name)


@router.get("/metrics", response_class=PlainTextResponse, responses={401: problems.DOCUMENTED[401]})
async def metrics(desk: AtDesk, _: Viewer) -> Response:
    """Numbers for Prometheus."""
    return PlainTextResponse(desk.metrics.text(), media_type="text/plain; version=0.0.4")
