"""What linking results in: records that are surely somebody's, and those a human should look at."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from ingest import names
from ingest.names import Agreement, Name
from ingest.profiles.decisions import Pair
from ingest.profiles.known import Someone
from ingest.profiles.records import Record
from sourcer import openness
from sourcer.openness import Openness


class Rule(StrEnum):
    """Why a record is about a person, strongest first."""

    DECIDED = "linked by a human decision"
    ACCOUNT = "GitHub account id"
    LOGIN = "GitHub login"
    EMAIL = "email"
    ADDRESS = "address of the LinkedIn profile"
    HOUSE = "name and company or school"


@dataclass(frozen=True, slots=True)
class Linked:
    """A record with its person."""

    record: Record
    person_id: str
    rule: Rule

    @property
    def pair(self) -> Pair:
        return pair(self.record, self.person_id)


@dataclass(frozen=True, slots=True)
class Suggested:
    """A record that may be about a person, with what speaks for and against it."""

    record: Record
    person_id: str
    reasons: tuple[str, ...]
    against: tuple[str, ...]

    @property
    def pair(self) -> Pair:
        return pair(self.record, self.person_id)


@dataclass(frozen=True, slots=True)
class Linking:
    """Which records are about whom, for sure or perhaps."""

    links: tuple[Linked, ...] = ()
    """A record may be linked to two people: then they are one, and the history did not show it."""
    suggestions: tuple[Suggested, ...] = ()

    @property
    def suppressed(self) -> frozenset[str]:
        """Those who ask recruiters to stay away, in any source."""
        return frozenset(each.person_id for each in self.links if suppressed(each.record))

    @property
    def ties(self) -> tuple[tuple[str, str], ...]:
        """People whom one profile names both, so that they are one."""
        people: dict[tuple[str, str], set[str]] = defaultdict(set)
        for each in self.links:
            people[each.record.source, each.record.key].add(each.person_id)
        return tuple(sorted({pair for held in people.values() for pair in pairwise(sorted(held))}))


STATEMENTS = ("bio", "status", "title", "name")
"""Fields in which people ask to be left alone."""


def suppressed(record: Record) -> bool:
    """Whether a record says that recruiters should stay away.

    >>> from datetime import datetime
    >>> said = Record("github", "7", datetime(2026, 1, 1), {"bio": "GPU kernels. No recruiters!"})
    >>> suppressed(said)
    True
    """
    said = [record.fields.get(field, "") for field in STATEMENTS]
    asks = any(openness.read(text) is Openness.NO_CONTACT for text in said)
    return asks and not record.is_artifact


def pair(record: Record, person_id: str) -> Pair:
    return Pair(record.source, record.key, person_id)


def contradictions(record: Record, someone: Someone) -> Iterator[str]:
    """What keeps even a sure key from linking.

    A login whose number is another one was given up and taken by somebody else, unless the full
    name is the same: then the number in a commit was made up.
    """
    name = names.read(record.fields.get("name", ""))
    agreement = someone.agreement(name)
    same = agreement is Agreement.SAME and name.strong
    number = record.github_id
    if number and someone.github_ids and number not in someone.github_ids:
        login = (record.login or "").lower()
        if not (same and login in someone.logins):
            yield "another GitHub account"
    if agreement is Agreement.DIFFERENT and any(_comparable(name, mine) for mine in someone.names):
        yield "different full names"


def _comparable(a: Name, b: Name) -> bool:
    """Whether two names are in one alphabet: the same name looks different in two.

    >>> _comparable(names.read("Ido Lund"), names.read("עידו לונד"))
    False
    """
    return a.joined.isascii() == b.joined.isascii()
