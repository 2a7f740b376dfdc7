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

INTERRUPTED = 130
"""How a shell reports Ctrl-C, and typer too."""
FULL = "No space left on device"
"""How every library says it, whatever it raises."""
UNTOUCHED = "What was published stays as it was"

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
    except (Exception, SystemExit) as end:
        if isinstance(end, OSError) or FULL in str(end):
            sys.exit(f"sourcer: {_refusal(end)}. {UNTOUCHED}")
        if not _is_interrupt(end):
            raise
        print(f"sourcer: stopped. {UNTOUCHED}; the same again goes on", file=sys.stderr)
        sys.exit(INTERRUPTED)


def _is_interrupt(end: BaseException) -> bool:
    """Whether Ctrl-C was pressed; DuckDB makes an error of its own of it in the midst of a query.

    >>> _is_interrupt(SystemExit(130)), _is_interrupt(RuntimeError("Query interrupted"))
    (True, True)
    >>> _is_interrupt(SystemExit(1)), _is_interrupt(RuntimeError("maximum recursion depth"))
    (False, False)
    """
    if isinstance(end, SystemExit):
        return end.code == INTERRUPTED
    return isinstance(end, RuntimeError) and str(end) == "Query interrupted"


def _refusal(error: BaseException) -> str:
    """What the machine refused, and where.

    >>> _refusal(PermissionError(13, "Permission denied", "data"))
    'data: Permission denied'
    """
    if isinstance(error, shutil.Error):  # one line for each file of a folder
        return str(error.args[0][0][2])
    if not isinstance(error, OSError):
        return str(error)
    return ": ".join(str(part) for part in (error.filename, error.strerror or error) if part)
