"""An ingest takes in what recruiters decided, and what GitHub says of commits and reviews."""

import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ingest import directions, run, sample
from ingest.profiles.from_github import commit_accounts, reviews
from ingest.sample import truth
from sourcer import snapshot
from sourcer.settings import WORKSPACE, Settings
from sourcer.store import people
from sourcer.store.database import Database, open_readonly
from sourcer.store.person import fields, role_counts, signatures
from sourcer.workspace import Workspace, decisions, identifiers, suppressions
from sourcer.workspace.decisions import Side
from tests.sample_snapshot import quiet, settings_of
from tests.workspaces import IDA

VLLM = "vllm-project+vllm"
UNLINKED = truth().people["aoife-brannockvale"]
FORGOTTEN, ONE, OTHER = "Abbott Lanehart", "Wendel Ashgrovex", "Tavish Quillonby"
REVIEWER = ("quiet-reviewer", 990_017)


@dataclass(frozen=True)
class World:
    """The sample once more, with a workspace and with GitHub's word on some commits."""

    settings: Settings
    before: Database
    db: Database


@pytest.fixture(scope="module")
def world(sample_data: Path, tmp_path_factory: pytest.TempPathFactory) -> World:
    data = tmp_path_factory.mktemp("joined")
    for name in ("crawl", "profiles", "sample"):
        shutil.copytree(sample_data / name, data / name)
    shutil.copy(sample_data / "salt", data / "salt")
    settings = settings_of(data, sample.write(data / "sample"))
    before = open_readonly(snapshot.current(sample_data).database)
    decide(data, before)
    say(data / "crawl" / VLLM, before)
    return World(settings, before, built(settings, data / "graph.duckdb"))


def built(settings: Settings, into: Path) -> Database:
    told = run.Told(directions=directions.read(settings))
    run.build(settings, gathered(settings), into, told, run.Timings(), quiet)
    return open_readonly(into)


def gathered(settings: Settings) -> run.Gathered:
    return run.gather(settings, (), run.Timings(), quiet)


def decide(data: Path, before: Database) -> None:
    """Two people of the sample are said to be one, and a third asks not to be found."""
    workspace = Workspace.open(data)
    with workspace.writing() as session:
        decisions.merge(session, IDA, side(before, ONE), side(before, OTHER), "they told us")
        [[email]] = before.execute(
            "select min(email) from signatures where name = ?", [FORGOTTEN]
        ).fetchall()
        suppressions.suppress(session, IDA, [identifiers.email(email)], "API")
    workspace.close()


def say(crawled: Path, before: Database) -> None:
    """What GitHub answers: whose account wrote these commits, who reviewed them."""
    rows = before.execute(
        """
        select sha, signatures.name from commits join roles on commit_id = commits.id
        join signatures on signatures.id = signature_id
        join repos on repos.id = repo_id
        where role = 'author' and signatures.name = ? and repos.name = 'vllm-project/vllm'
        """,
        [UNLINKED.name],
    ).fetchall()
    login, number = UNLINKED.logins[0], UNLINKED.github_id
    written = [
        {"sha": sha, "role": "author", "name": name, "login": login, "github_id": number}
        for sha, name in rows
    ]
    at, shas = datetime(2026, 5, 1), [sha for sha, _ in rows]
    said = [
        {"pull": pull, "sha": sha, "login": REVIEWER[0], "github_id": REVIEWER[1],
         "state": state, "submitted_at": at}
        for pull, sha in enumerate(shas)
        for state in ("COMMENTED", "APPROVED")
    ]  # fmt: skip
    tables = {
        commit_accounts.FILE: pa.Table.from_pylist(written, commit_accounts.SCHEMA),
        "reviews-000001.parquet": pa.Table.from_pylist(said, reviews.REVIEWS),
        "pulls-000001.parquet": pa.table(
            {"pull": range(len(shas)), "sha": shas}, schema=reviews.PULLS
        ),
    }
    for name, table in tables.items():
        pq.write_table(table, crawled / name)


def id_of(db: Database, name: str) -> str:
    [[id_]] = db.execute("select id from people where name = ?", [name]).fetchall()
    return str(id_)


