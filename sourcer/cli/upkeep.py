"""sourcer status, sourcer rollback: what is published, and going back."""

import json
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from sourcer import runs, snapshot
from sourcer.cli.options import HERE, AsJson, Data


def status(
    verify: Annotated[
        bool, typer.Option("--verify", help="Read every file and compare it with its checksum.")
    ] = False,
    data: Data = HERE,
    as_json: AsJson = False,
) -> None:
    """Say what is current: repositories, heads, counts, what is unknown, and what took how long."""
    live = snapshot.current_good(data, thoroughly=verify)
    held, last = snapshot.held(data), runs.recent(data, 1)
    if as_json:
        beside = {
            "held_back": held and {"snapshot": held.name, "why": held.manifest.get("held", [])},
            "last_run": last[0].json() if last else None,
        }
        print(json.dumps({"snapshot": live.name, **live.manifest, **beside}, indent=2))
        return
    facts = live.manifest
    print(f"Snapshot {live.name}, made {facts['made']} by sourcer {facts['sourcer']}\n")
    console = Console()
    repositories = Table("repository", "head", "depth", box=None, header_style="bold")
    for name, at in facts["inputs"]["repositories"].items():
        repositories.add_row(name, at["head"][:12], at["depth"])
    console.print(repositories)
    counts = Table(box=None, show_header=False)
    for name, count in facts["counts"].items():
        counts.add_row(name.replace("_", " "), f"{count:,}")
    console.print("", counts)
    steps = ", ".join(f"{name} {seconds:.1f} s" for name, seconds in facts["seconds"].items())
    print(f"\nSteps: {steps}")
    for name, why in facts["failures"].items():
        print(f"Not brought up to date: {name}: {why}")
    for run in last:
        print(f"\nThe last nightly run, {run.began}: {run.says or run.outcome}")


def rollback(
    to: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="A snapshot by its name, such as 2026-05-01T023000Z."),
    ] = None,
    data: Data = HERE,
) -> None:
    """Make the snapshot before the current one current again.

    The one that was current is not brought back by the next nightly run, unless something is new.
    """
    from sourcer.lock import exclusive

    with exclusive(data, "rollback"):
        now, before = snapshot.roll_back(data, to)
    print(f"Current is {now.name}, not {before}.")
