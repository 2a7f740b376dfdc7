"""Opening the workspace, and its sessions: SQLite in a file, or PostgreSQL by URL.

Writers take turns on both, so that what a write reads stays true until it ends. SQLite waits for
the disk at each commit: a write that was acknowledged survives a kill and a power cut.
"""

import hmac
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from sqlite3 import Connection as SQLiteConnection
from typing import Self

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, OperationalError
from sqlalchemy.pool import ConnectionPoolEntry

from sourcer.errors import BadSettings
from sourcer.settings import WORKSPACE
from sourcer.settings import salt as salt_of

WRITERS_TURN = 7_302_517
"""The number of PostgreSQL's lock that writers queue for."""
PATIENCE_MS = 30_000


@dataclass(frozen=True, slots=True)
class Session:
    """One transaction: its connection, the moment it began, and the installation's secret."""

    db: Connection
    salt: bytes
    now: datetime

    def keyed(self, *parts: str) -> str:
        """A hash of the parts that nobody can make without this installation's secret."""
        return hmac.new(self.salt, "\0".join(parts).encode(), sha256).hexdigest()


def now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Workspace:
    """The opened store; threads may share it."""

    engine: Engine
    salt: bytes
    clock: Callable[[], datetime] = now

    @classmethod
    def open(cls, data: Path, url: str = "", clock: Callable[[], datetime] = now) -> Self:
        """The workspace of a data directory, made or migrated to this version when need be."""
        from sourcer.workspace.migrating import bring_up_to_date

        workspace = cls.connect(data, url, clock)
        bring_up_to_date(workspace)
        return workspace

    @classmethod
    def connect(cls, data: Path, url: str = "", clock: Callable[[], datetime] = now) -> Self:
        """The same without looking at what is in it."""
        data.mkdir(parents=True, exist_ok=True)
        return cls(_engine(address(data, url)), salt_of(data), clock)

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """One consistent view of everything; nothing is written."""
        with self._connection(writes=False) as db:
            yield Session(db, self.salt, self.clock())
            db.rollback()

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """One change, all of it or none: on disk when the block has ended without an error."""
        with self._connection(writes=True) as db, db.begin():
            if db.dialect.name == "postgresql":
                db.execute(text(f"select pg_advisory_xact_lock({WRITERS_TURN})"))
            yield Session(db, self.salt, self.clock())

    @contextmanager
    def _connection(self, *, writes: bool) -> Iterator[Connection]:
        try:
            connection = self.engine.connect()
        except OperationalError as error:
            shown = self.engine.url.render_as_string(hide_password=True)
            raise BadSettings(f"the workspace {shown} cannot be opened: {error.orig}") from error
        isolation = {} if writes else self._snapshot_isolation()
        with connection.execution_options(writes=writes, **isolation) as db:
            yield db

    def _snapshot_isolation(self) -> dict[str, str]:
        on_postgres = self.engine.dialect.name == "postgresql"
        return {"isolation_level": "REPEATABLE READ"} if on_postgres else {}

    def compact(self) -> None:
        """Leaves nothing on disk of what was deleted; PostgreSQL sees to that by itself."""
        if self.engine.dialect.name == "sqlite":
            with self.engine.connect() as db:
                db.exec_driver_sql("rollback")
                for statement in ("vacuum", "pragma wal_checkpoint(truncate)"):
                    db.exec_driver_sql(statement)
                db.exec_driver_sql("begin")

    def close(self) -> None:
        self.engine.dispose()


def address(data: Path, url: str) -> URL:
    """Where the workspace is kept.

    >>> str(address(Path("/srv/data"), ""))
    'sqlite:////srv/data/workspace.sqlite'
    >>> address(Path("data"), "postgresql://db.example/sourcer").drivername
    'postgresql+psycopg'
    >>> address(Path("data"), "mysql://db.example/sourcer")
    Traceback (most recent call last):
    sourcer.errors.BadSettings: workspace_url begins with 'mysql'; expected postgresql://…
    """
    if not url:
        return URL.create("sqlite", database=str(data / WORKSPACE))
    try:
        read = make_url(url)
    except ArgumentError:
        raise BadSettings("workspace_url is not a URL; expected postgresql://…") from None
    if read.drivername not in ("postgresql", "postgresql+psycopg"):
        raise BadSettings(f"workspace_url begins with {read.drivername!r}; expected postgresql://…")
    return read.set(drivername="postgresql+psycopg")


def _engine(url: URL) -> Engine:
    if url.drivername != "sqlite":
        return create_engine(url, pool_pre_ping=True)
    engine = create_engine(url)
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    if not isinstance(connection, SQLiteConnection):
        raise TypeError(f"{connection!r} is not a connection of sqlite3")
    connection.isolation_level = None  # the driver's own transactions leave schema changes out
    for pragma in (
        f"busy_timeout = {PATIENCE_MS}",
        "journal_mode = wal",
        "synchronous = full",
        "foreign_keys = on",
        "secure_delete = on",
    ):
        connection.execute(f"pragma {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    """A writer takes its turn at once: one that began by reading could not wait for it."""
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("begin immediate" if writes else "begin")
