"""Real answers, recorded by PyGithub's own tests, as a check that owes nothing to our local one."""

import ast
import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from ingest.profiles import github_users
from ingest.profiles.from_github import answers, limits
from ingest.profiles.from_github.client import Client
from tests.github.server import LocalGitHub, Reply

pytestmark = pytest.mark.published
LINES = 11
"""A recording: protocol, verb, host, port, path, headers, input, status, headers, body, blank."""


@dataclass(frozen=True)
class Recorded:
    path: str
    status: int
    headers: dict[str, str]
    body: Any

    @property
    def reply(self) -> Reply:
        kept = ("etag", "location", "x-ratelimit-remaining", "x-ratelimit-reset", "retry-after")
        headers = {name: value for name, value in self.headers.items() if name in kept}
        return Reply(self.status, self.body, headers)


def recorded(folder: Path, name: str) -> list[Recorded]:
    lines = (folder / f"{name}.txt").read_text("utf-8").split("\n")
    return [
        Recorded(
            lines[at + 4],
            int(lines[at + 7]),
            {key.lower(): value for key, value in ast.literal_eval(lines[at + 8])},
            json.loads(lines[at + 9]),
        )
        for at in range(0, len(lines) - LINES + 1, LINES)
    ]


def test_a_user_by_number(
    recordings: Path, scripted: LocalGitHub, connect: Callable[..., Client]
) -> None:
    real = recorded(recordings, "Github.testGetUserById")[0]
    scripted.faults.append(real.reply)
    page = connect(scripted).get(real.path)
    assert isinstance(page.body, dict)
    record = github_users.record(page.body, datetime(2026, 7, 1, tzinfo=UTC))
    assert real.path == f"/user/{record.key}"
    assert (record.github_id, record.login) == (real.body["id"], real.body["login"])
    assert page.etag == real.headers["etag"]


def test_the_organizations_of_a_user(recordings: Path) -> None:
    real = recorded(recordings, "NamedUser.testGetOrgs")[-1]
    assert real.path.endswith("/orgs")
    assert all(isinstance(each["login"], str) for each in answers.rows(real.body))


def test_a_redirect_after_a_rename(
    recordings: Path, scripted: LocalGitHub, connect: Callable[..., Client]
) -> None:
    moved, there = recorded(recordings, "Repository.testGetRepositoryWith301Redirect")[:2]
    host, _, path = moved.headers["location"].removeprefix("https://").partition("/")
    here = {"Location": f"{scripted.api}/{path}"}
    scripted.faults.extend([Reply(301, moved.body, here), there.reply])
    page = connect(scripted).get(moved.path, per_page=7)
    assert (host, f"/{path}") == ("api.github.com", there.path)
    assert answers.number(page.body, "id") == there.body["id"]
    assert scripted.asked[-1].parameters == {"per_page": "7"}


def test_a_limit_that_was_really_reached(recordings: Path) -> None:
    real = [
        each
        for each in recorded(recordings, "SpecificExceptions.testAuthenticatedRateLimitExceeded")
        if each.status != 200
    ][-1]
    assert limits.is_limit(real.status, real.headers, real.body["message"])


@pytest.mark.parametrize("name", ["testQuery", "testNode", "testDefaultUrl"])
def test_graphql_answers(name: str, recordings: Path) -> None:
    real = [
        each for each in recorded(recordings, f"GraphQl.{name}") if each.path.endswith("/graphql")
    ]
    for each in real:
        assert answers.read(each.status, each.headers, each.body).data == each.body["data"]
    assert real
