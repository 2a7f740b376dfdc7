"""sourcer profiles github, as it is typed."""

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from sourcer import settings
from sourcer.cli.profiles_github import github as command
from sourcer.commits import Depth
from sourcer.errors import BadInput, BadSettings, GitHubRefused
from sourcer.settings import Repository
from tests.github.server import TOKEN, LocalGitHub
from tests.github.test_refresh import crawled, world

app = typer.Typer()
app.command()(command)


def typed(*arguments: str, **environment: str | None) -> tuple[int, str, BaseException | None]:
    done = CliRunner().invoke(app, arguments, env=environment)
    return done.exit_code, done.output, done.exception


def test_without_a_token_it_says_so(tmp_path: Path) -> None:
    code, _, error = typed("--data", str(tmp_path), GITHUB_TOKEN=None)
    assert (code, type(error)) == (1, GitHubRefused)
    assert "Everything else works without one" in str(error)


def test_made_up_repositories_are_not_told_to_github(tmp_path: Path) -> None:
    settings.remember(tmp_path, Repository("sample/engine", "/srv/engine", Depth.LINES))
    _, _, error = typed("--data", str(tmp_path), GITHUB_TOKEN=TOKEN)
    assert type(error) is BadInput
    assert "none of the repositories was cloned from GitHub" in str(error)
    _, _, error = typed("--data", str(tmp_path), "--repo", "no/such", GITHUB_TOKEN=TOKEN)
    assert "no/such is not among those that were ingested" in str(error)


def test_the_token_is_never_sent_over_http(tmp_path: Path) -> None:
    _, _, error = typed(
        *("--data", str(tmp_path)), GITHUB_TOKEN=TOKEN, SOURCER_GITHUB_URL="http://git.example"
    )
    assert type(error) is BadSettings
    assert "use https" in str(error)


@pytest.mark.published
def test_it_fetches_and_says_what(schema: Any, description: Any, tmp_path: Path) -> None:
    server = LocalGitHub(world(), schema, description, prefix="/api/v3")
    settings.remember(tmp_path, Repository("acme/engine", "/srv/engine", Depth.LINES))
    crawled(tmp_path / "crawl" / "acme+engine", server.world)
    here = {"GITHUB_TOKEN": TOKEN, "SOURCER_GITHUB_URL": server.api}
    asked = ("--data", str(tmp_path), "--repo", "acme/engine")
    try:
        code, output, _ = typed(*asked, "--max-requests", "1", **here)
        assert code == 0
        assert "1 requests: accounts of 3 commits, 0 profiles" in output
        assert "Not finished. Run the same again." in output
        code, output, _ = typed(*asked, "--json", **here)
    finally:
        server.close()
    report = json.loads(output[output.index("{") :])
    assert (code, report["finished"], report["accounts"]["profiles"]) == (0, True, 2)