def side(db: Database, name: str) -> Side:
    id_ = id_of(db, name)
    return Side(id_, tuple(row.key for row in signatures(db, id_)))


def named(db: Database, name: str) -> int:
    rows = db.execute("select count(*) from people where name = ?", [name]).fetchall()
    return int(rows[0][0])


def test_a_merge_by_hand_holds(world: World) -> None:
    assert (named(world.before, ONE), named(world.before, OTHER)) == (1, 1)
    assert named(world.db, ONE) + named(world.db, OTHER) == 1
    ids = {people.id_of(world.db, id_of(world.before, name)) for name in (ONE, OTHER)}
    assert len(ids) == 1
    rules = {row.rule for row in signatures(world.db, str(ids.pop()))}
    assert "merged by a human decision" in rules


def test_who_asked_not_to_be_found_is_in_no_table(world: World) -> None:
    assert named(world.before, FORGOTTEN) == 1
    tables = world.db.execute("select table_name from duckdb_tables()").fetchall()
    for (table,) in tables:
        assert FORGOTTEN.lower() not in repr(world.db.sql(f"from {table}").fetchall()).lower()
    count = world.db.execute("select count(*), max(ordinal) + 1 from people").fetchone()
    assert count is not None
    assert count[0] == count[1]


def test_github_says_whose_account_a_commit_is_of(world: World) -> None:
    login = UNLINKED.logins[0]
    assert people.id_of(world.before, login) is None
    id_ = people.id_of(world.db, login)
    assert id_ is not None
    rows = {row.name: row.rule for row in signatures(world.db, id_)}
    assert {login, UNLINKED.name} <= rows.keys()
    assert "same GitHub account" in rows.values()


def test_a_profile_is_linked_by_the_account(world: World) -> None:
    id_ = str(people.id_of(world.db, UNLINKED.logins[0]))
    assert fields(world.before, id_of(world.before, UNLINKED.name)) == []
    assert {row.source for row in fields(world.db, id_)} >= {"github"}


def test_a_review_is_a_role_even_of_who_never_wrote_a_commit(world: World) -> None:
    id_ = str(people.id_of(world.db, REVIEWER[0]))
    written = role_counts(world.db, str(people.id_of(world.db, UNLINKED.logins[0])))
    reviewed = dict(world.db.execute("from reviews_fetched").fetchall())
    assert role_counts(world.db, id_) == {"reviewer": reviewed[0]}
    assert reviewed[0] == len(shas(world))
    assert written["author"] >= len(shas(world))


def shas(world: World) -> list[str]:
    folder = world.settings.data / "crawl" / VLLM
    return [str(sha) for sha in commit_accounts.load(folder)["sha"].to_pylist()]


def undo(data: Path) -> None:
    workspace = Workspace.open(data)
    with workspace.writing() as session:
        decisions.undo(session, IDA, 1)
    workspace.close()


def drop(name: str) -> Callable[[Path], None]:
    return lambda data: (data / "crawl" / VLLM / name).unlink()


CHANGES: list[tuple[str, Callable[[Path], None]]] = [
    ("a decision", undo),
    ("reviews", drop("reviews-000001.parquet")),
    ("accounts", drop(commit_accounts.FILE)),
]


@pytest.mark.parametrize(("what", "change"), CHANGES, ids=[what for what, _ in CHANGES])
def test_what_changes_people_makes_a_new_snapshot(
    world: World, tmp_path: Path, what: str, change: Callable[[Path], None]
) -> None:
    data = tmp_path / "data"
    shutil.copytree(world.settings.data, data, ignore=shutil.ignore_patterns("sample", "*.duckdb"))
    settings = replace(world.settings, data=data)

    def inputs() -> object:
        return run.inputs(settings, gathered(settings), directions.read(settings))

    same, again = inputs(), inputs()
    assert same == again
    change(data)
    assert inputs() != same, what


def test_a_plain_ingest_makes_no_workspace(world: World, tmp_path: Path) -> None:
    settings = replace(world.settings, data=tmp_path)
    assert directions.read(settings) == directions.Directions()
    assert not (tmp_path / WORKSPACE).exists()
