"""Everything a snapshot holds on one person, but emails."""

from datetime import datetime
from typing import NamedTuple

from sourcer.store.database import Database


class SignatureRow(NamedTuple):
    """A name that the person signed with, and the rule that says it is this person."""

    key: str
    name: str
    rule: str
    commits: int
    first: datetime | None
    last: datetime | None


class TopicRow(NamedTuple):
    id: str
    name: str
    commits: int
    first: datetime
    last: datetime


class AreaRow(NamedTuple):
    repo: str
    directory: str
    commits: int


class ColleagueRow(NamedTuple):
    person_id: str
    name: str
    co_authored: int
    shared_files: int
    reviewed: int
    """Commits of the one that the other reviewed."""


class QuarterRow(NamedTuple):
    quarter: str
    repo: str
    commits: int


class FieldRow(NamedTuple):
    field: str
    value: str
    source: str
    fetched_at: datetime
    method: str
    expires_at: datetime | None = None
    standing: str = ""
    """Where sources differ: why this one is shown, or is not."""


class AffiliationRow(NamedTuple):
    company: str
    how: str
    first: datetime | None
    last: datetime | None
    source: str


class ArtifactRow(NamedTuple):
    kind: str
    title: str
    url: str | None
    dated: datetime | None
    source: str


class CommitRow(NamedTuple):
    repo: str
    sha: str
    subject: str
    date: datetime
    role: str
    topics: list[str]
    url: str | None
    pull: int | None
    added: int | None
    deleted: int | None


_DONE = """
    done as (
        select distinct r.commit_id from roles r
        join person_signatures ps using (signature_id)
        where ps.person_id = $person and r.role in ('author', 'co-author')
    )
"""


def signatures(db: Database, person: str) -> list[SignatureRow]:
    """Names as written; one that is itself an email is left out."""
    rows = db.execute(
        """
        select s.key, s.name, ps.rule, count(distinct r.commit_id),
               min(c.authored_at), max(c.authored_at)
        from person_signatures ps join signatures s on s.id = ps.signature_id
        left join roles r using (signature_id) left join commits c on c.id = r.commit_id
        where ps.person_id = $person and s.name not like '%@%'
        group by all order by 4 desc, 1
        """,
        {"person": person},
    ).fetchall()
    return [SignatureRow(*row) for row in rows]


def keys(db: Database, person: str) -> list[str]:
    """The keys of all signatures, oldest first: what a merge or split is recorded by."""
    rows = db.execute(
        """
        select s.key from person_signatures ps join signatures s on s.id = ps.signature_id
        left join roles r using (signature_id) left join commits c on c.id = r.commit_id
        where ps.person_id = $person group by s.key order by min(c.authored_at), s.key
        """,
        {"person": person},
    ).fetchall()
    return [key for (key,) in rows]


def topics(db: Database, person: str) -> list[TopicRow]:
    rows = db.execute(
        """
        select id, name, commits, first_at, last_at
        from person_topics join topics on topics.id = topic_id
        where person_id = $person order by commits desc, id
        """,
        {"person": person},
    ).fetchall()
    return [TopicRow(*row) for row in rows]


def areas(db: Database, person: str, limit: int = 20) -> list[AreaRow]:
    """The directories with most of the person's commits, three folders deep."""
    rows = db.execute(
        f"""
        with {_DONE}, named as (
            select commit_id, repo_id, string_split(coalesce(current, path), '/') as parts
            from done join changes using (commit_id) join paths on paths.id = path_id
        )
        select repos.name, array_to_string(list_slice(parts, 1, least(3, len(parts) - 1)), '/') d,
               count(distinct commit_id) n
        from named join repos on repos.id = repo_id
        group by all order by n desc, 1, 2 limit {limit}
        """,  # noqa: S608 - our own words
        {"person": person},
    ).fetchall()
    return [AreaRow(*row) for row in rows]


