"""What long work shows while it runs: bars on a terminal, a line per step elsewhere."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

Progress: TypeAlias = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done, and out of how much (0: unknown)."""


@contextmanager
def shown() -> Iterator[Progress]:
    """Shows progress on standard error."""
    if not sys.stderr.isatty():
        yield _lines()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns = (
        TextColumn("{task.description:<32}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with Bars(*columns, console=Console(stderr=True), transient=True) as bars:
        tasks = {}

        def show(step: str, done: int, total: int) -> None:
            if step not in tasks:
                tasks[step] = bars.add_task(step, rate="")
            task = bars.tasks[bars.task_ids.index(tasks[step])]
            rate = f"{task.speed:,.0f}/s" if task.speed else ""
            bars.update(tasks[step], completed=done, total=total or None, rate=rate)

        yield show


def _lines() -> Progress:
    seen: set[str] = set()

    def show(step: str, _done: int, _total: int) -> None:
        if step not in seen:
            seen.add(step)
            print(f"{step} ...", file=sys.stderr, flush=True)

    return show
