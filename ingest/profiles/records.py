"""What one source says about one person, before anyone knows who that is.

Kept under `data/profiles/` as Parquet, one file per import, each row with its provenance.
"""

import hashlib
import json
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeAlias

import pyarrow as pa
import pyarrow.parquet as pq

from sourcer import addresses

EMAIL = re.compile(r"[^\s<>@,;:()\[\]\"']+@[^\s<>@,;:()\[\]\"']+\.[^\W\d_]{2,}")
MANY = frozenset(("school", "past_company", "skills"))
"""Fields with one value a line."""


@dataclass(frozen=True, slots=True)
class Record:
    """One row of one source.

    `fields` holds what was declared, in the person's own words: name, location, company, title,
    bio, hireable, school, status, linkedin, blog, past_company, skills; of an artifact its name,
    company and school (those of the person), kind, title, url and date (its own). Emails are kept
    only as keyed hashes.
    """

    source: str
    key: str
    """What is unique within the source: a login, a profile URL, a candidate id."""
    fetched_at: datetime
    fields: Mapping[str, str]
    login: str | None = None
    github_id: int | None = None
    email_keys: tuple[str, ...] = ()
    method: str = "declared"

    @property
    def is_artifact(self) -> bool:
        """Something a person made, as opposed to something the person said."""
        return self.method == ARTIFACT

    def values(self, field: str) -> tuple[str, ...]:
        """
        >>> at = datetime(2026, 1, 1)
        >>> Record("resume", "1", at, {"school": "UC Berkeley\\nMIT"}).values("school")
        ('UC Berkeley', 'MIT')
        """
        text = self.fields.get(field, "")
        return tuple(text.split("\n")) if text and field in MANY else ((text,) if text else ())


ARTIFACT = "artifact"


@dataclass(frozen=True, slots=True)
class Unread:
    """A row that could not be read: where it stands, and why. Never quotes what it says."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class Origin:
    """What every reader of a file is told: as of when it speaks, and how emails are hashed."""

    at: datetime
    salt: bytes

    def email_keys(self, emails: Iterable[str]) -> tuple[str, ...]:
        """The hashes of those addresses that are one person's.

        >>> len(Origin(datetime(2026, 1, 1), b"s").email_keys(["ada@firm.org", "info@firm.org"]))
        1
        """
        kept = (mail for mail in emails if addresses.read(mail).is_own)
        return tuple(dict.fromkeys(addresses.hashed(self.salt, mail) for mail in kept))


Outcome: TypeAlias = Record | Unread

_SCHEMA = pa.schema(
    [
        ("source", pa.string()),
        ("key", pa.string()),
        ("fetched_at", pa.timestamp("s")),
        ("fields", pa.string()),
        ("login", pa.string()),
        ("github_id", pa.int64()),
        ("email_keys", pa.list_(pa.string())),
        ("method", pa.string()),
    ]
)


def digest(*parts: str) -> str:
    """A short key made of what a row says, where its source gives it none.

    >>> digest("Mira Lund", "ACME") == digest("mira lund ", "acme")
    True
    """
    plain = "\0".join(part.strip().casefold() for part in parts)
    return hashlib.sha256(plain.encode()).hexdigest()[:16]


def declared(**fields: str | None) -> dict[str, str]:
    """The fields that say something; an email inside a text is taken out.

    >>> declared(name=" Mira  Lund ", bio="write to mira@firm.example", title=None, company="")
    {'name': 'Mira Lund', 'bio': 'write to …'}
    """
    return {name: kept for name, text in fields.items() if text and (kept := _plain(text))}


def lines(values: Iterable[str | None]) -> str:
    """The value of a field that has many.

    >>> lines(["MIT", None, " ", "Caltech", "MIT"])
    'MIT\\nCaltech'
    """
    kept = (" ".join(value.split()) for value in values if value)
    return "\n".join(dict.fromkeys(value for value in kept if value))


def _plain(text: str) -> str:
    told = EMAIL.sub("…", text) if "@" in text else text
    squeezed = (" ".join(line.split()) for line in told.replace("\0", "").split("\n"))
    return "\n".join(line for line in squeezed if line)


def save(records: Iterable[Record], folder: Path, name: str, about: Mapping[str, str]) -> Path:
    """Writes one import and what is told `about` it; the same name replaces it."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{name}.parquet"
    draft = folder / f".{name}-{os.getpid()}.draft"
    pq.write_table(_table(list(records)).replace_schema_metadata(dict(about)), draft)
    draft.replace(file)
    return file


def about(file: Path) -> dict[str, str]:
    """What was told about an import when it was saved."""
    metadata = pq.read_schema(file).metadata or {}
    return {key.decode(): value.decode() for key, value in metadata.items()}


def _table(records: list[Record]) -> pa.Table:
    columns = [
        [record.source for record in records],
        [record.key for record in records],
        [record.fetched_at.astimezone(UTC).replace(tzinfo=None) for record in records],
        [json.dumps(dict(record.fields), ensure_ascii=False) for record in records],
        [record.login for record in records],
        [record.github_id for record in records],
        [list(record.email_keys) for record in records],
        [record.method for record in records],
    ]
    arrays = [pa.array(values, each.type) for values, each in zip(columns, _SCHEMA, strict=True)]
    return pa.table(arrays, schema=_SCHEMA)


def load(folder: Path) -> list[Record]:
    """Every record held, the newest for each source and key."""
    newest: dict[tuple[str, str], Record] = {}
    for file in sorted(folder.glob("*.parquet")):
        for record in read(file):
            held = newest.get((record.source, record.key))
            if held is None or held.fetched_at <= record.fetched_at:
                newest[record.source, record.key] = record
    return [newest[at] for at in sorted(newest)]


def read(file: Path) -> list[Record]:
    """The records of one import."""
    return [
        Record(
            source=row["source"],
            key=row["key"],
            fetched_at=row["fetched_at"].replace(tzinfo=UTC),
            fields=json.loads(row["fields"]),
            login=row["login"],
            github_id=row["github_id"],
            email_keys=tuple(row["email_keys"]),
            method=row["method"],
        )
        for row in pq.read_table(file, schema=_SCHEMA).to_pylist()
    ]
