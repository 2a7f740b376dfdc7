"""Declared titles: the role and the level they state. A title that states no level has none.

"Member of Technical Staff" is a role, not a level; a grade such as "L6" means something else at
every company; "Chief of Staff" and "Staff Nurse" are no staff engineers.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import TypeVar

Name = TypeVar("Name")
MORE = r"(?:[\w/+&.-]+ ){0,4}?"
TECHNICAL_STAFF = re.compile(r"\bmember of (?:the )?technical staff\b", re.I)


class Seniority(StrEnum):
    """Levels; those on one ladder compare, and `at_least` leaves the others undecided.

    >>> Seniority.STAFF.at_least(Seniority.SENIOR), Seniority.JUNIOR.at_least(Seniority.SENIOR)
    (True, False)
    >>> Seniority.FACULTY.at_least(Seniority.SENIOR) is None
    True
    """

    STUDENT = "student"
    INTERN = "intern"
    JUNIOR = "junior"
    MID = "mid"
    SENIOR = "senior"
    LEAD = "lead"
    STAFF = "staff"
    PRINCIPAL = "principal"
    DISTINGUISHED = "distinguished"
    FELLOW = "fellow"
    MANAGER = "manager"
    DIRECTOR = "director"
    EXECUTIVE = "executive"
    FOUNDER = "founder"
    RESEARCHER = "researcher"
    """A postdoc: beside the ladder."""
    FACULTY = "faculty"
    """A professor or lecturer: beside the ladder."""

    def at_least(self, least: "Seniority") -> bool | None:
        """Does the level reach another? None where the two do not compare.

        A manager is senior, but no more a staff engineer than a staff engineer is a manager.
        """
        for ladder in (TECHNICAL, MANAGEMENT):
            if self in ladder and least in ladder:
                return ladder.index(self) >= ladder.index(least)
        if self in MANAGEMENT and least in UP_TO_SENIOR:
            return True
        return False if self in TECHNICAL and least in MANAGEMENT else None


UP_TO_SENIOR = tuple(map(Seniority, ("student", "intern", "junior", "mid", "senior")))
ABOVE = tuple(map(Seniority, ("lead", "staff", "principal", "distinguished", "fellow")))
TECHNICAL = UP_TO_SENIOR + ABOVE
MANAGEMENT = tuple(map(Seniority, ("manager", "director", "executive", "founder")))

WITHOUT_ROLE = {Seniority.STUDENT, Seniority.EXECUTIVE, Seniority.FACULTY, Seniority.RESEARCHER}
"""Levels that are what the person does; a role beside them would be read out of the context."""


@dataclass(frozen=True, slots=True)
class Title:
    """What a declared title says; either part is None when it is not said.

    >>> read("Sr. Software Engineer II")
    Title(role='software engineer', seniority=<Seniority.SENIOR: 'senior'>)
    """

    role: str | None = None
    seniority: Seniority | None = None


@dataclass(frozen=True, slots=True)
class Rules:
    """titles.toml, compiled."""

    ignored: re.Pattern[str]
    levels: Mapping[Seniority, re.Pattern[str]]
    roles: Mapping[str, re.Pattern[str]]


@cache
def rules() -> Rules:
    table = tomllib.loads(Path(__file__).with_name("titles.toml").read_text("utf-8"))
    engineer = "|".join(table["engineer"])

    def compiled(parts: Iterable[str]) -> re.Pattern[str]:
        joined = "|".join(f"(?:{part})" for part in parts)
        return re.compile(joined.replace("ENGINEER", engineer).replace("MORE", MORE), re.I)

    levels = {Seniority(name): compiled(parts) for name, parts in table["levels"].items()}
    roles = {name: compiled(parts) for name, parts in table["roles"].items()}
    return Rules(compiled(table["ignored"]), levels, roles)


def read(text: str) -> Title:
    """Role and level of a declared title, each only where it is stated.

    >>> read("Member of Technical Staff").seniority, read("L6 @ Acme"), read("Chief of Staff")
    (None, Title(role=None, seniority=None), Title(role=None, seniority=None))
    >>> read("PMTS").seniority.value, read("Engineering Manager, Inference").role
    ('principal', 'engineering manager')
    """
    held = rules().ignored.sub(" ", text).strip()
    role = first(rules().roles, held)
    level = first(rules().levels, TECHNICAL_STAFF.sub("engineer", held))
    return Title(None if level in WITHOUT_ROLE else role, level)


def first(patterns: Mapping[Name, re.Pattern[str]], text: str) -> Name | None:
    return next((name for name, pattern in patterns.items() if pattern.search(text)), None)
