"""Pairs of people who may be one: for a human to decide, never asserted."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import combinations

from rapidfuzz import fuzz

from ingest import names
from ingest.clusters import Clusters
from ingest.names import Agreement
from sourcer.resolution import Suggestion

SIMILAR = 92.0
CROWD = 6
SAME_NAME, SAME_WORD, SIMILAR_NAMES = "same name", "same login or mailbox name", "similar names"


def suggest(clusters: Clusters, ids: Mapping[int, str]) -> tuple[Suggestion, ...]:
    """Near misses: a name, login or mailbox name that two people share, or nearly."""
    reasons: dict[tuple[int, int], set[str]] = defaultdict(set)
    for pair, reason in _pairs(clusters):
        reasons[pair].add(reason)
    found = (
        Suggestion(ids[a], ids[b], tuple(sorted(why)), tuple(_against(clusters, a, b)))
        for (a, b), why in reasons.items()
    )
    return tuple(sorted(found, key=lambda suggestion: (suggestion.a, suggestion.b)))


def _pairs(clusters: Clusters) -> Iterator[tuple[tuple[int, int], str]]:
    """Only people who share a word are compared, and no word that a crowd shares."""
    blocks: dict[tuple[str, str], set[int]] = defaultdict(set)
    for root in clusters.roots():
        for reason, word in _words(clusters, root):
            blocks[reason, word].add(root)
    for (reason, _), roots in blocks.items():
        for a, b in combinations(sorted(roots), 2) if len(roots) <= CROWD else ():
            if reason != SIMILAR_NAMES or _are_similar(clusters, a, b):
                yield (a, b), reason


def _words(clusters: Clusters, root: int) -> Iterator[tuple[str, str]]:
    for word in clusters.account_words(root):
        if names.is_telling(word, 5):
            yield SAME_WORD, word
    for name in {clusters.readings[index].name for index in clusters.members(root)}:
        if not name.generic:
            yield SAME_NAME, name.order_free
            yield from ((SIMILAR_NAMES, token) for token in name.tokens if len(token) > 3)


def _are_similar(clusters: Clusters, a: int, b: int) -> bool:
    left, right = (
        {clusters.readings[index].name.order_free for index in clusters.members(root)}
        for root in (a, b)
    )
    scores = (fuzz.ratio(one, other) for one in left for other in right if one != other)
    return max(scores, default=0.0) >= SIMILAR


def _against(clusters: Clusters, a: int, b: int) -> Iterator[str]:
    if clusters.accounts(a).contradict(clusters.accounts(b)):
        yield "different GitHub accounts"
    if clusters.agreement(a, b) <= Agreement.SURNAME:
        yield "different full names"
    if not any(clusters.readings[index].name.strong for index in clusters.members(a)):
        yield "a short or incomplete name"
