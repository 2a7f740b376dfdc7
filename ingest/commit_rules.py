"""The rules that rest on commits: who stands beside whom, and who signs for whom."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from ingest import names
from ingest.clusters import Clusters
from ingest.names import Agreement
from sourcer.people import Rule
from sourcer.resolution import SameCommit, SignOff


def same_commit(clusters: Clusters, pairs: Iterable[SameCommit], places: Mapping[int, int]) -> None:
    """Agreeing names in one commit: even short ones, for two namesakes seldom meet there."""
    for pair in pairs:
        if pair.a in places and pair.b in places:
            a, b = places[pair.a], places[pair.b]
            if clusters.may_agree(a, b) and _agreement(clusters, a, b) >= Agreement.LIKELY:
                clusters.join(a, b, Rule.SAME_COMMIT)


def _agreement(clusters: Clusters, a: int, b: int) -> Agreement:
    """By name, or by a name spelled out in the other's login or mailbox."""
    best = clusters.agreement(a, b)
    if best in (Agreement.DIFFERENT, Agreement.UNKNOWN):
        spelled = _spells(clusters, a, b) or _spells(clusters, b, a)
        return Agreement.LIKELY if spelled else best
    return best


def _spells(clusters: Clusters, a: int, b: int) -> bool:
    words = clusters.account_words(a)
    full = [clusters.readings[index].name for index in clusters.members(b)]
    return any(names.is_made_of(word, name) for word in words for name in full)


def signs_only(clusters: Clusters, sign_offs: Iterable[SignOff], places: Mapping[int, int]) -> None:
    """A signer of one author's commits alone is that author under a second name."""
    for signer, author, alone in _only_authors(clusters, sign_offs, places):
        agreed = _agreement(clusters, signer, author)
        if agreed >= Agreement.LIKELY or (alone and _may_be_second_name(clusters, signer, author)):
            clusters.join(author, signer, Rule.SIGNS_ONLY)


def _only_authors(
    clusters: Clusters, sign_offs: Iterable[SignOff], places: Mapping[int, int]
) -> list[tuple[int, int, bool]]:
    """(signer, its only author, whether no one else ever signed those commits)."""
    signed: dict[int, dict[int, bool]] = defaultdict(dict)
    for row in sign_offs:
        if row.author not in places or row.signer not in places:
            continue
        signer, author = clusters.find(places[row.signer]), clusters.find(places[row.author])
        so_far = signed[signer].get(author, True)
        signed[signer][author] = so_far and row.alone == row.commits
    return [
        (signer, author, alone)
        for signer, authors in signed.items()
        for author, alone in authors.items()
        if len(authors) == 1 and author != signer
    ]


def _may_be_second_name(clusters: Clusters, signer: int, author: int) -> bool:
    """Names that neither agree nor contradict: a handle, a nickname, an English first name."""
    if any(clusters.readings[index].seen.authored for index in clusters.members(signer)):
        return False
    agreed = clusters.agreement(signer, author)
    if agreed is Agreement.SURNAME:
        return _shares_a_word(clusters, signer, author)
    return agreed is Agreement.UNKNOWN


def _shares_a_word(clusters: Clusters, a: int, b: int) -> bool:
    """ "Daniel Chen" signing for "Weiling Chen" who is daniel6666."""
    for left, right in ((a, b), (b, a)):
        words = clusters.account_words(left)
        tokens = {t for i in clusters.members(right) for t in clusters.readings[i].name.tokens}
        own = {t for i in clusters.members(left) for t in clusters.readings[i].name.tokens}
        if any(token in word for token in tokens - own if len(token) > 3 for word in words):
            return True
    return False
