"""What the made-up people work on, and where that lies in each repository at each time."""

from dataclasses import dataclass
from datetime import date
from functools import cache

from ingest.sample.cast import table

REPOS = {"vllm": "vllm-project/vllm", "sglang": "sgl-project/sglang"}


@dataclass(frozen=True, slots=True)
class Path:
    """A file under today's name, and the day it came into being."""

    name: str
    since: date


@dataclass(frozen=True, slots=True)
class Theme:
    """A topic of issue size: its files per repository and the words of its commits."""

    slug: str
    label: str
    tags: tuple[str, ...]
    since: date
    things: tuple[str, ...]
    where: tuple[str, ...]
    names: tuple[str, ...]
    paths: dict[str, tuple[Path, ...]]

    @property
    def repos(self) -> tuple[str, ...]:
        return tuple(repo for repo in REPOS if self.paths[repo])

    def paths_on(self, repo: str, day: date) -> list[str]:
        """Today's names of the files that exist by then; at least one."""
        there = [path.name for path in self.paths[repo] if path.since <= day]
        return there or [self.paths[repo][0].name]


@dataclass(frozen=True, slots=True)
class BulkMove:
    """On `day`, whatever began with an old prefix was renamed to begin with the new one."""

    repo: str
    day: date
    by: str
    subject: str
    pairs: tuple[tuple[str, str], ...]


@cache
def themes() -> dict[str, Theme]:
    """All themes by slug.

    >>> themes()["eplb"].label
    'EPLB and router imbalance'
    """
    return {slug: _theme(slug, row) for slug, row in table("themes.toml").items()}


def _theme(slug: str, row: dict[str, list[str]]) -> Theme:
    since: date = row["since"]  # type: ignore[assignment]  # TOML's own dates
    lists = {key: tuple(row[key]) for key in ("tags", "things", "where", "names")}
    paths = {repo: tuple(_path(text, since) for text in row[repo]) for repo in REPOS}
    return Theme(slug=slug, label=str(row["label"]), since=since, paths=paths, **lists)


def _path(text: str, since: date) -> Path:
    name, _, day = text.partition(" @")
    return Path(name, date.fromisoformat(day) if day else since)


@cache
def bulk_moves() -> tuple[BulkMove, ...]:
    """Oldest first.

    >>> bulk_moves()[0].pairs
    (('cacheflow/', 'vllm/'),)
    """
    return tuple(
        BulkMove(**row | {"pairs": tuple(map(tuple, row["pairs"]))})
        for row in table("moves.toml")["move"]
    )


def name_on(repo: str, path: str, day: date) -> str:
    """What today's path was called on an earlier day.

    >>> name_on("vllm", "vllm/v1/core/block_pool.py", date(2024, 12, 1))
    'vllm/core/block_pool.py'
    >>> name_on("vllm", "vllm/v1/core/block_pool.py", date(2023, 3, 1))
    'cacheflow/core/block_pool.py'
    """
    for move in reversed([each for each in bulk_moves() if each.repo == repo and each.day > day]):
        for old, new in move.pairs:
            if path.startswith(new):
                path = old + path[len(new) :]
                break
    return path
