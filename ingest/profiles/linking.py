"""Records -> people: by GitHub account, by login, by the hash of an email."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from ingest.profiles.records import Record, email_key, load
from sourcer.store import profiles
from sourcer.store.database import Database


class Rule(StrEnum):
    """Why a record is about a person, strongest first."""

    ACCOUNT = "GitHub account id"
    LOGIN = "GitHub login"
    EMAIL = "email"


@dataclass(frozen=True, slots=True)
class Known:
    """What records are compared with; each key leads to exactly one person."""

    accounts: Mapping[int, str]
    logins: Mapping[str, str]
    emails: Mapping[str, str]

    def person(self, record: Record) -> tuple[str, Rule] | None:
        """Who a record is about.

        >>> from datetime import datetime
        >>> known = Known({}, {"ada": "p1"}, {})
        >>> record = Record("github", "7", datetime(2026, 1, 1), {}, login="Ada", github_id=7)
        >>> known.person(record)
        ('p1', <Rule.LOGIN: 'GitHub login'>)
        """
        if record.github_id is not None and record.github_id in self.accounts:
            return self.accounts[record.github_id], Rule.ACCOUNT
        if record.login and record.login.lower() in self.logins:
            return self.logins[record.login.lower()], Rule.LOGIN
        found = {self.emails[key] for key in record.email_keys if key in self.emails}
        return (found.pop(), Rule.EMAIL) if len(found) == 1 else None


def link(db: Database, folder: Path, salt: bytes) -> int:
    """Writes the fields of every record that is surely somebody's; how many records that were."""
    records = load(folder)
    if not records:
        return 0
    known = _known(db, salt)
    linked = [(found[0], record) for record in records if (found := known.person(record))]
    profiles.write_fields(db, _fields(linked))
    return len(linked)


def _known(db: Database, salt: bytes) -> Known:
    accounts = {row.github_id: row.person_id for row in profiles.accounts(db) if row.github_id}
    logins = {row.login.lower(): row.person_id for row in profiles.accounts(db)}
    people_of: dict[str, set[str]] = {}
    for person, email in profiles.emails(db):
        people_of.setdefault(email_key(salt, email), set()).add(person)
    emails = {key: min(people) for key, people in people_of.items() if len(people) == 1}
    return Known(accounts, logins, emails)


def _fields(linked: Iterable[tuple[str, Record]]) -> list[profiles.Field]:
    return [
        profiles.Field(person, field, value, record.source, record.fetched_at, record.method)
        for person, record in linked
        for field, value in record.fields.items()
    ]
