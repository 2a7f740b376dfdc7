"""Requests made up from the OpenAPI document: nothing breaks, everything is as documented."""

from pathlib import Path

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    ignored_auth,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from api.serving import Serving
from sourcer.workspace.tokens import Scope
from tests.api_world import USERS, World, data_like, world

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    ignored_auth,
]


@pytest.fixture(scope="module")
def served(sample_data: Path, tmp_path_factory: pytest.TempPathFactory):
    data = data_like(sample_data, tmp_path_factory.mktemp("schema") / "data")
    with world(data, Serving(accounts=True), rate_limit=0) as made:
        for name, role in USERS.items():
            made.user(name, role)
        yield made


@pytest.fixture(scope="module")
def document(served: World):
    return schemathesis.openapi.from_asgi("/openapi.json", served.app)


@pytest.fixture(scope="module")
def admin(served: World) -> dict[str, str]:
    return served.token("ada", Scope.ADMIN)


schema = schemathesis.pytest.from_fixture("document").exclude(path_regex="/events$|^/mcp")


@pytest.mark.slow
@schema.parametrize()
@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
def test_every_route_keeps_its_word(case: schemathesis.Case, admin: dict[str, str]) -> None:
    case.call_and_validate(headers=admin, checks=CHECKS)
