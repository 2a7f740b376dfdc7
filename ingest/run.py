"""The steps of an ingest, in order: mirror, crawl, then everything that follows from them.

Every step is safe to kill: mirrors and crawls go on where they stopped, and the database is a
draft until the whole snapshot is published.
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter
from typing import Any, TypeAlias

from ingest import (
    clones,
    crawl,
    employers,
    graph,
    identity,
    introductions,
    owners,
    tagging,
)
from ingest.directions import Directions
from ingest.profiles import decisions, linking
from ingest.profiles.from_github import commit_accounts, reviews
from ingest.profiles.links import Linking
from sourcer.commits import Repo
from sourcer.errors import SourcerError
from sourcer.retention import Retention
from sourcer.settings import Repository, Settings, salt
from sourcer.store import accounts, facts, history, holdings, people
from sourcer.store.database import Database, create
from sourcer.topics import load
from sourcer.withheld import hidden_people
from sourcer.workspace.identifiers import login
from sourcer.workspace.suppressions import Suppressed

FORMAT = 6
"""Raise it when the same inputs would give another database: snapshots are then built again."""

Progress: TypeAlias = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done, and out of how much."""
Ties: TypeAlias = tuple[tuple[str, str], ...]
"""Pairs of signature keys."""


@dataclass(slots=True)
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
class Told:
    """What an ingest knows of people beforehand."""

    known: Mapping[str, str] = field(default_factory=dict)
    """The person id that the last snapshot gave to each signature key."""
    directions: Directions = field(default_factory=Directions)
    last: Path | None = None
    """The last snapshot's database."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """What all repositories have on disk after the crawl, and which of them failed."""

    crawled: tuple[history.Crawled, ...]
    reports: Mapping[str, crawl.CrawlReport]
    failures: Mapping[str, str]


def gather(
    settings: Settings, named: Sequence[Repository], timings: Timings, progress: Progress
) -> Gathered:
    """Brings the named repositories up to date, and takes the others as their last crawl left them.

    A repository that fails does not stop the others: its last good crawl is used.
    """
    reports, failures = {}, {}
    for repository in named:
        try:
            reports[repository.name] = _fetch(settings, repository, timings, progress)
        except (SourcerError, OSError, ValueError) as error:
            failures[repository.name] = str(error)
    crawled = [
        history.Crawled(_repo(repository), repository.depth, files)
        for repository in settings.repositories
        if (files := crawl.batches(_crawl_folder(settings, repository.name))).head
    ]
    return Gathered(tuple(crawled), reports, failures)


def inputs(settings: Settings, gathered: Gathered, directions: Directions) -> dict[str, Any]:
    """All that a snapshot follows from; equal inputs give an equal snapshot."""
    folder = settings.data / "profiles"
    profiles = sorted((*folder.glob("*.parquet"), *folder.glob(decisions.FILE)))
    return {
        "repositories": {
            each.repo.name: {
                "head": each.files.head,
                "depth": str(each.depth),
                "url": each.repo.url,
                "github": _fetched(_crawl_folder(settings, each.repo.name)),
            }
            for each in gathered.crawled
        },
        "profiles": {file.name: _digest(file) for file in profiles},
        "directions": directions.digest,
        "topics": _digest(settings.topics_file),
        "model": settings.model,
        "format": FORMAT,
    }


def build(
    settings: Settings,
    gathered: Gathered,
    into: Path,
    told: Told,
    timings: Timings,
    progress: Progress,
) -> dict[str, int]:
    """Makes the snapshot's database out of what was gathered, and counts what is in it."""
    db = create(into)
    secret = salt(settings.data)
    taxonomy = load(settings.topics_file)
    profiles, suppressed = settings.data / "profiles", told.directions.suppressed
    retention = Retention.read(settings.retention)
    steps: dict[str, Callable[[], object]] = {
        "load history": lambda: history.load_history(db, gathered.crawled, secret),
        "accounts": lambda: _enlist(settings, gathered, db, secret),
        "owners": lambda: _hold(settings, gathered, db, suppressed),
        "people": lambda: _resolve(db, told, lambda: linking.ties(db, profiles, secret)),
        "topics": lambda: tagging.tag(db, taxonomy, told.last),
        "profiles": lambda: _profile(
            db, linking.link(db, profiles, secret, suppressed, retention), suppressed
        ),
        "graph": lambda: graph.build(db),
    }
    try:
        for done, (name, step) in enumerate(steps.items()):
            progress(name, done, len(steps))
            with timings.step(name):
                step()
        return facts.counts(db)
    finally:
        db.close()


