"""The crawl's Parquet -> repos, commits, paths, changes, signatures, roles of a snapshot."""

import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from sourcer.commits import CrawlFiles, Depth, Repo
from sourcer.store.database import Database, insert

KEY_LENGTH = 16


@dataclass(frozen=True, slots=True)
class Crawled:
    """A repository and what its crawl left on disk."""

    repo: Repo
    depth: Depth
    files: CrawlFiles


def load_history(db: Database, crawled: Sequence[Crawled], salt: bytes) -> None:
    """Fills an empty database with all that was crawled.

    Commit ids are dense from 0: repository by repository, oldest batch first and oldest commit
    first. A signature's key is the first 16 hex digits of HMAC-SHA256(salt, email, NUL, name)
    with the email in lower case, so that it can be shown where an email cannot.
    """
    db.begin()
    for table, definition in STAGED.items():
        db.execute(f"create temp table {table} ({definition})")
    _stage(db, crawled)
    for statement in (COMMITS, PATHS, CHANGES):
        db.execute(statement)
    _load_signatures(db, salt)
    db.execute(ROLES)
    _follow_renames(db)
    for table in STAGED:
        db.execute(f"drop table {table}")
    db.commit()


STAGED = {
    "crawled_files": "file varchar, repo_id integer not null",
    "withdrawn": "repo_id integer not null, sha varchar",
    "staged_commits": """
        repo_id integer not null, file varchar, row_in_file bigint, sha varchar, parents varchar[],
        authored_at timestamp, authored_zone smallint, committed_at timestamp,
        committed_zone smallint, subject varchar, body varchar, pull integer, reverts varchar
    """,
    "staged_changes": """
        repo_id integer not null, sha varchar, path varchar, old_path varchar, status varchar,
        added integer, deleted integer, is_binary boolean, functions varchar[],
        identifiers varchar[], file varchar, row_in_file bigint
    """,
    "staged_roles": """
        repo_id integer not null, sha varchar, role varchar, name varchar, email varchar
    """,
    "staged_trees": "repo_id integer not null, path varchar",
}
STAGING = {
    "withdrawn": """
        insert into withdrawn
        select repo_id, sha from read_parquet($files, filename = true)
        left join crawled_files on file = filename
    """,
    "commits": """
        insert into staged_commits
        select repo_id, filename, file_row_number, sha, parents, authored_at, authored_zone,
               committed_at, committed_zone, subject, body, pull, reverts
        from read_parquet($files, filename = true, file_row_number = true)
        left join crawled_files on file = filename anti join withdrawn using (repo_id, sha)
    """,
    "changes": """
        insert into staged_changes
        select repo_id, sha, path, old_path, status, added, deleted, is_binary, functions,
               identifiers, filename, file_row_number
        from read_parquet($files, filename = true, file_row_number = true)
        left join crawled_files on file = filename anti join withdrawn using (repo_id, sha)
    """,
    "roles": """
        insert into staged_roles
        select repo_id, sha, role, name, email from read_parquet($files, filename = true)
        left join crawled_files on file = filename anti join withdrawn using (repo_id, sha)
    """,
    "tree": """
        insert into staged_trees
        select repo_id, path from read_parquet($files, filename = true)
        left join crawled_files on file = filename
    """,
}
"""By kind of file, what was withdrawn first; a file that is nobody's breaks `not null`."""


def _stage(db: Database, crawled: Sequence[Crawled]) -> None:
    """Every file of a kind at once: there may be hundreds of repositories."""
    for repo_id, (repo, depth, files) in enumerate((c.repo, c.depth, c.files) for c in crawled):
        db.execute(
            "insert into repos values (?, ?, ?, ?, ?, ?, now()::timestamp)",
            [repo_id, repo.name, repo.source, repo.url, files.head, depth.value],
        )
    for kind, statement in STAGING.items():
        owners = {
            str(path): repo_id
            for repo_id, each in enumerate(crawled)
            for path in _files(each.files, kind)
        }
        if owners:
            columns = {"file": list(owners), "repo_id": list(owners.values())}
            insert(db, "crawled_files", pa.table(columns))
            db.execute(statement, {"files": list(owners)})


def _files(files: CrawlFiles, kind: str) -> tuple[Path, ...]:
    if kind in ("tree", "withdrawn"):
        single: Path | None = getattr(files, kind)
        return (single,) if single else ()
    return tuple(getattr(files, kind))


