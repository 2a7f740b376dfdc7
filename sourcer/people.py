"""People, why we think a signature is theirs, and what they declared about themselves."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Rule(StrEnum):
    """Why two signatures are one person; the words are shown to whoever asks."""

    ONLY = "the first signature of this person"
    SAME_EMAIL = "same email"
    SAME_ACCOUNT = "same GitHub account"
    SAME_NAME = "same full name"
    NAME_IS_LOGIN = "name equal to the login"
    LOCAL_PART_IS_LOGIN = "local part of the email equal to the login"
    SPELLS_LOGIN = "the only name that spells the login"
    NAMED_ITSELF = "its commits add this login to a page of owners, and no other"
    INTRODUCED = "a page of the project names the login beside this name or commit"
    SAME_HANDLE = "same handle"
    SAME_COMMIT = "agreeing names in one commit"
    SIGNS_ONLY = "signs only this author's commits"
    SAME_PROFILE = "one profile names both"
    DECIDED = "merged by a human decision"


@dataclass(frozen=True, slots=True)
class Link:
    """Why `signature_id` belongs to a person: the rule, and the signature it was tied to.

    >>> Link(7, Rule.SAME_EMAIL, via=3).says
    'same email'
    """

    signature_id: int
    rule: Rule
    via: int | None = None

    @property
    def says(self) -> str:
        return str(self.rule)


@dataclass(frozen=True, slots=True)
class Login:
    """A GitHub login held by a person, with the rule that says so."""

    login: str
    github_id: int | None
    rule: str


@dataclass(frozen=True, slots=True)
class Person:
    """One human being, as far as the signatures tell."""

    id: str
    name: str
    links: tuple[Link, ...]
    logins: tuple[Login, ...] = ()


BY_DOMAIN = "email domain"
"""How an employer is known whom nobody declared: by the addresses that commits were made with."""


@dataclass(frozen=True, slots=True)
class Declared:
    """One field of a profile with its provenance.

    >>> Declared("Oslo", "github", datetime(2026, 5, 1), "declared").value
    'Oslo'
    """

    value: str
    source: str
    fetched_at: datetime
    method: str


@dataclass(frozen=True, slots=True)
class Profile:
    """What is known of a person beside commits: for each field every value, newest first.

    >>> old = Declared("Bergen", "linkedin", datetime(2024, 1, 1), "imported")
    >>> new = Declared("Oslo", "github", datetime(2026, 5, 1), "declared")
    >>> profile = Profile("p1").with_field("location", old).with_field("location", new)
    >>> profile.first("location").value
    'Oslo'
    >>> profile.first("title") is None
    True
    """

    person_id: str
    fields: tuple[tuple[str, Declared], ...] = ()

    def with_field(self, field: str, declared: Declared) -> "Profile":
        return Profile(self.person_id, (*self.fields, (field, declared)))

    def all(self, field: str) -> list[Declared]:
        found = [declared for name, declared in self.fields if name == field]
        return sorted(found, key=lambda declared: declared.fetched_at, reverse=True)

    def first(self, field: str) -> Declared | None:
        return next(iter(self.all(field)), None)
