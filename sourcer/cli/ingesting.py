"""sourcer demo, sourcer ingest: from sources to a published snapshot."""

import json
import sys
from typing import Annotated

import typer

from sourcer.cli import progress, publishing
from sourcer.cli.asking import answer
from sourcer.cli.options import HERE, AsJson, Data
from sourcer.commits import Depth

SEED = (
    "US engineers who have merged commits to vLLM or SGLang touching MoE, expert parallelism, "
    "or PD disaggregation, senior or above, open to talking"
)
NEXT = """
These people are made up. Try next:
  sourcer search "who introduced KDA prefix caching, not at NVIDIA"
  sourcer parse  "staff engineers in Europe who wrote Triton kernels since 2025"
  sourcer --help
With real histories, in a directory of their own:
  sourcer ingest vllm-project/vllm sgl-project/sglang --data real
"""


def demo(data: Data = HERE) -> None:
    """Build the made-up sample, and answer a recruiter's question with it. Needs no network."""
    from ingest import sample
    from ingest.profiles.importing import import_file
    from sourcer.settings import begin, salt

    begin(data, retention="*=forever")  # made-up people, whose dates do not move with the calendar
    written = sample.write(data / "sample")
    for file in written.profiles:
        import_file(file, data / "profiles", salt(data))
    written.beside(data / "crawl")
    sources = [f"{name}={path}" for name, path in written.repositories.items()]
    with progress.shown() as show:
        publishing.ingest(data, sources, show)
    print(f"\n{SEED}\n")
    answer(data, SEED, repo=None, limit=8, as_json=False)
    print(NEXT)


def ingest(
    repositories: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME[=SOURCE]] ...",
            help="owner/name of GitHub, a URL, a directory, or NAME=any of these. "
            "None: every repository that is remembered.",
        ),
    ] = None,
    depth: Annotated[
        Depth | None,
        typer.Option(
            help="paths reads trees alone, lines reads the diffs too. "
            "Usual: lines for a directory, paths for what is cloned.",
        ),
    ] = None,
    reindex: Annotated[
        bool, typer.Option("--reindex", help="Build a snapshot even when nothing is new.")
    ] = False,
    data: Data = HERE,
    as_json: AsJson = False,
) -> None:
    """Crawl repositories, work out who is who, index, publish a snapshot.

    Repositories are remembered in DIR/sourcer.toml; only what is new is read.

    [dim]sourcer ingest vllm-project/vllm sgl-project/sglang

    sourcer ingest acme/engine=/srv/git/engine.git --depth lines[/dim]
    """
    with progress.shown() as show:
        outcome = publishing.ingest(data, repositories or [], show, depth, reindex)
    if as_json:
        facts = {
            "snapshot": outcome.snapshot.name,
            "new": outcome.is_new,
            "failures": outcome.failures,
            "counts": outcome.snapshot.manifest["counts"],
            "seconds": outcome.snapshot.manifest["seconds"],
        }
        print(json.dumps(facts, indent=2))
    else:
        print(_sentence(outcome))
    for name, why in outcome.failures.items():
        print(f"sourcer: {name} was not brought up to date: {why}", file=sys.stderr)
    if outcome.failures:
        raise typer.Exit(1)


def _sentence(outcome: publishing.Outcome) -> str:
    counts = outcome.snapshot.manifest["counts"]
    holds = f"{counts['commits']:,} commits by {counts['authors']:,} people"
    if not outcome.is_new:
        return f"Nothing new: {outcome.snapshot.name} stays, with {holds}."
    took = sum(outcome.snapshot.manifest["seconds"].values())
    return f"Published {outcome.snapshot.name} in {took:.0f} s: {holds}."
