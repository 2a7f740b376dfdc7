"""The command line, and the one place where all parts meet.

Heavy imports stand inside the command functions, so that `--help` loads no model.
"""

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from sourcer import terminal
from sourcer.errors import SourcerError

SEED = (
    "US engineers who have merged commits to vLLM or SGLang touching MoE, expert parallelism, "
    "or PD disaggregation, senior or above, open to talking"
)

app = typer.Typer(
    name="sourcer",
    help="Find the engineers who did the work. Start with: sourcer demo",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)

Data = Annotated[
    Path,
    typer.Option(
        "--data",
        envvar="SOURCER_DATA",
        help="Where everything is kept: settings, crawls, snapshots.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for a program to read.")]
Question = Annotated[str, typer.Argument(help="What you are looking for, in plain English.")]
HERE = Path("data")


@app.command()
def demo(data: Data = HERE) -> None:
    """Build the sample data, and answer a recruiter's question with it, offline."""
    from ingest import sample

    written = sample.write(data / "sample")
    sources = [f"{name}={path}" for name, path in written.repositories.items()]
    _import_profiles(data, written.profiles)
    _ingest(data, sources, depth=None)
    terminal.say(f"\n[bold]{SEED}[/bold]\n")
    _answer(data, SEED, repo=None, limit=8, as_json=False)
    terminal.say(terminal.NEXT_STEPS)


@app.command()
def ingest(
    repositories: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME[=SOURCE]] ...",
            help="owner/name from GitHub, or owner/name=URL-or-directory. None: all of them.",
        ),
    ] = None,
    depth: Annotated[
        str | None,
        typer.Option(help="'paths' reads trees alone; 'lines' reads the diffs too."),
    ] = None,
    reindex: Annotated[
        bool, typer.Option("--reindex", help="Build a snapshot even when nothing is new.")
    ] = False,
    data: Data = HERE,
    as_json: AsJson = False,
) -> None:
    """Crawl repositories, work out who is who, index, and publish a snapshot.

    [dim]sourcer ingest vllm-project/vllm sgl-project/sglang
    sourcer ingest acme/engine=/srv/git/engine.git --depth lines[/dim]
    """
    facts = _ingest(data, repositories or [], depth, reindex=reindex)
    if as_json:
        terminal.json(facts)


@app.command()
def search(
    question: Question,
    repo: Annotated[str | None, typer.Option(help="Only this repository.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=500, help="How many people to show.")] = 10,
    data: Data = HERE,
    as_json: AsJson = False,
) -> None:
    """Answer a question with a ranked shortlist in which every claim cites commits."""
    _answer(data, question, repo, limit, as_json)
