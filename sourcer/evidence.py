"""The commits that prove a score: the most telling first, and no two alike."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple, Self

from sourcer.commits import Role
from sourcer.substance import BULK, TRIVIAL, Kind, is_chore, kind_of

SHOWN_PATHS = 5
SAME_YEAR = 0.15
WEIGHTY = frozenset({Kind.KERNEL, Kind.CODE})
_WORD = re.compile(r"[a-z0-9]+")
_SMALL = re.compile(
    r"\b(bug)?fix|\bhotfix|\b(nit|tiny|minor|small|clean ?up|renam(e|ing)|deprecat(e|ed|ion)"
    r"|remove (unused|dead)|warnings?|comments?|docstrings?)\b",
    re.IGNORECASE,
)
_PULL = re.compile(r"\(#\d+\)")


class Cited(NamedTuple):
    """One commit as evidence for one person."""

    commit: int
    repo: str
    sha: str
    subject: str
    date: datetime
    role: Role
    paths: tuple[str, ...]
    files: int
    topics: tuple[str, ...]
    weight: float
    """What it gave to the person's score; how large it is, where a question is about nothing."""
    url: str | None = None
    pull: int | None = None
    added: int | None = None
    deleted: int | None = None

    @property
    def cite(self) -> str:
        """The short form that a Score carries.

        >>> Cited(0, "vllm-project/vllm", "9f1c2e4a77", "Add", datetime(2026, 1, 2), Role.AUTHOR,
        ...       (), 0, (), 1.0).cite
        'vllm-project/vllm@9f1c2e4a77'
        """
        return f"{self.repo}@{self.sha}"

    def json(self) -> dict[str, object]:
        return {
            "repo": self.repo,
            "sha": self.sha,
            "subject": self.subject,
            "date": self.date.date().isoformat(),
            "role": self.role.value,
            "paths": list(self.paths[:SHOWN_PATHS]),
            "files": self.files,
            "topics": list(self.topics),
            "url": self.url,
            "pull": self.pull,
            "added": self.added,
            "deleted": self.deleted,
        }


def choose(cited: Sequence[Cited], limit: int = 3) -> tuple[Cited, ...]:
    """Picks one after another the most telling commit that is least like those picked before.

    Maximal marginal relevance (Carbonell & Goldstein, 1998) over words of the subjects and files.
    """
    left = [_Candidate.of(one) for one in cited]
    picked: list[Cited] = []
    while left and len(picked) < limit:
        best = max(left, key=lambda candidate: (candidate.value, -candidate.one.commit))
        picked.append(best.one)
        left.remove(best)
        for other in left if len(picked) < limit else ():
            other.repeats = max(other.repeats, _likeness(other, best))
    return tuple(picked)


@dataclass(slots=True, eq=False)
class _Candidate:
    one: Cited
    tells: float
    looks: "_Looks"
    repeats: float = 0.0
    """How like it is to the likest commit that was picked."""

    @classmethod
    def of(cls, one: Cited) -> Self:
        looks = _looks_of(one)
        return cls(one, _tells(one, looks), looks)

    @property
    def value(self) -> float:
        """1 for a commit unlike all those picked, towards 0.2 for one that repeats one of them."""
        return self.tells * (1.0 - 0.8 * self.repeats)


def tellingness(one: Cited) -> float:
    """What a staff engineer would make of it: its weight for the question, more for kernels and
    new code written by the person, less for chores and sweeps."""
    return _tells(one, _looks_of(one))


def _tells(one: Cited, looks: "_Looks") -> float:
    factor = 1.0 if one.role is Role.AUTHOR else 0.8
    return one.weight * factor * looks.shows


@dataclass(frozen=True, slots=True)
class _Looks:
    """What a commit looks like, whoever it is cited for."""

    shows: float
    words: frozenset[str]
    files: frozenset[str]


def _looks_of(one: Cited) -> _Looks:
    return _looks(one.subject, one.paths, one.files)


@lru_cache(maxsize=1 << 14)
def _looks(subject: str, paths: tuple[str, ...], files: int) -> _Looks:
    words = _WORD.findall(_PULL.sub("", subject).lower())
    return _Looks(_showing(subject, paths, files), frozenset(words), frozenset(paths))


def _showing(subject: str, paths: tuple[str, ...], files: int) -> float:
    kinds = set(map(kind_of, paths))
    factor = 1.0
    if is_chore(subject) or files > BULK:
        factor *= 0.2
    if kinds and kinds <= TRIVIAL:
        factor *= 0.2
    elif kinds and kinds.isdisjoint(WEIGHTY):
        factor *= 0.4
    if Kind.KERNEL in kinds:
        factor *= 1.15
    return factor * _heft(subject, files)


def _heft(subject: str, files: int) -> float:
    """Small fixes tell less than changes across several files."""
    fix = 0.5 if is_small(subject) else 1.0
    return fix * (0.8 + 0.2 * min(files, 6) / 6)


@lru_cache(maxsize=1 << 14)
def is_small(subject: str) -> bool:
    """Whether a subject announces a fix or a touch.

    >>> [is_small(text) for text in ("Tiny add warnings", "[Bugfix] EAGLE", "EAGLE-3 support")]
    [True, True, False]
    """
    return _SMALL.search(subject) is not None


def _likeness(a: _Candidate, b: _Candidate) -> float:
    """By words or files, and a little by being of one year: a career shows over years."""
    words = _jaccard(a.looks.words, b.looks.words)
    same = max(words, 0.7 * _jaccard(a.looks.files, b.looks.files))
    return min(1.0, same + SAME_YEAR * (a.one.date.year == b.one.date.year))


def _jaccard(a: frozenset[str], b: frozenset[str]) -> float:
    shared = len(a & b)
    return shared / (len(a) + len(b) - shared) if shared else 0.0
