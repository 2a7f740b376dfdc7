"""The parts of the reference that are made from the code, each time the documentation is built.

A page says `<!-- generated: settings -->` where they go.
"""

import logging
import re
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

MARK = re.compile(r"<!-- generated: (\w+) -->")


def fill(_app: object, _name: str, source: list[str]) -> None:
    """Sphinx' "source-read": what stands in a page before it is parsed."""
    source[0] = MARK.sub(lambda found: PARTS[found[1]](), source[0])


def settings() -> str:
    from sourcer.settings import TABLE

    rows = ((f"`{s.name}`", f"`{s.variable}`", _code(s.default), _cell(s.says)) for s in TABLE)
    return _table(("setting", "environment", "default", "meaning"), rows)


def topics() -> str:
    from sourcer.topics import load

    rows = (
        (f"`{one.id}`", _cell(one.name), _cell(one.definition), ", ".join(one.parents))
        for one in load().topics
    )
    return _table(("id", "name", "what belongs here", "part of"), rows)


def dimensions() -> str:
    from sourcer.pool.slices import DIMENSIONS

    rows = ((f"`{name}`", _cell(one.title), _cell(one.how)) for name, one in DIMENSIONS.items())
    return _table(("dimension", "what it is", "how it is known"), rows)


def weights() -> str:
    from dataclasses import fields

    from sourcer.ranking import Weights

    rows = ((f"`{field.name}`", field.default) for field in fields(Weights))
    return _table(("signal", "weight"), rows)


def commands() -> str:
    return "\n\n".join(_described(path, command) for path, command in every_command())


def every_command() -> Iterator[tuple[str, Any]]:
    """Each command with the words that call it."""
    from typer.main import get_command

    from sourcer.cli import app

    yield from _below("sourcer", get_command(app))


def api() -> str:
    document = openapi()
    parts: dict[str, list[str]] = {}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            [tag] = operation["tags"]
            parts.setdefault(tag, []).append(_operation(method.upper(), path, operation))
    return "\n\n".join(f"## {tag.capitalize()}\n\n" + "\n\n".join(of) for tag, of in parts.items())


def openapi() -> dict[str, Any]:
    """The document as the server gives it at /openapi.json."""
    from api.app import create_app
    from sourcer import settings as installation

    logging.disable(logging.INFO)  # Sphinx would print what a server says when it starts
    with tempfile.TemporaryDirectory() as nowhere:
        document: dict[str, Any] = create_app(installation.read(Path(nowhere), {})).openapi()
    logging.disable(logging.NOTSET)
    return document


PARTS: dict[str, Callable[[], str]] = {
    "settings": settings,
    "topics": topics,
    "dimensions": dimensions,
    "weights": weights,
    "commands": commands,
    "api": api,
}


def _below(path: str, command: Any) -> Iterator[tuple[str, Any]]:
    for name, inner in getattr(command, "commands", {}).items():
        if hasattr(inner, "commands"):
            yield from _below(f"{path} {name}", inner)
        else:
            yield f"{path} {name}", inner


def _described(path: str, command: Any) -> str:
    told, _, example = command.help.partition("[dim]")
    arguments = [one for one in command.params if type(one).__name__ == "TyperArgument"]
    usage = " ".join([path, *(one.metavar or one.name.upper() for one in arguments)])
    parts = [f"## {path}", f"```text\n{usage} [OPTIONS]\n```", _text(told)]
    if example:
        lines = re.split(r"\s{2,}", _unmarked(example.removesuffix("[/dim]")).strip())
        parts.append("```text\n" + "\n".join(lines) + "\n```")
    rows = [(_called(one), _cell(one.help or ""), _usual(one)) for one in command.params]
    parts.append(_table(("argument or option", "meaning", "default"), rows))
    return "\n\n".join(parts)


def _called(one: Any) -> str:
    metavar = one.metavar or ""
    if one.opts[0].startswith("-"):
        return " ".join(f"`{opt} {metavar}`".replace(" `", "`") for opt in one.opts)
    return f"`{metavar or one.name.upper()}`"


def _usual(one: Any) -> str:
    if one.required:
        return "required"
    return "" if one.default in (None, False, "") else _code(one.default)


def _operation(method: str, path: str, operation: dict[str, Any]) -> str:
    parts = [f"### `{method} {path}`", operation.get("description", "")]
    given = operation.get("parameters", [])
    rows = [(f"`{one['name']}`", one["in"], _cell(one.get("description", ""))) for one in given]
    if rows:
        parts.append(_table(("parameter", "in", "meaning"), rows))
    if body := operation.get("requestBody", {}).get("content", {}):
        shapes = {one["schema"].get("$ref", "").rpartition("/")[2] for one in body.values()}
        parts.append(f"Takes `{', '.join(sorted(shapes - {''})) or ', '.join(body)}`.")
    return "\n\n".join(part for part in parts if part)


def _table(head: tuple[str, ...], rows: Any) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def _code(value: object) -> str:
    return f"`{value}`" if str(value) else ""


def _cell(text: str) -> str:
    return _text(text).replace("|", "\\|").replace("\n", " ")


def _text(text: str) -> str:
    """Plain words, in which Markdown sees nothing but words."""
    plain = _unmarked(text).strip()
    return re.sub(r"(?<!\\)([<>*_\[\]{}])(?![^`]*`[^`]*$)", r"\\\1", plain)


def _unmarked(text: str) -> str:
    return text.replace("\\[", "[")
