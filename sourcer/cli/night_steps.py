"""One night, step by step: what is fetched, published and told, and what happens when it fails.

Every step may be killed. `current` is changed by one rename, after everything it will point at is
on disk; whatever a killed run left is finished, or swept away, by the next.
"""

import logging
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sourcer import retries, runs, snapshot
from sourcer.cli import alerting, erased, guarding, profiles_github, publishing
from sourcer.cli.progress import Progress
from sourcer.errors import (
    BadInput,
    CrawlFailed,
    DamagedSnapshot,
    HeldBack,
    NoSnapshot,
    SourcerError,
)
from sourcer.retention import AUDIT, Retention
from sourcer.runs import Journal, Outcome
from sourcer.settings import Repository, Settings
from sourcer.snapshot import Snapshot

if TYPE_CHECKING:
    from index.embedder import Embedder
    from ingest.run import Gathered

_LOG = logging.getLogger("sourcer.nightly")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a night is given from outside."""

    progress: Progress
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    embedder: "Embedder | None" = None
    """In place of the one that the settings name."""
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)


class Night:
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
        step = self._step
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
            self._alert()
        with step("prune"):
            if outcome is not Outcome.HELD:
                self._did("erasures finished", len(erased.finish(self._settings)))
            snapshot.prune(self._data, self._settings.keep_snapshots)
            runs.prune(self._data, self._settings.keep_runs)
        self._journal.run.snapshot = self._live.name if self._live else None
        self._journal.run.counts = dict(self._live.manifest["counts"]) if self._live else {}
        return outcome, says

    def _check(self) -> None:
        """Reads everything that earlier nights left; what is damaged is made anew."""
        from ingest import soundness

        pointed = snapshot.pointed_at(self._data)
        try:
            self._live = snapshot.current_good(self._data, thoroughly=True)
        except NoSnapshot:
            pass
        except DamagedSnapshot as damage:
            self._fails("snapshots", f"{damage}. Everything is built anew")
        if self._live and self._live.name != pointed:
            self._fails(f"snapshot {pointed}", f"damaged; {self._live.name} answers instead")
            snapshot.point(self._data, self._live.path)
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
        token = self._around.environment.get(profiles_github.TOKEN, "").strip()
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
        step, progress = self._step, self._around.progress
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
        try:
            alerting.follow(self._settings, live)
            done = alerting.alert(
                self._settings,
                live,
                self._before,
                lambda: guarding.opened(self._settings, live, self._around.embedder),
            )
        except SourcerError as error:
            self._fails("alerts", str(error))
            return
        for what, count in done.items():
            self._did(what, count)

    @contextmanager
    def _step(self, name: str) -> Iterator[None]:
        with self._journal.step(name):
            self._around.progress(name, 0, 0)
            yield

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
