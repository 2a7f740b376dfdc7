"""What GitHub and PyGithub publish, fetched by npm and pip, pinned, and never committed.

GitHub's GraphQL schema (npm @octokit/graphql-schema), its REST description (@octokit/openapi, of
which the few paths that we use are kept) and the real answers that PyGithub's own tests replay.
"""

import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

CACHE = Path(__file__).parent.parent.parent / ".cache" / "published"
SCHEMA = "@octokit/graphql-schema@15.26.1"
DESCRIPTION = "@octokit/openapi@23.0.2"
PYGITHUB = "PyGithub==2.10.0"
PATHS = ("/user/{account_id}", "/users/{username}/orgs")


class Unobtainable(Exception):
    """It cannot be fetched here; says why."""


def graphql_schema() -> str:
    def make(into: Path) -> None:
        with _npm_package(SCHEMA) as package:
            shutil.copy(package / "schema.graphql", into)

    return (_cached(SCHEMA, make) / "schema.graphql").read_text("utf-8")


def rest_description() -> dict[str, Any]:
    def make(into: Path) -> None:
        with _npm_package(DESCRIPTION) as package:
            whole = json.loads((package / "generated/api.github.com.json").read_text("utf-8"))
        (into / "description.json").write_text(json.dumps(trimmed(whole)), "utf-8")

    return json.loads((_cached(DESCRIPTION, make) / "description.json").read_text("utf-8"))


def recordings() -> Path:
    """The folder of PyGithub's recorded answers."""

    def make(into: Path) -> None:
        with tempfile.TemporaryDirectory() as scratch:
            pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
            _run([*pip, "--no-binary", "PyGithub", "--dest", scratch, PYGITHUB])
            (archive,) = Path(scratch).glob("*.tar.gz")
            _unpack(archive, into)

    (folder,) = _cached(PYGITHUB, make).glob("*/tests/ReplayData")
    return folder


def trimmed(description: dict[str, Any]) -> dict[str, Any]:
    """Our paths and all that they refer to, in JSON Schema's words where OpenAPI has its own."""
    kept: dict[str, Any] = {"paths": {path: description["paths"][path] for path in PATHS}}
    missing = set(_references(kept))
    while missing:
        for reference in missing:
            part, name = reference.removeprefix("#/components/").split("/")
            found = description["components"][part][name]
            kept.setdefault("components", {}).setdefault(part, {})[name] = found
        held = kept["components"]
        missing = {
            each
            for each in _references(kept)
            if each.split("/")[3] not in held.get(each.split("/")[2], {})
        }
    return _plain(kept)


def _references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for each in value.values():
            yield from _references(each)
    elif isinstance(value, list):
        for each in value:
            yield from _references(each)


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if not isinstance(value, dict):
        return value
    plain = {key: _plain(each) for key, each in value.items() if key != "nullable"}
    return {"anyOf": [plain, {"type": "null"}]} if value.get("nullable") is True else plain


def _cached(name: str, make: Callable[[Path], None]) -> Path:
    """Made aside and renamed: several test processes may want it at once."""
    place = CACHE / name.replace("/", "+")
    if not place.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=CACHE, prefix=".draft-") as scratch:
            draft = Path(scratch) / "whole"
            draft.mkdir()
            make(draft)
            with suppress(OSError):  # another process was first
                draft.rename(place)
    return place


@contextmanager
def _npm_package(name: str) -> Iterator[Path]:
    """The unpacked folder of a package, as long as the block lasts."""
    if not shutil.which("npm"):
        raise Unobtainable(f"npm, which fetches {name}, is not installed")
    with tempfile.TemporaryDirectory() as scratch:
        _run(["npm", "pack", "--silent", "--pack-destination", scratch, name])
        (archive,) = Path(scratch).glob("*.tgz")
        _unpack(archive, Path(scratch))
        yield Path(scratch) / "package"


def _unpack(archive: Path, into: Path) -> None:
    with tarfile.open(archive) as packed:
        packed.extractall(into, filter="data")


def _run(command: list[str]) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    except subprocess.TimeoutExpired as error:
        raise Unobtainable(f"{command[-1]} did not come in {error.timeout:.0f} s") from error
    if done.returncode:
        raise Unobtainable(
            f"{' '.join(command[:3])} ... {command[-1]} failed: {done.stderr[-300:]}"
        )
