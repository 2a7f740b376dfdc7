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
    from rich.progress import BarColumn, TaskID, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns = (
        TextColumn("{task.description:<32}"),
        BarColumn(),
        TextColumn("{task.fields[told]}"),
        TimeRemainingColumn(elapsed_when_finished=True),
    )
    with Bars(*columns, console=Console(stderr=True), transient=True) as bars:
        shown: dict[str, TaskID] = {}

        def show(step: str, done: int, total: int) -> None:
            if step not in shown:
                for earlier in bars.tasks:  # of unknown length: it is over when the next begins
                    bars.update(earlier.id, visible=earlier.finished)
                shown[step] = bars.add_task(step, total=None, told="")
            task = next(task for task in bars.tasks if task.id == shown[step])
            bars.update(
                task.id, completed=done, total=total or None, told=_told(done, total, task.speed)
            )

        yield show


def _told(done: int, total: int, rate: float | None) -> str:
    """
    >>> _told(4000, 18027, 793.2), _told(3, 7, None), _told(0, 0, None)
    ('4,000/18,027  793/s', '3/7', '')
    """
    if not total:
        return ""
    return f"{done:,}/{total:,}" + (f"  {rate:,.0f}/s" if rate and rate >= 1 else "")


def _lines() -> Progress:
    seen: set[str] = set()

    def show(step: str, _done: int, _total: int) -> None:
        if step not in seen:
            seen.add(step)
            print(f"{step} ...", file=sys.stderr, flush=True)

    return show
