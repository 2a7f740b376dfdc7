"""A bounded number of threads for what would hold up the event loop."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import ParamSpec, TypeVar

from api.problems import TooBusy

P = ParamSpec("P")
T = TypeVar("T")


@dataclass
class Pool:
    """Runs calls in its threads; refuses rather than let a queue grow nobody would wait for.

    Called from the event loop only, so counting needs no lock.
    """

    threads: int
    most: int = 512
    waiting: int = 0
    executor: ThreadPoolExecutor = field(init=False)

    def __post_init__(self) -> None:
        self.executor = ThreadPoolExecutor(self.threads, thread_name_prefix="answer")

    async def run(self, do: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Raises TooBusy when `most` calls are waiting or running already."""
        if self.waiting >= self.most:
            raise TooBusy("more is waiting than can be answered soon. Try again in some seconds")
        self.waiting += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self.executor, partial(do, *args, **kwargs))
        finally:
            self.waiting -= 1

    def close(self) -> None:
        self.executor.shutdown(wait=True, cancel_futures=True)
