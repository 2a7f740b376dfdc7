"""The rules that tie signatures together, strongest first.

A rule proposes pairs; `Clusters` refuses those that its guards forbid. A rule that would tie a
group holding two different accounts ties none of it: which of the two is meant, nobody knows.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from itertools import combinations

from ingest import names
from ingest.clusters import Clusters
from ingest.names import Agreement
from ingest.readings import Reading
from sourcer.addresses import Kind
from sourcer.people import Rule

NAMES_SHARING_A_MAILBOX = 3
LONG_WORD = 8


def grouped(
    readings: Iterable[Reading], key: Callable[[Reading], Hashable | None]
) -> Iterator[list[int]]:
    """Positions of the readings with the same key; None groups nothing."""
    groups: dict[Hashable, list[int]] = defaultdict(list)
    for index, reading in enumerate(readings):
        value = key(reading)
        if value is not None:
            groups[value].append(index)
    return (group for group in groups.values() if len(group) > 1)


def same_account(clusters: Clusters) -> None:
    """The numeric id survives renames; one login under two ids had one of them typed by hand."""
    borrowed = Borrowed(clusters.readings)
    for group in grouped(clusters.readings, lambda reading: reading.address.github_id):
        for a, b in combinations(group, 2):
            if not borrowed.between(a, b):
                clusters.join(a, b, Rule.SAME_ACCOUNT)
    for group in grouped(clusters.readings, lambda reading: reading.login):
        for a, b in combinations(group, 2):
            ids = clusters.accounts(a).ids, clusters.accounts(b).ids
            typed = ids[0] and ids[1] and ids[0].isdisjoint(ids[1])
            agreed = not typed or clusters.agreement(a, b) >= Agreement.LIKELY
            if agreed and not borrowed.between(a, b):
                clusters.join(a, b, Rule.SAME_ACCOUNT)


def github_says(clusters: Clusters, pairs: Iterable[tuple[int, int]]) -> None:
    """GitHub knows whose address it is: each signature goes to the account that GitHub names.

    Pairs are (signature, account's signature). A trailer that puts one person's name beside
    another's address goes nowhere, nor does anything of an account that several people use.
    """
    borrowed = Borrowed(clusters.readings)
    groups: dict[int, list[int]] = defaultdict(list)
    for signature, account in pairs:
        groups[account].append(signature)
    for account, group in groups.items():
        if _is_used_by_several(clusters.readings, group):
            continue
        for signature in group:
            guest = borrowed.is_guest(clusters.readings[signature])
            if not (guest and any(borrowed.between(signature, other) for other in group)):
                clusters.join(account, signature, Rule.SAME_ACCOUNT)


def same_email(clusters: Clusters) -> None:
    """One mailbox is one person's, unless it is shared, made up, or under a borrowed name."""
    borrowed = Borrowed(clusters.readings)
    for group in grouped(clusters.readings, _mailbox):
        shared = _is_shared(clusters.readings, group)
        for a, b in combinations(group, 2):
            doubtful = shared or borrowed.between(a, b)
            if not doubtful or clusters.agreement(a, b) >= Agreement.LIKELY:
                clusters.join(a, b, Rule.SAME_EMAIL)


def _mailbox(reading: Reading) -> str | None:
    usable = reading.address.kind not in (Kind.PLACEHOLDER, Kind.ACCOUNT)
    return reading.address.key if usable else None


def _is_shared(readings: list[Reading], group: list[int]) -> bool:
    """A role's or a machine's mailbox, or one that several people sign with."""
    if any(readings[index].address.kind is not Kind.PERSONAL for index in group):
        return True
    return _is_used_by_several(readings, group)


def _is_used_by_several(readings: list[Reading], group: list[int]) -> bool:
    full = {readings[index].name for index in group if readings[index].name.full}
    apart = [
        pair for pair in combinations(full, 2) if names.agreement(*pair) is Agreement.DIFFERENT
    ]
    return len(apart) >= NAMES_SHARING_A_MAILBOX


class Borrowed:
    """Trailers that put one person's name beside another's address.

    The name is written out in full, contradicts the address's own, never authored a commit
    there, and is carried elsewhere under an address of its own.
    """

    def __init__(self, readings: list[Reading]) -> None:
        self._readings = readings
        self._homes: dict[str, set[str]] = defaultdict(set)
        for reading in readings:
            self._homes[reading.name.order_free].add(_home(reading))

    def between(self, a: int, b: int) -> bool:
        left, right = self._readings[a], self._readings[b]
        if names.agreement(left.name, right.name) is not Agreement.DIFFERENT:
            return False
        return self.is_guest(left) or self.is_guest(right)

    def is_guest(self, reading: Reading) -> bool:
        return reading.seen.authored == 0 and len(self._homes[reading.name.order_free]) > 1


def _home(reading: Reading) -> str:
    return reading.login or reading.address.key


def same_full_name(clusters: Clusters) -> None:
    """A long full name, in either order, when its bearers do not hold two accounts."""

    def key(reading: Reading) -> str | None:
        return reading.name.order_free if reading.name.strong else None

    for group in grouped(clusters.readings, key):
        _join_unless_ambiguous(clusters, group, Rule.SAME_NAME)


def _join_unless_ambiguous(clusters: Clusters, group: list[int], rule: Rule) -> None:
    if all(clusters.may_join(a, b) for a, b in combinations(group, 2)):
        for other in group[1:]:
            clusters.join(group[0], other, rule)


def name_is_login(clusters: Clusters) -> None:
    """A handle, or a long full name written as one word, that is somebody's login."""
    holders = _holders(clusters)
    for index, reading in enumerate(clusters.readings):
        for word in _login_like(reading):
            holder = holders.get(word)
            if holder is None or not clusters.is_handle(word):
                continue
            if not clusters.full_names_contradict(index, holder):
                clusters.join(holder, index, Rule.NAME_IS_LOGIN)


def _login_like(reading: Reading) -> list[str]:
    name = reading.name
    if name.handle:
        return [names.squeeze(reading.written)]
    if name.strong and name.tokens:
        return [name.joined, "".join((*name.tokens[-1:], *name.tokens[:-1]))]
    return []


def _holders(clusters: Clusters) -> Mapping[str, int]:
    """A signature for each login, separators ignored; logins that then collide are left out."""
    found: dict[str, set[str]] = defaultdict(set)
    holders: dict[str, int] = {}
    for index, reading in enumerate(clusters.readings):
        if reading.login:
            word = names.squeeze(reading.login)
            found[word].add(reading.login)
            holders.setdefault(word, index)
    return {word: holder for word, holder in holders.items() if len(found[word]) == 1}


def local_part_is_login(clusters: Clusters) -> None:
    """A mailbox named like somebody's login, under an agreeing name or none at all."""
    holders = _holders(clusters)
    for index, reading in enumerate(clusters.readings):
        word = names.squeeze(reading.address.local)
        holder = holders.get(word)
        if holder is None or _mailbox(reading) is None or not names.is_telling(word, 5):
            continue
        if clusters.full_names_contradict(index, holder):
            continue
        if reading.name.generic or clusters.agreement(index, holder) >= Agreement.LIKELY:
            clusters.join(holder, index, Rule.LOCAL_PART_IS_LOGIN)


def same_handle(clusters: Clusters) -> None:
    """One made-up word used twice, as name or as mailbox."""
    groups: dict[str, list[int]] = defaultdict(list)
    for index, reading in enumerate(clusters.readings):
        for word in _handles(reading):
            groups[word].append(index)
    for word, group in groups.items():
        pairs = [pair for pair in combinations(group, 2) if _share_handle(clusters, *pair, word)]
        if clusters.is_handle(word) and all(clusters.may_join(a, b) for a, b in pairs):
            for a, b in pairs:
                clusters.join(a, b, Rule.SAME_HANDLE)


def _share_handle(clusters: Clusters, a: int, b: int, word: str) -> bool:
    """Both go by that name, or one does and the other's long mailbox is named so."""
    if clusters.full_names_contradict(a, b):
        return False
    named = [names.squeeze(clusters.readings[index].written) == word for index in (a, b)]
    if all(named) or clusters.agreement(a, b) >= Agreement.LIKELY:
        return True
    return any(named) and len(word) >= LONG_WORD


def _handles(reading: Reading) -> set[str]:
    """A handle beside somebody else's login, in a trailer alone, is perhaps another person's."""
    foreign = reading.login and not reading.seen.authored
    words = {names.squeeze(reading.written)} if reading.name.handle and not foreign else set()
    if reading.address.kind is Kind.PERSONAL:
        words.add(names.squeeze(reading.address.local))
    return {word for word in words if names.is_telling(word, 5)}
