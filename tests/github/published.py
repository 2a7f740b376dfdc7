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
        draft = Path(tempfile.mkdtemp(dir=CACHE, prefix=".draft-"))
        make(draft)
        try:
            draft.rename(place)
        except OSError:
            shutil.rmtree(draft)
    return place


class _npm_package:
    """The unpacked folder of a package, as long as the block lasts."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._scratch = tempfile.TemporaryDirectory()

    def __enter__(self) -> Path:
        if not shutil.which("npm"):
            raise Unobtainable(f"npm, which fetches {self._name}, is not installed")
        scratch = Path(self._scratch.name)
        _run(["npm", "pack", "--silent", "--pack-destination", str(scratch), self._name])
        (archive,) = scratch.glob("*.tgz")
        _unpack(archive, scratch)
        return scratch / "package"

    def __exit__(self, *_: object) -> None:
        self._scratch.cleanup()


def _unpack(archive: Path, into: Path) -> None:
    with tarfile.open(archive) as packed:
        packed.extractall(into, filter="data")


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if done.returncode:
        raise Unobtainable(
            f"{' '.join(command[:3])} ... {command[-1]} failed: {done.stderr[-300:]}"
        )
