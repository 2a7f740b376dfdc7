"""What one source says about one person, before anyone knows who that is.

Kept under `data/profiles/` as Parquet, one file per import, each row with its provenance.
"""

import hashlib
import hmac
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq


@dataclass(frozen=True, slots=True)
class Record:
    """One row of one source.

    `fields` holds what was declared, in the person's own words: name, location, company, title,
    bio, hireable, school, status, linkedin, blog. Emails are kept only as keyed hashes.
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


def email_key(salt: bytes, email: str) -> str:
    """A keyed hash of an email: equal emails compare equal, and nothing leads back.

    >>> email_key(b"s", " Ada@Example.org ") == email_key(b"s", "ada@example.org")
    True
    """
    return hmac.new(salt, email.strip().lower().encode(), hashlib.sha256).hexdigest()[:32]


def save(records: Iterable[Record], folder: Path, name: str) -> Path:
    """Writes one import; the same name replaces what that import said before."""
    rows = [
        {
            "source": record.source,
            "key": record.key,
            "fetched_at": record.fetched_at.astimezone(UTC).replace(tzinfo=None),
            "fields": json.dumps(dict(record.fields), ensure_ascii=False),
            "login": record.login,
            "github_id": record.github_id,
            "email_keys": list(record.email_keys),
            "method": record.method,
        }
        for record in records
    ]
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{name}.parquet"
    draft = folder / f".{name}-{os.getpid()}.draft"
    pq.write_table(pa.Table.from_pylist(rows, schema=_SCHEMA), draft)
    draft.replace(file)
    return file


def load(folder: Path) -> list[Record]:
    """Every record held, the newest for each source and key."""
    newest: dict[tuple[str, str], Record] = {}
    for file in sorted(folder.glob("*.parquet")):
        for row in pq.read_table(file, schema=_SCHEMA).to_pylist():
            record = Record(
                source=row["source"],
                key=row["key"],
                fetched_at=row["fetched_at"].replace(tzinfo=UTC),
                fields=json.loads(row["fields"]),
                login=row["login"],
                github_id=row["github_id"],
                email_keys=tuple(row["email_keys"]),
                method=row["method"],
            )
            held = newest.get((record.source, record.key))
            if held is None or held.fetched_at <= record.fetched_at:
                newest[record.source, record.key] = record
    return [newest[at] for at in sorted(newest)]
