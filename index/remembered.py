"""Answers worked out before, kept by the object that they belong to."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Remembered(Generic[Key, Value]):
    """The last so many that were asked for; threads may share it.

    lru_cache on a method would keep `self`, and with it a whole snapshot, long after its last use.

    >>> lengths = Remembered[str, int](most=2)
    >>> [lengths.get(word, len) for word in ("moe", "lora", "moe")]
    [3, 4, 3]
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._held: OrderedDict[Key, Value] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Key, work_out: Callable[[Key], Value]) -> Value:
        with self._lock:
            if key in self._held:
                self._held.move_to_end(key)
                return self._held[key]
        found = work_out(key)
        with self._lock:
            self._held[key] = found
            if len(self._held) > self._most:
                self._held.popitem(last=False)
        return found
