"""The people of the history, as far as records can be compared with them."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from ingest import names
from ingest.names import Agreement, Name
from ingest.profiles import houses
from ingest.profiles.houses import House
from ingest.profiles.records import Record
from sourcer import addresses
from sourcer.store import profiles
from sourcer.store.database import Database


@dataclass(frozen=True, slots=True)
class Someone:
    """One person: the names signed with, the accounts held, the houses seen as."""

    id: str
    names: tuple[Name, ...]
    logins: frozenset[str] = frozenset()
    github_ids: frozenset[int] = frozenset()
    seen_as: tuple[House, ...] = ()

    def agreement(self, name: Name) -> Agreement:
        """How far a name agrees with the most fitting of the person's names."""
        found = (names.agreement(name, mine) for mine in self.names)
        return max(found, default=Agreement.UNKNOWN)


@dataclass(frozen=True, slots=True)
class Known:
    """What records are compared with; a key that leads to two people leads to nobody."""

    people: Mapping[str, Someone]
    accounts: Mapping[int, str] = field(default_factory=dict)
    logins: Mapping[str, str] = field(default_factory=dict)
    emails: Mapping[str, str] = field(default_factory=dict)
    named: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """A name in one of its spellings -> who may be called so."""


def known(db: Database, salt: bytes) -> Known:
    """Everybody in a snapshot."""
    accounts = profiles.accounts(db)
    emails = profiles.emails(db)
    people = _people(profiles.names(db), accounts, emails)
    return Known(
        people,
        unique((row.github_id, row.person_id) for row in accounts if row.github_id),
        unique((row.login.lower(), row.person_id) for row in accounts),
        unique(
            (addresses.hashed(salt, email), person)
            for person, email in emails
            if addresses.read(email).is_own
        ),
        _spelled(people.values()),
    )


Key = TypeVar("Key", int, str)


def unique(pairs: Iterable[tuple[Key, str]]) -> dict[Key, str]:
    """Keys that lead to one person.

    >>> unique([("a", "p1"), ("b", "p1"), ("b", "p2"), ("a", "p1")])
    {'a': 'p1'}
    """
    found: dict[Key, set[str]] = defaultdict(set)
    for key, person in pairs:
        found[key].add(person)
    return {key: min(people) for key, people in found.items() if len(people) == 1}


def spellings(name: Name) -> set[str]:
    """Under what a name is looked up: as written and joined, in any order."""
    return {word for word in (name.order_free, name.joined, name.cjk) if word}


def _people(
    named: Sequence[tuple[str, str]],
    accounts: Sequence[profiles.Account],
    emails: Sequence[tuple[str, str]],
) -> dict[str, Someone]:
    called: dict[str, dict[Name, None]] = defaultdict(dict)
    for person, text in named:
        name = names.read(text)
        if not name.generic and "@" not in text:
            called[person][name] = None
    held: dict[str, list[profiles.Account]] = defaultdict(list)
    for row in accounts:
        held[row.person_id].append(row)
    seen: dict[str, dict[House, None]] = defaultdict(dict)
    for person, email in emails:
        seen[person].update(dict.fromkeys(houses.of_domain(addresses.read(email).domain)))
    return {
        person: Someone(
            person,
            tuple(called[person]),
            frozenset(row.login.lower() for row in held[person]),
            frozenset(row.github_id for row in held[person] if row.github_id),
            tuple(seen[person]),
        )
        for person in {person for person, _ in named}
    }


def _spelled(people: Iterable[Someone]) -> dict[str, tuple[str, ...]]:
    found: dict[str, set[str]] = defaultdict(set)
    for someone in people:
        for name in someone.names:
            for word in _lookups(name):
                found[word].add(someone.id)
    return {word: tuple(sorted(ids)) for word, ids in found.items()}


def _lookups(name: Name) -> set[str]:
    """The spellings of a full name; a Chinese one is found by its pinyin too."""
    if not name.full:
        return set()
    return spellings(name) | (set(names.spellings(name)) if name.cjk else set())


def of_record(record: Record) -> tuple[House, ...]:
    """The houses that a record says its person is or was of."""
    texts = (text for kind in ("company", "past_company", "school") for text in record.values(kind))
    return tuple(dict.fromkeys(house for text in texts for house in houses.of_text(text)))
