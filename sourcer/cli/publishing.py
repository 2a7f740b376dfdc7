"""Sources -> a published snapshot: where ingest ends and index begins."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from sourcer import settings as settings_file
from sourcer import snapshot
from sourcer.cli.progress import Progress
from sourcer.commits import Depth
from sourcer.errors import BadInput, CrawlFailed, NoSnapshot
from sourcer.lock import exclusive
from sourcer.settings import Repository, Settings


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
    from ingest import directions, run

    settings, named = _chosen(settings_file.read(data), sources, depth)
    timings = run.Timings()
    gathered = run.gather(settings, named, timings, progress)
    for repository in named:
        if repository.name not in gathered.failures:
            settings_file.remember(data, repository)
    if not gathered.crawled:
        raise CrawlFailed("\n".join(gathered.failures.values()) or "the repositories are empty")
    told = run.Told(directions=directions.read(settings))
    inputs = run.inputs(settings, gathered, told.directions)
    live = current_or_none(data)
    if live and live.manifest["inputs"] == inputs and not reindex:
        return Outcome(live, False, dict(gathered.failures))
    with snapshot.draft(data) as draft:
        counts = run.build(
            settings,
            gathered,
            draft / snapshot.DATABASE,
            replace(told, known=_known_ids(live)),
            timings,
            progress,
        )
        facts = {
            "sourcer": version("sourcer"),
            "made": datetime.now(UTC).isoformat(timespec="seconds"),
            "inputs": inputs,
            "counts": counts,
            "crawl": {name: asdict(report) for name, report in gathered.reports.items()},
            "failures": gathered.failures,
            "seconds": timings.seconds | _index(settings, draft, live, progress),
        }
        published = snapshot.publish(data, draft, facts)
    snapshot.prune(data, settings.keep_snapshots)
    return Outcome(published, True, dict(gathered.failures))


def current_or_none(data: Path) -> snapshot.Snapshot | None:
    """The current snapshot, if anything has been published."""
    try:
        return snapshot.current(data)
    except NoSnapshot:
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
    return Repository(name, source, depth or clones.usual_depth(source))


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


def _index(
    settings: Settings, draft: Path, live: snapshot.Snapshot | None, progress: Progress
) -> dict[str, Any]:
    from index import build
    from index.embedder import embedder_for_ingest
    from sourcer.store.database import open_readonly

    cache = settings.data / "embeddings"
    db = open_readonly(draft / snapshot.DATABASE)
    try:
        report = build.build(
            db,
            draft / snapshot.INDEX,
            embedder_for_ingest(settings.model, cache),
            cache,
            progress,
            previous=live.index if live else None,
        )
    finally:
        db.close()
    return report.seconds
