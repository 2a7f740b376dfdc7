"""Signatures as evidence, and who they turned out to be."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import pyarrow as pa

from sourcer.resolution import (
    Introduced,
    Introduction,
    Occurrence,
    OwnerNaming,
    Resolution,
    SameCommit,
    SignatureEvidence,
    SignOff,
)
from sourcer.store import accounts
from sourcer.store.database import Database, insert
from sourcer.store.forgetting import forget

OCCURRENCES = """
    select s.id, s.key, s.name, s.email, min(c.authored_at), max(c.authored_at),
           count(*) filter (r.role = 'author'), count(*) filter (r.role = 'co-author'),
           count(*) filter (r.role = 'signer'), count(*) filter (r.role = 'reviewer')
    from roles r join signatures s on s.id = r.signature_id join commits c on c.id = r.commit_id
    group by s.id, s.key, s.name, s.email
    union all
    select s.id, s.key, s.name, s.email, a.first_at, a.last_at, 0, 0, 0, 0
    from accounts a join signatures s on s.id = a.signature_id
    where not exists (from roles r where r.signature_id = s.id)
    order by 1
"""
SAME_COMMIT = """
    with present as (
        select commit_id, signature_id, count(*) over (partition by commit_id) as company
        from (
            select distinct commit_id, signature_id from roles
            where role <> 'reviewer' or signature_id not in (select signature_id from accounts)
        )
    )
    select a.signature_id, b.signature_id, count(*), min(a.company)
    from present a join present b using (commit_id)
    where a.signature_id < b.signature_id and a.company <= $crowd
    group by all order by all
"""
CROWD = 20
SIGN_OFFS = """
    with signed as (
        select commit_id, signature_id, count(*) over (partition by commit_id) as signers
        from (select distinct commit_id, signature_id from roles where role = 'signer')
    )
    select a.signature_id, s.signature_id, count(*), count(*) filter (s.signers = 1)
    from signed s join roles a on a.commit_id = s.commit_id and a.role = 'author'
    where a.signature_id <> s.signature_id
    group by all order by all
"""
NAMINGS = """
    with first as (
        select repo_id, lower(login) as login, arg_min(since_sha, since) as sha
        from holdings group by all
    )
    select r.signature_id, c.subject, list(first.login order by first.login)
           filter (first.login is not null)
    from commits c
    join roles r on r.commit_id = c.id and r.role = 'author'
    left join first on first.repo_id = c.repo_id and first.sha = c.sha
    where first.login is not null
       or regexp_matches(c.subject, '(owner|maintainer|committer|reviewer)', 'i')
    group by c.id, r.signature_id, c.subject order by c.id, r.signature_id
"""
INTRODUCED = """
    select i.login, i.name, any_value(r.signature_id)
    from introductions i
    left join commits c on c.repo_id = i.repo_id and i.sha <> '' and starts_with(c.sha, i.sha)
    left join roles r on r.commit_id = c.id and r.role = 'author'
    group by i.login, i.name, i.sha having count(distinct c.id) < 2 order by all
"""
COLUMNS = {
    "people": {"id": pa.string(), "ordinal": pa.int32(), "name": pa.string()},
    "person_signatures": {
        "signature_id": pa.int32(),
        "person_id": pa.string(),
        "rule": pa.string(),
        "via_signature_id": pa.int32(),
    },
    "machine_signatures": {"signature_id": pa.int32(), "kind": pa.string()},
    "logins": {
        "person_id": pa.string(),
        "login": pa.string(),
        "github_id": pa.int64(),
        "rule": pa.string(),
    },
    "redirects": {"old_id": pa.string(), "person_id": pa.string()},
}
Row = tuple[str | int | None, ...]


def evidence(db: Database, mentioned: Iterable[str] = ()) -> SignatureEvidence:
    """All signatures of the history, and what its commits say about pairs of them.

    `mentioned` are logins that profiles or requests name; those of `holdings` are added.
    """
    repos = db.execute("select name from repos").fetchall()
    holders = db.execute("select distinct login from holdings").fetchall()
    return SignatureEvidence(
        occurrences=tuple(Occurrence(*row) for row in db.execute(OCCURRENCES).fetchall()),
        same_commit=tuple(
            SameCommit(*row) for row in db.execute(SAME_COMMIT, {"crowd": CROWD}).fetchall()
        ),
        sign_offs=tuple(SignOff(*row) for row in db.execute(SIGN_OFFS).fetchall()),
        same_account=accounts.ties(db),
        logins=frozenset(mentioned) | {login for (login,) in holders},
        projects=frozenset(name.rpartition("/")[2] for (name,) in repos),
        namings=tuple(
            OwnerNaming(author, subject, tuple(added or ()))
            for author, subject, added in db.execute(NAMINGS).fetchall()
        ),
        introduced=tuple(Introduced(*row) for row in db.execute(INTRODUCED).fetchall()),
    )


def introduce(db: Database, repo_name: str, introductions: Sequence[Introduction]) -> None:
    """What one repository's pages say of whose a login is."""
    if not introductions:
        return
    [[repo_id]] = db.execute("select id from repos where name = ?", [repo_name]).fetchall()
    rows = pa.Table.from_pylist([asdict(each) for each in introductions])
    repo_ids = pa.array([repo_id] * len(introductions), pa.int32())
    insert(db, "introductions", rows.append_column("repo_id", repo_ids))


