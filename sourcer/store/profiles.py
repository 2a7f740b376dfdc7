"""What people declared: fields with their provenance, and the keys that records are linked by."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

import pyarrow as pa

from sourcer.store.database import Database, insert


class Account(NamedTuple):
    person_id: str
    login: str
    github_id: int | None


class Field(NamedTuple):
    """One declared field of one person."""

    person_id: str
    field: str
    value: str
    source: str
    fetched_at: datetime
    method: str


def accounts(db: Database) -> list[Account]:
    """Every login that a person holds."""
    rows = db.execute("select person_id, login, github_id from logins order by all").fetchall()
    return [Account(*row) for row in rows]


def emails(db: Database) -> list[tuple[str, str]]:
    """(person id, email as signed): to be hashed and compared, never shown."""
    return db.execute(
        """
        select distinct person_id, email
        from person_signatures join signatures on signatures.id = signature_id
        order by all
        """
    ).fetchall()


def write_fields(db: Database, fields: Sequence[Field]) -> None:
    """Appends declared fields."""
    columns = [list(column) for column in zip(*fields, strict=True)] or [[]] * len(Field._fields)
    columns[4] = [at.astimezone(UTC).replace(tzinfo=None) for at in columns[4]]
    types = [pa.string()] * 4 + [pa.timestamp("s"), pa.string()]
    arrays = [pa.array(column, kind) for column, kind in zip(columns, types, strict=True)]
    insert(db, "profile_fields", pa.table(arrays, names=list(Field._fields)))
