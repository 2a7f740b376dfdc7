"""sourcer profiles github: what people declare at GitHub, and who reviewed what."""

import json
import os
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from sourcer import settings as settings_file
from sourcer.cli import progress
from sourcer.cli.options import HERE, AsJson, Data
from sourcer.cli.publishing import current_or_none
from sourcer.errors import GitHubRefused
from sourcer.lock import exclusive
from sourcer.settings import Settings
from sourcer.snapshot import Snapshot

if TYPE_CHECKING:
    from ingest.profiles.from_github.refresh import Report

TOKEN = "GITHUB_TOKEN"  # noqa: S105 (the variable's name)


def github(
    repo: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="One repository; none: all that lie at GitHub."),
    ] = None,
    max_requests: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Stop after this many; the next run goes on there."),
    ] = None,
    older_than: Annotated[
        int, typer.Option(min=0, metavar="DAYS", help="Ask again for profiles older than this.")
    ] = 30,
    data: Data = HERE,
    as_json: AsJson = False,
) -> None:
    """Fetch the public profiles and reviews of those who wrote the crawled commits.

    Needs a token in GITHUB_TOKEN. No email is asked for. The next sourcer ingest takes it in.

    [dim]sourcer profiles github --max-requests 500[/dim]
    """
    asked = Asked(_token(), repo, max_requests, timedelta(days=older_than))
    settings = settings_file.read(data)
    with exclusive(data, "profiles github"), progress.shown() as show:
        report = refreshed(settings, asked, current_or_none(data), show)
    print(json.dumps(report.as_json(), indent=2) if as_json else report.sentence())
    for why in report.failures.values():
        typer.echo(f"sourcer: {why}", err=True)
    if report.failures:
        raise typer.Exit(1)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a refresh may do."""

    token: str
    repo: str | None = None
    max_requests: int | None = None
    older_than: timedelta = timedelta(days=30)


def refreshed(
    settings: Settings, asked: Asked, live: Snapshot | None, show: progress.Progress
) -> "Report":
    """Fetches what is missing or old; whoever calls holds the data directory."""
    from ingest.profiles.from_github import addresses
    from ingest.profiles.from_github.client import Client
    from ingest.profiles.from_github.planning import plan
    from ingest.profiles.from_github.refresh import refresh

    api = addresses.api_url(settings.github_url)
    planned = plan(settings, api, asked.repo, asked.older_than, live.database if live else None)
    with Client(api, asked.token, asked.max_requests, lambda text: show(text, 0, 0)) as client:
        return refresh(client, planned, show)


def lies_there(settings: Settings) -> bool:
    """Whether any repository was cloned from the GitHub that is asked."""
    from ingest import clones
    from ingest.profiles.from_github import addresses

    api = addresses.api_url(settings.github_url)
    pages = (clones.page(each.source) for each in settings.repositories)
    return any(addresses.repository_at(api, page) for page in pages)


def _token() -> str:
    token = os.environ.get(TOKEN, "").strip()
    if not token:
        raise GitHubRefused(
            f"{TOKEN} is not set, so GitHub cannot be asked. Any token will do, without a single "
            "permission: https://github.com/settings/tokens. Everything else works without one"
        )
    return token
