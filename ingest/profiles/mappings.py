"""Which column of a table says what: guessed from the header, confirmed, saved and reused."""

import hashlib
import os
import re
import tomllib
from collections.abc import Mapping as Table
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import tomlkit

from ingest import names
from sourcer.errors import BadInput

WORDS: Table[str, tuple[str, ...]] = {
    "id": ("id", "candidate id", "applicant id", "person id", "profile id", "contact id"),
    "name": ("name", "full name", "candidate", "candidate name", "applicant", "applicant name",
             "contact name", "姓名", "名前", "nom complet"),
    "first_name": ("first name", "firstname", "given name", "forename", "vorname", "prenom", "名"),
    "last_name": ("last name", "lastname", "surname", "family name", "nachname", "姓"),
    "email": ("email", "e mail", "email address", "mail", "primary email", "personal email",
              "candidate email", "work email", "邮箱", "电子邮件"),
    "github": ("github", "github url", "github profile", "github login", "github username",
               "github handle", "git hub"),
    "linkedin": ("linkedin", "linkedin url", "linkedin profile", "linkedin profile url",
                 "profile url", "public profile url", "linked in"),
    "company": ("company", "current company", "employer", "current employer", "organization",
                "organisation", "company name", "firma", "entreprise", "公司"),
    "title": ("title", "job title", "current title", "position", "current position", "headline",
              "role", "current role", "职位"),
    "location": ("location", "city", "current location", "candidate location", "place", "based in",
                 "ort", "standort", "地点"),
    "school": ("school", "university", "education", "college", "alma mater", "学校"),
    "status": ("status", "open to offers", "open to work", "open to opportunities", "openness",
               "availability", "looking", "interested", "open to talking"),
    "do_not_contact": ("do not contact", "dnc", "opted out", "opt out", "unsubscribed"),
    "as_of": ("last contacted", "updated", "last updated", "updated at", "last activity", "as of",
              "status date", "last contact", "modified", "last modified"),
    "bio": ("bio", "summary", "about", "notes on profile"),
    "skills": ("skills", "skill", "技能"),
    "past_company": ("past company", "past companies", "previous company", "previous companies",
                     "previous employer", "former company"),
    "blog": ("website", "blog", "homepage", "personal website", "portfolio"),
}  # fmt: skip
FIELDS = tuple(WORDS)
NAMING = ("name", "first_name", "last_name", "github", "email", "linkedin")


@dataclass(frozen=True, slots=True)
class Mapping:
    """The columns of one kind of table, by the field that each stands for."""

    name: str
    header: tuple[str, ...]
    columns: Table[str, str]

    @property
    def fingerprint(self) -> str:
        return fingerprint(self.header)

    def index(self) -> dict[str, int]:
        """Where each field stands."""
        return {field: self.header.index(column) for field, column in self.columns.items()}

    def says(self) -> str:
        """
        >>> guessed("ats", ("Candidate", "E-mail", "Salary")).says()
        'name = Candidate, email = E-mail; not read: Salary'
        """
        unread = [column for column in self.header if column not in self.columns.values()]
        read = ", ".join(f"{field} = {column}" for field, column in self.columns.items())
        return read + (f"; not read: {', '.join(filter(None, unread))}" if any(unread) else "")


def normal(column: str) -> str:
    """
    >>> normal(" E-Mail_Address ")
    'e mail address'
    """
    return " ".join(re.findall(r"[^\W_]+", names.fold(column)))


def fingerprint(header: Sequence[str]) -> str:
    """Equal for equal headers, whatever their case and order."""
    plain = "\0".join(sorted(normal(column) for column in header))
    return hashlib.sha256(plain.encode()).hexdigest()[:16]


def recognised(header: Sequence[str]) -> int:
    """How many columns carry a known name."""
    known = {word for words in WORDS.values() for word in words}
    return sum(normal(column) in known for column in header)


def guessed(name: str, header: Sequence[str]) -> Mapping:
    """The mapping that the columns' names suggest; a column is never taken twice.

    >>> dict(guessed("ats", ("First Name", "Last Name", "Current Employer", "GitHub URL")).columns)
    {'first_name': 'First Name', 'last_name': 'Last Name', 'github': 'GitHub URL', \
'company': 'Current Employer'}
    """
    plain = {normal(column): column for column in reversed(header)}
    columns: dict[str, str] = {}
    for field, words in WORDS.items():
        found = next((plain[word] for word in words if word in plain), None)
        if found and found not in columns.values():
            columns[field] = found
    return Mapping(name, tuple(header), columns)


def amended(mapping: Mapping, changes: Table[str, str]) -> Mapping:
    """A mapping with some fields set by hand; an empty column unsets a field."""
    columns = dict(mapping.columns)
    for field, column in changes.items():
        if field not in FIELDS:
            raise BadInput(f"no field is called {field!r}; the fields are {', '.join(FIELDS)}")
        columns.pop(field, None)
        if column:
            columns[field] = _column(mapping.header, column)
    return Mapping(mapping.name, mapping.header, columns)


def _column(header: Sequence[str], wanted: str) -> str:
    found = [column for column in header if normal(column) == normal(wanted)]
    if not found:
        raise BadInput(f"no column is called {wanted!r}; the columns are {', '.join(header)}")
    return found[0]


def save(mapping: Mapping, folder: Path) -> Path:
    """Writes `<folder>/<name>.toml`, for a person to read and correct."""
    document = tomlkit.document()
    document.add(tomlkit.comment("Which column says what; fields: " + ", ".join(FIELDS)))
    document["header"] = list(mapping.header)
    document["columns"] = dict(mapping.columns)
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{mapping.name}.toml"
    draft = folder / f".{mapping.name}-{os.getpid()}.draft"
    draft.write_text(tomlkit.dumps(document), "utf-8")
    draft.replace(file)
    return file


def saved(folder: Path, header: Sequence[str]) -> Mapping | None:
    """The mapping that was confirmed for such a header."""
    wanted = fingerprint(header)
    for file in sorted(folder.glob("*.toml")):
        mapping = _read(file)
        if mapping.fingerprint == wanted:
            at = {normal(column): column for column in header}
            columns = {field: at[normal(column)] for field, column in mapping.columns.items()}
            return Mapping(mapping.name, tuple(header), columns)
    return None


def _read(file: Path) -> Mapping:
    try:
        table = tomllib.loads(file.read_text("utf-8"))
        mapping = Mapping(file.stem, tuple(table["header"]), dict(table["columns"]))
        return amended(mapping, mapping.columns)
    except (tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise BadInput(f"{file} is no mapping: {error!r}. Mend it, or remove it") from error


def free_name(folder: Path, stem: str, header: Sequence[str]) -> str:
    """A name for a new mapping, after its file: "ATS export (3).csv" -> ats-export."""
    plain = re.sub(r"[\d\s]+$", "", re.sub(r"[^a-z\d]+", " ", names.fold(stem))).strip()
    name = plain.replace(" ", "-") or "table"
    return name if not (folder / f"{name}.toml").exists() else f"{name}-{fingerprint(header)[:6]}"
