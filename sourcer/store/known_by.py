"""What each person of a snapshot is known by, for one purpose: to find those who must not be shown.

Emails are among it. They are read to be hashed at once, and go nowhere else.
"""

from sourcer.store.database import Database

KNOWN_BY = """
    select person_id, 'login' as kind, login as value from logins
    union all
    select id, 'person', id from people
    union all
    select ps.person_id, 'signature', s.key
    from person_signatures ps join signatures s on s.id = ps.signature_id
    union all
    select ps.person_id, 'email', s.email
    from person_signatures ps join signatures s on s.id = ps.signature_id where s.email <> ''
    union all
    select r.person_id, 'person', r.old_id from redirects r
    union all
    select person_id, 'url', value from profile_fields
    where field in ('linkedin', 'blog')
"""
NAMED = """
    with contexts as (
        select person_id, company as context from affiliations
        union
        select person_id, value from profile_fields where field in ('company', 'location')
        union
        select distinct ps.person_id, repos.name
        from person_signatures ps join roles using (signature_id)
        join commits on commits.id = roles.commit_id join repos on repos.id = commits.repo_id
    ), names as (
        select ps.person_id, s.name
        from person_signatures ps join signatures s on s.id = ps.signature_id
        union
        select id, name from people
        union
        select person_id, value from profile_fields where field = 'name'
    )
    select distinct person_id, name, context from names join contexts using (person_id)
"""


def known_by(db: Database) -> list[tuple[str, str, str]]:
    """person id, kind (login, person, signature, email, url) and value.

    >>> from sourcer.store.database import create
    >>> known_by(create())
    []
    """
    rows: list[tuple[str, str, str]] = db.execute(KNOWN_BY).fetchall()
    return rows


def named(db: Database) -> list[tuple[str, str, str]]:
    """person id, name, and an employer, place or project that tells this bearer from others."""
    rows: list[tuple[str, str, str]] = db.execute(NAMED).fetchall()
    return rows
