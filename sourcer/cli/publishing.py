"""Sources -> a published snapshot: where ingest ends and index begins."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sourcer import settings as settings_file
from sourcer import snapshot
from sourcer.cli import alerting, erased
from sourcer.cli.progress import Progress
from sourcer.commits import Depth
from sourcer.errors import BadInput, CrawlFailed, DamagedSnapshot, NoSnapshot, SourcerError
from sourcer.lock import exclusive
from sourcer.retention import Retention
from sourcer.settings import Repository, Settings

if TYPE_CHECKING:
    from index.embedder import Embedder
    from ingest.run import Gathered, Timings, Told


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an ingest came to."""

    snapshot: snapshot.Snapshot
    is_new: bool
    """False: nothing had changed, and the current snapshot stays."""
    failures: dict[str, str]
    """Repositories that could not be read, and why; their last good crawl is used."""


def ingest(
    data: Path,
    sources: Sequence[str],
    progress: Progress,
    depth: Depth | None = None,
    reindex: bool = False,
) -> Outcome:
    """Crawls the named sources (none: all that are remembered) and publishes what follows."""
    with exclusive(data, "ingest"):
        return _ingest(data, sources, progress, depth, reindex)


def _ingest(
    data: Path, sources: Sequence[str], progress: Progress, depth: Depth | None, reindex: bool
) -> Outcome:
    from ingest import run
    from ingest.profiles import retention

    remembered = settings_file.read(data)
    retention.expire(data / "profiles", Retention.read(remembered.retention), datetime.now(UTC))
    settings, named = _chosen(remembered, sources, depth)
    timings = run.Timings()
    gathered = run.gather(settings, named, timings, progress)
    for repository in named:
        if repository.name not in gathered.failures:
            settings_file.remember(data, repository)
    if not gathered.crawled:
        raise CrawlFailed("\n".join(gathered.failures.values()) or "the repositories are empty")
    live = current_or_none(data)
    making = prepared(settings, gathered, live, timings)
    if live and live.manifest["inputs"] == making.inputs and not reindex:
        erased.finish(settings)
        return Outcome(live, False, dict(gathered.failures))
    published = publish(making, progress)
    _alert(settings, live, published)
    erased.finish(settings)
    snapshot.prune(data, settings.keep_snapshots)
    return Outcome(published, True, dict(gathered.failures))


def _alert(settings: Settings, live: snapshot.Snapshot | None, now: snapshot.Snapshot) -> None:
    """Tells who is new; a delivery that fails is tried again by the next night."""
    from sourcer.cli import guarding

    before = live.database if live else None
    try:
        alerting.alert(settings, now, before, lambda: guarding.opened(settings, now), timedelta(0))
    except SourcerError as error:
        logging.getLogger(__name__).error("no alerts: %s", error)


def publish(
    making: "Making", progress: Progress, embedder: "Embedder | None" = None
) -> snapshot.Snapshot:
    """Builds, indexes and publishes a snapshot, and lets the workspace follow it."""
    data = making.settings.data
    with snapshot.draft(data) as draft:
        made = build(making, draft, progress)
        index(making, draft, progress, embedder)
        published = snapshot.publish(data, draft, making.facts(made))
    alerting.follow(making.settings, published)
    return published


@dataclass(frozen=True)
class Making:
    """A snapshot to be made: of what, and what came before it."""

    settings: Settings
    gathered: "Gathered"
    told: "Told"
    live: snapshot.Snapshot | None
    """The last one, whole; its work is taken over where nothing changed."""
    timings: "Timings"
    inputs: dict[str, Any]

    def facts(self, made: Mapping[str, Any]) -> dict[str, Any]:
        """What the manifest says, but for the checksums."""
        reports = {name: asdict(report) for name, report in self.gathered.reports.items()}
        return {
            "sourcer": version("sourcer"),
            "made": datetime.now(UTC).isoformat(timespec="seconds"),
            "inputs": self.inputs,
            "crawl": reports,
            "failures": dict(self.gathered.failures),
            **made,
            "seconds": self.timings.seconds,
        }


def prepared(
    settings: Settings, gathered: "Gathered", live: snapshot.Snapshot | None, timings: "Timings"
) -> Making:
    """What the next snapshot follows from."""
    from ingest import directions, erasing, run

    told = run.Told(_known_ids(live), directions.read(settings), live.database if live else None)
    erasing.purge(settings.data, told.directions.erased)
    inputs = run.inputs(settings, gathered, told.directions)
    return Making(settings, gathered, told, live, timings, inputs)


def build(making: Making, draft: Path, progress: Progress) -> dict[str, Any]:
    """Writes a draft's database."""
    from ingest import run

    into = draft / snapshot.DATABASE
    counts = run.build(
        making.settings, making.gathered, into, making.told, making.timings, progress
    )
    return {"counts": counts}


def index(
    making: Making, draft: Path, progress: Progress, embedder: "Embedder | None" = None
) -> None:
    """Writes a draft's index, with the embedder of the settings if no other is given."""
    from index import build
    from index.embedder import embedder_for_ingest
    from sourcer.store.database import open_readonly

    settings = making.settings
    is_erasing = bool(making.told.directions.erased.words)
    previous = making.live if making.live and not is_erasing else None
    cache = settings.data / "embeddings"
    db = open_readonly(draft / snapshot.DATABASE)
    try:
        report = build.build(
            db,
            draft / snapshot.INDEX,
            embedder or embedder_for_ingest(settings.model, cache, settings.workers),
            cache,
            progress,
            previous=previous.index if previous else None,
        )
    finally:
        db.close()
    making.timings.seconds.update(report.seconds)


def current_or_none(data: Path) -> snapshot.Snapshot | None:
    """The snapshot that answers, if anything whole has been published."""
    try:
        return snapshot.current_good(data)
    except (NoSnapshot, DamagedSnapshot):
        return None


def _chosen(
    settings: Settings, sources: Sequence[str], depth: Depth | None
) -> tuple[Settings, list[Repository]]:
    """The settings with the named sources added, and which repositories to bring up to date."""
    remembered = {each.name: each for each in settings.repositories}
    named = [_repository(source, depth, remembered) for source in sources]
    if not sources:
        if not remembered:
            raise BadInput("no repository is remembered yet. Try: sourcer ingest owner/name")
        named = [replace(each, depth=depth or each.depth) for each in remembered.values()]
    chosen = remembered | {each.name: each for each in named}
    return replace(settings, repositories=tuple(chosen.values())), named


def _repository(text: str, depth: Depth | None, known: dict[str, Repository]) -> Repository:
    from ingest import clones

    name, given, source = text.partition("=")
    if not given:
        if name in known:
            return replace(known[name], depth=depth or known[name].depth)
        source, name = text, clones.name_of(text)
    if not name or not source:
        raise BadInput(f"{text!r} is not NAME or NAME=SOURCE, such as acme/engine=/srv/engine.git")
    if Path(source).expanduser().is_dir():
        source = str(Path(source).expanduser().resolve())
    clones.address(source)
    url = known[name].url if name in known else ""
    return Repository(name, source, depth or clones.usual_depth(source), url)


def _known_ids(live: snapshot.Snapshot | None) -> dict[str, str]:
    from sourcer.store import people
    from sourcer.store.database import open_readonly

    if live is None:
        return {}
    db = open_readonly(live.database)
    try:
        return people.known_ids(db)
    finally:
        db.close()
