"""Connections on which no request comes are closed: enough of them would leave no room."""

from asyncio import BaseTransport, TimerHandle, Transport
from typing import cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

WAITS = 20.0
"""Seconds for the head of a request, from the first byte or from when the connection was made."""
LONGEST_HEAD = 64 << 10
TOO_LONG = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\n"
    b"content-length: 0\r\nconnection: close\r\n\r\n"
)


class Patient(HttpToolsProtocol):
    """uvicorn's protocol, which by itself waits for a head without end, and takes any length."""

    _waiting: TimerHandle | None = None
    _head = 0
    """Bytes received of a head that is not complete."""

    def connection_made(self, transport: BaseTransport) -> None:
        super().connection_made(cast(Transport, transport))
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._wait_no_more()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._waiting is not None:
            self._head += len(data)
        super().data_received(data)
        if self._waiting is not None and self._head > LONGEST_HEAD:
            self.transport.write(TOO_LONG)
            self.transport.close()

    def on_message_begin(self) -> None:
        if self._waiting is None:
            self._wait()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._wait_no_more()
        super().on_headers_complete()

    def _wait(self) -> None:
        self._head = 0
        self._waiting = self.loop.call_later(WAITS, self.timeout_keep_alive_handler)

    def _wait_no_more(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
