"""Requests made up from the OpenAPI document: nothing breaks, everything is as documented."""

import threading
from time import sleep

import pytest
import schemathesis
import uvicorn
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.schemas import APIOperation, BaseSchema
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

EXAMPLES = 6
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    ignored_auth,
]


@pytest.fixture(scope="module")
def served(sample_data, tmp_path_factory: pytest.TempPathFactory):
    data = data_like(sample_data, tmp_path_factory.mktemp("schema") / "data")
    with world(data, Serving(accounts=True), rate_limit=0) as made:
        for name, role in USERS.items():
            made.user(name, role)
        yield made


@pytest.fixture(scope="module")
def document(served: World):
    """Over a port of its own: a client in process would end what the app has opened."""
    config = uvicorn.Config(served.app, port=0, log_level="error", lifespan="off", ws="none")
    running = uvicorn.Server(config)
    thread = threading.Thread(target=running.run)
    thread.start()
    while not running.started:
        sleep(0.01)
    port = running.servers[0].sockets[0].getsockname()[1]
    yield schemathesis.openapi.from_url(f"http://localhost:{port}/openapi.json")
    running.should_exit = True
    thread.join()


@pytest.fixture(scope="module")
def admin(served: World) -> dict[str, str]:
    return served.token("ada", Scope.ADMIN)


def failures(operation: APIOperation, headers: dict[str, str]) -> list[str]:
    """What requests made up for one route show to be wrong."""

    @given(case=operation.as_strategy())
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
        derandomize=True,
    )
    def keeps_its_word(case: schemathesis.Case) -> None:
        answer = case.call(headers=headers, timeout=30)
        case.validate_response(answer, checks=CHECKS, headers=headers)

    try:
        keeps_its_word()
    except (Exception, BaseExceptionGroup) as error:  # noqa: BLE001 - told all at the end
        return [f"{operation.label}: {_said(error)}"]
    return []


def _said(error: BaseException) -> str:
    parts = error.exceptions if isinstance(error, BaseExceptionGroup) else [error]
    return "; ".join(_said(one) if one is not error else str(one)[:1500] for one in parts)


@pytest.mark.slow
def test_every_route_keeps_its_word(document: BaseSchema, admin: dict[str, str]) -> None:
    operations = [found.ok() for found in document.get_all_operations()]
    asked = [one for one in operations if not one.path.endswith("/events")]
    assert len(asked) > 60
    wrong = [fault for one in asked for fault in failures(one, admin)]
    assert not wrong, "\n\n".join(wrong)
