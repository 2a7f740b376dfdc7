"""Apps for tests: the sample's snapshot, a workspace of their own, and people who log in."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from api.app import create_app
from api.serving import Serving
from index.search import Searcher
from sourcer import settings
from sourcer.snapshot import Snapshot
from sourcer.topics import Taxonomy
from sourcer.workspace import accounts, tokens
from sourcer.workspace.actors import LOCAL, Role
from sourcer.workspace.tokens import Scope
from tests.sample_snapshot import searcher

TODAY = date(2026, 6, 30)
PASSWORD = "correct horse battery"
_opened: dict[Path, Searcher] = {}


def open_once(live: Snapshot, _taxonomy: Taxonomy) -> Searcher:
    """The sample's searcher, opened once for all tests."""
    key = live.path.resolve()
    if key not in _opened:
        _opened[key] = searcher(live)
    return _opened[key]


def data_like(sample: Path, into: Path) -> Path:
    """A data directory with the same snapshots and salt, and a workspace of its own."""
    into.mkdir(parents=True, exist_ok=True)
    (into / "snapshots").mkdir()
    for path in (sample / "snapshots").iterdir():
        if not path.name.startswith("."):
            (into / "snapshots" / path.name).symlink_to(path.resolve())
    (into / "current").symlink_to(os.readlink(sample / "current"))
    shutil.copy(sample / "salt", into / "salt")
    return into


@dataclass(frozen=True)
class World:
    """One app with its data."""

    app: FastAPI
    client: TestClient
    data: Path

    def get(self, path: str, **params: Any) -> Any:
        answer = self.client.get(f"/api/v1{path}", params=params)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path: str, body: Any, status: int = 201) -> Any:
        answer = self.client.post(f"/api/v1{path}", json=body)
        assert answer.status_code == status, answer.text
        return answer.json()

    def user(self, name: str, role: Role) -> None:
        with self.app.state.desk.workspace.writing() as session:
            accounts.add(session, LOCAL, name, role, password=PASSWORD)

    def token(self, name: str, scope: Scope) -> dict[str, str]:
        """Headers with a token of a user."""
        with self.app.state.desk.workspace.writing() as session:
            actor = accounts.get(session, name).actor
            _, secret = tokens.give(session, actor, "test", scope)
        return {"Authorization": f"Bearer {secret}"}


@contextmanager
def world(data: Path, serving: Serving | None = None, **changed: Any) -> Iterator[World]:
    """An app over a data directory; `changed` are settings."""
    served = replace(serving or Serving(), open_snapshot=open_once, today=lambda: TODAY)
    app = create_app(replace(settings.read(data), **changed), served)
    with TestClient(app, base_url="http://localhost", raise_server_exceptions=False) as client:
        yield World(app, client, data)


@pytest.fixture(scope="module")
def shared(sample_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """An app without accounts that the tests of a module share: they change nothing in it."""
    with world(data_like(sample_data, tmp_path_factory.mktemp("shared") / "data")) as made:
        yield made


@pytest.fixture
def fresh(sample_data: Path, tmp_path: Path) -> Iterator[World]:
    """An app without accounts, with a workspace of its own."""
    with world(data_like(sample_data, tmp_path / "data")) as made:
        yield made


@pytest.fixture
def guarded(sample_data: Path, tmp_path: Path) -> Iterator[World]:
    """An app with accounts: ada is an admin, ida and jon are recruiters, vera is a viewer."""
    data = data_like(sample_data, tmp_path / "data")
    with world(data, Serving(accounts=True)) as made:
        for name, role in USERS.items():
            made.user(name, role)
        yield made


USERS = {"ada": Role.ADMIN, "ida": Role.RECRUITER, "jon": Role.RECRUITER, "vera": Role.VIEWER}
