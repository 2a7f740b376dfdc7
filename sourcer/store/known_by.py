"""What each person of a snapshot is known by, for comparing with those who asked to be forgotten.

Emails are in here: nothing of this may be shown.
"""

from collections.abc import Callable, Iterable, Mapping

from sourcer.errors import BadInput
from sourcer.store.database import Database, query
from sourcer.workspace.identifiers import (
    Identifier,
    Kind,
    email,
    login,
    named,
    person,
    row,
    signature,
    url,
)

MAKERS: Mapping[str, Callable[[str], Identifier]] = {
    "login": login,
    "email": email,
    "url": url,
    "person": person,
    "signature": signature,
    "row": lambda pair: row(*pair.split("\n", 1)),
}
PLAIN = """
    select id as person_id, 'person', id from people
    union all select person_id, 'person', old_id from redirects
    union all select person_id, 'login', login from logins
    union all select person_id, 'email', email
        from person_signatures join signatures on signatures.id = signature_id
    union all select person_id, 'signature', key
        from person_signatures join signatures on signatures.id = signature_id
    union all select person_id, 'url', value from profile_fields
        where field in ('linkedin', 'blog', 'url')
    union all select person_id, 'url', key from profile_links
        where contains(key, '/')
    union all select person_id, 'row', source || chr(10) || key from profile_links
    order by all
"""
NAMED = """
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
    order by all
"""


def everyone(db: Database) -> dict[str, tuple[Identifier, ...]]:
    """Each person's id with all that the person is known by."""
    found: dict[str, list[Identifier]] = {}
    for who, kind, value in db.execute(PLAIN).fetchall():
        found.setdefault(who, []).append(MAKERS[kind](value))
    for who, name, context in db.execute(NAMED).fetchall():
        found[who] += _named(name, context)
    return {who: tuple(dict.fromkeys(known)) for who, known in found.items()}


def all_of(db: Database, asked: Identifier) -> tuple[Identifier, ...]:
    """What somebody asked by, and all else that the one person it leads to is known by.

    A name in a context is added only when asked by: a namesake may be in the same project. Raises
    BadInput when it leads to several people.

    >>> from sourcer.store.database import create
    >>> all_of(create(), login("mira-l")) == (login("mira-l"),)
    True
    """
    given = set(asked.also())
    led_to = {
        id_: known
        for id_, known in everyone(db).items()
        if not given.isdisjoint(each for one in known for each in one.also())
    }
    if len(led_to) > 1:
        raise BadInput(
            f"{len(led_to)} people are known by that: {', '.join(sorted(led_to)[:5])}. "
            "Give a login or a person's id"
        )
    theirs = [one for known in led_to.values() for one in known if one.kind is not Kind.NAME]
    return tuple(dict.fromkeys((*asked.also(), *theirs)))


def words_of(db: Database, ids: Iterable[str]) -> list[str]:
    """Names, logins and emails of people as they are written; for erasing them, never shown."""
    rows = db.execute(
        """
        with theirs as (
            select name, email from person_signatures
            join signatures on signatures.id = signature_id where list_contains($ids, person_id)
        )
        select name from people where list_contains($ids, id)
        union select name from theirs
        union select email from theirs
        union select login from logins where list_contains($ids, person_id)
        union select value from profile_fields
            where field = 'name' and list_contains($ids, person_id)
        order by 1
        """,
        {"ids": list(ids)},
    ).fetchall()
    return [word for (word,) in rows if word]


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


def _named(name: str, context: str) -> Iterable[Identifier]:
    """Names without a letter tell nobody apart."""
    if context.strip() and any(letter.isalnum() for letter in name):
        yield named(name, context)
