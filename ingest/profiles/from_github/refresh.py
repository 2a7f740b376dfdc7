"""One refresh from GitHub, in order of worth: whose commits, their profiles, reviews, the rest."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeAlias

from ingest.profiles.from_github import accounts, commit_accounts, organizations, profiles, reviews
from ingest.profiles.from_github.accounts import Account
from ingest.profiles.from_github.answers import BudgetSpent
from ingest.profiles.from_github.client import Client
from ingest.profiles.from_github.kept import Kept
from sourcer.errors import NoSuchRepository

Progress: TypeAlias = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done, and out of how much."""
KEPT_EVERY = 100
"""Organisations between two writes: what an abrupt end can cost."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to fetch and where to keep it."""

    repositories: Mapping[str, Path]
    """owner/name at GitHub -> the folder of its crawl."""
    into: Path
    """The folder of the profiles."""
    known: tuple[Account, ...] = ()
    """Accounts known from elsewhere: commit addresses, owners' pages."""
    older_than: timedelta = timedelta(days=30)
    salt: bytes = b""


@dataclass(slots=True)
class Report:
    """What a refresh did, and whether it came to its end."""

    requests: int = 0
    commits: int = 0
    pulls: int = 0
    reviews: int = 0
    accounts: profiles.Tally = field(default_factory=profiles.Tally)
    organizations: int = 0
    finished: bool = False
    renamed: dict[str, str] = field(default_factory=dict)
    """Repositories that have another name at GitHub by now."""
    failures: dict[str, str] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    def sentence(self) -> str:
        """What a refresh did, in words.

        >>> print(Report(requests=3, commits=200, pulls=40, reviews=66, finished=True).sentence())
        3 requests: accounts of 200 commits, 0 profiles, 66 reviews of 40 pull requests.
        Next: sourcer ingest
        """
        told = self.accounts
        lines = [
            f"{self.requests:,} requests: accounts of {self.commits:,} commits, "
            f"{told.profiles:,} profiles, {self.reviews:,} reviews of {self.pulls:,} pull requests."
        ]
        odd = {
            "are gone": told.gone,
            "have another login by now": told.renamed,
            "have lost their login to somebody else": told.reclaimed,
            "were not answered": told.unanswered,
        }
        lines += [f"{count:,} accounts {what}." for what, count in odd.items() if count]
        lines += [f"{old} is {new} by now." for old, new in self.renamed.items()]
        end = "Next: sourcer ingest" if self.finished else "Not finished. Run the same again."
        return "\n".join([*lines, end])


def refresh(client: Client, plan: Plan, progress: Progress) -> Report:
    """Fetches what is missing or old. What was fetched is on disk, however it ends.

    Raises GitHubRefused or GitHubUnreachable; a spent budget ends it with finished=False.
    """
    report = Report()
    try:
        _commits(client, plan, report, progress)
        with _kept(client, plan) as kept:
            authors = accounts.wanted(plan.repositories.values(), plan.known)
            _profiles(client, plan, kept, authors, report, progress)
            _reviews(client, plan, report, progress)
            everybody = accounts.wanted(plan.repositories.values(), plan.known)
            reviewers = [each for each in everybody if each not in set(authors)]
            _profiles(client, plan, kept, reviewers, report, progress)
            _organizations(client, plan, kept, report, progress)
        report.finished = True
    except BudgetSpent:
        pass
    finally:
        report.requests = client.requests
    return report


def _commits(client: Client, plan: Plan, report: Report, progress: Progress) -> None:
    for name, folder in plan.repositories.items():
        walk = commit_accounts.Walk(client, name, folder)
        try:
            walk.run(_step(progress, f"accounts of {name}"))
        except NoSuchRepository as error:
            report.failures[name] = str(error)
        finally:
            report.commits += walk.read
        if walk.repository != name:
            report.renamed[name] = walk.repository


def _profiles(
    client: Client,
    plan: Plan,
    kept: Kept,
    wanted: list[Account],
    report: Report,
    progress: Progress,
) -> None:
    due = kept.due(wanted, _now(client), plan.older_than)
    profiles.fetch(client, kept, due, report.accounts, _step(progress, "profiles"))
    kept.write()


def _reviews(client: Client, plan: Plan, report: Report, progress: Progress) -> None:
    for name, folder in plan.repositories.items():
        if name in report.failures:
            continue
        reading = reviews.Reading(client, report.renamed.get(name, name), folder)
        try:
            reading.run(_step(progress, f"reviews of {name}"))
        finally:
            report.pulls += reading.pulls
            report.reviews += reading.reviews


def _organizations(
    client: Client, plan: Plan, kept: Kept, report: Report, progress: Progress
) -> None:
    due = organizations.due(kept, _now(client), plan.older_than)
    for profile, done in zip(due, range(1, len(due) + 1), strict=True):
        organizations.ask(client, kept, profile)
        report.organizations = done
        if done % KEPT_EVERY == 0:
            kept.write()
        progress("organisations", done, len(due))


@contextmanager
def _kept(client: Client, plan: Plan) -> Iterator[Kept]:
    kept = Kept.load(plan.into, client.fingerprint(plan.salt))
    try:
        yield kept
    finally:
        kept.write()


def _step(progress: Progress, name: str) -> Callable[[int, int], None]:
    return lambda done, total: progress(name, done, total)


def _now(client: Client) -> datetime:
    return datetime.fromtimestamp(client.clock.now(), UTC)
