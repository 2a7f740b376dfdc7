"""Answers worked out before, kept by the object that they belong to."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Sequence
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
        self._keep([(key, found)])
        return found

    def get_each(
        self, keys: Sequence[Key], work_out: Callable[[Sequence[Key]], Iterable[Value]]
    ) -> list[Value]:
        """Many at once; what is not held is worked out together.

        >>> lengths = Remembered[str, int](most=3)
        >>> lengths.get_each(["moe", "lora", "moe"], lambda words: map(len, words))
        [3, 4, 3]
        """
        with self._lock:
            held = {key: self._held[key] for key in keys if key in self._held}
            for key in held:
                self._held.move_to_end(key)
        if missing := [key for key in dict.fromkeys(keys) if key not in held]:
            found = list(zip(missing, work_out(missing), strict=True))
            held.update(found)
            self._keep(found)
        return [held[key] for key in keys]

    def _keep(self, found: Iterable[tuple[Key, Value]]) -> None:
        with self._lock:
            for key, value in found:
                self._held[key] = value
                if len(self._held) > self._most:
                    self._held.popitem(last=False)
