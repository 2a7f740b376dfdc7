"""sourcer nightly, sourcer publish: what runs unattended, and what it leaves to a person."""

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Annotated

import typer

from sourcer import snapshot
from sourcer.cli import progress
from sourcer.cli.options import HERE, AsJson, Data
from sourcer.errors import Busy, HeldBack, NoSnapshot
from sourcer.runs import BUSY, Run


def nightly(
    ping_url: Annotated[
        str,
        typer.Option(
            metavar="URL", help="Asked when the run has ended; with /fail appended if it failed."
        ),
    ] = "",
    data: Data = HERE,
    as_json: AsJson = False,
) -> None:
    """Fetch all repositories, refresh profiles, publish, alert, expire, and keep a record.

    Ends with 0: done, or nothing new; 1: failed; 3: done, but something failed on the way;
    4: the new snapshot is held back for a person to look at; 5: another process is writing.
    With --json the record is printed, and each line of the log is an object too.

    [dim]sourcer nightly --data /var/lib/sourcer[/dim]
    """
    from sourcer.cli.night import nightly as run_nightly
    from sourcer.cli.night_steps import Surroundings

    _log_to_stderr(as_json)
    try:
        if as_json:
            run = run_nightly(data, Surroundings(lambda _step, _done, _of: None), ping_url)
        else:
            with progress.shown() as show:
                run = run_nightly(data, Surroundings(show), ping_url)
    except Busy as busy:
        typer.echo(f"sourcer: {busy}", err=True)
        raise typer.Exit(BUSY) from None
    print(json.dumps(run.json(), indent=2) if as_json else _sentences(run))
    raise typer.Exit(run.exit_code)


def publish(
    force: Annotated[
        bool, typer.Option("--force", help="Publish it though the guard rails held it back.")
    ] = False,
    data: Data = HERE,
) -> None:
    """Say what the last nightly run held back and why; with --force, publish it."""
    from sourcer import settings
    from sourcer.cli import alerting
    from sourcer.lock import exclusive

    with exclusive(data, "publish"):
        held = snapshot.held(data)
        if held is None:
            raise NoSnapshot(f"nothing is held back in {data}")
        if not force:
            reasons = "\n  ".join(held.manifest.get("held", []))
            raise HeldBack(f"{held.name} is held back:\n  {reasons}\nTo publish it: --force")
        published = snapshot.release(data, held)
        alerting.follow(settings.read(data), published)
    print(f"Published {published.name}. To go back: sourcer rollback")


class JsonLines(logging.Formatter):
    """A log line as one JSON object."""

    def format(self, record: logging.LogRecord) -> str:
        """
        >>> record = logging.LogRecord("sourcer.nightly", 20, "", 0, "%s done", ("fetch",), None)
        >>> json.loads(JsonLines().format(record))["says"]
        'fetch done'
        """
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, object] = {"at": at, "level": record.levelname.lower()}
        line |= {name: value for name in ("step", "seconds") if (value := _extra(record, name))}
        return json.dumps({**line, "says": record.getMessage()}, ensure_ascii=False)


def _extra(record: logging.LogRecord, name: str) -> object:
    return getattr(record, name, None)


def _log_to_stderr(as_json: bool) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if as_json else logging.Formatter("sourcer: %(message)s"))
    logger = logging.getLogger("sourcer")
    logger.handlers = [handler]
    logger.setLevel(logging.INFO if as_json else logging.WARNING)
    logger.propagate = False


def _sentences(run: Run) -> str:
    did = ", ".join(f"{count:,} {what}" for what, count in run.did.items())
    took = f"{run.seconds['all']:.0f} s, at most {run.peak_memory_mb:,} MB"
    lines = [f"{run.says[:1].upper()}{run.says[1:]} ({took})", *([did] if did else [])]
    return "\n".join([*lines, *(f"Failed: {what}: {why}" for what, why in run.failures.items())])
