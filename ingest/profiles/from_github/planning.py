"""Which repositories and accounts are asked for, from what the installation already holds."""

from datetime import timedelta
from pathlib import Path

from ingest import clones
from ingest.profiles.from_github.accounts import Account
from ingest.profiles.from_github.addresses import repository_at
from ingest.profiles.from_github.refresh import Plan
from sourcer.errors import BadInput
from sourcer.settings import Repository, Settings, salt
from sourcer.store import profiles
from sourcer.store.database import open_readonly


def plan(
    settings: Settings, api: str, repo: str | None, older_than: timedelta, snapshot: Path | None
) -> Plan:
    """All that lies at GitHub, or only `repo`; accounts are those that `snapshot` knows there."""
    chosen = [each for each in settings.repositories if repo in {None, each.name}]
    if not chosen:
        raise BadInput(f"{repo or 'no repository'} is not among those that were ingested")
    there = {each: name for each in chosen if (name := _name_there(each, api, repo is not None))}
    if not there:
        raise BadInput(
            "none of the repositories was cloned from GitHub. If one lies there under the same "
            "name, say so: sourcer profiles github --repo owner/name"
        )
    return Plan(
        {name: _crawl_folder(settings, each) for each, name in there.items()},
        settings.data / "profiles",
        _known(snapshot, [each.name for each in there]) if snapshot else (),
        older_than,
        salt(settings.data),
    )


def _name_there(repository: Repository, api: str, named: bool) -> str | None:
    """Private and made-up names are never told to GitHub, unless somebody asks for that."""
    there = repository_at(api, clones.page(repository.source))
    return there or (repository.name if named and repository.name.count("/") == 1 else None)


def _known(snapshot: Path, repositories: list[str]) -> tuple[Account, ...]:
    db = open_readonly(snapshot)
    try:
        rows = profiles.accounts_in(db, repositories)
        return tuple(Account(row.login, row.github_id) for row in rows)
    finally:
        db.close()


def _crawl_folder(settings: Settings, repository: Repository) -> Path:
    return settings.data / "crawl" / repository.name.replace("/", "+")
