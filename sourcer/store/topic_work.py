"""What was done on a topic, commit by commit and file by file: its history, to be told or counted."""

from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple

from sourcer.store.database import Database


class Deed(NamedTuple):
    """One person's part in one commit on a topic."""

    repo: str
    sha: str
    at: datetime
    subject: str
    matched: tuple[str, ...]
    """What in the commit says that it is on the topic: "subject: …", "path: …"."""
    person_id: str
    name: str
    role: str
    """author or co-author."""
    employer: str | None
    """Whose email domain the person used before and after, or just then; None: no company's."""


class FileWork(NamedTuple):
    """One file, by its name at the head, with what the commits on a topic did to it."""

    repo: str
    path: str
    commits: int
    all_commits: int
    """Whatever they are about: a file that every commit passes through is no topic's own."""
    people: int
    first_at: datetime
    last_at: datetime


def deeds(db: Database, topics: Collection[str], hidden: Collection[str] = ()) -> list[Deed]:
    """Every part that somebody had in a commit on any of the topics, oldest first.

    `hidden` are ids of people who asked not to be found: their deeds are nobody's.
    """
    rows = db.execute(
        """
        with about as (
            select commit_id, list_distinct(flatten(list(matched order by topic_id))) as matched
            from commit_topics where list_contains($topics, topic_id) group by 1
        ), part as (
            select commit_id, matched, person_id, min(role) as role
            from about join roles using (commit_id) join person_signatures using (signature_id)
            where role in ('author', 'co-author') and not list_contains($hidden, person_id)
            group by all
        ), used as (
            select person_id, company, first_seen, last_seen from affiliations
            where how = 'email domain'
        )
        select r.name, c.sha, c.authored_at, c.subject, part.matched, people.id, people.name, role,
               (select arg_min(company, last_seen - first_seen) from used
                where used.person_id = people.id
                  and c.authored_at::date between first_seen::date and last_seen::date)
        from part join commits c on c.id = commit_id join repos r on r.id = c.repo_id
        join people on people.id = person_id
        order by c.authored_at, c.id, role, people.id
        """,
        {"topics": list(topics), "hidden": list(hidden)},
    ).fetchall()
    return [
        Deed(repo, sha, at, subject, tuple(matched), *who)
        for repo, sha, at, subject, matched, *who in rows
    ]


def files(db: Database, topics: Collection[str], limit: int = 20) -> list[FileWork]:
    """The files that most commits on any of the topics changed; files that are gone are left out."""
    rows = db.execute(
        """
        with about as (
            select distinct commit_id from commit_topics where list_contains($topics, topic_id)
        ), held as (
            select repo_id, current, commit_id, commit_id in (from about) as is_about
            from changes join paths on paths.id = path_id where current is not null group by all
        ), chosen as (
            select repo_id, current, count(*) filter (is_about) as done, count(*) as ever
            from held group by all having done > 0 order by done desc, ever, repo_id, current limit $limit
        )
        select r.name, chosen.current, done, ever, count(distinct person_id),
               min(c.authored_at), max(c.authored_at)
        from chosen join held on held.repo_id = chosen.repo_id and held.current = chosen.current
        join commits c on c.id = held.commit_id join repos r on r.id = chosen.repo_id
        left join roles on roles.commit_id = c.id and role in ('author', 'co-author')
        left join person_signatures using (signature_id)
        where is_about
        group by all order by done desc, ever, 1, 2
        """,
        {"topics": list(topics), "limit": limit},
    ).fetchall()
    return [FileWork(*row) for row in rows]
