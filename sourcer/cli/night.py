"""A night from outside: the lock, the record, and telling how it went."""

import logging
import traceback
from contextlib import suppress
from pathlib import Path

from sourcer import run_metrics, runs
from sourcer import settings as settings_file
from sourcer.cli.night_steps import Night, Surroundings
from sourcer.errors import SourcerError
from sourcer.lock import exclusive
from sourcer.runs import Journal, Outcome, Run
from sourcer.settings import Settings

_LOG = logging.getLogger("sourcer.nightly")


def nightly(data: Path, around: Surroundings, ping_url: str = "") -> Run:
    """Runs everything and puts on record how it went. Raises Busy when another process writes."""
    with exclusive(data, "nightly"):
        journal = Journal(data, around.clock())
        settings: Settings | None = None
        try:
            settings = settings_file.read(data, around.environment)
            outcome, says = Night(settings, around, journal).run()
        except SourcerError as error:
            outcome, says = Outcome.FAILED, str(error)
        except Exception as error:  # noqa: BLE001 - nobody looks: whatever it was goes on record
            outcome, says = Outcome.FAILED, _unexpected(error)
        run = journal.end(outcome, says)
        _tell(data, settings, run, ping_url)
        return run


def _unexpected(error: Exception) -> str:
    """What to put on record, and in the log where it happened; no email is in either."""
    from sourcer.workspace.wording import without_emails

    where = "".join(traceback.format_tb(error.__traceback__))
    _LOG.error("%s\n%s", type(error).__name__, where)
    return without_emails(f"{type(error).__name__}: {error}")


def _tell(data: Path, settings: Settings | None, run: Run, ping_url: str) -> None:
    """Metrics and ping. The run has ended, so that nothing here can make it fail."""
    failed = run.outcome in (Outcome.FAILED, Outcome.HELD)
    set_file = settings.metrics_file if settings else ""
    file = Path(set_file) if set_file else data / "metrics.prom"
    with suppress(OSError):
        last = run_metrics.last_success(runs.recent(data, 1000))
        run_metrics.write(file, run_metrics.text(run, last))
    url = ping_url or (settings.ping_url if settings else "")
    if url and (why := run_metrics.ping(url, failed=failed)):
        _LOG.warning("%s", why)
