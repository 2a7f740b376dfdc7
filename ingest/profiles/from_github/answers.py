"""What an answer of GitHub's GraphQL means; most of what goes wrong arrives as HTTP 200."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias, cast

from ingest.profiles.from_github.limits import is_limit
from ingest.profiles.json_values import Json
from sourcer.errors import GitHubRefused, GitHubUnreachable

Rows: TypeAlias = dict[str, Json]
NOT_FOUND = "NOT_FOUND"
HEAVY = ("something went wrong while executing", "timeout", "timed out", "resource limits")


class Limited(Exception):
    """GitHub asks for patience; the headers say how much."""

    def __init__(self, headers: Mapping[str, str]) -> None:
        self.headers = headers


class Unavailable(Exception):
    """The connection or the server broke; the same question may be put again."""


class TooHeavy(Exception):
    """GitHub cannot answer so much at once; a smaller question may do."""


class BudgetSpent(Exception):
    """As many requests were sent as the user allowed."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The rows that came, and for those that did not, why, by the path of the answer."""

    data: Rows
    errors: Mapping[tuple[str | int, ...], str] = field(default_factory=dict)

    def why(self, *path: str | int) -> str | None:
        """The kind of error that took the row at `path`, or something above or below it.

        >>> Answer({"u1": None}, {("u1",): "NOT_FOUND"}).why("u1")
        'NOT_FOUND'
        """
        for at, kind in self.errors.items():
            if at and at[: len(path)] == path[: len(at)]:
                return kind
        return None


def read(status: int, headers: Mapping[str, str], body: Json) -> Answer:
    """An answer with at least some rows; raises what else the body stands for.

    >>> read(200, {}, {"data": {"u0": {"login": "ada"}}}).data
    {'u0': {'login': 'ada'}}
    """
    errors = _errors(body)
    told = _message(body) or "; ".join(_message(error) for error in errors)
    kinds = {_kind(error) for error in errors}
    if any(kind.startswith("RATE_LIMIT") for kind in kinds) or is_limit(status, headers, told):
        raise Limited(headers)
    data = body.get("data") if isinstance(body, dict) else None
    if isinstance(data, dict) and any(data.values()):
        return Answer(data, {_path(error): _kind(error) for error in errors})
    if isinstance(data, dict) and kinds <= {NOT_FOUND, "FORBIDDEN"}:
        return Answer(data, {_path(error): _kind(error) for error in errors})
    refuse(status, told)
    if status in {502, 504} or any(word in told.lower() for word in HEAVY):
        raise TooHeavy(told)
    if status >= 500:
        raise Unavailable(f"GitHub answered with HTTP {status}")
    if "INSUFFICIENT_SCOPES" in kinds or "FORBIDDEN" in kinds:
        raise GitHubRefused(f"GitHub does not let this token ask that: {told}")
    raise GitHubUnreachable(
        f"GitHub could not make sense of a question: {told or f'HTTP {status}'}"
    )


def refuse(status: int, message: str) -> None:
    """Raises GitHubRefused where a status says that the token is wrong or may not see this."""
    if status == 401:
        raise GitHubRefused(
            "GitHub does not accept the token in GITHUB_TOKEN: it is wrong, expired or revoked. "
            "Make one that reads public data: https://github.com/settings/tokens"
        )
    if status == 403:
        raise GitHubRefused(
            f"GitHub forbids this to the token in GITHUB_TOKEN: {message or 'no reason given'}. "
            "It needs no more than to read public repositories and profiles"
        )


def rows(value: Json) -> list[Rows]:
    """The objects in a list of GitHub's, which may hold nulls.

    >>> rows([{"login": "ada"}, None])
    [{'login': 'ada'}]
    """
    listed = value if isinstance(value, list) else []
    return [each for each in listed if isinstance(each, dict)]


def within(value: Json, *keys: str) -> Json:
    """What lies that deep in an answer; None where something on the way is missing.

    >>> within({"user": {"login": "ada"}}, "user", "login"), within({"user": None}, "user", "login")
    ('ada', None)
    """
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def text(value: Json, *keys: str) -> str | None:
    found = within(value, *keys)
    return found if isinstance(found, str) else None


def number(value: Json, *keys: str) -> int | None:
    found = within(value, *keys)
    return found if isinstance(found, int) and not isinstance(found, bool) else None


def _errors(body: Json) -> list[Rows]:
    return rows(within(body, "errors"))


def _message(value: Json) -> str:
    return text(value, "message") or ""


def _kind(error: Rows) -> str:
    return text(error, "type") or text(error, "extensions", "code") or "UNKNOWN"


def _path(error: Rows) -> tuple[str | int, ...]:
    path = error.get("path")
    return tuple(cast("list[str | int]", path)) if isinstance(path, list) else ()
