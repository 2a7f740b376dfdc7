"""The tools, asked by a real client: in process, over HTTP with access, and over stdio."""

import asyncio
import json
import shutil
import sys
from pathlib import Path
from typing import Any

import httpx2
import pytest
import uvicorn
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from api.mcp import server
from sourcer.workspace.tokens import Scope
from tests.api_world import World

TOOLS = {
    "parse_question", "search_people", "get_person", "pool_size", "similar_people",
    "screening_questions", "save_search",
}  # fmt: skip


async def asked(client: Client, tool: str, **arguments: Any) -> Any:
    answer = await client.call_tool(tool, arguments)
    assert not answer.is_error, answer.content
    return answer.structured_content


def test_every_tool_answers_as_the_route_does(fresh: World) -> None:
    async def ask() -> None:
        async with Client(server(fresh.app.state.desk)) as client:
            listed = {tool.name: tool for tool in (await client.list_tools()).tools}
            assert set(listed) == TOOLS
            assert all(tool.description for tool in listed.values())
            found = await asked(client, "search_people", question="moe kernels", limit=3)
            assert found == fresh.get("/search", q="moe kernels", limit=3)
            person = found["entries"][0]["person"]["id"]
            held = await asked(client, "get_person", person=person)
            assert held == fresh.get(f"/people/{person}")
            pool = await asked(client, "pool_size", question="moe kernels")
            assert pool == fresh.get("/pool", q="moe kernels")
            alike = await asked(client, "similar_people", person=person, limit=5)
            assert alike == fresh.get(f"/people/{person}/similar", limit=5)
            asking = await asked(client, "screening_questions", person=person, topic="moe")
            assert asking == fresh.get(f"/people/{person}/screening", topic="moe")
            read = await asked(client, "parse_question", question="moe kernels in Poland")
            assert read == fresh.get("/parse", q="moe kernels in Poland")
            saved = await asked(client, "save_search", name="MoE", question="moe kernels")
            assert fresh.get("/searches")["searches"] == [saved]

    asyncio.run(ask())


def test_a_tool_refuses_in_words(fresh: World) -> None:
    async def ask() -> None:
        async with Client(server(fresh.app.state.desk)) as client:
            answer = await client.call_tool("get_person", {"person": "mira@firm.example"})
            assert answer.is_error
            said = answer.content[0].text
            assert "nobody here has the id or login" in said
            assert "firm.example" not in said

    asyncio.run(ask())


@pytest.mark.slow
def test_over_stdio_a_process_answers(sample_data: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    shutil.copytree(sample_data / "sample", data / "sample")
    start = "from sourcer.cli import serving; from pathlib import Path; import sys; "
    start += "serving.mcp(Path(sys.argv[1]))"
    process = StdioServerParameters(command=sys.executable, args=["-c", start, str(data)])

    async def ask() -> None:
        async with Client(stdio_client(process)) as client:
            assert {tool.name for tool in (await client.list_tools()).tools} == TOOLS
            answer = await client.call_tool("search_people", {"question": "moe"})
            assert answer.is_error
            assert "nothing is published" in answer.content[0].text

    asyncio.run(ask())


def test_over_http_the_same_access_holds(guarded: World) -> None:
    headers = guarded.token("vera", Scope.READ)
    refused = guarded.client.post("/mcp/", json={})
    assert refused.status_code == 401

    async def ask(url: str) -> None:
        async with (
            httpx2.AsyncClient(headers=headers, timeout=60) as http,
            Client(streamable_http_client(url, http_client=http)) as client,
        ):
            found = await asked(client, "search_people", question="moe kernels", limit=2)
            assert len(found["entries"]) == 2
            answer = await client.call_tool("save_search", {"name": "x", "question": "moe"})
            assert answer.is_error
            assert "vera is a viewer" in answer.content[0].text

    guarded.client.portal.call(_served, guarded.app, ask)


async def _served(app: Any, ask: Any) -> None:
    """Inside the loop that runs the app's lifespan, as its tools' sessions belong to that."""
    config = uvicorn.Config(app, port=0, log_level="error", lifespan="off", ws="none")
    running = uvicorn.Server(config)
    running.config.load()
    running.lifespan = config.lifespan_class(config)
    await running.startup()
    port = running.servers[0].sockets[0].getsockname()[1]
    try:
        await ask(f"http://127.0.0.1:{port}/mcp/")
    finally:
        running.should_exit = True
        await running.shutdown()


def test_who_asked_not_to_be_found_is_found_by_no_tool(fresh: World) -> None:
    found = fresh.get("/search", q="moe kernels", limit=50)
    gone, other = [one["person"] for one in found["entries"] if one["person"]["logins"]][:2]
    fresh.post("/suppressions", {"who": gone["logins"][0]})

    async def ask() -> None:
        async with Client(server(fresh.app.state.desk)) as client:
            told = [
                await asked(client, "search_people", question="moe kernels", limit=50),
                await asked(client, "similar_people", person=other["id"], limit=50),
                await asked(client, "get_person", person=other["id"]),
                await asked(client, "pool_size", question="moe kernels"),
            ]
            text = json.dumps(told)
            assert not {word for word in (gone["id"], gone["name"]) if word in text}
            assert told[0]["total"] == found["total"] - 1
            for tool, more in (("get_person", {}), ("screening_questions", {"topic": "moe"})):
                for said in (gone["id"], gone["logins"][0]):
                    refused = await client.call_tool(tool, {"person": said, **more})
                    assert refused.is_error

    asyncio.run(ask())
