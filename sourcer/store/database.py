"""Opens a snapshot's DuckDB file, and brings a new one to the newest schema."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
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
    """Raises DamagedSnapshot when a published database has other tables than this version reads."""
    db = open_readonly(path)
    try:
        done = dict(db.execute("select name, digest from migrations").fetchall())
    except duckdb.BinderException:
        done = {}
    except duckdb.Error as error:
        raise DamagedSnapshot(f"{path} is no snapshot of ours: {error}") from error
    finally:
        db.close()
    if other := [file.name for file in _schema() if done.get(file.name) != _digest(file)]:
        raise DamagedSnapshot(
            f"{path} was made by another version: {other[0]} is not as it is read now. "
            "Run: sourcer ingest --reindex"
        )


@contextmanager
def schema_checked(path: Path) -> Iterator[None]:
    """Where a read fails for want of a column, says that another version made the file."""
    try:
        yield
    except (duckdb.BinderException, duckdb.CatalogException):
        check_schema(path)
        raise


def _schema() -> list[Traversable]:
    return sorted(files("sourcer").joinpath("schema").iterdir(), key=lambda file: file.name)


def _digest(file: Traversable) -> str:
    return sha256(file.read_bytes()).hexdigest()[:16]


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
        "create table if not exists migrations"
        " (name text primary key, applied_at timestamp, digest text)"
    )
    done = {name for (name,) in db.execute("select name from migrations").fetchall()}
    pending = [file for file in _schema() if file.name not in done]
    for file in pending:
        db.begin()
        db.execute(file.read_text("utf-8"))
        record = [file.name, _digest(file)]
        db.execute("insert into migrations values ($1, now()::timestamp, $2)", record)
        db.commit()
    return [file.name for file in pending]