def write(db: Database, resolution: Resolution) -> None:
    """Replaces who is who, in one transaction; ordinals follow the resolution's order."""
    db.begin()
    for table, rows in _rows(resolution).items():
        db.execute(f"delete from {table}")  # noqa: S608 (a key of COLUMNS)
        insert(db, table, _arrow(COLUMNS[table], rows))
    db.commit()


def _rows(resolution: Resolution) -> dict[str, list[Row]]:
    people = resolution.people
    return {
        "people": [(person.id, ordinal, person.name) for ordinal, person in enumerate(people)],
        "person_signatures": [
            (link.signature_id, person.id, str(link.rule), link.via)
            for person in people
            for link in person.links
        ],
        "machine_signatures": [(id_, str(kind)) for id_, kind in resolution.machines.items()],
        "logins": [
            (person.id, held.login, held.github_id, held.rule)
            for person in people
            for held in person.logins
        ],
        "redirects": list(resolution.redirects.items()),
    }


def _arrow(columns: Mapping[str, pa.DataType], rows: Sequence[Row]) -> pa.Table:
    schema = pa.schema(list(columns.items()))
    fields = zip(*rows, strict=True) if rows else ([] for _ in columns)
    return pa.table(dict(zip(columns, map(list, fields), strict=True)), schema=schema)


ABOUT_PEOPLE = (
    "person_signatures",
    "logins",
    "redirects",
    "profile_fields",
    "affiliations",
    "profile_links",
    "link_suggestions",
    "artifacts",
    "holdings",
)
"""Tables whose rows go with the person that they name."""


def withhold(db: Database, ids: Iterable[str]) -> int:
    """Takes people out of a snapshot in the making, and says how many there were.

    Their signatures stay as nobody's, and say nothing any more; ordinals are dense again. What is
    worked out from people comes after this.
    """
    gone = sorted(set(ids))
    if not gone:
        return 0
    signatures = _column(db, "signature_id from person_signatures", gone)
    forget(db, signatures, _column(db, "login from logins", gone))
    marked = [(id_, "withheld") for id_ in signatures]
    insert(db, "machine_signatures", _arrow(COLUMNS["machine_signatures"], marked))
    for table in ABOUT_PEOPLE:
        db.execute(f"delete from {table} where list_contains(?, person_id)", [gone])  # noqa: S608
    left = db.execute(
        "select id, name from people where not list_contains(?, id) order by ordinal", [gone]
    ).fetchall()
    rows = [(id_, ordinal, name) for ordinal, (id_, name) in enumerate(left)]
    db.execute("truncate people")
    insert(db, "people", _arrow(COLUMNS["people"], rows))
    return len(gone)


def _column(db: Database, selected: str, people: list[str]) -> list[Any]:
    rows = db.execute(f"select {selected} where list_contains(?, person_id)", [people])
    return [value for (value,) in rows.fetchall()]


def known_ids(db: Database) -> dict[str, str]:
    """The person id of each signature key: what the next snapshot starts from."""
    rows = db.execute(
        """
        select s.key, p.person_id
        from person_signatures p join signatures s on s.id = p.signature_id
        """
    ).fetchall()
    return dict(rows)


def living(db: Database) -> set[str]:
    """The id of everyone whom a snapshot holds."""
    return {id_ for (id_,) in db.execute("select id from people").fetchall()}


def id_of(db: Database, login_or_id: str) -> str | None:
    """The person who holds a login, or has or had an id; None: nobody.

    >>> from sourcer.store.database import create
    >>> id_of(create(), "mira-l") is None
    True
    """
    row = db.execute(
        """
        select id from people where id = $asked
        union all select person_id from redirects where old_id = $asked
        union all select person_id from logins where lower(login) = lower($asked)
        limit 1
        """,
        {"asked": login_or_id.lstrip("@")},
    ).fetchone()
    return row[0] if row else None
