"""sourcer search, parse: questions and their answers."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sourcer import snapshot
from sourcer.cli.options import HERE, AsJson, Data, Question

if TYPE_CHECKING:
    from index.search import Searcher
    from sourcer.query import Query, Vocabulary
    from sourcer.settings import Settings
    from sourcer.topics import Taxonomy


def search(
    question: Question,
    repo: Annotated[str | None, typer.Option(metavar="NAME", help="Only this repository.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=500, help="How many people to show.")] = 10,
    data: Data = HERE,
    as_json: AsJson = False,
) -> None:
    """Answer a question with a ranked shortlist in which every claim cites commits.

    [dim]sourcer search "who built expert parallelism in SGLang since 2025, not at NVIDIA"[/dim]
    """
    answer(data, " ".join(question), repo, limit, as_json)


def answer(data: Path, question: str, repo: str | None, limit: int, as_json: bool) -> None:
    """Asks the current snapshot and prints what it says."""
    query = understood(data, question, repo)
    with opened(data) as searcher:
        found = searcher.search(query, limit=limit)
    if as_json:
        print(json.dumps(found.json(), ensure_ascii=False, indent=2))
    else:
        from sourcer.cli import printing

        printing.shortlist(found)


def parse(question: Question, data: Data = HERE, as_json: AsJson = True) -> None:  # noqa: ARG001
    """Say what was understood of a question, as JSON: filters, topics, what is left, refused.

    [dim]sourcer parse "staff engineers in Europe who wrote Triton kernels since 2025"[/dim]
    """
    print(json.dumps(understood(data, " ".join(question)).json(), ensure_ascii=False, indent=2))


def understood(data: Path, question: str, repo: str | None = None) -> "Query":
    """The question as the parser reads it with the repositories and topics at hand."""
    from sourcer import settings
    from sourcer.query import parse as parsed

    read, today = settings.read(data), date.today()
    query = parsed(question, today=today, vocabulary=vocabulary(read))
    if read.llm_url:
        from index.language_model import LanguageModel, reread

        model = LanguageModel.of(read.llm_url, read.llm_model, os.environ)
        query = reread(model, query, today) if model else query
    return query if repo is None else query.within(repo)


@contextmanager
def opened(data: Path) -> Iterator["Searcher"]:
    """The current snapshot, ready for questions, without those who asked not to be found."""
    yield searcher(data)


def searcher(data: Path) -> "Searcher":
    """What `opened` gives, for as long as somebody holds it: a notebook, say."""
    from index.search import Searcher
    from sourcer import settings
    from sourcer.store.database import schema_checked

    read, live = settings.read(data), snapshot.current_good(data)
    with schema_checked(live.database):
        return Searcher.open(live, taxonomy(read), hidden(read, live))


@cache
def vocabulary(read: "Settings") -> "Vocabulary":
    """The names that a question may use here, compiled once."""
    from sourcer.query import vocabulary_of

    return vocabulary_of(taxonomy(read))


@cache
def taxonomy(read: "Settings") -> "Taxonomy":
    """The topics that the installation is set to, read once."""
    from sourcer.topics import load

    return load(read.topics_file)


def hidden(read: "Settings", live: snapshot.Snapshot) -> frozenset[str]:
    """The ids of those who asked not to be found since the snapshot was made."""
    if not read.has_workspace:
        return frozenset()
    from sourcer.store.database import open_readonly
    from sourcer.withheld import hidden_people
    from sourcer.workspace import Workspace, suppressions

    workspace, db = Workspace.open(read.data, read.workspace_url), open_readonly(live.database)
    try:
        with workspace.reading() as session:
            return hidden_people(db, suppressions.load(session))
    finally:
        db.close()
        workspace.close()
