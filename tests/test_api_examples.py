"""Every request and every answer is shown by an example, and each example fits its schema."""

from collections.abc import Iterator
from typing import Any

from jsonschema import Draft202012Validator

from tests.api_world import World

Body = tuple[str, str, dict[str, Any]]


def bodies(document: dict[str, Any]) -> Iterator[Body]:
    """Each body with where it is and what kind of file it is."""
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            said = f"{method} {path}"
            for kind, media in operation.get("requestBody", {}).get("content", {}).items():
                yield f"{said} request", kind, media
            for status, answer in operation["responses"].items():
                if status.startswith("2"):
                    for kind, media in answer.get("content", {}).items():
                        yield f"{said} {status}", kind, media


def test_every_body_has_an_example_that_fits(shared: World) -> None:
    document = shared.client.get("/openapi.json").json()
    found = list(bodies(document))
    assert len(found) > 100
    wrong = []
    for where, kind, media in found:
        given = [media["example"]] if "example" in media else media.get("examples", [])
        given = list(given.values()) if isinstance(given, dict) else given
        if not given:
            wrong.append(f"{where}: no example")
        schema = {**media.get("schema", {}), "components": document["components"]}
        if kind == "application/json":
            faults = [e.message[:150] for one in given for e in check(schema, one)]
            wrong += [f"{where}: {fault}" for fault in faults]
    assert wrong == []


def check(schema: dict[str, Any], value: Any) -> Iterator[Any]:
    yield from Draft202012Validator(schema).iter_errors(value)


def test_every_route_says_what_it_does(shared: World) -> None:
    document = shared.client.get("/openapi.json").json()
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            assert operation.get("description") or operation.get("summary"), f"{method} {path}"
