"""What is kept of earlier fetches: records, when accounts were asked for in vain, and ETags."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from ingest.profiles import records
from ingest.profiles.from_github.accounts import Account
from ingest.profiles.from_github.crawled import renamed
from ingest.profiles.records import Record

NAME = "github-api"
SOURCE = "github"


@dataclass(slots=True)
class Kept:
    """Loaded once, changed as answers come, written by `write`."""

    folder: Path
    token: str
    """The fingerprint of the token: an ETag that another token got proves nothing."""
    profiles: dict[int, Record] = field(default_factory=dict)
    organizations: dict[int, Record] = field(default_factory=dict)
    in_vain: dict[str, str] = field(default_factory=dict)
    """Account (number, or else login) -> when GitHub last said that there is no such."""
    etags: dict[str, str] = field(default_factory=dict)

    @classmethod
    def load(cls, folder: Path, token: str) -> "Kept":
        kept = cls(folder, token)
        if (folder / f"{NAME}.parquet").exists():
            for record in records.read(folder / f"{NAME}.parquet"):
                kept.keep(record)
        if (folder / f"{NAME}.json").exists():
            told = json.loads((folder / f"{NAME}.json").read_text("utf-8"))
            kept.in_vain = told["in_vain"]
            kept.etags = told["etags"] if told["token"] == token else {}
        return kept

    def keep(self, record: Record) -> None:
        if record.github_id is not None:
            shelf = self.organizations if record.key.endswith("/organizations") else self.profiles
            shelf[record.github_id] = record
            self.in_vain.pop(str(record.github_id), None)

    def lose(self, account: Account, at: datetime) -> None:
        """GitHub has no such account any more, so nothing it declared is kept either."""
        self.in_vain[_key(account)] = at.isoformat(timespec="seconds")
        if account.github_id is not None:
            self.profiles.pop(account.github_id, None)
            self.organizations.pop(account.github_id, None)

    def due(
        self, accounts: Iterable[Account], now: datetime, older_than: timedelta
    ) -> list[Account]:
        """Those that were not asked for, or too long ago, each under its newest login."""
        logins = {record.login: record for record in self.profiles.values()}
        due = []
        for account in accounts:
            held = (
                self.profiles.get(account.github_id)
                if account.github_id is not None
                else logins.get(account.login)
            )
            asked = held.fetched_at if held else self._asked_in_vain(account)
            if asked is None or now - asked >= older_than:
                due.append(
                    Account(held.login or account.login, held.github_id) if held else account
                )
        return due

    def write(self) -> None:
        """Each file in one rename; the records first, as nothing else can be had again so soon."""
        held = [*self.profiles.values(), *self.organizations.values()]
        records.save(sorted(held, key=lambda record: record.key), self.folder, NAME, {})
        told = {"token": self.token, "in_vain": self.in_vain, "etags": self.etags}
        with renamed(self.folder / f"{NAME}.json") as draft:
            draft.write_text(json.dumps(told, indent=1, sort_keys=True), "utf-8")

    def _asked_in_vain(self, account: Account) -> datetime | None:
        asked = self.in_vain.get(_key(account))
        return datetime.fromisoformat(asked) if asked else None


def _key(account: Account) -> str:
    return account.login.casefold() if account.github_id is None else str(account.github_id)
