"""The taxonomy and what each commit is about."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import pyarrow as pa

from sourcer.store.database import Database, insert, query
from sourcer.topics import Tag
from sourcer.topics.file import Topic

AT_ONCE = 20_000


class Tagged(NamedTuple):
    """What of a commit decides its topics."""

    id: int
    repo: str
    subject: str
    paths: list[str]
    symbols: list[str]


def write_basis(db: Database, basis: str) -> None:
    """What the tags of this snapshot follow from."""
    db.execute("insert into tagging values (?)", [basis])


def nothing_to_take_over(db: Database) -> None:
    """All commits are to be tagged."""
    db.execute("create temp table tagged_before (commit_id integer)")


def take_over(db: Database, last: Database, basis: str) -> int:
    """Takes the tags of those commits that the last snapshot held too, if they were made on the
    same basis; how many commits need no tagging any more. They are noted in `tagged_before`.
    """
    nothing_to_take_over(db)
    if last.execute(BASIS_THERE).fetchone() != (1,):
        return 0
    if last.execute("select basis from tagging").fetchall() != [(basis,)]:
        return 0
    db.register("held_before", query(last, HELD))
    db.register("tags_before", query(last, TAGS))
    db.execute(
        """
        create temp table ids_before as
        select c.id, h.id as before from commits c join repos r on r.id = c.repo_id
        join held_before h on h.repo = r.name and h.depth = r.depth and h.sha = c.sha
        """
    )
    db.execute(
        "insert into commit_topics select i.id, topic_id, matched, weight"
        " from tags_before join ids_before i on i.before = commit_id order by i.id"
    )
    db.execute("insert into tagged_before select id from ids_before")
    for name in ("held_before", "tags_before"):
        db.unregister(name)
    [(count,)] = db.execute("select count(*) from tagged_before").fetchall()
    return int(count)


BASIS_THERE = "select count(*)::integer from information_schema.tables where table_name = 'tagging'"
HELD = """
    select c.id, r.name as repo, r.depth, c.sha from commits c join repos r on r.id = c.repo_id
"""
TAGS = "select commit_id, topic_id, matched, weight from commit_topics"


TO_TAG = """
    select id from commits
    where parents < 2 and id not in (select commit_id from tagged_before) order by id
"""
WITH_PATHS = """
    with changed as (
        select commit_id, list(path order by path) as paths,
               list_distinct(flatten(list(coalesce(functions, []::text[])))) as symbols
        from changes join paths on paths.id = path_id
        where commit_id between $first and $last and commit_id in (select id from wanted)
        group by commit_id
    )
    select c.id, r.name, c.subject, coalesce(paths, []), coalesce(symbols, [])
    from wanted join commits c using (id) join repos r on r.id = c.repo_id
    left join changed on commit_id = c.id
    order by c.id
"""


def commits_to_tag(db: Database) -> Iterator[Tagged]:
    """All commits but merges, which are their parents' work, and those whose tags were taken over.

    Read some at a time: between two the database may be written to.
    """
    ids = query(db, TO_TAG)
    for start in range(0, ids.num_rows, AT_ONCE):
        wanted = ids.slice(start, AT_ONCE)
        ends = {"first": wanted["id"][0].as_py(), "last": wanted["id"][-1].as_py()}
        db.register("wanted", wanted)
        rows = db.execute(WITH_PATHS, ends).fetchall()
        db.unregister("wanted")
        yield from (Tagged(*row) for row in rows)


def write_topics(db: Database, topics: Sequence[Topic]) -> None:
    """The taxonomy, in its own order."""
    insert(
        db,
        "topics",
        pa.table(
            {
                "id": pa.array([topic.id for topic in topics], pa.string()),
                "ordinal": pa.array(range(len(topics)), pa.int32()),
                "name": pa.array([topic.name for topic in topics], pa.string()),
                "definition": pa.array([topic.definition for topic in topics], pa.string()),
                "parents": pa.array([topic.parents for topic in topics], pa.list_(pa.string())),
            }
        ),
    )


def write_tags(db: Database, tagged: Iterable[tuple[int, Sequence[Tag]]]) -> int:
    """Each commit's tags; how many commits have any."""
    count, left = 0, iter(tagged)
    while some := list(islice(left, AT_ONCE)):
        rows = [(commit, tag) for commit, tags in some for tag in tags]
        insert(
            db,
            "commit_topics",
            pa.table(
                {
                    "commit_id": pa.array([commit for commit, _ in rows], pa.int32()),
                    "topic_id": pa.array([tag.topic for _, tag in rows], pa.string()),
                    "matched": pa.array([tag.matched for _, tag in rows], pa.list_(pa.string())),
                    "weight": pa.array([tag.weight for _, tag in rows], pa.float32()),
                }
            ),
        )
        count += len({commit for commit, _ in rows})
    return count
