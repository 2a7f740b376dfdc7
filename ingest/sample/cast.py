"""The made-up people: who they are, which addresses they use when, and what they declare."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from importlib.resources import files
from typing import Any

from ingest.sample.dice import pick
from sourcer.commits import Signature

SEED_THEMES = frozenset(
    {"moe-kernels", "fused-moe", "expert-parallelism", "deepep", "eplb", "deepgemm"}
    | {"pd-disaggregation", "moe-tables"}
)
"""What the seed question asks for: MoE, expert parallelism, PD disaggregation and what is below."""

NEAR_THEMES = frozenset(
    {"kv-transfer", "mxfp4-nvfp4", "deepseek-serving", "kimi-serving", "lora", "models"}
    | {"quantisation", "cutlass-kernels", "triton-kernels", "distributed-inference"}
)
"""Themes that a taxonomy may or may not count as MoE or PD: nobody's answer hangs on them alone."""


@dataclass(frozen=True, slots=True)
class Job:
    """An employer, seen through the addresses used between two days; no end means still there."""

    company: str
    since: date
    until: date | None


@dataclass(frozen=True, slots=True)
class GitHubPage:
    """What a public GitHub profile says; `hireable` is None when the box was never ticked."""

    company: str
    location: str
    bio: str
    hireable: bool | None


@dataclass(frozen=True, slots=True)
class LinkedInRow:
    """A row of a recruiter's own connections."""

    company: str
    position: str
    connected: date


@dataclass(frozen=True, slots=True)
class AtsRow:
    """A row of an applicant-tracking export."""

    title: str
    location: str
    open: str
    contacted: date


@dataclass(frozen=True, slots=True)
class Person:
    """One made-up contributor. `country`, `level` and `open` are what the declared texts mean."""

    slug: str
    name: str
    login: str
    id: int
    local: str
    zone: int
    active: tuple[date, date]
    work: Mapping[str, Mapping[str, int]]
    worked: tuple[Job, ...]
    also: tuple[Signature, ...] = ()
    old_logins: tuple[str, ...] = ()
    country: str | None = None
    level: str | None = None
    open: str | None = None
    fails: str = ""
    unknown: str = ""
    mail: str = ""
    signs: int = 0
    reviews: int = 0
    tunes: int = 0
    mailmap: bool = False
    signs_as: Signature | None = None
    note: str = ""
    github: GitHubPage | None = field(default=None)
    linkedin: LinkedInRow | None = None
    ats: AtsRow | None = None

    @property
    def noreply(self) -> str:
        return noreply(self.id, self.login)

    @property
    def header_name(self) -> str:
        """The name as git lets it into a commit header: without angle brackets."""
        return self.name.replace("<", "").replace(">", "")

    def email_on(self, day: date) -> str:
        """The address that this person configured on that day."""
        if self.mail == "noreply":
            return self.noreply
        for job in self.worked:
            if job.since <= day and (job.until is None or day <= job.until):
                return f"{self.local}@{domains()[job.company]}"
        return f"{self.login}@{pick(free_mail(), self.slug)}"

    def signature(self, day: date, turn: int) -> Signature:
        """How this person's commit number `turn` is signed: every fourth from elsewhere."""
        if self.also and turn % 4 == 3:
            return self.also[turn // 4 % len(self.also)]
        return Signature(self.header_name, self.email_on(day))

    def signatures(self) -> tuple[Signature, ...]:
        """Every signature that may stand for this person."""
        days = [self.active[0], self.active[1], *(job.since for job in self.worked)]
        days += [job.until for job in self.worked if job.until]
        usual = [Signature(self.header_name, self.email_on(day)) for day in days]
        extra = [self.signs_as] if self.signs_as else []
        return tuple(dict.fromkeys([*usual, *self.also, *extra]))


def noreply(number: int, login: str) -> str:
    """GitHub's private address.

    >>> noreply(731204418, "arvkestrel-q")
    '731204418+arvkestrel-q@users.noreply.github.com'
    """
    return f"{number}+{login}@users.noreply.github.com"


Table = dict[str, Any]


@cache
def table(name: str) -> Table:
    """A data file that lies beside this module."""
    return tomllib.loads((files("ingest.sample") / name).read_text("utf-8"))


def domains() -> Mapping[str, str]:
    found: Mapping[str, str] = table("crowd.toml")["domains"]
    return found


def free_mail() -> list[str]:
    found: list[str] = table("crowd.toml")["free_mail"]
    return found


def by_hand() -> list[Person]:
    """The people of people.toml.

    >>> len(by_hand())
    62
    """
    return [_person(dict(row)) for row in table("people.toml")["person"]]


def _person(row: Table) -> Person:
    row["active"] = tuple(row["active"])
    row["work"] = row.get("work", {})
    row["local"] = row.get("local", row["slug"].replace("-", "."))
    row["worked"] = tuple(Job(name, since, until or None) for name, since, until in row["worked"])
    row["old_logins"] = tuple(row.get("old_logins", ()))
    row["also"] = tuple(_alias(row, name, email) for name, email in row.get("also", ()))
    row["signs_as"] = Signature(*row["signs_as"]) if "signs_as" in row else None
    return Person(**row | _declared(row))


def _alias(row: Table, name: str, email: str) -> Signature:
    if email == "noreply":
        return Signature(name, noreply(row["id"], row["login"]))
    if email == "noreply-old":
        return Signature(name, noreply(row["id"], row["old_logins"][0]))
    return Signature(name, email)


def _declared(row: Table) -> Table:
    ats = {"title": "", "location": "", "open": ""}
    return {
        "github": GitHubPage(**{"hireable": None} | row["github"]) if "github" in row else None,
        "linkedin": LinkedInRow(**row["linkedin"]) if "linkedin" in row else None,
        "ats": AtsRow(**ats | row["ats"]) if "ats" in row else None,
    }
