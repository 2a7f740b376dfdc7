"""JSON as it comes from a file: values looked at before they are believed."""

import json
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from ingest.profiles.records import Unread

Json: TypeAlias = bool | int | float | str | list["Json"] | dict[str, "Json"] | None
Object: TypeAlias = Mapping[str, Json]


def text(row: Object, *path: str) -> str:
    """The words at a path of keys; empty where there are none.

    >>> text({"basics": {"name": "Ada", "age": None}}, "basics", "name")
    'Ada'
    >>> text({"basics": {"name": "Ada"}}, "basics", "location", "city")
    ''
    """
    here: Json = dict(row)
    for key in path:
        here = here.get(key) if isinstance(here, dict) else None
    return here.strip() if isinstance(here, str) else ""


def texts(value: Json) -> list[str]:
    """The words of a list; a single word counts as a list of one.

    >>> texts(["a", None, {"b": 1}]), texts("c"), texts(None)
    (['a'], ['c'], [])
    """
    held = value if isinstance(value, list) else [value]
    return [each.strip() for each in held if isinstance(each, str) and each.strip()]


def objects(value: Json) -> list[dict[str, Json]]:
    """The objects of a list.

    >>> objects([{"a": 1}, "b"]), objects({"a": 1}), objects(None)
    ([{'a': 1}], [{'a': 1}], [])
    """
    held = value if isinstance(value, list) else [value]
    return [each for each in held if isinstance(each, dict)]


def rows(document: str) -> Iterator[tuple[int, dict[str, Json]] | Unread]:
    """The objects of a JSON file, with the lines they begin in.

    One object, a list of them, an API's answer that holds them, or JSON Lines.

    >>> list(rows('{"a": 1}\\n{"a": \\n{"a": 3}'))
    [(1, {'a': 1}), Unread(line=2, reason='not JSON: Expecting value'), (3, {'a': 3})]
    >>> [row for _, row in rows('{"meta": {}, "results": [{"a": 1}, {"a": 2}]}')]
    [{'a': 1}, {'a': 2}]
    """
    try:
        whole: Json = json.loads(document)
    except (json.JSONDecodeError, RecursionError):
        yield from _lines(document)
    else:
        yield from _unwrapped(whole)


WRAPPERS = ("results", "data", "items")


def _unwrapped(whole: Json) -> Iterator[tuple[int, dict[str, Json]] | Unread]:
    """An entry of a list stands for a line: which one it is, counted from 1."""
    if isinstance(whole, dict):
        inner = next((whole[key] for key in WRAPPERS if isinstance(whole.get(key), list)), None)
        data = whole.get("data")
        whole = inner or (data if isinstance(data, dict) else whole)
    for number, each in enumerate(whole if isinstance(whole, list) else [whole], start=1):
        yield (number, each) if isinstance(each, dict) else Unread(number, "not a JSON object")


def _lines(document: str) -> Iterator[tuple[int, dict[str, Json]] | Unread]:
    for number, line in enumerate(document.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row: Json = json.loads(line)
        except (json.JSONDecodeError, RecursionError) as error:
            yield Unread(number, f"not JSON: {getattr(error, 'msg', 'too deeply nested')}")
        else:
            yield (number, row) if isinstance(row, dict) else Unread(number, "not a JSON object")
