"""The taxonomy and what each commit is about."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import pyarrow as pa

from sourcer.store.database import Database, insert
from sourcer.topics import Tag
from sourcer.topics_file import Topic

AT_ONCE = 20_000


class Tagged(NamedTuple):
    """What of a commit decides its topics."""

    id: int
    repo: str
    subject: str
    paths: list[str]
    symbols: list[str]


def commits_to_tag(db: Database) -> Iterator[Tagged]:
    """All commits but merges, which are their parents' work."""
    rows = db.cursor().execute(
        """
        with changed as (
            select commit_id, list(path order by path) as paths,
                   list_distinct(flatten(list(coalesce(functions, []::text[])))) as symbols
            from changes join paths on paths.id = path_id
            group by commit_id
        )
        select c.id, r.name, c.subject, coalesce(paths, []), coalesce(symbols, [])
        from commits c join repos r on r.id = c.repo_id left join changed on commit_id = c.id
        where c.parents < 2
        order by c.id
        """
    )
    while batch := rows.fetchmany(AT_ONCE):
        yield from (Tagged(*row) for row in batch)


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
    rows = [(commit, tag) for commit, tags in tagged for tag in tags]
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
    return len({commit for commit, _ in rows})
