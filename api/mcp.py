"""The same answers for assistants, over the Model Context Protocol: stdio, or HTTP at /mcp.

Each tool asks the desk as the routes do: same access, same privacy, same suppression, same log.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import wraps
from typing import Annotated, ParamSpec, TypeVar

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.transport_security import TransportSecuritySettings
from pydantic import Field
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from api import problems
from api.access import Access, credentials
from api.answering import opened_of, veil_of
from api.asked import Asked
from api.desk import Desk
from api.desk_responses import SavedSearchOut
from api.person_responses import PersonDetailOut
from api.pool_responses import PoolOut, ScreeningOut
from api.responses import QueryOut, SearchOut
from api.routes.people import alike
from api.routes.questions import USUAL
from index.own_work import screening
from sourcer.errors import SourcerError
from sourcer.query import Query
from sourcer.workspace import saved_searches
from sourcer.workspace.actors import LOCAL, Actor
from sourcer.workspace.wording import without_emails

P = ParamSpec("P")
T = TypeVar("T")

ABOUT = (
    "Finds engineers by the commits they wrote. Every claim cites commits: show them, and say what "
    "is unknown. A missing record says nothing about anyone. Emails are never given."
)
Question = Annotated[
    str, Field(min_length=1, max_length=2000, description="What to look for, in plain English.")
]
Repo = Annotated[str | None, Field(max_length=200, description="Only this repository.")]
Who = Annotated[str, Field(min_length=1, max_length=100, description="A person's id or login.")]
Count = Annotated[int, Field(ge=1, le=50, description="How many people.")]
Place = Annotated[str | None, Field(max_length=500, description="next_cursor of the page before.")]
Topic = Annotated[str, Field(min_length=1, max_length=100, description="A topic id, such as moe.")]
Name = Annotated[str, Field(min_length=1, max_length=200)]


@dataclass(frozen=True)
class Tools:
    """The tools, each one question to the desk."""

    desk: Desk

    async def parse_question(self, ctx: Context, question: Question, repo: Repo = None) -> QueryOut:
        """Say what is understood of a question: filters, topics, what is left, what is refused."""
        await self._opened(ctx)
        return QueryOut.of(await self.desk.pool.run(self.desk.read, question, repo))

    async def search_people(
        self,
        ctx: Context,
        question: Question,
        repo: Repo = None,
        limit: Count = 10,
        cursor: Place = None,
    ) -> SearchOut:
        """Find the people who did the work that a question describes, best first, with commits."""
        return await self._search(ctx, Asked(question, repo, limit, cursor))

    async def get_person(self, ctx: Context, person: Who) -> PersonDetailOut:
        """Everything held on one person: commits, topics, colleagues, declared fields, roles."""
        await self._opened(ctx)
        opened = await opened_of(self.desk)
        detail = await self.desk.pool.run(opened.people.detail, person)
        found = {"person": detail.shown.id, "snapshot": opened.name}
        self.desk.auditing.note(who(ctx).name, "person.shown", detail.shown.id, found)
        veil = await veil_of(self.desk, who(ctx))
        return veil.detail(PersonDetailOut.of(detail, opened.name))

    async def similar_people(self, ctx: Context, person: Who, limit: Count = 10) -> SearchOut:
        """People whose commits lie where this person's lie."""
        await self._opened(ctx)
        return await self._search(ctx, Asked(await alike(self.desk, person), None, limit))

    async def pool_size(self, ctx: Context, question: Question, repo: Repo = None) -> PoolOut:
        """How many people there are for a question, and where its words lose them."""
        await self._opened(ctx)
        opened = await opened_of(self.desk)

        def counted() -> PoolOut:
            found = opened.pools.of(self.desk.read(question, repo))
            return PoolOut.of(found.in_blind() if self.desk.settings.blind else found, USUAL, None)

        return await self.desk.searching.run(counted)

    async def screening_questions(self, ctx: Context, person: Who, topic: Topic) -> ScreeningOut:
        """What to ask a person on a topic, grown from their own commits."""
        await self._opened(ctx)
        opened = await opened_of(self.desk)

        def asked() -> ScreeningOut:
            found = opened.people.find(person)
            questions = screening(opened.searcher, found, topic, self.desk.screening)
            return ScreeningOut.of(opened.people.shown(found), topic, questions)

        veil = await veil_of(self.desk, who(ctx))
        return veil.screening(await self.desk.pool.run(asked))

    async def save_search(
        self, ctx: Context, name: Name, question: Question, note: str = ""
    ) -> SavedSearchOut:
        """Save a question under a name, for its recruiter and their team."""
        await self._opened(ctx)
        actor, query = who(ctx), await self.desk.pool.run(self.desk.read, question)
        return await self.desk.pool.run(self._saved, actor, name, query, note)

    def _saved(self, actor: Actor, name: str, query: Query, note: str) -> SavedSearchOut:
        with self.desk.workspace.writing() as session:
            return SavedSearchOut.of(saved_searches.save(session, actor, name, query, note))

    async def _opened(self, ctx: Context) -> None:
        who(ctx)
        await opened_of(self.desk)

    async def _search(self, ctx: Context, asked: Asked) -> SearchOut:
        await self._opened(ctx)
        answer = await self.desk.searching.run(self.desk.search, asked, who(ctx))
        veil = await veil_of(self.desk, who(ctx))
        return veil.found(SearchOut.model_validate_json(answer.body))


def server(desk: Desk) -> MCPServer:
    """All tools under one name."""
    made = MCPServer("sourcer", instructions=ABOUT, log_level="WARNING")
    tools = Tools(desk)
    for tool in (
        tools.parse_question,
        tools.search_people,
        tools.get_person,
        tools.pool_size,
        tools.similar_people,
        tools.screening_questions,
        tools.save_search,
    ):
        made.add_tool(_plain(tool), name=tool.__name__, description=tool.__doc__)
    return made


def _plain(tool: Callable[P, Awaitable[T]]) -> Callable[P, Awaitable[T]]:
    """The tool, whose refusals reach the assistant in words, and without an email."""

    @wraps(tool)
    async def told(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return await tool(*args, **kwargs)
        except SourcerError as error:
            raise ToolError(without_emails(str(error))) from None

    return told


def who(ctx: Context) -> Actor:
    """Whom the HTTP door let in; over stdio it is whoever runs the process."""
    request = ctx.request_context.request
    if request is None:
        return LOCAL
    actor = request.scope.get("actor")
    if not isinstance(actor, Actor):
        raise ToolError("log in, or send a token: Authorization: Bearer sourcer_…")
    return actor


class Door:
    """Lets in to /mcp whom the routes would let in."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        try:
            scope["actor"] = await self._access.actor(request, *credentials(request))
        except SourcerError as error:
            refused = problems.answer(
                problems.status_of(error), str(error), str(scope.get("request_id", ""))
            )
            await refused(scope, receive, send)
            return
        await self._app(scope, receive, send)


def http_app(made: MCPServer) -> Starlette:
    """To be mounted; keeps nothing between requests, so that any worker can answer the next."""
    open_to_all = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    return made.streamable_http_app(
        streamable_http_path="/",
        stateless_http=True,
        json_response=True,
        transport_security=open_to_all,
    )


@asynccontextmanager
async def running(made: MCPServer) -> AsyncIterator[None]:
    async with made.session_manager.run():
        yield
