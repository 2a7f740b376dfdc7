"""What the resolver of people reads and returns: evidence, decisions, and the outcome."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from sourcer.people import Person


class Machine(StrEnum):
    """Signatures that are nobody's: they get no credit and become no person."""

    BOT = "bot"
    AGENT = "agent"
    NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A signature with how often it occurs in each role, and when."""

    id: int
    key: str
    name: str
    email: str
    first: datetime
    last: datetime
    authored: int = 0
    co_authored: int = 0
    signed: int = 0
    reviewed: int = 0

    @property
    def total(self) -> int:
        return self.authored + self.co_authored + self.signed + self.reviewed


@dataclass(frozen=True, slots=True)
class SameCommit:
    """Two signatures, by id, that stand together in commits."""

    a: int
    b: int
    commits: int = 1
    company: int = 2
    """How many signatures the smallest of those commits has."""


@dataclass(frozen=True, slots=True)
class SignOff:
    """A signer of another signature's commits; `alone` counts those with no other signer."""

    author: int
    signer: int
    commits: int = 1
    alone: int = 1


@dataclass(frozen=True, slots=True)
class OwnerNaming:
    """A commit that names owners: its author's signature, and the logins new to a page, in small
    letters."""

    author: int
    subject: str
    added: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Introduction:
    """A page's line that says whose a login is: by a name, by a commit, or by both."""

    login: str
    name: str
    sha: str
    """The beginning of it; empty: none."""


@dataclass(frozen=True, slots=True)
class Introduced:
    """The same with the commit's author, by signature."""

    login: str
    name: str
    author: int | None


@dataclass(frozen=True, slots=True)
class SignatureEvidence:
    """All that the resolver looks at. `logins` are those that owners' pages mention."""

    occurrences: tuple[Occurrence, ...]
    same_commit: tuple[SameCommit, ...] = ()
    sign_offs: tuple[SignOff, ...] = ()
    logins: frozenset[str] = frozenset()
    projects: frozenset[str] = frozenset()
    """Names of the projects: "acme-agent" is that project's machine."""
    same_account: tuple[tuple[int, int], ...] = ()
    """Signatures, by id, each with the one that stands for the account GitHub says it is of."""
    namings: tuple[OwnerNaming, ...] = ()
    introduced: tuple[Introduced, ...] = ()
    same_profile: tuple[tuple[str, str], ...] = ()
    """Signatures, by key, whom one imported profile names both."""


@dataclass(frozen=True, slots=True)
class Decisions:
    """What humans decided, as pairs of signature keys; leaving one out undoes it."""

    merges: tuple[tuple[str, str], ...] = ()
    splits: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Two people who may be one: asserted by nothing, for a human to decide."""

    a: str
    b: str
    reasons: tuple[str, ...]
    against: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Doubt:
    """A signature kept as a person's own although something about it looks odd."""

    signature_id: int
    why: str


@dataclass(frozen=True, slots=True)
class Resolution:
    """Who is who. `redirects` maps every other id of a person to the one it has now."""

    people: tuple[Person, ...] = ()
    machines: Mapping[int, Machine] = field(default_factory=dict)
    redirects: Mapping[str, str] = field(default_factory=dict)
    suggestions: tuple[Suggestion, ...] = ()
    doubts: tuple[Doubt, ...] = ()
