"""The rules that rest on commits: who stands beside whom, and who signs for whom."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from ingest import names
from ingest.clusters import Clusters
from ingest.names import Agreement
from sourcer.people import Rule
from sourcer.resolution import SameCommit, SignOff

SMALL_COMPANY = 4
COMPANY = 20


def same_commit(clusters: Clusters, pairs: Iterable[SameCommit], places: Mapping[int, int]) -> None:
    """Agreeing names in one commit: even short ones, for two namesakes seldom meet there.

    Pairs that met most often are joined first, whatever the order of the rows.

    The more people a commit names, the less it says: a squashed branch may name a hundred.
    """
    near = [pair for pair in pairs if pair.company <= COMPANY and {pair.a, pair.b} <= places.keys()]
    ends = {pair: (places[pair.a], places[pair.b]) for pair in near}
    for pair in sorted(near, key=lambda pair: (-pair.commits, sorted(ends[pair]))):
        a, b = sorted(ends[pair])
        if not clusters.may_agree(a, b) or clusters.full_names_contradict(a, b):
            continue
        agreed = names.agreement(clusters.readings[a].name, clusters.readings[b].name)
        small = pair.company <= SMALL_COMPANY
        if agreed is Agreement.SAME or (small and _agreement(clusters, a, b) >= Agreement.LIKELY):
            clusters.join(a, b, Rule.SAME_COMMIT)


def _agreement(clusters: Clusters, a: int, b: int) -> Agreement:
    """By name, or by a name spelled out in the other's login or mailbox."""
    best = names.agreement(clusters.readings[a].name, clusters.readings[b].name)
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
        if clusters.full_names_contradict(signer, author):
            same = alone and _shares_a_word(clusters, signer, author)
        else:
            same = _names_tell(clusters, signer, author) or (
                alone and _silent(clusters, signer, author)
            )
        if same:
            clusters.join(author, signer, Rule.SIGNS_ONLY)


def _names_tell(clusters: Clusters, a: int, b: int) -> bool:
    spelled = _spells(clusters, a, b) or _spells(clusters, b, a)
    return spelled or clusters.agreement(a, b) >= Agreement.LIKELY


def _silent(clusters: Clusters, signer: int, author: int) -> bool:
    """Handles and nicknames that say nothing, by one who signs and does nothing else.

    A signer who is also named as author or co-author, or writes from the author's own company,
    is rather a colleague.
    """
    seen = [clusters.readings[index].seen for index in clusters.members(signer)]
    colleague = clusters.domains(signer) & clusters.domains(author)
    return not colleague and not any(one.authored or one.co_authored for one in seen)


def _only_authors(
    clusters: Clusters, sign_offs: Iterable[SignOff], places: Mapping[int, int]
) -> list[tuple[int, int, bool]]:
    """(signer, its only author, whether no one else ever signed those commits)."""
    signed: dict[int, dict[int, bool]] = defaultdict(dict)
    human = [row for row in sign_offs if {row.author, row.signer} <= places.keys()]
    for row in sorted(human, key=lambda row: (places[row.signer], places[row.author])):
        signer, author = clusters.find(places[row.signer]), clusters.find(places[row.author])
        so_far = signed[signer].get(author, True)
        signed[signer][author] = so_far and row.alone == row.commits
    return [
        (signer, author, alone)
        for signer, authors in signed.items()
        for author, alone in authors.items()
        if len(authors) == 1 and author != signer
    ]


def _shares_a_word(clusters: Clusters, a: int, b: int) -> bool:
    """ "Daniel Chen" signing for "Weiling Chen" who is daniel6666."""
    for left, right in ((a, b), (b, a)):
        words = clusters.account_words(left)
        tokens = {t for i in clusters.members(right) for t in clusters.readings[i].name.tokens}
        own = {t for i in clusters.members(left) for t in clusters.readings[i].name.tokens}
        if any(token in word for token in tokens - own if len(token) > 3 for word in words):
            return True
    return False
