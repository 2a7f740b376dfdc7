"""Judged questions that a project answers itself: a path's words ask, its code owners answer."""

import re
from collections import defaultdict

from index.evaluate import Judged
from index.search import Searcher

NOT_TELLING = re.compile(
    "src|csrc|include|python|py|cu|cuh|h|jinja|md|rst|ya?ml|txt|toml|tests?|unit|gtest|docs?"
    "|benchmarks?|examples|github",
    re.IGNORECASE,
)
MOST_OWNERS = 12
"""A path with more owners is watched by all and asks for nobody."""


def owner_questions(searcher: Searcher) -> list[Judged]:
    """One question for all paths with the same words in one repository. No ranking reads owners."""
    held: dict[tuple[str, str], set[str]] = defaultdict(set)
    for person, holdings in searcher.details.holdings.items():
        login = next(iter(searcher.details.shown(person).logins), None)
        for one in holdings:
            if login and one.role == "code owner" and one.scope.strip("*/"):
                held[one.repo, " ".join(telling(one.scope, one.repo))].add(login)
    return [
        Judged(f"{repo.rpartition('/')[2]}: {words}", repo, words, tuple(sorted(owners)))
        for (repo, words), owners in sorted(held.items())
        if words and len(owners) <= MOST_OWNERS
    ]


def telling(path: str, repo: str) -> list[str]:
    """The words of a path that say what lies there.

    >>> telling("/tests/kernels/moe/*.py", "vllm-project/vllm")
    ['kernels', 'moe']
    """
    words = [word for word in re.split(r"[^A-Za-z0-9]+", path) if word]
    short = repo.rpartition("/")[2].lower()
    told = [word for word in words if not NOT_TELLING.fullmatch(word) and word.lower() != short]
    return told or words
