"""What the installation knows: topics, and what is published."""

from fastapi import APIRouter, Request, Response

from api.access import Viewer
from api.answering import AtDesk, from_snapshot
from api.responses import StatusOut, TopicsOut
from api.snapshots import Opened

router = APIRouter(tags=["knowledge"])


@router.get("/topics", response_model=TopicsOut)
async def topics(request: Request, desk: AtDesk, _: Viewer) -> Response:
    """The topics that commits are tagged with, and the words that people use for them."""
    return await from_snapshot(
        request, desk, ("topics",), lambda opened: TopicsOut.of(opened.taxonomy)
    )


@router.get("/status", response_model=StatusOut)
async def status(request: Request, desk: AtDesk, _: Viewer) -> Response:
    """What is published: repositories, heads, counts, unknowns, and what took how long."""

    def made(opened: Opened) -> StatusOut:
        return StatusOut.of(opened.name, opened.snapshot.manifest)

    return await from_snapshot(request, desk, ("status",), made)
