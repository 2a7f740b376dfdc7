"""A GitHub per test: `scripted` sends what the test tells it, `github` answers by itself."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest
from graphql import GraphQLSchema, build_schema

from ingest.profiles.from_github.client import Client
from tests.github import published
from tests.github.server import TOKEN, FakeClock, LocalGitHub
from tests.github.world import World

T = TypeVar("T")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "published: needs what GitHub publishes (npm, pip)")


def _obtained(fetch: Callable[[], T]) -> T:
    """Skipped where it cannot be fetched, but never in CI, which must not go green by that."""
    try:
        return fetch()
    except published.Unobtainable as error:
        if os.environ.get("CI"):
            pytest.fail(str(error))
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def schema() -> GraphQLSchema:
    # taken as it is: GitHub deprecates fields of types but not of the interfaces they implement
    return build_schema(_obtained(published.graphql_schema), assume_valid=True)


@pytest.fixture(scope="session")
def description() -> dict[str, Any]:
    return _obtained(published.rest_description)


@pytest.fixture(scope="session")
def recordings() -> Path:
    return _obtained(published.recordings)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def scripted() -> Iterator[LocalGitHub]:
    server = LocalGitHub()
    yield server
    server.close()


@pytest.fixture
def github(schema: GraphQLSchema, description: dict[str, Any]) -> Iterator[LocalGitHub]:
    server = LocalGitHub(World(), schema, description)
    yield server
    server.close()


@pytest.fixture
def connect(clock: FakeClock) -> Iterator[Callable[..., Client]]:
    clients: list[Client] = []

    def made(server: LocalGitHub, token: str = TOKEN, **options: Any) -> Client:
        clients.append(Client(server.api, token, clock=clock, **options))
        return clients[-1]

    yield made
    for client in clients:
        client.__exit__()
