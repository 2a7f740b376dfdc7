"""Questions in plain English: what is understood, who answers, how large the pool is."""

import json
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from api.access import Viewer
from api.answering import AtDesk, from_snapshot, opened_of, sent, unkept, veil_of
from api.asked import Asked, Understood
from api.desk import Desk
from api.pool_responses import PoolOut
from api.responses import FilterOut, QueryOut, SearchOut, TopicOut
from api.snapshots import Opened
from sourcer.pool.slices import DIMENSIONS
from sourcer.query import Query as Question
from sourcer.query import read_query
from sourcer.workspace.actors import Actor

router = APIRouter(tags=["questions"])

USUAL = ("employer", "country", "tenure")

Words = Annotated[
    str,
    Query(
        min_length=1,
        max_length=2000,
        description="What you are looking for, in plain English.",
        examples=["senior MoE kernel engineers in the US, open to talking"],
    ),
]
Repo = Annotated[
    str | None,
    Query(max_length=200, description="Only this repository.", examples=["vllm-project/vllm"]),
]
Limit = Annotated[int, Query(ge=1, le=100, description="How many people to a page.")]
Place = Annotated[str | None, Query(max_length=500, description="next_cursor of the page before.")]


ByLane = Annotated[
    bool,
    Query(description="Say too in which sourcing lane each stands, and why.", examples=[False]),
]
Blind = Annotated[
    bool,
    Query(
        description="Hide names, employers and places of people on no shortlist.", examples=[False]
    ),
]
Dimensions = Annotated[
    list[str] | None,
    Query(max_length=12, description=f"Slices: {', '.join(DIMENSIONS)}.", examples=[["employer"]]),
]
Titles = Annotated[
    str | None,
    Query(
        max_length=1000,
        description="A boolean search of titles and skills, to set beside the artifacts.",
        examples=['"inference engineer" AND vLLM'],
    ),
]


class QueryIn(BaseModel):
    """A question in its canonical form, as /parse gives it and chips change it."""

    model_config = ConfigDict(extra="forbid")
    text: str = Field("", max_length=2000)
    topics: list[TopicOut] = Field([], max_length=100)
    filters: list[FilterOut] = Field([], max_length=100)
    semantic: str = Field("", max_length=2000, examples=["fused MoE kernels"])
    corrected: list[dict[str, object]] = Field([], max_length=100)
    ambiguous: list[dict[str, object]] = Field([], max_length=100)
    leftover: list[dict[str, object]] = Field([], max_length=100)
    refused: list[dict[str, object]] = Field([], max_length=100)

    def question(self) -> Question:
        return read_query(json.dumps(self.model_dump(mode="json")))


class SearchIn(BaseModel):
    """A question, in plain English or in its canonical form."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {"query": "who built expert parallelism in SGLang since 2025", "limit": 20},
                {
                    "query": {
                        "semantic": "fused MoE kernels",
                        "filters": [{"field": "country", "op": "=", "value": "US"}],
                    }
                },
            ]
        },
    )
    query: Annotated[str, Field(min_length=1, max_length=2000)] | QueryIn
    repo: str | None = Field(None, max_length=200)
    limit: int = Field(20, ge=1, le=100)
    cursor: str | None = Field(None, max_length=500)
    by_lane: bool = Field(False, description="Say too in which sourcing lane each stands.")
    blind: bool = Field(False, description="Hide who people are until they are shortlisted.")


@router.get("/parse", response_model=QueryOut)
async def parse(request: Request, desk: AtDesk, _: Viewer, q: Words, repo: Repo = None) -> Response:
    """Say what is understood of a question: filters, topics, what is left over, what is refused."""
    key = ("parse", q, repo, desk.today())
    return await from_snapshot(request, desk, key, lambda _: QueryOut.of(desk.read(q, repo)))


@router.get("/search", response_model=SearchOut)
async def search(
    request: Request,
    desk: AtDesk,
    actor: Viewer,
    q: Words,
    repo: Repo = None,
    limit: Limit = 20,
    cursor: Place = None,
    by_lane: ByLane = False,
    blind: Blind = False,
) -> Response:
    """Answer a question with people in order, each with why and the commits that prove it."""
    asked = Asked(q, repo, limit, cursor, by_lane)
    if not (blind or desk.settings.blind):
        understood = Understood(asked, request.scope["route"])
        desk.addresses.keep(request.scope["query_string"], understood)
    return await searched(request, desk, actor, asked, blind=blind)


@router.post("/search", response_model=SearchOut)
async def search_by_form(request: Request, desk: AtDesk, actor: Viewer, body: SearchIn) -> Response:
    """The same for a question in its canonical form, or one too long for an address."""
    said = body.query if isinstance(body.query, str) else body.query.question()
    asked = Asked(said, body.repo, body.limit, body.cursor, body.by_lane)
    return await searched(request, desk, actor, asked, blind=body.blind)


@router.get("/pool", response_model=PoolOut)
async def pool(
    request: Request,
    desk: AtDesk,
    _: Viewer,
    q: Words,
    repo: Repo = None,
    by: Dimensions = None,
    report: Annotated[bool, Query(description="Titles against artifacts.")] = False,
    titles: Titles = None,
) -> Response:
    """How many people there are for a question: the funnel by its words, then slices."""
    slices = tuple(by or USUAL)

    def made(opened: Opened) -> PoolOut:
        pools, query = opened.pools, desk.read(q, repo)
        wanted = report or titles is not None
        counted = pools.of(query)
        return PoolOut.of(
            counted.in_blind() if desk.settings.blind else counted,
            slices,
            pools.report(query, titles) if wanted else None,
            pools.by_lane(query) if "lane" in slices else None,
        )

    key = ("pool", q, repo, slices, report, titles, desk.today())
    return await from_snapshot(request, desk, key, made)


async def searched(
    request: Request, desk: Desk, actor: Actor, asked: Asked, *, blind: bool = False
) -> Response:
    await opened_of(desk)
    answer = desk.at_hand(asked)
    if answer is None:
        answer = await desk.searching.run(desk.search, asked, actor)
    else:
        desk.again(actor, answer)
    if blind or desk.settings.blind:
        veil = await veil_of(desk, actor, blind=True)
        return unkept(veil.found(SearchOut.model_validate_json(answer.body)))
    return sent(request, answer)
