"""The command line: the one place where ingest, index and api meet.

Heavy imports stand inside the command functions, so that `--help` loads no model.
"""

import shutil
import sys

import typer

from sourcer.cli import (
    asking,
    evaluating,
    ingesting,
    nightly,
    people,
    person,
    pools,
    privacy,
    profiles,
    profiles_github,
    safekeeping,
    serving,
    upkeep,
)
from sourcer.errors import SourcerError

app = typer.Typer(
    name="sourcer",
    help="Find the engineers who did the work. New here? Run: sourcer demo",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (
    ingesting.demo,
    ingesting.ingest,
    nightly.nightly,
    nightly.publish,
    asking.search,
    asking.parse,
    person.person,
    evaluating.evaluate,
    pools.pool,
    pools.screening,
    serving.serve,
    serving.mcp,
    privacy.forget,
    privacy.access,
    upkeep.status,
    upkeep.rollback,
    safekeeping.backup,
    safekeeping.restore,
):
    app.command()(command)
profiles.app.command()(profiles_github.github)
app.add_typer(profiles.app, name="profiles")
app.add_typer(people.app, name="people")
app.add_typer(serving.users, name="users")


def main() -> None:
    """Runs a command. Ends with 1 and a plain sentence when sourcer or the machine says no."""
    try:
        app()
    except SourcerError as error:
        sys.exit(f"sourcer: {error}")
    except OSError as error:
        sys.exit(f"sourcer: {_refusal(error)}. What was published stays as it was")


def _refusal(error: OSError) -> str:
    """What the machine refused, and where.

    >>> _refusal(PermissionError(13, "Permission denied", "data"))
    'data: Permission denied'
    """
    if isinstance(error, shutil.Error):  # one line for each file of a folder
        return str(error.args[0][0][2])
    return ": ".join(str(part) for part in (error.filename, error.strerror or error) if part)
