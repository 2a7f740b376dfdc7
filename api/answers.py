"""Answers as they went out, so that a question asked again costs no search."""

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from gzip import compress
from threading import Lock

LEVEL = 5
MOST_BYTES = 64 << 20


@dataclass(frozen=True)
class Answer:
    """The bytes of one answer, and what the audit log says when it is given."""

    body: bytes
    etag: str
    about: Mapping[str, object] = field(default_factory=dict)

    @cached_property
    def zipped(self) -> bytes:
        return compress(self.body, LEVEL, mtime=0)


class Answers:
    """The answers used last, up to a size; threads may share it.

    >>> kept = Answers(most_bytes=10)
    >>> kept.keep("a", Answer(b"123456", "")), kept.keep("b", Answer(b"123456", ""))
    (None, None)
    >>> kept.get("a") is None, kept.get("b").body
    (True, b'123456')
    """

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most = most_bytes
        self._bytes = 0
        self._held: OrderedDict[object, Answer] = OrderedDict()
        self._lock = Lock()

    def get(self, asked: object) -> Answer | None:
        with self._lock:
            answer = self._held.get(asked)
            if answer is not None:
                self._held.move_to_end(asked)
            return answer

    def keep(self, asked: object, answer: Answer) -> None:
        with self._lock:
            if asked in self._held:
                self._bytes -= len(self._held.pop(asked).body)
            self._held[asked] = answer
            self._bytes += len(answer.body)
            while self._bytes > self._most and len(self._held) > 1:
                self._bytes -= len(self._held.popitem(last=False)[1].body)
