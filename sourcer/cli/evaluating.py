"""sourcer evaluate: how well judged questions are answered."""

import json
from collections.abc import Sequence
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sourcer.cli.asking import opened, understood
from sourcer.cli.options import HERE, AsJson, Data

if TYPE_CHECKING:
    from index.evaluate import Report
    from sourcer.query import Query


def evaluate(
    file: Annotated[Path, typer.Argument(metavar="FILE.jsonl", help="The judged questions.")],
    repo: Annotated[
        str | None, typer.Option(metavar="NAME", help="Ask of this repository, not the file's.")
    ] = None,
    without: Annotated[
        str | None, typer.Option(metavar="SIGNAL", help="Switch a signal off, or say: each.")
    ] = None,
    as_of: Annotated[
        datetime | None,
        typer.Option(
            formats=["%Y-%m-%d"],
            help="Hide the commits after this day, and ask only for people named after it.",
        ),
    ] = None,
    runs: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Keep the figures there as a dated file.")
    ] = None,
    data: Data = HERE,
    as_json: AsJson = False,
) -> None:
    """Rank for judged questions: nDCG@10, recall@10, MRR and P@5, each and on average.

    A line is {"qid", "repo", "query", "relevant": \\[logins]}. Roles that projects name are no
    signal. Logins that nobody here has are counted against the ranking. With --without each, each
    signal is switched off in turn, and the difference shown with a 95 % interval.

    [dim]sourcer evaluate judged.jsonl --repo vllm-project/vllm --without each[/dim]
    """
    from index import evaluate as judging

    judged = judging.read_judged(file)
    until = None if as_of is None else (as_of.date() - date(1970, 1, 1)).days
    with opened(data) as searcher:

        def read(text: str) -> "Query":
            return understood(data, text)

        if as_of is not None:
            judged = list(judging.named_only_after(searcher, judged, as_of))
        reports = judging.ablate(
            searcher, judged, read, repo=repo, until=until, without=_signals(without)
        )
        facts = {
            "snapshot": searcher.snapshot,
            "repository": repo,
            "as_of": str(as_of.date()) if as_of else None,
        }
    if runs:
        judging.write_run(reports, runs, f"evaluate-{repo or file.stem}".replace("/", "+"), facts)
    if as_json:
        print(json.dumps([report.json() for report in reports], indent=2))
    else:
        _printed(reports)


def _signals(without: str | None) -> Sequence[str]:
    from sourcer.ranking import SIGNALS

    return SIGNALS if without == "each" else [without] if without else []


def _printed(reports: "list[Report]") -> None:
    from rich.console import Console
    from rich.table import Table

    from index.evaluate import compare

    first, console = reports[0], Console()
    table = Table("question", "nDCG@10", "recall@10", "MRR", "P@5", box=None, header_style="bold")
    for one in first.measured:
        figures = (one.ndcg, one.recall, one.reciprocal_rank, one.precision)
        table.add_row(one.qid, *(f"{figure:.3f}" for figure in figures))
    for report in reports:
        means = (report.mean(name) for name in ("ndcg", "recall", "reciprocal_rank", "precision"))
        table.add_row(f"mean, {report.variant}", *(f"{mean:.3f}" for mean in means))
    console.print(table)
    for report in reports[1:]:
        console.print(compare(report, first).says)
    if first.unresolved:
        console.print(f"Nobody here has these logins: {', '.join(first.unresolved)}")
