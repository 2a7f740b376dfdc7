"""A page that goes out as it is rendered: what is seen first need not wait for the rest."""

import logging
import zlib
from collections.abc import Iterable, Iterator

from starlette.datastructures import Headers
from starlette.responses import StreamingResponse

SEEN = "<!-- seen -->"
"""Where a template has come to the end of what a screen shows at once."""
LEVEL = 5


def stretches_of(pieces: Iterable[str]) -> Iterator[bytes]:
    """A rendered page cut where its template says so.

    >>> list(stretches_of(("<p>", "1", SEEN, "<p>", "2")))
    [b'<p>1<!-- seen -->', b'<p>2']
    """
    held: list[str] = []
    for piece in pieces:
        held.append(piece)
        if SEEN in piece:
            yield "".join(held).encode()
            held.clear()
    yield "".join(held).encode()


def sent_in_stretches(
    asked: Headers, stretches: Iterable[bytes], status: int, headers: dict[str, str]
) -> StreamingResponse:
    """Each stretch leaves as soon as it is there, compressed where the browser takes it."""
    if "gzip" in asked.get("accept-encoding", ""):
        stretches, headers = _zipped(stretches), {**headers, "Content-Encoding": "gzip"}
    return StreamingResponse(stretches, status, headers, "text/html")


def finished(stretches: Iterator[bytes], broken_off: str) -> Iterator[bytes]:
    """The stretches, and where one fails a sentence in place of what was to come: its head has left
    with a status of success, so that nothing else can say so.

    >>> list(finished(iter((b"<p>1", b"<p>2")), "Sorry."))
    [b'<p>1', b'<p>2']
    """
    try:
        yield from stretches
    except Exception:
        logging.getLogger(__name__).exception("a page broke off")
        yield broken_off.encode()


def _zipped(stretches: Iterable[bytes]) -> Iterator[bytes]:
    """
    >>> import gzip
    >>> gzip.decompress(b"".join(_zipped((b"one ", b"two"))))
    b'one two'
    """
    zipping = zlib.compressobj(LEVEL, wbits=zlib.MAX_WBITS | 16)
    for stretch in stretches:
        yield zipping.compress(stretch) + zipping.flush(zlib.Z_SYNC_FLUSH)
    yield zipping.flush()