COMMITS = """
insert into commits
with sizes as (
    select repo_id, sha, count(*) as files, sum(added) as added, sum(deleted) as deleted,
           count(*) filter (added is null) as unknown
    from staged_changes group by all
)
select row_number() over (order by c.repo_id, c.file, c.row_in_file desc) - 1,
       c.repo_id, c.sha, c.authored_at, c.authored_zone, c.committed_at, c.committed_zone,
       c.subject, c.body, c.pull, c.reverts, len(c.parents), coalesce(s.files, 0),
       case when r.depth = 'lines' and coalesce(s.unknown, 0) = 0 then coalesce(s.added, 0) end,
       case when r.depth = 'lines' and coalesce(s.unknown, 0) = 0 then coalesce(s.deleted, 0) end
from staged_commits c
join repos r on r.id = c.repo_id
left join sizes s using (repo_id, sha)
"""
PATHS = """
insert into paths
select row_number() over (order by repo_id, path) - 1, repo_id, path, null
from (
    select repo_id, path from staged_changes
    union select repo_id, old_path from staged_changes where old_path is not null
)
"""
CHANGES = """
insert into changes
select c.id, p.id, o.id, s.status, s.added, s.deleted, s.is_binary, s.functions, s.identifiers
from staged_changes s
join commits c using (repo_id, sha)
join paths p using (repo_id, path)
left join paths o on o.repo_id = s.repo_id and o.path = s.old_path
order by c.id, s.row_in_file
"""
ROLES = """
insert into roles
select distinct c.id, s.id, r.role
from staged_roles r
join commits c using (repo_id, sha)
join signatures s on s.name = r.name and lower(s.email) = lower(r.email)
order by all
"""


def signature_key(name: str, email: str, salt: bytes) -> str:
    """A keyed hash that stands for a signature where its email must not be shown.

    >>> signature_key("Ada Roe", "Ada@x.org", b"s") == signature_key("Ada Roe", "ada@x.org", b"s")
    True
    """
    digest = hmac.new(salt, f"{email.lower()}\0{name}".encode(), "sha256")
    return digest.hexdigest()[:KEY_LENGTH]


def _load_signatures(db: Database, salt: bytes) -> None:
    """Emails that differ in case alone are one signature."""
    found = db.execute(
        "select name, min(email) from staged_roles group by name, lower(email) order by all"
    ).fetchall()
    keys = [signature_key(name, email, salt) for name, email in found]
    table = pa.table(
        {
            "id": pa.array(range(len(found)), pa.int32()),
            "name": pa.array([name for name, _ in found], pa.string()),
            "email": pa.array([email for _, email in found], pa.string()),
            "key": pa.array(keys, pa.string()),
        }
    )
    db.register("signature_rows", table)
    db.execute("insert into signatures select * from signature_rows")
    db.unregister("signature_rows")


MOVES = """
with moves as (
    select commit_id, old_path_id, path_id from changes where status = 'R'
    union all
    select commit_id, gone, come from (
        select x.commit_id, count(*) as pairs,
               min(x.path_id) filter (status = 'D') as gone,
               min(x.path_id) filter (status = 'A') as come,
               count(*) filter (status = 'A') as added
        from changes x join paths p on p.id = x.path_id
        where status in ('A', 'D')
          and regexp_extract(p.path, '[^/]*$') not in ('__init__.py', 'README.md', 'Makefile')
        group by x.commit_id, regexp_extract(p.path, '[^/]*$')
    ) where pairs = 2 and added = 1
)
select old_path_id, max_by(path_id, commit_id) from moves group by all
"""
"""Renames, and what trees alone show of a rename with edits: one file of a name went and one
file of that name came in the same commit. The newest move of a path is the one that counts."""


def _follow_renames(db: Database) -> None:
    moved = dict(db.execute(MOVES).fetchall())
    alive = dict(
        db.execute(
            "select p.id, path from paths p join staged_trees t using (repo_id, path)"
        ).fetchall()
    )
    current = [(start, alive.get(_last(start, moved, alive))) for start in {*moved, *alive}]
    table = pa.table(
        {
            "id": pa.array([start for start, _ in current], pa.int32()),
            "current": pa.array([name for _, name in current], pa.string()),
        }
    )
    db.register("current_rows", table)
    db.execute("update paths set current = c.current from current_rows c where c.id = paths.id")
    db.unregister("current_rows")


def _last(start: int, moved: dict[int, int], alive: dict[int, str]) -> int:
    """Where a path ended: itself while it exists, else the end of its moves.

    >>> _last(1, {1: 2, 2: 3, 3: 1}, {3: "c.py"}), _last(1, {1: 2, 2: 1}, {})
    (3, 1)
    """
    seen = {start}
    while start not in alive and (start := moved.get(start, start)) not in seen:
        seen.add(start)
    return start


def held_among(db: Database, shas: Sequence[str]) -> set[tuple[str, str]]:
    """Those of some commits that a snapshot holds, each with its repository's name."""
    rows = db.execute(
        "select r.name, c.sha from commits c join repos r on r.id = c.repo_id"
        " where c.sha in (select unnest(?::text[]))",
        [list(shas)],
    ).fetchall()
    return set(rows)
