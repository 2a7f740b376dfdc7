"""The OpenAPI document, with the shape of problems, which no route returns as its own."""

from collections.abc import Callable

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic.json_schema import models_json_schema

from api.illustrating import illustrate
from api.problems import Problem

Document = dict[str, object]
TEMPLATE = "#/components/schemas/{model}"


def documented(app: FastAPI) -> Callable[[], Document]:
    """Makes the document when it is first asked for."""
    made: list[Document] = []

    def document() -> Document:
        if not made:
            made.append(_document(app))
        return made[0]

    return document


def _document(app: FastAPI) -> Document:
    document = get_openapi(
        title=app.title, version=app.version, description=app.description, routes=app.routes
    )
    _, shapes = models_json_schema([(Problem, "serialization")], ref_template=TEMPLATE)
    schemas = document.setdefault("components", {}).setdefault("schemas", {})
    schemas.update(shapes["$defs"])
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    illustrate(document)
    return document
