"""Reads and writes of the contributor graph: who worked where, on what, and with whom."""

import pyarrow as pa

from sourcer.store.database import Database, query

CROWDED = 60
"""A file or commit shared by more people than this says nothing about who works with whom."""


def person_areas(db: Database, depth: int = 3) -> pa.Table:
    """Commits per person and directory: person_id, repo, directory, commits.

    A directory is the first `depth` folders of a path's current name.
    """
    return query(
        db,
        """
        with credit as (
            select distinct r.commit_id, ps.person_id
            from roles r join person_signatures ps using (signature_id)
            where r.role in ('author', 'co-author')
        ), places as (
            select p.id, repos.name as repo,
                   array_to_string(list_slice(string_split(coalesce(p.current, p.path), '/'),
                                              1, least(?, len(string_split(coalesce(p.current, p.path), '/')) - 1)),
                                   '/') as directory
            from paths p join repos on repos.id = p.repo_id
        )
        select credit.person_id, places.repo, places.directory,
               count(distinct credit.commit_id)::integer as commits
        from credit
        join changes using (commit_id)
        join places on places.id = changes.path_id
        group by all
        order by all
        """,
        depth,
    )


def pairs(db: Database) -> pa.Table:
    """Who works with whom: person_a, person_b, shared_files, co_authored, reviewed, weight.

    Each shared file adds 1 / log2(1 + people who changed it), each co-authored commit adds 2, each
    commit of the one that the other reviewed a half. Billionths are added up as whole numbers, so
    that the sum does not hang on their order.
    """
    return query(
        db,
        """
        with credit as (
            select distinct r.commit_id, ps.person_id
            from roles r join person_signatures ps using (signature_id)
            where r.role in ('author', 'co-author')
        ), touched as (
            select distinct credit.person_id, coalesce(p.repo_id || ':' || p.current, p.id::text) as file
            from credit join changes using (commit_id) join paths p on p.id = changes.path_id
        ), shared as (
            select *, count(*) over (partition by file) as people from touched
        ), by_file as (
            select a.person_id as person_a, b.person_id as person_b,
                   count(*)::integer as shared_files, sum(round(1e9 / log2(1 + a.people))::bigint) / 1e9 as weight
            from shared a join shared b on a.file = b.file and a.person_id < b.person_id
            where a.people <= ?
            group by all
        ), small as (
            select * from credit qualify count(*) over (partition by commit_id) <= ?
        ), by_commit as (
            select a.person_id as person_a, b.person_id as person_b, count(*)::integer as co_authored
            from small a join small b on a.commit_id = b.commit_id and a.person_id < b.person_id
            group by all
        ), reviews as (
            select distinct r.commit_id, ps.person_id
            from roles r join person_signatures ps using (signature_id) where r.role = 'reviewer'
        ), by_review as (
            select least(a.person_id, b.person_id) as person_a,
                   greatest(a.person_id, b.person_id) as person_b,
                   count(distinct a.commit_id)::integer as reviewed
            from small a join reviews b using (commit_id)
            where a.person_id <> b.person_id
            group by all
        )
        select person_a, person_b, coalesce(shared_files, 0) as shared_files,
               coalesce(co_authored, 0) as co_authored,
               coalesce(reviewed, 0) as reviewed,
               coalesce(weight, 0) + 2 * coalesce(co_authored, 0) + coalesce(reviewed, 0) / 2
                   as weight
        from by_file
        full join by_commit using (person_a, person_b)
        full join by_review using (person_a, person_b)
        where coalesce(shared_files, 0) >= 2 or coalesce(co_authored, 0) >= 1
           or coalesce(reviewed, 0) >= 2
        order by person_a, person_b
        """,
        CROWDED,
        CROWDED,
    )


def write_person_topics(db: Database) -> None:
    """Fills person_topics from commit_topics and authorship."""
    db.execute(
        """
        insert into person_topics
        select ps.person_id, ct.topic_id, count(distinct c.id), min(c.authored_at), max(c.authored_at)
        from commit_topics ct
        join commits c on c.id = ct.commit_id
        join roles r on r.commit_id = c.id and r.role in ('author', 'co-author')
        join person_signatures ps using (signature_id)
        group by all
        order by all
        """
    )


def write_person_zones(db: Database, years: int) -> None:
    """Fills person_zones: authored commits by their author's offset from UTC, in the last years."""
    db.execute(
        """
        insert into person_zones
        select person_id, authored_zone, count(distinct commits.id)
        from commits
        join roles on roles.commit_id = commits.id and roles.role = 'author'
        join person_signatures using (signature_id)
        where authored_at > (select max(authored_at) from commits) - to_years(?)
        group by all
        order by all
        """,
        [years],
    )


def person_topics(db: Database) -> pa.Table:
    """person_id, topic_id, commits."""
    return query(db, "select person_id, topic_id, commits from person_topics")


def workers(db: Database) -> list[str]:
    """Who wrote or co-wrote a commit that changed something or is about a topic; by id."""
    rows = db.execute(
        """
        select distinct ps.person_id
        from roles r join person_signatures ps using (signature_id)
        where r.role in ('author', 'co-author')
          and (r.commit_id in (select commit_id from changes)
               or r.commit_id in (select commit_id from commit_topics))
        order by 1
        """
    ).fetchall()
    return [person for (person,) in rows]


def collaborations(db: Database) -> pa.Table:
    """Who works with whom, as `pairs` said it when the snapshot was made."""
    return query(db, "from collaborations order by person_a, person_b")
