"""sourcer backup, sourcer restore: the workspace in one file."""

from pathlib import Path
from typing import Annotated

import typer

from sourcer.cli.options import HERE, Data


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Such as workspace.jsonl.gz.")],
    data: Data = HERE,
) -> None:
    """Write everything that recruiters wrote to one file, while others go on working.

    The installation's secret is in it: keep it as safe as the workspace itself.
    """
    from sourcer.cli.deciding import desk
    from sourcer.workspace import backup as backups

    with desk(data) as workspace:
        made = backups.backup(workspace, file)
    print(f"{made.total:,} rows in {file}. To bring them back: sourcer restore {file}")


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What sourcer backup wrote.")],
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace the work that is there.")
    ] = False,
    data: Data = HERE,
) -> None:
    """Bring a backup back, from SQLite or PostgreSQL to either. All of it or nothing."""
    from sourcer import settings
    from sourcer.workspace import backup as backups

    url = settings.read(data).workspace_url
    made = backups.restore(file, data, url, replace=replace)
    print(f"{made.total:,} rows from {file}, made {made.made}")
