"""Small pictures as numbers: where their bars stand. Templates draw them; tables say the same."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from index.activity import Timeline

HEIGHT, STEP = 24, 6


@dataclass(frozen=True, slots=True)
class Spark:
    """Bars side by side, a quarter each, as one line of an SVG that is drawn STEP - 1 wide."""

    line: str
    width: int
    height: int
    total: int
    first: str
    last: str


def spark(line: Timeline) -> Spark:
    """
    >>> drawn = spark(Timeline(224, (4, 0, 2)))
    >>> drawn.line, drawn.width
    ('M2.5 24v-24M14.5 24v-12', 17)
    """
    most = max(line.counts, default=0)
    drawn = "".join(
        f"M{at * STEP + 2.5} {HEIGHT}v-{max(2, round(HEIGHT * count / most))}"
        for at, count in enumerate(line.counts)
        if count
    )
    names, width = line.quarters, len(line.counts) * STEP - 1
    return Spark(drawn, width, HEIGHT, sum(line.counts), names[0], names[-1])


@dataclass(frozen=True, slots=True)
class Bar:
    """One line of a bar chart that is also a table."""

    name: str
    count: int
    width: float
    """Of the longest, in hundredths."""
    part: float = 0.0
    """The darker part of the width."""
    href: str = ""
    key: str = ""


def bars(counts: Mapping[str, int], limit: int | None = None) -> tuple[Bar, ...]:
    """
    >>> [(bar.name, bar.width) for bar in bars({"moe": 8, "kv": 2})]
    [('moe', 100.0), ('kv', 25.0)]
    """
    shown = list(counts.items())[:limit]
    most = max((count for _, count in shown), default=1)
    return tuple(Bar(name, count, _share(count, most)) for name, count in shown)


@dataclass(frozen=True, slots=True)
class Cell:
    """One quarter of a row of work; level 0 to 4 is how dark it is."""

    quarter: str
    count: int
    level: int


def cells(line: Timeline, most: int) -> tuple[Cell, ...]:
    """
    >>> [cell.level for cell in cells(Timeline(224, (0, 1, 4)), most=4)]
    [0, 1, 4]
    """
    return tuple(
        Cell(quarter, count, min(4, -(-4 * count // max(most, 1))))
        for quarter, count in zip(line.quarters, line.counts, strict=True)
    )


def years(quarters: Sequence[str]) -> list[tuple[str, int]]:
    """Years with how many of the quarters are theirs.

    >>> years(["2025-Q4", "2026-Q1", "2026-Q2"])
    [('2025', 1), ('2026', 2)]
    """
    found: dict[str, int] = {}
    for quarter in quarters:
        found[quarter[:4]] = found.get(quarter[:4], 0) + 1
    return list(found.items())


def _share(count: int, most: int) -> float:
    return round(100 * count / max(most, 1), 1)
