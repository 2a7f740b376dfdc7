"""Signatures gathered into clusters, with guards that no rule can pass."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from ingest import names
from ingest.names import Agreement, Name
from ingest.readings import Reading
from sourcer.people import Link, Rule

SHARED_BY = 2


@dataclass(slots=True)
class Accounts:
    """The GitHub accounts that a cluster shows."""

    ids: set[int] = field(default_factory=set)
    logins: set[str] = field(default_factory=set)

    def contradict(self, other: "Accounts") -> bool:
        """Whether two clusters are certainly two accounts: nothing shared where both have some.

        >>> Accounts({1}, {"ml"}).contradict(Accounts({1}, {"mira"}))
        False
        >>> Accounts({1}, {"ml"}).contradict(Accounts({2}, {"mira"}))
        True
        """
        if not self.logins or not other.logins:
            return False
        return self.ids.isdisjoint(other.ids) and self.logins.isdisjoint(other.logins)


class Clusters:
    """Union-find over readings, by position; every join keeps the rule that made it.

    Two clusters are never joined when their accounts contradict each other, or when a human
    said that a signature of one is not the person of the other.
    """

    def __init__(self, readings: list[Reading], apart: Iterable[tuple[int, int]] = ()) -> None:
        self.readings = readings
        self._parent = list(range(len(readings)))
        self._members = [[index] for index in range(len(readings))]
        self._accounts = [_accounts_of(reading) for reading in readings]
        self._traces = [_traces_of(reading) for reading in readings]
        self._bearers: dict[str, set[str]] = defaultdict(set)
        for reading in readings:
            for token in reading.name.tokens if reading.name.full else ():
                self._bearers[token].add(reading.name.order_free)
        self._apart: list[set[int]] = [set() for _ in readings]
        self._ties: list[list[tuple[int, Rule]]] = [[] for _ in readings]
        for a, b in apart:
            self._apart[a].add(b)
            self._apart[b].add(a)

    def find(self, index: int) -> int:
        while self._parent[index] != index:
            self._parent[index] = self._parent[self._parent[index]]
            index = self._parent[index]
        return index

    def members(self, index: int) -> list[int]:
        return self._members[self.find(index)]

    def accounts(self, index: int) -> Accounts:
        return self._accounts[self.find(index)]

    def roots(self) -> list[int]:
        return [index for index, parent in enumerate(self._parent) if parent == index]

    def may_join(self, a: int, b: int) -> bool:
        a, b = self.find(a), self.find(b)
        if self._accounts[a].contradict(self._accounts[b]):
            return False
        return not any(self.find(other) == b for other in self._apart[a])

    def join(self, a: int, b: int, rule: Rule) -> bool:
        """Joins the clusters of `a` and `b` if no guard forbids it."""
        return self.may_join(a, b) and self.force(a, b, rule)

    def force(self, a: int, b: int, rule: Rule) -> bool:
        """Joins them whatever the guards say: for human decisions alone."""
        root, other = self.find(a), self.find(b)
        if root == other:
            return False
        if len(self._members[root]) < len(self._members[other]):
            root, other = other, root
        self._ties[a].append((b, rule))
        self._ties[b].append((a, rule))
        self._parent[other] = root
        self._members[root] += self._members[other]
        self._accounts[root].ids |= self._accounts[other].ids
        self._accounts[root].logins |= self._accounts[other].logins
        self._apart[root] |= self._apart[other]
        self._traces[root] |= self._traces[other]
        return True

    def domains(self, index: int) -> set[str]:
        """The mail domains of a cluster that are not open to everybody."""
        found = (self.readings[member].address for member in self.members(index))
        return {address.domain for address in found if address.is_company}

    def is_handle(self, word: str) -> bool:
        """Whether a word is made up: not a first name or surname in others' full names."""
        return len(self._bearers.get(word, ())) < SHARED_BY

    def agreement(self, a: int, b: int) -> Agreement:
        """How far the best-agreeing names of two clusters agree."""
        left = {self.readings[index].name for index in self.members(a)}
        right = {self.readings[index].name for index in self.members(b)}
        return max(names.agreement(one, other) for one in left for other in right)

    def may_agree(self, a: int, b: int) -> bool:
        """A quick look at whether anything in two clusters' names and addresses is alike."""
        root, other = self.find(a), self.find(b)
        return root != other and not self._traces[root].isdisjoint(self._traces[other])

    def account_words(self, index: int) -> set[str]:
        """Logins and local parts of a cluster, squeezed."""
        found = [self.readings[member].address for member in self.members(index)]
        words = {names.squeeze(address.login or address.local) for address in found}
        return words - {""}

    def full_names_contradict(self, a: int, b: int) -> bool:
        """Whether both clusters show full names, and no two of them agree."""
        left, right = self._full_names(a), self._full_names(b)
        if not left or not right:
            return False
        best = max(names.agreement(one, other) for one in left for other in right)
        return best in (Agreement.DIFFERENT, Agreement.SURNAME)

    def _full_names(self, index: int) -> set[Name]:
        found = (self.readings[member].name for member in self.members(index))
        return {name for name in found if name.full}

    def links(self, first: int) -> list[Link]:
        """The joins of a cluster told from its member `first` outwards."""
        told, reached, waiting = [Link(self._id(first), Rule.ONLY)], {first}, [first]
        while waiting:
            here = waiting.pop(0)
            for there, rule in self._ties[here]:
                if there not in reached:
                    reached.add(there)
                    waiting.append(there)
                    told.append(Link(self._id(there), rule, via=self._id(here)))
        return told

    def _id(self, index: int) -> int:
        return self.readings[index].seen.id


def _accounts_of(reading: Reading) -> Accounts:
    number = reading.address.github_id
    return Accounts(
        {number} if number is not None else set(), {reading.login} if reading.login else set()
    )


def _traces_of(reading: Reading) -> set[str]:
    word = names.squeeze(reading.address.login or reading.address.local)
    return set(names.traces(reading.name)) | {word, word.rstrip("0123456789")} - {""}
