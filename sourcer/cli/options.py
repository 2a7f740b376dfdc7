"""Options that several commands take."""

from pathlib import Path
from typing import Annotated

import typer

HERE = Path("data")

Data = Annotated[
    Path,
    typer.Option(
        "--data",
        envvar="SOURCER_DATA",
        metavar="DIR",
        help="Where everything is kept: settings, crawls, profiles, snapshots.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for a program to read.")]
Question = Annotated[
    list[str],
    typer.Argument(metavar="QUESTION", help="What you are looking for, in plain English."),
]
"""Words, as a shell gives them where nobody thought of quotes."""
