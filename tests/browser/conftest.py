"""A server on loopback with the sample, and a browser that walks through its pages."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
import uvicorn
from fastapi import FastAPI
from playwright.sync_api import Browser, BrowserContext, Page

from api.app import create_app
from api.serving import Serving
from sourcer import settings
from sourcer.cli.serving import doing
from tests.api_world import TODAY, data_like, open_once
from tests.browser.chromium import PROGRAM, browser


@contextmanager
def served(app: FastAPI) -> Iterator[str]:
    """The address of an app on a port of its own."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = door.getsockname()[1]
        server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [door]})
        thread.start()
        while not server.started:
            time.sleep(0.05)
        yield f"http://localhost:{port}"
        server.should_exit = True
        thread.join()


@pytest.fixture(scope="session")
def launched() -> Iterator[Browser]:
    if not PROGRAM.exists():
        pytest.skip(f"{PROGRAM} is not there: apt-get install chromium, or set CHROMIUM")
    with browser() as made:
        yield made


@pytest.fixture(scope="module")
def address(sample_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the sample is served, with a workspace of its own and imports allowed."""
    data = data_like(sample_data, tmp_path_factory.mktemp("browser") / "data")
    serving = Serving(doing=doing(data), open_snapshot=open_once, today=lambda: TODAY)
    with served(create_app(replace(settings.read(data), rate_limit=0), serving)) as place:
        yield place


@pytest.fixture
def context(launched: Browser, address: str) -> Iterator[BrowserContext]:
    made = launched.new_context(base_url=address, viewport={"width": 1280, "height": 900})
    yield made
    made.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page that fails its test when anything was written to the console as an error."""
    made = context.new_page()
    errors: list[str] = []
    made.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    made.on("pageerror", lambda error: errors.append(str(error)))
    yield made
    assert errors == []
