"""An example for every body of the OpenAPI document, made from its schema.

What a schema gives as its own example is taken; the rest is told by the name of the field.
"""

from collections.abc import Mapping
from typing import TypeAlias

Json: TypeAlias = object
Schema: TypeAlias = Mapping[str, object]
DEEPEST = 8
JSON = "application/json"
METHODS = frozenset(("get", "post", "put", "patch", "delete"))
KNOWN: Mapping[str, Json] = {
    "name": "Mira Lundgren",
    "person_id": "p7h2k9qw4mz",
    "search_id": "b1f0c6a2d3e4",
    "sha": "9f1c2e7a40b1d5c88f3e6a2b7c9d0e1f2a3b4c5d",
    "subject": "[MoE] Fuse the gate into the grouped GEMM (#4821)",
    "source": "github",
    "method": "declared",
    "title": "Senior Software Engineer",
    "email": None,
    "score": 0.94,
    "value": 0.94,
    "says": "38 commits on Mixture of experts (MoE)",
    "role": "author",
    "repo": "vllm-project/vllm",
    "path": "csrc/moe/topk.cu",
    "paths": ["csrc/moe/topk.cu"],
    "topics": ["moe"],
    "url": "https://github.com/vllm-project/vllm/commit/9f1c2e7a40b1",
    "note": "asked by the platform team",
    "reason": "wrote the fused kernel",
    "about": "kernel people for the platform team",
    "owner": "ida",
    "author": "ida",
    "by": "ida",
    "actor": "ida",
    "user": "ida",
    "changed_by": "ida",
    "added_by": "ida",
    "started_by": "ida",
    "label": "nightly export",
    "secret": "sourcer_4f0e2f1c88f44f0e",
    "password": "correct horse battery",
    "snapshot": "2026-06-15T020000Z",
    "total": 42,
    "people": 42,
    "commits": 38,
    "text": "who built expert parallelism in SGLang since 2025",
    "semantic": "expert parallelism",
    "how": "declared location",
    "why": "no field of the data says this",
    "status": "alive",
    "language": "en",
    "head": "9f1c2e7a40b1",
    "sourcer": "0.1.0",
    "company": "NVIDIA",
    "field": "location",
    "definition": "Layers that send each token to a few of many expert networks.",
    "words": ["mixture of experts", "MoE"],
    "depth": "paths",
    "channel": "webhook",
    "who": "mira-l",
    "verdict": "accept",
    "employer": None,
}


def illustrate(document: dict[str, object]) -> None:
    """Adds examples where the routes give none, in place."""
    schemas = document["components"]["schemas"]  # type: ignore[index]
    for operations in document["paths"].values():  # type: ignore[attr-defined]
        for method, operation in operations.items():
            if method in METHODS:
                _illustrate(operation, schemas)


def _illustrate(operation: dict[str, object], schemas: Mapping[str, Schema]) -> None:
    bodies = [operation.get("requestBody", {})]
    responses = operation.get("responses")
    if isinstance(responses, dict):
        bodies += [answer for status, answer in responses.items() if status.startswith("2")]
    for body in bodies:
        content = body.get("content", {}) if isinstance(body, dict) else {}
        for kind, media in content.items():
            if "example" not in media and "examples" not in media:
                made = example(media.get("schema", {}), schemas)
                media["example"] = made if made is not None else _text(kind)


def example(schema: Schema, schemas: Mapping[str, Schema], name: str = "", deep: int = 0) -> Json:
    """
    >>> person = {"type": "object", "properties": {"name": {"type": "string"},
    ...                                            "commits": {"type": "integer"}}}
    >>> example({"type": "array", "items": {"$ref": "#/components/schemas/P"}}, {"P": person})
    [{'name': 'Mira Lundgren', 'commits': 38}]
    """
    if deep > DEEPEST:
        return None
    if isinstance(reference := schema.get("$ref"), str):
        return example(schemas[reference.rpartition("/")[2]], schemas, name, deep)
    for given in ("examples", "enum"):
        if isinstance(held := schema.get(given), list) and held:
            return held[0]
    for given in ("example", "const"):
        if given in schema:
            return schema[given]
    for choice in ("anyOf", "oneOf", "allOf"):
        if isinstance(held := schema.get(choice), list):
            return _first(held, schemas, name, deep)
    return _of_type(schema, schemas, name, deep)


def _first(choices: list[Schema], schemas: Mapping[str, Schema], name: str, deep: int) -> Json:
    chosen = [one for one in choices if one.get("type") != "null"] or choices
    return example(chosen[0], schemas, name, deep)


def _of_type(schema: Schema, schemas: Mapping[str, Schema], name: str, deep: int) -> Json:
    kind = schema.get("type")
    known = KNOWN.get(name)
    if kind == "object" or "properties" in schema:
        return _object(schema, schemas, deep)
    if kind == "array":
        return _array(schema, schemas, name, deep, known)
    if kind == "boolean":
        return schema.get("default", False)
    if kind in ("integer", "number"):
        return known if isinstance(known, int | float) else schema.get("default", 1)
    if kind == "string":
        return _string(schema, name, known)
    return None


def _object(schema: Schema, schemas: Mapping[str, Schema], deep: int) -> Json:
    fields = schema.get("properties")
    if isinstance(fields, dict) and fields:
        return {key: example(one, schemas, key, deep + 1) for key, one in fields.items()}
    values = schema.get("additionalProperties")
    if isinstance(values, dict):
        return {"commits": example(values, schemas, "", deep + 1)}
    return {}


def _array(
    schema: Schema, schemas: Mapping[str, Schema], name: str, deep: int, known: Json
) -> Json:
    items = schema.get("items")
    prefixed = schema.get("prefixItems")
    if isinstance(prefixed, list):
        return [example(one, schemas, name, deep + 1) for one in prefixed]
    if not isinstance(items, dict) or deep >= DEEPEST - 2:
        return []
    if isinstance(known, list) and items.get("type") == "string":
        return known
    made = example(items, schemas, name, deep + 1)
    return [] if made is None else [made]


def _string(schema: Schema, name: str, known: Json) -> Json:
    if schema.get("format") == "date-time":
        return "2026-06-15T02:00:00Z"
    if schema.get("format") == "binary":
        return "Name,Title\nMira Lundgren,Senior Software Engineer\n"
    if isinstance(known, str):
        return known
    if name == "date" or name.endswith("_at"):
        return "2026-06-15"
    return schema.get("default") or name.replace("_", " ") or "text"


def _text(kind: str) -> str:
    return "event: ended\ndata: {}\n\n" if kind == "text/event-stream" else "text"
