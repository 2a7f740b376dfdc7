"""Opens a snapshot's DuckDB file, and brings a new one to the newest schema."""

from contextlib import suppress
from importlib.resources import files
from pathlib import Path
from typing import TypeAlias

import duckdb
import pyarrow as pa

from sourcer.errors import DamagedSnapshot

Database: TypeAlias = duckdb.DuckDBPyConnection


def create(path: Path | str = ":memory:") -> Database:
    """A new database with every migration applied.

    >>> db = create()
    >>> db.execute("select count(*) from commits").fetchone()
    (0,)
    """
    db = _quiet(duckdb.connect(str(path)))
    migrate(db)
    return db


def open_readonly(path: Path) -> Database:
    """A published database. Raises DamagedSnapshot when DuckDB cannot read it."""
    try:
        return _quiet(duckdb.connect(str(path), read_only=True))
    except duckdb.Error as error:
        raise DamagedSnapshot(f"{path} cannot be opened: {error}") from error


def check_schema(path: Path) -> None:
    """Raises DamagedSnapshot when a published database lacks tables that this version reads."""
    db = open_readonly(path)
    try:
        done = {name for (name,) in db.execute("select name from migrations").fetchall()}
    except duckdb.Error as error:
        raise DamagedSnapshot(f"{path} is no snapshot of ours: {error}") from error
    finally:
        db.close()
    missing = sorted({file.name for file in files("sourcer").joinpath("schema").iterdir()} - done)
    if missing:
        raise DamagedSnapshot(
            f"{path} was made by an older version: it lacks {missing[0]}. Run: sourcer ingest"
        )


def _quiet(db: Database) -> Database:
    """Its progress bar would come between the lines of JSON.

    In a notebook without ipywidgets DuckDB has none, and refuses to hear of it.
    """
    with suppress(duckdb.InvalidInputException):
        db.execute("set enable_progress_bar = false")
    return db


def query(db: Database, sql: str, *parameters: object) -> pa.Table:
    """The rows of a read, as Arrow.

    >>> query(create(), "select ?::integer as n", 7).to_pylist()
    [{'n': 7}]
    """
    return db.sql(sql, params=list(parameters) or None).to_arrow_table()


def insert(db: Database, table: str, rows: pa.Table) -> None:
    """Appends Arrow rows to a table, matched by column name."""
    db.register("incoming", rows)
    db.execute(f"insert into {table} by name select * from incoming")  # noqa: S608 - our own names
    db.unregister("incoming")


def migrate(db: Database) -> list[str]:
    """Applies each numbered schema file once, with its record, in one transaction."""
    db.execute(
        "create table if not exists migrations (name text primary key, applied_at timestamp)"
    )
    done = {name for (name,) in db.execute("select name from migrations").fetchall()}
    pending = sorted(
        (file for file in files("sourcer").joinpath("schema").iterdir() if file.name not in done),
        key=lambda file: file.name,
    )
    for file in pending:
        db.begin()
        db.execute(file.read_text("utf-8"))
        db.execute("insert into migrations values (?, now()::timestamp)", [file.name])
        db.commit()
    return [file.name for file in pending]
