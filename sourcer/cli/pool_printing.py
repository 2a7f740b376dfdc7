"""A pool as a terminal shows it, as JSON, and as charts."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from sourcer.pool import Pool, overlap
from sourcer.pool.funnel import Step
from sourcer.pool.report import Report
from sourcer.pool.slices import SideBySide, Slice, side_by_side


@dataclass(frozen=True, slots=True)
class Answer:
    """A pool by chosen dimensions; perhaps with another one beside it, and with a report."""

    dimensions: tuple[str, ...]
    pool: Pool
    lanes: Sequence[tuple[str, Sequence[Step]]] = ()
    """The funnel of each sourcing lane."""
    other: Pool | None = None
    report: Report | None = None

    def compared(self) -> list[SideBySide]:
        if self.other is None:
            return []
        pair = {each.question: each.members for each in (self.pool, self.other)}
        return [side_by_side(pair, each) for each in self.dimensions]

    def json(self) -> dict[str, object]:
        facts = self.pool.json(self.dimensions)
        facts["funnel_by_lane"] = [
            {"lane": lane, "funnel": [step.json() for step in steps]} for lane, steps in self.lanes
        ]
        if self.other:
            facts["beside"] = self.other.json(self.dimensions)
            facts["side_by_side"] = [each.json() for each in self.compared()]
            facts["overlap"] = overlap(self.pool.members, self.other.members).json()
        if self.report:
            facts["report"] = self.report.json()
        return facts

    def draw(self, into: Path) -> None:
        """Writes every chart into a directory, as SVG."""
        from sourcer.pool import charts

        into.mkdir(parents=True, exist_ok=True)
        drawn = {"funnel": charts.funnel(self.pool.steps)}
        drawn |= {each: charts.slice_(self.pool.sliced(each)) for each in self.dimensions}
        drawn |= {f"{pair.dimension}-beside": charts.side_by_side(pair) for pair in self.compared()}
        for name, text in drawn.items():
            (into / f"{name}.svg").write_text(text, "utf-8")


def printed(answer: Answer) -> None:
    """Prints every part of an answer as a table."""
    console = Console(highlight=False)
    console.print(_funnel(answer.pool.steps))
    for note in answer.pool.notes:
        console.print(f"[yellow]Note[/yellow]  {escape(note)}")
    if answer.other:
        console.print("", _funnel(answer.other.steps))
        console.print(_in_both(answer.pool, answer.other))
        for pair in answer.compared():
            console.print("", _side_by_side(pair))
    else:
        for dimension in answer.dimensions:
            console.print("", _slice(answer.pool.sliced(dimension)))
        if answer.lanes:
            console.print("", _by_lane(answer.lanes))
    if answer.report:
        console.print("", _report(answer.report))
    console.print(f"[dim]snapshot {answer.pool.snapshot}[/dim]")


def _in_both(first: Pool, second: Pool) -> str:
    both = overlap(first.members, second.members)
    return (
        f"In both {len(both.both)}, only in the first {len(both.only_first)},"
        f" only in the second {len(both.only_second)}; overlap {both.jaccard:.0%}."
    )


def _funnel(steps: Sequence[Step]) -> Table:
    table = Table(box=None, header_style="bold", title="Funnel", title_justify="left")
    table.add_column("who")
    for name in ("matched", "by artifacts", "unknown", "dropped"):
        table.add_column(name, justify="right")
    for step in steps:
        counts = (step.matched, step.by_artifacts, step.unknown, step.dropped)
        table.add_row(escape(step.says), *(f"{count:,}" for count in counts))
    return table


def _by_lane(lanes: Sequence[tuple[str, Sequence[Step]]]) -> Table:
    """A column per lane: who is left after each word, decided or not."""
    table = Table(box=None, header_style="bold", title="Left, by lane", title_justify="left")
    table.add_column("who")
    for name, _ in lanes:
        table.add_column(name, justify="right")
    for row in zip(*(steps for _, steps in lanes), strict=True):
        table.add_row(escape(row[0].says), *(f"{step.left:,}" for step in row))
    return table


def _slice(one: Slice) -> Table:
    table = Table(box=None, header_style="bold", caption=one.how, caption_justify="left")
    table.add_column(one.title)
    table.add_column("people", justify="right")
    table.add_column("meet every word", justify="right")
    for row in one.rows:
        table.add_row(escape(row.value), f"{row.people:,}", f"{row.matched:,}")
    for says, count in (("(others)", one.others), ("(not known)", one.unknown)):
        if count:
            table.add_row(says, f"{count:,}", "")
    return table


def _side_by_side(pair: SideBySide) -> Table:
    table = Table(pair.dimension, box=None, header_style="bold", caption=pair.how)
    for name in pair.pools:
        table.add_column(escape(name), justify="right")
    for value, counts in (*pair.rows, ("(not known)", pair.unknown)):
        table.add_row(escape(value), *(f"{count:,}" for count in counts))
    return table


def _report(report: Report) -> Table:
    title = f"Titles against artifacts: {escape(report.titles)}"
    table = Table(box=None, header_style="bold", title=title, title_justify="left")
    table.add_column("what")
    table.add_column("people", justify="right")
    table.add_column("share", justify="right")
    table.add_column("how it was counted")
    for figure in report.figures:
        share = "" if figure.share is None else f"{figure.share:.1%} of {figure.of:,}"
        table.add_row(figure.says, f"{figure.number:,}", share, figure.how)
    return table
