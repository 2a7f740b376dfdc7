"""Which commits a question is about: by its words, by its topics and by its meaning."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from index.commit_index import CommitIndex
from index.lexical import EVERYWHERE, Within
from index.passages import terms
from sourcer import ranking
from sourcer.ranking import Floats, Mask, Weights

MOST_BY_WORDS = 2_000
MOST_BY_MEANING = 2_000

_BETWEEN = re.compile(r"[\s/,;()]+")

_ASKING = """
a an the of and or in on for to by with from as at is are was be its it this that these those their
them into onto than then which who whom whose what where when how why do does did done has have had
not no without own one more also other such as between within concerning related covers various etc
i we me my our us any some all both can could should would may might people person engineer
engineers developer developers dev devs expert experts expertise maintainer maintainers maintain
maintains specialist specialists author authors contributor contributors someone anyone candidate
candidates folks lead leads main responsible looks look looking after behind worked work works
working wrote write writes built implement implements implemented introduced introduce add added
adds integrated integrate handle handles handled developed develop designed design brought bring
put keep keeps kept made make makes turn turns let lets ported newest find show want need know
knows knowledge experience experienced strong skilled touched touching committed contribute
contributed hands deep good
"""
ASKING = frozenset(_ASKING.split())
"""Words that ask, and say nothing of the work asked for."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What to look for, and where."""

    text: str
    topics: tuple[int, ...] = ()
    """Ordinals of topics."""
    within: Within = EVERYWHERE
    allowed: Mask | None = None
    """Per commit, whether it may count; None: all."""


@dataclass(frozen=True, slots=True)
class Recalled:
    """What each commit has to do with the question, by itself; each 0 for most commits."""

    words: Floats
    topics: Floats
    meaning: Floats

    def fit(self, weights: Weights) -> Floats:
        return ranking.fit(self.words, self.topics, self.meaning, weights)


def recall(index: CommitIndex, asked: Asked) -> Recalled:
    """Looks at all commits; those that are not allowed have 0."""
    found = Recalled(
        words=_by_words(index, asked),
        topics=_by_topics(index, asked.topics),
        meaning=_by_meaning(index, asked),
    )
    if asked.allowed is not None:
        for signal in (found.words, found.topics, found.meaning):
            signal *= asked.allowed
    return found


@lru_cache(maxsize=1024)
def term_weights(text: str) -> dict[str, float]:
    """The terms to look up. A word that is written as several shares one weight among them.

    >>> term_weights("who wrote the FlashMLA kernels")
    {'flashmla': 0.5, 'flash': 0.5, 'mla': 0.5, 'kernel': 1.0}
    """
    weights: dict[str, float] = {}
    for word in _BETWEEN.split(text):
        telling = [term for term in terms(word) if term not in _asking()]
        for term in telling:
            weights[term] = max(weights.get(term, 0.0), 1.0 if len(telling) == 1 else 0.5)
    return weights


@lru_cache(maxsize=1)
def _asking() -> frozenset[str]:
    return frozenset(term for word in ASKING for term in terms(word))


def _by_words(index: CommitIndex, asked: Asked) -> Floats:
    result = np.zeros(len(index.columns.day), np.float32)
    hits = index.lexical.search(term_weights(asked.text), MOST_BY_WORDS, asked.within)
    result[hits.commits] = hits.scores
    return result


def _by_topics(index: CommitIndex, topics: Sequence[int]) -> Floats:
    """Each topic counts as a rare word does: by its inverse document frequency."""
    count = len(index.columns.day)
    result = np.zeros(count, np.float32)
    for topic in topics:
        commits = index.columns.topic_commits[topic]
        result[commits] += np.log1p((count - len(commits) + 0.5) / (len(commits) + 0.5))
    return result


def _by_meaning(index: CommitIndex, asked: Asked) -> Floats:
    count = len(index.columns.day)
    if not term_weights(asked.text):
        return np.zeros(count, np.float32)
    vector = index.encoder.encode([asked.text])[0]
    nearest = index.vectors.search(
        vector, MOST_BY_MEANING * (2 if asked.allowed is not None else 1)
    )
    return ranking.stretched(count, nearest.commits, nearest.similarities)