def colleagues(db: Database, person: str, limit: int = 20) -> list[ColleagueRow]:
    """Who wrote commits together with the person, or changed the same files."""
    rows = db.execute(
        f"""
        with near as (
            select case when person_a = $person then person_b else person_a end as id,
                   co_authored, shared_files, reviewed, weight
            from collaborations where $person in (person_a, person_b)
        )
        select id, name, co_authored, shared_files, reviewed from near join people using (id)
        order by weight desc, id limit {limit}
        """,  # noqa: S608 - our own words
        {"person": person},
    ).fetchall()
    return [ColleagueRow(*row) for row in rows]


def quarters(db: Database, person: str) -> list[QuarterRow]:
    """Commits per quarter and repository, oldest first."""
    rows = db.execute(
        f"""
        with {_DONE}
        select strftime(authored_at, '%Y') || '-Q' || quarter(authored_at), repos.name, count(*)
        from done join commits on commits.id = commit_id join repos on repos.id = repo_id
        group by all order by 1, 2
        """,  # noqa: S608 - our own words
        {"person": person},
    ).fetchall()
    return [QuarterRow(*row) for row in rows]


def fields(db: Database, person: str) -> list[FieldRow]:
    """Declared fields that have not expired, the newest of each first."""
    rows = db.execute(
        """
        select field, value, source, fetched_at, method, expires_at from profile_fields
        where person_id = $person and (expires_at is null or expires_at > now()::timestamp)
        order by field, fetched_at desc, source
        """,
        {"person": person},
    ).fetchall()
    return [FieldRow(*row) for row in rows]


def affiliations(db: Database, person: str) -> list[AffiliationRow]:
    rows = db.execute(
        """
        select company, how, first_seen, last_seen, source from affiliations
        where person_id = $person and (expires_at is null or expires_at > now()::timestamp)
        order by last_seen desc nulls first, first_seen, company
        """,
        {"person": person},
    ).fetchall()
    return [AffiliationRow(*row) for row in rows]


def artifacts(db: Database, person: str) -> list[ArtifactRow]:
    """Talks, papers, packages: what is public beside the commits."""
    rows = db.execute(
        """
        select kind, title, url, dated, source from artifacts
        where person_id = $person and (expires_at is null or expires_at > now()::timestamp)
        order by dated desc nulls last, title
        """,
        {"person": person},
    ).fetchall()
    return [ArtifactRow(*row) for row in rows]


def commits(db: Database, person: str, limit: int, before: int = 0) -> list[CommitRow]:
    """The person's commits in any role, newest first; `before` of them are left out."""
    rows = db.execute(
        f"""
        with held as (
            select r.commit_id, arg_min(r.role, list_position(
                ['author', 'co-author', 'signer', 'reviewer'], r.role)) as role
            from roles r join person_signatures ps using (signature_id)
            where ps.person_id = $person group by all
        )
        select repos.name, sha, subject, authored_at, role,
               coalesce((select list(topic_id order by weight desc, topic_id)
                         from commit_topics ct where ct.commit_id = commits.id), []),
               case when repos.url is null then null else repos.url || '/commit/' || sha end,
               pull, added, deleted
        from held join commits on commits.id = commit_id join repos on repos.id = repo_id
        order by authored_at desc, commits.id desc limit {limit} offset {before}
        """,  # noqa: S608 - numbers of our own
        {"person": person},
    ).fetchall()
    return [CommitRow(*row) for row in rows]


def redirect(db: Database, old_id: str) -> str | None:
    """Who an id of an earlier time is now."""
    row = db.execute(
        "select person_id from redirects where old_id = $asked", {"asked": old_id}
    ).fetchone()
    return None if row is None else str(row[0])


def role_counts(db: Database, person: str) -> dict[str, int]:
    """Commits by role."""
    rows: list[tuple[str, int]] = db.execute(
        """
        select role, count(distinct commit_id)
        from roles join person_signatures ps using (signature_id)
        where ps.person_id = $person group by all order by 2 desc
        """,
        {"person": person},
    ).fetchall()
    return dict(rows)
