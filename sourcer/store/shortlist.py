"""What a shortlist shows of commits and people, read in bulk when a snapshot is opened."""

from typing import Any

import pyarrow as pa

from sourcer.store.database import Database


def repos(db: Database) -> list[tuple[int, str, str | None]]:
    """id, name and url of every repository."""
    rows: list[tuple[int, str, str | None]] = db.execute(
        "select id, name, url from repos order by id"
    ).fetchall()
    return rows


def commits(db: Database) -> pa.Table:
    """What is shown of each commit, by id: its row.

    >>> from sourcer.store.database import create
    >>> commits(create()).column_names
    ['sha', 'subject', 'authored_at', 'pull', 'added', 'deleted']
    """
    return db.sql(
        "select sha, subject, authored_at, pull, added, deleted from commits order by id"
    ).to_arrow_table()


def created(db: Database) -> pa.Table:
    """commit and how many files it created, for those that created any."""
    return db.sql(
        """
        select commit_id as commit, count(distinct path_id)::integer as files
        from changes where status = 'A' group by commit_id order by commit_id
        """
    ).to_arrow_table()


def people(db: Database) -> pa.Table:
    """id, name, aliases (other names signed with) and logins of each person, by ordinal.

    >>> from sourcer.store.database import create
    >>> commits_db = create()
    >>> people(commits_db).num_rows
    0
    """
    return db.sql(
        """
        with names as (
            select person_id, list(distinct trim(name) order by trim(name)) as aliases
            from person_signatures join signatures on signatures.id = signature_id
            where trim(name) <> '' and name not like '%@%'
            group by person_id
        ), held as (
            select person_id, list(distinct login order by login) as logins
            from logins group by person_id
        )
        select people.id, people.name,
               list_filter(coalesce(aliases, []), lambda alias: alias <> people.name
                           and not list_contains(coalesce(logins, []), alias)) as aliases,
               coalesce(logins, []) as logins
        from people
        left join names on names.person_id = people.id
        left join held on held.person_id = people.id
        order by ordinal
        """
    ).to_arrow_table()


def topics(db: Database) -> list[tuple[str, str]]:
    """id and name of every topic, by ordinal."""
    rows: list[tuple[str, str]] = db.execute(
        "select id, name from topics order by ordinal"
    ).fetchall()
    return rows


def holdings(db: Database) -> list[tuple[int, str, str, str, Any]]:
    """person (ordinal), repository, role, scope and since, for roles held to this day."""
    rows: list[tuple[int, str, str, str, Any]] = db.execute(
        """
        select people.ordinal, repos.name, role, scope, since
        from holdings
        join people on people.id = holdings.person_id
        join repos on repos.id = holdings.repo_id
        where until is null
        order by people.ordinal, repos.name, role, scope
        """
    ).fetchall()
    return rows


def profiles(db: Database) -> list[tuple[int, str, str, str, Any, str]]:
    """person (ordinal), field, value, source, fetched_at and method of what is not expired."""
    rows: list[tuple[int, str, str, str, Any, str]] = db.execute(
        """
        select people.ordinal, field, value, source, fetched_at, method
        from profile_fields join people on people.id = person_id
        where expires_at is null or expires_at > now()::timestamp
        order by people.ordinal, field, fetched_at desc, source
        """
    ).fetchall()
    return rows


def affiliations(db: Database) -> list[tuple[int, str, str, Any, Any, str, bool]]:
    """person (ordinal), company, how, first and last seen, source, whether it may be the employer
    of today; the last seen first, and of two that were last seen at once the one seen longer.

    That an address was in use says who employs its holder only while the holder goes on using it:
    a year of commits from elsewhere, and it is past.
    """
    rows: list[tuple[int, str, str, Any, Any, str, bool]] = db.execute(
        """
        with active as (
            select person_id, max(authored_at) as last
            from person_signatures join roles using (signature_id)
            join commits on commits.id = commit_id
            where role in ('author', 'co-author') group by all
        )
        select people.ordinal, company, how, first_seen, last_seen, source,
               coalesce(how = 'email domain' and last_seen >= active.last - interval 1 year
                   and last_seen = max(last_seen) filter (how = 'email domain') over (
                       partition by people.ordinal), false)
        from affiliations join people on people.id = person_id
        left join active on active.person_id = people.id
        where expires_at is null or expires_at > now()::timestamp
        order by people.ordinal, last_seen desc nulls last, first_seen, company
        """
    ).fetchall()
    return rows


def zones(db: Database) -> list[tuple[int, int, int]]:
    """person (ordinal), offset from UTC in minutes, how many commits were written there lately."""
    return db.execute(
        """
        select people.ordinal, zone, commits
        from person_zones join people on people.id = person_id order by all
        """
    ).fetchall()


def reviews_fetched(db: Database) -> frozenset[int]:
    """The repositories, by id, whose reviews were asked for."""
    return frozenset(id_ for (id_,) in db.execute("select repo_id from reviews_fetched").fetchall())


def reviews(db: Database) -> pa.Table:
    """person (ordinal) and how many commits name it as reviewer."""
    return db.sql(
        """
        select people.ordinal as person, count(distinct roles.commit_id) as reviews
        from roles
        join person_signatures using (signature_id)
        join people on people.id = person_signatures.person_id
        where roles.role = 'reviewer'
        group by all order by person
        """
    ).to_arrow_table()
