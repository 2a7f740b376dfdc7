"""What the index is built from, read out of a snapshot in bulk: Arrow tables in a fixed order."""

from collections.abc import Sequence

import pyarrow as pa

from sourcer.commits import Role
from sourcer.store.database import Database


def commits(db: Database) -> pa.Table:
    """id, repo, day (since 1970, UTC, of authoring), files, merge, subject; by id.

    >>> from sourcer.store import create
    >>> commits(create()).column_names
    ['id', 'repo', 'day', 'files', 'merge', 'subject']
    """
    return _table(
        db,
        """
        select id, repo_id as repo, files, parents > 1 as merge, subject,
               (authored_at::date - date '1970-01-01')::integer as day
        from commits order by id
        """,
    ).select(["id", "repo", "day", "files", "merge", "subject"])


def changed_paths(db: Database) -> pa.Table:
    """commit, path: each path that a commit changed, once."""
    return _table(
        db,
        """
        select distinct commit_id as commit, path_id as path from changes
        order by commit, path
        """,
    )


def paths(db: Database) -> pa.Table:
    """id, repo, path as it was when changed, and its name at the head (or its last); by id."""
    return _table(
        db,
        """
        select id, repo_id as repo, path, coalesce(current, path) as name
        from paths order by id
        """,
    )


def credits(db: Database, strongest_first: Sequence[Role]) -> pa.Table:
    """commit, person (ordinal), role (its position): each person of a commit once."""
    return _table(
        db,
        """
        select roles.commit_id as commit, people.ordinal as person,
               min(list_position(?::text[], roles.role) - 1)::utinyint as role
        from roles
        join person_signatures using (signature_id)
        join people on people.id = person_signatures.person_id
        where list_contains(?::text[], roles.role)
        group by all order by commit, person
        """,
        [list(strongest_first)] * 2,
    )


def commit_topics(db: Database) -> pa.Table:
    """commit, topic (ordinal): what each commit is about."""
    return _table(
        db,
        """
        select distinct commit_id as commit, topics.ordinal as topic
        from commit_topics join topics on topics.id = commit_topics.topic_id
        order by commit, topic
        """,
    )


def sizes(db: Database) -> dict[str, int]:
    """How many people and topics there are: their ordinals are 0..n-1."""
    return {
        table: int(_table(db, f"select count(*) as n from {table}")["n"][0].as_py())  # noqa: S608
        for table in ("people", "topics")
    }


def _table(db: Database, query: str, params: list[list[Role]] | None = None) -> pa.Table:
    return db.sql(query, params=params).to_arrow_table()
