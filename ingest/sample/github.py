"""What GitHub would say of the sample: whose accounts commits are of, and who reviewed what."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

from ingest.profiles.from_github import commit_accounts, reviews
from ingest.profiles.from_github.crawled import write_table
from ingest.sample.cast import Person, table
from ingest.sample.dice import chance, pick, roll
from ingest.sample.history import NUMBER, history
from ingest.sample.planned import Planned
from ingest.sample.standing import person
from sourcer.commits import Role

STATES = ("APPROVED", "APPROVED", "APPROVED", "CHANGES_REQUESTED", "COMMENTED")
FILES = (commit_accounts.FILE, "reviews-000001.parquet", "pulls-000001.parquet")


@dataclass(frozen=True, slots=True)
class Review:
    """One person's word on the pull request that became a commit."""

    slug: str
    key: str
    """Of the commit."""
    pull: int
    state: str
    at: datetime


@cache
def reviewed(repo: str) -> tuple[Review, ...]:
    """
    >>> by = [review.slug for review in reviewed("vllm")]
    >>> by.count("perpetua-langrove") > by.count("ilmar-osterhagen") > 10
    True
    """
    return tuple(_reviewed(repo))


def _reviewed(repo: str) -> Iterator[Review]:
    rows = [row for row in table("reviews.toml")["reviewer"] if row["repo"] == repo]
    for plan in history(repo):
        pull = pull_of(plan)
        for row in rows if pull else ():
            who, percent = person(row["slug"]), row["percent"].get(plan.theme, 0)
            at = plan.when.astimezone(UTC) - timedelta(hours=1 + roll(40, plan.key, who.slug))
            takes_part = who.slug in plan.people or not _is_active(who, at)
            if not takes_part and chance(percent, "review", who.slug, plan.key):
                yield Review(who.slug, plan.key, pull, pick(STATES, who.slug, plan.key), at)


def pull_of(plan: Planned) -> int:
    """The number of the pull request, the last in the subject; 0: none."""
    numbers = NUMBER.findall(plan.subject)
    return int(numbers[-1]) if numbers else 0


def write_answers(repo: str, shas: Mapping[str, str], into: Path) -> None:
    """The files that a fetch would leave beside a crawl; `shas` by the keys of the commits."""
    into.mkdir(parents=True)
    said = [_row(review, shas[review.key]) for review in reviewed(repo)]
    pulls = {pull: plan.key for plan in history(repo) if (pull := pull_of(plan))}
    asked = [{"pull": pull, "sha": shas[key]} for pull, key in sorted(pulls.items())]
    write_table(into / FILES[0], list(_accounts(repo, shas)), commit_accounts.SCHEMA)
    write_table(into / FILES[1], said, reviews.REVIEWS)
    write_table(into / FILES[2], asked, reviews.PULLS)


def _is_active(who: Person, at: datetime) -> bool:
    return who.active[0] <= at.date() <= who.active[1]


def _row(review: Review, sha: str) -> dict[str, object]:
    who = person(review.slug)
    return {
        "pull": review.pull,
        "sha": sha,
        "login": who.login,
        "github_id": who.id,
        "state": review.state,
        "submitted_at": review.at.replace(tzinfo=None, microsecond=0),
    }


def _accounts(repo: str, shas: Mapping[str, str]) -> Iterator[dict[str, object]]:
    """GitHub knows the accounts of those who review there; of the others it was not asked."""
    known = {review.slug: person(review.slug) for review in reviewed(repo)}
    for plan in history(repo):
        who = known.get(plan.people[0]) if plan.people else None
        if who and not plan.merges:
            yield {
                "sha": shas[plan.key],
                "role": str(Role.AUTHOR),
                "name": plan.author.name,
                "login": who.login,
                "github_id": who.id,
            }
