"""One writer at a time per data directory.

The lock is the kernel's (flock), so it goes with its process, however that ends; the file only
says who holds it and since when.
"""

import fcntl
import json
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO

from sourcer.errors import Busy


@contextmanager
def exclusive(data: Path, doing: str) -> Iterator[None]:
    """Holds the data directory for writing. Raises Busy, naming the holder, when another does."""
    data.mkdir(parents=True, exist_ok=True)
    with (data / ".lock").open("a+", encoding="utf-8") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Busy(
                f"{data} is being written: {_holder(data)}. Try again when it is done"
            ) from None
        _say(stream, json.dumps(_self(doing)))
        try:
            yield
        finally:
            _say(stream, "")


def _say(stream: TextIO, text: str) -> None:
    """On a full disk the lock holds all the same, though it cannot say who has it."""
    with suppress(OSError):
        stream.truncate(0)
        os.pwrite(stream.fileno(), text.encode(), 0)


def _self(doing: str) -> dict[str, str | int]:
    return {
        "doing": doing,
        "process": os.getpid(),
        "host": socket.gethostname(),
        "since": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def _holder(data: Path) -> str:
    try:
        held = json.loads((data / ".lock").read_text("utf-8"))
        return f"{held['doing']}, process {held['process']} on {held['host']} since {held['since']}"
    except (OSError, ValueError, KeyError):
        return "by another process"
