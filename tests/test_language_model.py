"""The optional language model, against a local server that answers as it is told."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from index.language_model import LanguageModel, reread
from sourcer.query import Filter, parse

pytest.importorskip("pydantic_ai")
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
TODAY = date(2026, 6, 15)
QUESTION = "women on MoE in Poland"
PARSED = parse(QUESTION, today=TODAY)
POLAND = {"field": "country", "op": "=", "value": "PL"}
FILLED = json.dumps({"text": QUESTION, "filters": [POLAND], "semantic": "mixture of experts"})


@contextmanager
def answering(content: str, status: int = 200, after: float = 0) -> Iterator[tuple[str, list[str]]]:
    """A server's URL, and the bodies that it was sent."""
    bodies: list[str] = []

    class Answer(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            bodies.append(self.rfile.read(int(self.headers["Content-Length"])).decode())
            time.sleep(after)
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            with suppress(BrokenPipeError):
                self.wfile.write(completion(content))

        def log_message(self, format: str, *args: object) -> None:
            """Quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/v1", bodies
        server.shutdown()


def completion(content: str) -> bytes:
    choice = {
        "index": 0,
        "finish_reason": "stop",
        "message": {"role": "assistant", "content": content},
    }
    return json.dumps(
        {"id": "1", "object": "chat.completion", "created": 0, "model": "stub", "choices": [choice]}
    ).encode()


def test_the_model_fills_filters_and_meaning_and_the_refusals_stay() -> None:
    with answering(FILLED) as (url, bodies):
        query = reread(LanguageModel(url, "stub"), PARSED, TODAY)
    assert (query.text, query.filters) == (QUESTION, (Filter("country", "=", "PL"),))
    assert query.semantic == "mixture of experts"
    assert [one.trait for one in query.refused] == ["gender"]
    assert query.leftover == ()
    assert "      on MoE in Poland" in bodies[0]
    assert "women" not in bodies[0]


@pytest.mark.parametrize(
    ("content", "status", "why"),
    [
        ("Sure! Here you go", 200, "its answer is not a query"),
        ('{"text": "x", "filters": [{"field": "age", "op": "=", "value": 3}]}', 200, "'age'"),
        (FILLED, 500, "it failed"),
        (FILLED, 401, "it failed"),
        ("", 200, "it failed"),
    ],
)
def test_a_fault_leaves_the_parsers_reading_and_says_so(
    content: str, status: int, why: str
) -> None:
    with answering(content, status) as (url, bodies):
        query = reread(LanguageModel(url, "stub"), PARSED, TODAY)
    assert len(bodies) == 1
    assert (query.filters, query.semantic) == (PARSED.filters, PARSED.semantic)
    assert why in query.leftover[-1].why
    assert query.leftover[-1].why.endswith("the question was read by the built-in parser")


def test_no_answer_in_time_leaves_the_parsers_reading() -> None:
    with answering(FILLED, after=1.5) as (url, _):
        query = reread(LanguageModel(url, "stub", seconds=0.3), PARSED, TODAY)
    assert query.filters == PARSED.filters
    assert "within 0.3 s" in query.leftover[-1].why


def test_no_server_leaves_the_parsers_reading() -> None:
    query = reread(LanguageModel("http://127.0.0.1:9/v1", "stub"), PARSED, TODAY)
    assert query.filters == PARSED.filters
    assert "not used" in query.leftover[-1].why