def _fetch(
    settings: Settings, repository: Repository, timings: Timings, progress: Progress
) -> crawl.CrawlReport:
    with timings.step("mirror"):
        progress(f"mirror {repository.name}", 0, 0)
        mirrors = settings.data / "mirrors"
        mirror = clones.mirror(repository.source, mirrors, repository.name, repository.depth)
    with timings.step("crawl"):
        return crawl.crawl(
            mirror,
            _crawl_folder(settings, repository.name),
            repository.depth,
            lambda done, total: progress(f"crawl {repository.name}", done, total),
            settings.workers,
        )


def _enlist(settings: Settings, gathered: Gathered, db: Database, secret: bytes) -> None:
    """What GitHub was asked about commits and reviews, if it was."""
    for each in gathered.crawled:
        folder = _crawl_folder(settings, each.repo.name)
        accounts.add_authors(db, each.repo.name, commit_accounts.load(folder), secret)
        pulls = reviews.read_pulls(folder)
        accounts.add_reviews(db, each.repo.name, reviews.load(folder), len(pulls), secret)


def _hold(settings: Settings, gathered: Gathered, db: Database, suppressed: Suppressed) -> None:
    def may(named: str) -> bool:
        return not suppressed.matches([login(named)])

    for each in gathered.crawled:
        place = clones.held(each.repo.source, settings.data / "mirrors", each.repo.name)
        if place is not None:
            shown = owners.versions(each.files, introductions.PAGE)
            pages = [page for page in shown if owners.is_page(page.path)]
            last = introductions.standing(shown)
            wanted = [page.name for page in (*pages, *last) if not page.gone]
            clones.fetch_contents(place, list(dict.fromkeys(wanted)))
            held = owners.holdings(pages, place)
            said = introductions.introductions(last, place)
            holdings.write(db, each.repo.name, [one for one in held if may(one.login)])
            people.introduce(db, each.repo.name, [one for one in said if may(one.login)])


def _resolve(db: Database, told: Told, ties: Callable[[], Ties]) -> None:
    """Profiles can be compared with people only when there are some: hence twice."""
    evidence = people.evidence(db)
    decided = told.directions.decisions
    people.write(db, identity.resolve(evidence, decided, told.known))
    if same := ties():
        again = replace(evidence, same_profile=same)
        people.write(db, identity.resolve(again, decided, told.known))
    holdings.name_holders(db)


def _profile(db: Database, linking: Linking, suppressed: Suppressed) -> None:
    """Who asked not to be found is gone before anything is worked out from people."""
    holdings.name_holders(db)  # profiles tell logins that no commit shows
    employers.write(db)
    people.withhold(db, linking.suppressed | hidden_people(db, suppressed))


def _repo(repository: Repository) -> Repo:
    page = repository.url or clones.page(repository.source)
    return Repo(repository.name, repository.source, page)


def _crawl_folder(settings: Settings, name: str) -> Path:
    return settings.data / "crawl" / name.replace("/", "+")


def _fetched(folder: Path) -> str:
    """Of all that GitHub said of a repository's commits; empty where it was not asked."""
    files = sorted((*folder.glob(commit_accounts.FILE), *folder.glob("reviews-*.parquet")))
    return " ".join(_digest(file) for file in files)


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()[:16]
