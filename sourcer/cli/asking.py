"""sourcer search, parse, person, evaluate: questions and their answers."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sourcer import snapshot
from sourcer.cli import printing
from sourcer.cli.options import HERE, AsJson, Data, Question

if TYPE_CHECKING:
    from index.search import Searcher

OnlyRepo = Annotated[
    str | None, typer.Option("--repo", metavar="NAME", help="Only this repository.")
]


def search(
    question: Question,
    repo: OnlyRepo = None,
    limit: Annotated[int, typer.Option(min=1, max=500, help="How many people to show.")] = 10,
    data: Data = HERE,
    as_json: AsJson = False,
) -> None:
    """Answer a question with a ranked shortlist in which every claim cites commits.

    [dim]sourcer search "who built expert parallelism in SGLang since 2025, not at NVIDIA"[/dim]
    """
    answer(data, question, repo, limit, as_json)


def answer(data: Path, question: str, repo: str | None, limit: int, as_json: bool) -> None:
    """Asks the current snapshot and prints what it says."""
    with opened(data) as searcher:
        query = searcher.parse(question, today=date.today())
        if repo:
            query = searcher.within(query, repo)
        found = searcher.search(query, limit=limit)
    if as_json:
        print(json.dumps(found.json(), ensure_ascii=False, indent=2))
    else:
        printing.shortlist(found)


def parse(question: Question, data: Data = HERE, as_json: AsJson = True) -> None:  # noqa: ARG001
    """Say what was understood of a question, as JSON: filters, topics, what is left, refused."""
    from index.vocabulary import vocabulary
    from sourcer.query import parse as parsed

    query = parsed(question, today=date.today(), vocabulary=vocabulary(data))
    print(json.dumps(query.json(), ensure_ascii=False, indent=2))
