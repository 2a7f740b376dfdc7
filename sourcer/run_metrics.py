"""A run as metrics, for the textfile collector of Prometheus' node exporter; and its ping."""

import os
import urllib.error
import urllib.request
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path

from sourcer.runs import Outcome, Run

SECONDS = 10
"""How long a ping may take: a run never waits for it, nor fails because of it."""


def text(run: Run, last_success: float | None) -> str:
    """
    >>> run = Run("2026-05-01T02:30:00+00:00", Outcome.PUBLISHED, "2026-05-01T02:31:00+00:00")
    >>> print(text(run, None).splitlines()[2])
    sourcer_nightly_last_run_timestamp_seconds 1777602660
    """
    ended = run.ended or run.began
    values: dict[str, list[tuple[str, float]]] = {
        "last_run_timestamp_seconds": [("", int(datetime.fromisoformat(ended).timestamp()))],
        "exit_code": [("", run.exit_code)],
        "failures": [("", len(run.failures))],
        "peak_memory_bytes": [("", run.peak_memory_mb << 20)],
        "step_seconds": _labelled("step", run.seconds),
        "snapshot_rows": _labelled("what", run.counts),
        "did": _labelled("what", run.did),
    }
    if last_success is not None:
        values["last_success_timestamp_seconds"] = [("", int(last_success))]
    return "".join(_metric(f"sourcer_nightly_{name}", rows) for name, rows in values.items())


def _metric(name: str, rows: Iterable[tuple[str, float]]) -> str:
    head = f"# HELP {name} {HELP[name.removeprefix('sourcer_nightly_')]}\n# TYPE {name} gauge\n"
    return head + "".join(
        f"{name}{label} {value:g}\n" if value % 1 else f"{name}{label} {int(value)}\n"
        for label, value in rows
    )


HELP = {
    "last_run_timestamp_seconds": "When the last run ended",
    "last_success_timestamp_seconds": "When a run last ended without failing or being held back",
    "exit_code": "What the last run ended with",
    "failures": "What failed in the last run though it went on",
    "peak_memory_bytes": "The most memory that the last run held",
    "step_seconds": "Seconds that each step of the last run took",
    "snapshot_rows": "What the snapshot that answers now holds",
    "did": "What the last run did, by kind",
}


def _labelled(label: str, values: Mapping[str, float]) -> list[tuple[str, float]]:
    return [(f'{{{label}="{name}"}}', value) for name, value in values.items()]


def last_success(runs: Iterable[Run]) -> float | None:
    """When the newest run that did its work ended; `runs` come newest first."""
    for run in runs:
        if run.ended and run.outcome in (Outcome.PUBLISHED, Outcome.NOTHING_NEW):
            return datetime.fromisoformat(run.ended).timestamp()
    return None


def write(file: Path, metrics: str) -> None:
    """In one rename, as the collector may read at any time."""
    draft = file.with_name(f".{file.name}-{os.getpid()}")
    try:
        draft.write_text(metrics, "utf-8")
        draft.chmod(0o644)
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)


def ping(url: str, *, failed: bool) -> str | None:
    """Tells whoever watches that a run has ended; why that went wrong, if it did."""
    asked = f"{url.rstrip('/')}/fail" if failed else url
    if not asked.startswith(("https://", "http://")):
        return "ping_url begins with neither https:// nor http://"
    try:
        request = urllib.request.Request(asked, headers={"User-Agent": "sourcer"})  # noqa: S310
        with urllib.request.urlopen(request, timeout=SECONDS):  # noqa: S310
            return None
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", error)
        return f"the ping was not answered: {reason}"
