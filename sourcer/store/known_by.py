"""What each person of a snapshot is known by, for comparing with those who asked to be forgotten.

Emails are in here: nothing of this may be shown.
"""

from collections.abc import Iterable

from sourcer.store.database import Database, query
from sourcer.workspace.identifiers import (
    Identifier,
    email,
    login,
    named,
    person,
    signature,
    url,
)

WANTED = "? is null or person_id = ?"
MAKERS = {"login": login, "email": email, "url": url, "person": person, "signature": signature}
PLAIN = f"""
    select id as person_id, 'person', id from people where ? is null or id = ?
    union all select person_id, 'person', old_id from redirects where {WANTED}
    union all select person_id, 'login', login from logins where {WANTED}
    union all select person_id, 'email', email
        from person_signatures join signatures on signatures.id = signature_id where {WANTED}
    union all select person_id, 'signature', key
        from person_signatures join signatures on signatures.id = signature_id where {WANTED}
    union all select person_id, 'url', value from profile_fields
        where field in ('linkedin', 'blog', 'url') and ({WANTED})
    union all select person_id, 'url', key from profile_links
        where contains(key, '/') and ({WANTED})
    order by all
"""  # noqa: S608 (constants)
NAMED = f"""
    with names as (
        select id as person_id, name from people
        union select person_id, name
            from person_signatures join signatures on signatures.id = signature_id
    ), contexts as (
        select person_id, company as context from affiliations
        union select person_id, value from profile_fields
            where field in ('company', 'past_company', 'school', 'location')
        union select person_id, repos.name from person_signatures join roles using (signature_id)
            join commits on commits.id = commit_id join repos on repos.id = repo_id
        union select person_id, split_part(repos.name, '/', 2) from person_signatures
            join roles using (signature_id)
            join commits on commits.id = commit_id join repos on repos.id = repo_id
    )
    select person_id, name, context from names join contexts using (person_id)
    where {WANTED} order by all
"""  # noqa: S608 (constants)


def everyone(db: Database) -> dict[str, tuple[Identifier, ...]]:
    """Each person's id with all that the person is known by."""
    return _gathered(db, None)


def one(db: Database, person_id: str) -> tuple[Identifier, ...]:
    """All that one person is known by.

    >>> from sourcer.store.database import create
    >>> one(create(), "p1")
    ()
    """
    return _gathered(db, person_id).get(person_id, ())


def signatures(db: Database, person_id: str) -> list[tuple[str, str, str, int]]:
    """A person's signatures, oldest first: key, name, the rule that linked it, commits."""
    return db.execute(
        """
        select key, signatures.name, rule, count(distinct commit_id)
        from person_signatures
        join signatures on signatures.id = signature_id
        left join roles using (signature_id)
        left join commits on commits.id = commit_id
        where person_id = ?
        group by key, signatures.name, rule order by min(authored_at), key
        """,
        [person_id],
    ).fetchall()


def rows_about(db: Database, person_id: str) -> dict[str, list[dict[str, object]]]:
    """Every row of the snapshot that is one person's, by table; emails are not among them."""
    tables = db.execute(
        """
        select table_name from information_schema.columns
        where column_name = 'person_id' order by 1
        """
    ).fetchall()
    return {
        table: query(db, f"from {table} where person_id = ?", person_id).to_pylist()
        for (table,) in tables
    }


def _gathered(db: Database, person_id: str | None) -> dict[str, tuple[Identifier, ...]]:
    found: dict[str, list[Identifier]] = {}
    for who, kind, value in db.execute(PLAIN, [person_id] * PLAIN.count("?")).fetchall():
        found.setdefault(who, []).append(MAKERS[kind](value))
    for who, name, context in db.execute(NAMED, [person_id] * NAMED.count("?")).fetchall():
        found[who] += _named(name, context)
    return {who: tuple(dict.fromkeys(known)) for who, known in found.items()}


def _named(name: str, context: str) -> Iterable[Identifier]:
    """Names without a letter tell nobody apart."""
    if context.strip() and any(letter.isalnum() for letter in name):
        yield named(name, context)
