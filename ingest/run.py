"""The steps of an ingest, in order: mirror, crawl, then everything that follows from them.

Every step is safe to kill: mirrors and crawls go on where they stopped, and the database is a
draft until the whole snapshot is published.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any, TypeAlias

from ingest import clones, graph, identity, owners, topics
from ingest.crawl import CrawlReport, batches, crawl
from ingest.profiles import linking
from sourcer.commits import Repo
from sourcer.errors import SourcerError
from sourcer.settings import Repository, Settings, salt
from sourcer.store import history, people
from sourcer.store import graph as graph_store
from sourcer.store.database import create
from sourcer.topics import SHIPPED

Progress: TypeAlias = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done, and out of how much."""


@dataclass
class Timings:
    """Seconds by step, in the order in which the steps ran."""

    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        began = perf_counter()
        try:
            yield
        finally:
            took = perf_counter() - began
            self.seconds[name] = round(self.seconds.get(name, 0.0) + took, 2)


@dataclass(frozen=True, slots=True)
class Gathered:
    """What all repositories have on disk after the crawl, and which of them failed."""

    crawled: tuple[history.Crawled, ...]
    mirrors: Mapping[str, Path]
    reports: Mapping[str, CrawlReport]
    failures: Mapping[str, str]


def gather(
    settings: Settings, repositories: Sequence[Repository], timings: Timings, progress: Progress
) -> Gathered:
    """Brings the named repositories up to date, and takes the others as their last crawl left them.

    A repository that fails does not stop the others: its last good crawl is used.
    """
    crawled, mirrors, reports, failures = [], {}, {}, {}
    for repository in settings.repositories:
        into = settings.data / "crawl" / repository.name.replace("/", "+")
        if repository in repositories:
            try:
                mirror = _mirror(settings, repository, timings)
                reports[repository.name] = _crawl(repository, mirror, into, timings, progress)
                mirrors[repository.name] = mirror
            except SourcerError as error:
                failures[repository.name] = str(error)
        files = batches(into)
        if files.head:
            crawled.append(history.Crawled(_repo(repository), repository.depth, files))
    return Gathered(tuple(crawled), mirrors, reports, failures)


def inputs(settings: Settings, gathered: Gathered) -> dict[str, Any]:
    """All that a snapshot follows from; equal inputs give an equal snapshot."""
    topics_file = Path(settings.topics) if settings.topics else SHIPPED
    profiles = sorted((settings.data / "profiles").glob("*.parquet"))
    return {
        "repositories": {
            each.repo.name: {"head": each.files.head, "depth": str(each.depth)}
            for each in gathered.crawled
        },
        "profiles": {file.name: _digest(file) for file in profiles},
        "topics": _digest(topics_file),
        "model": settings.model,
        "format": FORMAT,
    }


def build(
    settings: Settings,
    gathered: Gathered,
    into: Path,
    known: Mapping[str, str],
    timings: Timings,
    progress: Progress,
) -> dict[str, Any]:
    """Makes the snapshot's database out of what was gathered; the counts for its manifest.

    `known`: the person id that the last snapshot gave to each signature key.
    """
    steps: list[tuple[str, Callable[[], object]]] = []
    db = create(into)
    secret = salt(settings.data)
    steps = [
        ("load history", lambda: history.load_history(db, gathered.crawled, secret)),
        ("owners", lambda: _owners(settings, gathered, db)),
        ("people", lambda: people.write(db, identity.resolve(people.evidence(db), known=known))),
        ("topics", lambda: topics.tag(db, settings.topics)),
        ("profiles", lambda: linking.link(db, settings.data / "profiles", secret)),
        ("graph", lambda: graph.build(db)),
    ]
    try:
        for done, (name, step) in enumerate(steps):
            progress(name, done, len(steps))
            with timings.step(name):
                step()
        progress(steps[-1][0], len(steps), len(steps))
        return counts(db)
    finally:
        db.close()
