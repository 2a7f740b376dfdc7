"""People of a history and rows of files, for tests of linking."""

from dataclasses import dataclass, field
from datetime import UTC, datetime

from ingest import names
from ingest.profiles import houses, linking
from ingest.profiles.decisions import Decided
from ingest.profiles.known import Known, Someone, _spelled
from ingest.profiles.links import Linking
from ingest.profiles.records import Record, declared

DAY = datetime(2026, 6, 1, tzinfo=UTC)


@dataclass
class World:
    """People of a history and rows of files, in a few words."""

    people: dict[str, Someone] = field(default_factory=dict)
    logins: dict[str, str] = field(default_factory=dict)
    accounts: dict[int, str] = field(default_factory=dict)
    emails: dict[str, str] = field(default_factory=dict)
    rows: list[Record] = field(default_factory=list)

    def person(
        self,
        id_: str,
        *called: str,
        login: str = "",
        account: int = 0,
        email: str = "",
        domain: str = "",
    ) -> None:
        self.people[id_] = Someone(
            id_,
            tuple(names.read(name) for name in called),
            frozenset([login] if login else []),
            frozenset([account] if account else []),
            houses.of_domain(domain) if domain else (),
        )
        self.logins |= {login: id_} if login else {}
        self.accounts |= {account: id_} if account else {}
        self.emails |= {email: id_} if email else {}

    def row(
        self,
        key: str,
        source: str = "linkedin",
        login: str | None = None,
        account: int | None = None,
        email: str = "",
        method: str = "imported",
        **said: str,
    ) -> None:
        keys = (email,) if email else ()
        self.rows.append(Record(source, key, DAY, declared(**said), login, account, keys, method))

    def link(self, decided: Decided | None = None) -> Linking:
        known = Known(
            self.people, self.accounts, self.logins, self.emails, _spelled(self.people.values())
        )
        return linking.linked(self.rows, known, decided or Decided())


def links(done: Linking) -> set[tuple[str, str, str]]:
    return {(each.record.key, each.person_id, str(each.rule)) for each in done.links}


def asked(done: Linking) -> list[tuple[str, str, tuple[str, ...], tuple[str, ...]]]:
    return [
        (each.record.key, each.person_id, each.reasons, each.against) for each in done.suggestions
    ]
