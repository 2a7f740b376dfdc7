"""One night, step by step: what is fetched, published and told, and what happens when it fails.

Every step may be killed. `current` is changed by one rename, after everything it will point at is
on disk; whatever a killed run left is finished, or swept away, by the next.
"""

import logging
import os
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sourcer import retries, run_metrics, runs, snapshot
from sourcer import settings as settings_file
from sourcer.cli import alerting, guarding, publishing
from sourcer.cli.progress import Progress
from sourcer.errors import (
    BadInput,
    CrawlFailed,
    DamagedSnapshot,
    HeldBack,
    NoSnapshot,
    SourcerError,
)
from sourcer.lock import exclusive
from sourcer.retention import AUDIT, Retention
from sourcer.runs import Journal, Outcome, Run
from sourcer.settings import Repository, Settings
from sourcer.snapshot import Snapshot

if TYPE_CHECKING:
    from index.embedder import Embedder
    from ingest.run import Gathered

TOKEN = "GITHUB_TOKEN"  # noqa: S105 (the variable's name)
_LOG = logging.getLogger("sourcer.nightly")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a night is given from outside."""

    progress: Progress
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    embedder: "Embedder | None" = None
    """In place of the one that the settings name."""
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)


def nightly(data: Path, around: Surroundings, ping_url: str = "") -> Run:
    """Runs everything and puts on record how it went. Raises Busy when another process writes."""
    with exclusive(data, "nightly"):
        journal = Journal(data, around.clock())
        settings: Settings | None = None
        try:
            settings = settings_file.read(data, around.environment)
            outcome, says = _Night(settings, around, journal).run()
        except SourcerError as error:
            outcome, says = Outcome.FAILED, str(error)
        except Exception as error:  # noqa: BLE001 - nobody looks: whatever it was goes on record
            outcome, says = Outcome.FAILED, _unexpected(error)
        run = journal.end(outcome, says)
        _tell(data, settings, run, ping_url)
        return run


class _Night:
    """One run under way; `live` is the whole snapshot that answers while it goes on."""

    def __init__(self, settings: Settings, around: Surroundings, journal: Journal) -> None:
        from ingest import run

        self._settings, self._around, self._journal = settings, around, journal
        self._data = settings.data
        self._retention = Retention.read(settings.retention)
        self._timings = run.Timings()
        self._live: Snapshot | None = None
        self._before: Path | None = None
        self._mended: set[str] = set()

    def run(self) -> tuple[Outcome, str]:
        step, failures = self._journal.step, self._journal.run.failures
        if not self._settings.repositories:
            raise BadInput("no repository is remembered yet. Try: sourcer ingest owner/name")
        with step("check"):
            self._check()
        with step("fetch"):
            gathered = self._fetch()
        with step("profiles"):
            self._refresh()
        with step("expire"):
            self._expire()
        try:
            outcome, says = self._publish(gathered)
        except HeldBack as held:
            outcome, says = Outcome.HELD, str(held)
        with step("alert"):
            try:
                self._alert()
            except SourcerError as error:
                failures["alerts"] = str(error)
        with step("prune"):
            snapshot.prune(self._data, self._settings.keep_snapshots)
            runs.prune(self._data, self._settings.keep_runs)
        if self._live is not None:
            self._journal.run.snapshot = self._live.name
            self._journal.run.counts = dict(self._live.manifest.get("counts", {}))
        return outcome, says

    def _check(self) -> None:
        """Reads everything that earlier nights left; what is damaged is made anew."""
        from ingest import soundness

        pointed = snapshot.pointed_at(self._data)
        try:
            self._live = snapshot.current_good(self._data, thoroughly=True)
            if self._live.name != pointed:
                self._fails(f"snapshot {pointed}", f"damaged; {self._live.name} answers instead")
                snapshot.point(self._data, self._live.path)
        except NoSnapshot:
            pass
        except DamagedSnapshot as damage:
            self._fails("snapshots", f"{damage}. Everything is built anew")
        self._mend(thoroughly=False)
        for name, why in soundness.set_damaged_aside(self._data / "profiles").items():
            self._fails(name, why)

    def _mend(self, *, thoroughly: bool) -> bool:
        from ingest import soundness

        for repository in self._settings.repositories:
            folder = self._data / "crawl" / repository.name.replace("/", "+")
            if why := soundness.mend(folder, thoroughly=thoroughly):
                _LOG.error("%s is crawled anew: %s", repository.name, why)
                self._mended.add(repository.name)
        self._did("repositories crawled anew", len(self._mended))
        return bool(self._mended)

    def _fetch(self) -> "Gathered":
        """Every repository but those that fail so often that it is too soon to try them again."""
        from ingest import run

        now, failing = self._around.clock(), retries.read(self._data)
        tried = {
            each.name: each
            for each in self._settings.repositories
            if each.name in self._mended or not self._waits(failing.get(each.name), each, now)
        }
        gathered = run.gather(
            self._settings, list(tried.values()), self._timings, self._around.progress
        )
        failing = retries.after(failing, tried, gathered.failures, now)
        configured = {each.name for each in self._settings.repositories}
        retries.write(self._data, {k: v for k, v in failing.items() if k in configured})
        for name in configured & failing.keys():
            self._fails(name, gathered.failures.get(name) or failing[name].says)
        self._did("new commits", sum(each.commits_new for each in gathered.reports.values()))
        self._did("withdrawn commits", sum(each.rewritten for each in gathered.reports.values()))
        if not gathered.crawled:
            raise CrawlFailed("; ".join(gathered.failures.values()) or "the repositories are empty")
        return replace(gathered, failures=dict(self._journal.run.failures))

    @staticmethod
    def _waits(failing: retries.Failing | None, repository: Repository, now: datetime) -> bool:
        return failing is not None and failing.waits(repository, now)

    def _refresh(self) -> None:
        """What people declare at GitHub; no token, no requests."""
        from sourcer.cli import profiles_github

        token = self._around.environment.get(TOKEN, "").strip()
        budget = self._settings.github_budget
        if not token or not budget or not profiles_github.lies_there(self._settings):
            return
        asked = profiles_github.Asked(token, max_requests=budget)
        try:
            report = profiles_github.refreshed(
                self._settings, asked, self._live, self._around.progress
            )
        except SourcerError as error:
            self._fails("profiles", str(error))
            return
        self._did("requests of GitHub", report.requests)
        self._did("profiles fetched", report.accounts.profiles)
        for name, why in report.failures.items():
            self._fails(f"profiles of {name}", why)

    def _expire(self) -> None:
        from ingest.profiles import retention

        now = self._around.clock()
        dropped = retention.expire(self._data / "profiles", self._retention, now)
        self._did("expired profiles", sum(dropped.values()))
        if (oldest := self._retention.oldest(AUDIT, now)) and self._settings.has_workspace:
            self._did("expired log entries", _drop_log(self._settings, oldest))

    def _publish(self, gathered: "Gathered") -> tuple[Outcome, str]:
        try:
            return self._made(gathered)
        except (SourcerError, OSError):
            raise
        except Exception:
            # Damage that no file's time showed: every crawl is read, and what is mended tried again
            if not self._mend(thoroughly=True):
                raise
            return self._made(self._fetch())

    def _made(self, gathered: "Gathered") -> tuple[Outcome, str]:
        making = publishing.prepared(self._settings, gathered, self._live, self._timings)
        if ended := self._made_already(making.inputs):
            return ended
        step, progress = self._journal.step, self._around.progress
        with snapshot.draft(self._data) as draft:
            with step("build"):
                made = publishing.build(making, draft, progress)
            with step("index"):
                publishing.index(making, draft, progress, self._around.embedder)
            with step("guard"):
                judged, failed = guarding.judged(self._settings, draft, self._around.embedder)
                if failed:
                    self._fails("judged.jsonl", failed)
                facts = making.facts({**made, "judged": judged})
                reasons = guarding.objections(self._settings, self._live, facts)
            with step("publish"):
                if reasons:
                    held = snapshot.hold(self._data, draft, facts | {"held": reasons})
                    raise HeldBack(_held(held))
                published = snapshot.publish(self._data, draft, facts)
        self._takes_over(published)
        return Outcome.PUBLISHED, f"published {published.name}"

    def _made_already(self, inputs: dict[str, Any]) -> tuple[Outcome, str] | None:
        """Whether a snapshot of just these inputs lies there: current, unfinished, taken back, or
        held back."""
        live, data = self._live, self._data
        if live and live.manifest["inputs"] == inputs:
            return Outcome.NOTHING_NEW, f"nothing new: {live.name} stays"
        for unfinished in snapshot.newer(data, live) if live else []:
            if unfinished.manifest["inputs"] == inputs:
                snapshot.point(data, unfinished.path)
                self._takes_over(unfinished)
                return Outcome.PUBLISHED, f"finished publishing {unfinished.name}"
        for refused in snapshot.rolled_back(data) if live else []:
            if refused.manifest["inputs"] == inputs:
                return Outcome.NOTHING_NEW, f"nothing new since {refused.name} was rolled back"
        held = snapshot.held(data)
        if held and held.manifest["inputs"] == inputs:
            raise HeldBack(_held(held))
        return None

    def _takes_over(self, published: Snapshot) -> None:
        self._before = self._live.database if self._live else None
        self._live = published

    def _alert(self) -> None:
        if self._live is None:
            return
        live = self._live
        alerting.follow(self._settings, live)
        done = alerting.alert(
            self._settings,
            live,
            self._before,
            lambda: guarding.opened(self._settings, live, self._around.embedder),
        )
        for what, count in done.items():
            self._did(what, count)

    def _fails(self, what: str, why: str) -> None:
        _LOG.error("%s: %s", what, why)
        self._journal.run.failures[what] = why

    def _did(self, what: str, count: int) -> None:
        if count:
            self._journal.run.did[what] = count


def _held(held: Snapshot) -> str:
    reasons = "; ".join(held.manifest.get("held", ["it differs too much"]))
    return f"{held.name} is held back: {reasons}. To publish it: sourcer publish --force"


def _drop_log(settings: Settings, oldest: datetime) -> int:
    from sourcer.workspace import Workspace, audit

    workspace = Workspace.open(settings.data, settings.workspace_url)
    try:
        with workspace.writing() as session:
            return audit.drop_before(session, oldest)
    finally:
        workspace.close()


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
    if url := ping_url or (settings.ping_url if settings else ""):
        if why := run_metrics.ping(url, failed=failed):
            _LOG.warning("%s", why)
