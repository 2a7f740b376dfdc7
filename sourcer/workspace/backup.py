"""The whole workspace as one file, and back, from either database to either.

Gzipped JSON lines: a header, one line a row, and a checksum over all that stands before it. The
installation's secret is in it, as suppressions and decisions mean nothing without: keep the file
as safe as the workspace itself.
"""

import gzip
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO, cast

from sqlalchemy import Connection, DateTime, MetaData, Table, func, insert, select, text

from sourcer import settings
from sourcer.errors import BadInput, Conflict, DamagedBackup, OtherWorkspace
from sourcer.workspace.database import Session, Workspace
from sourcer.workspace.migrating import LATEST, go, revision
from sourcer.workspace.tables import metadata

FORMAT = 1
BATCH = 500
Record = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Contents:
    """What a backup holds."""

    revision: str
    made: str
    rows: Mapping[str, int]

    @property
    def total(self) -> int:
        return sum(self.rows.values())


def backup(workspace: Workspace, file: Path) -> Contents:
    """Writes everything as of one moment, while others go on writing; the file appears whole."""
    draft = file.with_name(f".{file.name}-{os.getpid()}")
    try:
        draft.touch(mode=0o600)
        with workspace.reading() as session, gzip.open(draft, "wb", compresslevel=6) as stream:
            contents = _write(session, cast(BinaryIO, stream))
        with draft.open("rb") as written:
            os.fsync(written.fileno())
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)
    return contents


def check(file: Path) -> Contents:
    """What a backup holds, once every line was compared with its checksum."""
    records = _records(file)
    header = next(records)
    for _ in records:
        pass
    return _contents(header)


def restore(file: Path, data: Path, url: str = "", *, replace: bool = False) -> Contents:
    """Puts a backup into the workspace of a data directory, and migrates it to this version.

    Raises Conflict when that has work in it, unless it is to be replaced. All or nothing.
    """
    contents = check(file)
    records = _records(file)
    _same_salt(data, bytes.fromhex(str(next(records)["salt"])))
    workspace = Workspace.connect(data, url)
    try:
        with workspace.writing() as session:
            is_used = revision(session.db) != "base" and any(_counts(session.db).values())
            if is_used and not replace:
                raise Conflict(f"the workspace in {data} has work in it. To replace it: --replace")
            _refill(session.db, contents.revision, records)
    finally:
        workspace.close()
    return contents


def _refill(db: Connection, at: str, records: Iterator[Record]) -> None:
    go(db, "base")
    go(db, at)
    _fill(db, records)
    go(db, LATEST)


def _write(session: Session, stream: BinaryIO) -> Contents:
    counts = _counts(session.db)
    header = {
        "sourcer workspace": FORMAT,
        "revision": revision(session.db),
        "made": session.now.isoformat(),
        "salt": session.salt.hex(),
        "rows": counts,
    }
    checksum = sha256()
    for record in (header, *_rows(session.db)):
        line = json.dumps(record, ensure_ascii=False).encode() + b"\n"
        checksum.update(line)
        stream.write(line)
    stream.write(json.dumps({"sha256": checksum.hexdigest()}).encode() + b"\n")
    return _contents(header)


def _counts(db: Connection) -> dict[str, int]:
    return {
        table.name: db.execute(select(func.count()).select_from(table)).scalar_one()
        for table in metadata.sorted_tables
    }


def _rows(db: Connection) -> Iterator[Record]:
    for table in metadata.sorted_tables:
        for row in db.execute(select(table).order_by(*table.primary_key)):
            values = {name: _plain(value) for name, value in row._mapping.items()}
            yield {"table": table.name, "row": values}


def _records(file: Path) -> Iterator[Record]:
    """The lines of a backup but the last. Raises DamagedBackup after them if they do not hold."""
    checksum, last = sha256(), None
    try:
        with gzip.open(file, "rb") as stream:
            for line in stream:
                if last is not None:
                    checksum.update(last)
                    yield _record(last, file)
                last = line
    except FileNotFoundError:
        raise BadInput(f"there is no file {file}") from None
    except (OSError, EOFError) as error:
        raise DamagedBackup(f"{file} cannot be read: {error}") from error
    if last is None or _record(last, file).get("sha256") != checksum.hexdigest():
        raise DamagedBackup(f"{file} does not match its checksum. Take an earlier backup")


def _record(line: bytes, file: Path) -> Record:
    try:
        record = json.loads(line)
    except ValueError as error:
        raise DamagedBackup(f"{file} is not a backup of a workspace: {error}") from error
    if not isinstance(record, dict):
        raise DamagedBackup(f"{file} is not a backup of a workspace")
    return record


def _contents(header: Record) -> Contents:
    if header.get("sourcer workspace") != FORMAT:
        raise OtherWorkspace(f"not a backup that sourcer with workspace {LATEST} can read")
    rows = cast(Mapping[str, int], header["rows"])
    return Contents(str(header["revision"]), str(header["made"]), rows)


def _same_salt(data: Path, salt: bytes) -> None:
    if settings.keep_salt(data, salt) != salt:
        raise Conflict(
            f"{data} has a secret of its own, with which the backup's suppressions mean nothing. "
            "Restore into a new data directory, or put the backup's own directory back"
        )


def _fill(db: Connection, records: Iterator[Record]) -> None:
    """Into the tables as they are in the database, which may be older than this version's."""
    found = MetaData()
    found.reflect(db)
    batch: list[dict[str, object]] = []
    table: Table | None = None
    for record in records:
        into = found.tables[str(record["table"])]
        if table is not None and (into is not table or len(batch) == BATCH):
            db.execute(insert(table), batch)
            batch = []
        table = into
        batch.append(_typed(into, cast(Record, record["row"])))
    if table is not None:
        db.execute(insert(table), batch)
    if db.dialect.name == "postgresql":
        _go_on_counting(db, found)


def _typed(table: Table, row: Record) -> dict[str, object]:
    return {
        name: datetime.fromisoformat(str(value))
        if value is not None and isinstance(table.c[name].type, DateTime)
        else value
        for name, value in row.items()
    }


def _go_on_counting(db: Connection, found: MetaData) -> None:
    """PostgreSQL's sequences know nothing of rows that came with their ids."""
    for table in found.tables.values():
        if "id" in table.c and table.c.id.server_default is not None:
            sequence = text("select pg_get_serial_sequence(:table, 'id')")
            name = db.execute(sequence, {"table": table.name}).scalar()
            highest = db.execute(select(func.max(table.c.id))).scalar()
            if name and highest:
                db.execute(select(func.setval(name, highest)))


def _plain(value: object) -> object:
    return value.isoformat() if isinstance(value, datetime) else value
