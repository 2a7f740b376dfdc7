"""What linking results in: records that are surely somebody's, and those a human should look at."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from ingest import names
from ingest.names import Agreement
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
    suggestions: tuple[Suggested, ...] = ()

    @property
    def suppressed(self) -> frozenset[str]:
        """Those who ask recruiters to stay away, in any source."""
        return frozenset(each.person_id for each in self.links if suppressed(each.record))


def suppressed(record: Record) -> bool:
    """Whether a record says that recruiters should stay away.

    >>> from datetime import datetime
    >>> said = Record("github", "7", datetime(2026, 1, 1), {"bio": "GPU kernels. No recruiters!"})
    >>> suppressed(said)
    True
    """
    said = [record.fields.get(field, "") for field in ("bio", "status", "title", "name")]
    asks = any(openness.read(text) is Openness.NO_CONTACT for text in said)
    return asks and not record.is_artifact


def pair(record: Record, person_id: str) -> Pair:
    return Pair(record.source, record.key, person_id)


def contradictions(record: Record, someone: Someone) -> Iterator[str]:
    """What keeps even a sure key from linking. A name on GitHub is no statement of identity."""
    if record.github_id and someone.github_ids and record.github_id not in someone.github_ids:
        yield "another GitHub account"
    name = names.read(record.fields.get("name", ""))
    if record.source != "github" and someone.agreement(name) is Agreement.DIFFERENT:
        yield "different full names"
