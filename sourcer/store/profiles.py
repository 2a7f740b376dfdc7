"""What people declared: fields with their provenance, and the keys that records are linked by."""

from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import NamedTuple

import pyarrow as pa

from sourcer.store.database import Database, insert


class Account(NamedTuple):
    person_id: str
    login: str
    github_id: int | None


class NewLogin(NamedTuple):
    """A GitHub login that a linked profile tells, and by which link."""

    person_id: str
    login: str
    github_id: int | None
    rule: str


class Field(NamedTuple):
    """One declared field of one person."""

    person_id: str
    field: str
    value: str
    source: str
    fetched_at: datetime
    method: str
    expires_at: datetime | None = None


class Link(NamedTuple):
    """A record that is about somebody, and the rule that says so."""

    id: str
    source: str
    key: str
    person_id: str
    rule: str


class Suggestion(NamedTuple):
    """A record that may be about somebody, with what speaks for and against it."""

    id: str
    source: str
    key: str
    says: str
    person_id: str
    reasons: tuple[str, ...]
    against: tuple[str, ...]


class Artifact(NamedTuple):
    """Something public that a person made or said."""

    person_id: str
    kind: str
    title: str
    url: str | None
    dated: date | None
    source: str
    fetched_at: datetime
    rule: str
    expires_at: datetime | None = None


TEXT, TEXTS, MOMENT = pa.string(), pa.list_(pa.string()), pa.timestamp("s")
MOMENTS = ("fetched_at", "expires_at")
TYPES = {
    "fetched_at": MOMENT,
    "expires_at": MOMENT,
    "dated": pa.date32(),
    "github_id": pa.int64(),
    "reasons": TEXTS,
    "against": TEXTS,
}
Rows = (
    Sequence[Field]
    | Sequence[Link]
    | Sequence[Suggestion]
    | Sequence[Artifact]
    | Sequence[NewLogin]
)


def accounts(db: Database) -> list[Account]:
    """Every login that a person holds."""
    rows = db.execute("select person_id, login, github_id from logins order by all").fetchall()
    return [Account(*row) for row in rows]


def accounts_in(db: Database, repositories: Sequence[str]) -> list[Account]:
    """The logins of those who have a role in some commit of these repositories."""
    rows = db.execute(
        """
        select distinct logins.person_id, login, github_id
        from repos
        join commits on commits.repo_id = repos.id
        join roles on roles.commit_id = commits.id
        join person_signatures using (signature_id)
        join logins using (person_id)
        where list_contains(?, repos.name)
        order by all
        """,
        [list(repositories)],
    ).fetchall()
    return [Account(*row) for row in rows]


def emails(db: Database) -> list[tuple[str, str]]:
    """(person id, email as signed): to be hashed and compared, never shown."""
    return db.execute(
        """
        select distinct person_id, email
        from person_signatures join signatures on signatures.id = signature_id
        order by all
        """
    ).fetchall()


def names(db: Database) -> list[tuple[str, str]]:
    """(person id, name): every name that a person signed with, and the one shown."""
    return db.execute(
        """
        select person_id, name
        from person_signatures join signatures on signatures.id = signature_id
        union select id, name from people
        order by all
        """
    ).fetchall()


def signature_keys(db: Database) -> dict[str, str]:
    """For each person the key of one signature, the same at every ingest."""
    rows = db.execute(
        """
        select person_id, min(key)
        from person_signatures join signatures on signatures.id = signature_id
        group by person_id
        """
    ).fetchall()
    return dict(rows)


def redirects(db: Database) -> dict[str, str]:
    """Every other id of a person -> the one it has now."""
    return dict(db.execute("select old_id, person_id from redirects").fetchall())


def suggestions(db: Database) -> list[tuple[Suggestion, str]]:
    """Every record that may be about somebody, with that person's name."""
    rows: list[tuple[str, str, str, str, str, list[str], list[str], str]] = db.execute(
        """
        select link_suggestions.id, source, key, says, person_id, reasons, against, name
        from link_suggestions join people on people.id = person_id
        order by len(against), says, person_id
        """
    ).fetchall()
    return [
        (Suggestion(id_, source, key, says, who, tuple(reasons), tuple(against)), name)
        for id_, source, key, says, who, reasons, against, name in rows
    ]


def link(db: Database, id_: str) -> Link | None:
    """The link of that id."""
    row = db.execute("from profile_links where id = ?", [id_]).fetchone()
    return Link(*row) if row else None


def fields(db: Database) -> list[Field]:
    """Every declared field of everybody."""
    rows = db.execute("from profile_fields order by all").fetchall()
    return [Field(*row) for row in rows]


def write_fields(db: Database, fields: Sequence[Field]) -> None:
    """Appends declared fields."""
    _write(db, "profile_fields", Field._fields, fields)


def write_links(db: Database, links: Sequence[Link]) -> None:
    _write(db, "profile_links", Link._fields, links)


def add_logins(db: Database, told: Sequence[NewLogin]) -> None:
    """Logins that nobody has yet; several profiles may tell the same one."""
    held = {row.login.lower() for row in accounts(db)}
    new = {each.login.lower(): each for each in reversed(told) if each.login.lower() not in held}
    _write(db, "logins", NewLogin._fields, list(new.values()))


def write_suggestions(db: Database, suggestions: Sequence[Suggestion]) -> None:
    _write(db, "link_suggestions", Suggestion._fields, suggestions)


def write_artifacts(db: Database, artifacts: Sequence[Artifact]) -> None:
    _write(db, "artifacts", Artifact._fields, artifacts)


def _write(db: Database, table: str, columns: Sequence[str], rows: Rows) -> None:
    values = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in columns]
    for at in (columns.index(name) for name in MOMENTS if name in columns):
        values[at] = [
            moment and moment.astimezone(UTC).replace(tzinfo=None) for moment in values[at]
        ]
    types = [TYPES.get(column, TEXT) for column in columns]
    arrays = [pa.array(each, kind) for each, kind in zip(values, types, strict=True)]
    insert(db, table, pa.table(arrays, names=list(columns)))
