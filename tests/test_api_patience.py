"""Clients that open a connection and then take their time."""

import socket
import threading
from collections.abc import Iterator
from contextlib import closing
from time import monotonic, sleep

import pytest
import uvicorn

from api import patience
from api.patience import Patient


async def app(scope, receive, send) -> None:  # type: ignore[no-untyped-def]
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Where a server waits for the shortest of times."""
    monkeypatch.setattr(patience, "WAITS", 0.3)
    config = uvicorn.Config(app, port=0, http=Patient, lifespan="off", log_level="error")
    server = uvicorn.Server(config)
    running = threading.Thread(target=server.run)
    running.start()
    while not server.started:
        sleep(0.01)
    yield server.servers[0].sockets[0].getsockname()[1]
    server.should_exit = True
    running.join()


def opened(port: int) -> closing[socket.socket]:
    return closing(socket.create_connection(("127.0.0.1", port), 10))


@pytest.mark.parametrize("said", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: a\r\nX-A: "])
def test_who_never_finishes_asking_is_given_up(port: int, said: bytes) -> None:
    with opened(port) as slow:
        slow.sendall(said)
        began = monotonic()
        assert slow.recv(100) == b""
        assert 0.1 < monotonic() - began < 5


def test_a_drop_at_a_time_does_not_help(port: int) -> None:
    with opened(port) as slow, pytest.raises(OSError, match=r"reset|Broken pipe"):  # noqa: PT012
        slow.sendall(b"GET / HTTP/1.1\r\n")
        for number in range(100):
            slow.sendall(f"X-{number}: a\r\n".encode())
            sleep(0.05)


def test_the_next_request_may_take_as_long_as_the_first(port: int) -> None:
    ask = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"
    with opened(port) as kept:
        for _ in range(3):
            kept.sendall(ask[:10])
            sleep(0.15)
            kept.sendall(ask[10:])
            assert kept.recv(1000).startswith(b"HTTP/1.1 204")
            sleep(0.2)


def test_a_head_without_end_is_refused(port: int) -> None:
    with opened(port) as endless:
        endless.sendall(b"GET / HTTP/1.1\r\nX-A: " + b"a" * 70_000)
        assert endless.recv(1000).startswith(b"HTTP/1.1 431")
