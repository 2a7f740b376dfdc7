"""Migrations, backups, and writes that a kill cannot take back."""

import gzip
import os
import signal
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import select, text

from sourcer.errors import BadSettings, Conflict, DamagedBackup, OtherWorkspace
from sourcer.query import Query
from sourcer.workspace import (
    Session,
    Workspace,
    accounts,
    audit,
    decisions,
    entries,
    idempotency,
    jobs,
    notes,
    saved_searches,
    shortlists,
    suppressions,
)
from sourcer.workspace.actors import LOCAL, Role
from sourcer.workspace.backup import backup, check, restore
from sourcer.workspace.decisions import Side
from sourcer.workspace.identifiers import login
from sourcer.workspace.migrating import LATEST, SCRIPTS, bring_up_to_date, migrate, revision
from sourcer.workspace.tables import metadata
from tests.workspaces import IDA, Clock, Place, Postgres


def fill(session: Session) -> str:
    slug = shortlists.start(session, IDA, "Kernels “fused”").slug
    entries.add(session, IDA, slug, "p1", "why\nso")
    notes.write(session, IDA, slug, "p1", "note")
    saved_searches.save(session, IDA, "MoE", Query("moe"))
    decisions.merge(session, IDA, Side("p1", ("k1",)), Side("p2", ("k2",)), "same")
    suppressions.suppress(session, IDA, [login("mira-l")], "API")
    accounts.add(session, LOCAL, "ida", Role.ADMIN, password="correct horse battery")
    jobs.start(session, LOCAL, "import")
    idempotency.begin(session, IDA, "key", b"x")
    return slug


def contents(workspace: Workspace, leave: tuple[str, ...] = ()) -> dict[str, list[object]]:
    with workspace.reading() as session:
        return {
            table.name: [
                tuple(row) for row in session.db.execute(select(table).order_by(*table.primary_key))
            ]
            for table in metadata.sorted_tables
            if table.name not in leave
        }


def test_the_migrations_make_the_tables(desk: Workspace) -> None:
    with desk.writing() as session:
        context = MigrationContext.configure(session.db)
        assert compare_metadata(context, metadata) == []
    config = Config()
    config.set_main_option("script_location", str(SCRIPTS))
    assert ScriptDirectory.from_config(config).get_heads() == [LATEST]


def test_down_one_version_and_up_again_loses_nothing(desk: Workspace) -> None:
    with desk.writing() as session:
        fill(session)
    passing = ("jobs", "idempotency_keys")
    before = contents(desk, passing)
    migrate(desk, "0001")
    with desk.reading() as session:
        assert revision(session.db) == "0001"
    bring_up_to_date(desk)
    assert contents(desk, passing) == before
    with desk.writing() as session:
        assert audit.verify(session) is None
        jobs.start(session, LOCAL, "import")


def test_a_newer_workspace_is_left_alone(desk: Workspace) -> None:
    with desk.writing() as session:
        session.db.execute(text("update alembic_version set version_num = '0099'"))
    with pytest.raises(OtherWorkspace, match="version 0099; this sourcer knows 0001 to"):
        bring_up_to_date(desk)
    with desk.writing() as session:
        session.db.execute(text(f"update alembic_version set version_num = '{LATEST}'"))


def test_several_open_a_new_workspace_at_once(tmp_path: Path, postgres: Postgres) -> None:
    for url in ("", postgres.empty()):
        with ThreadPoolExecutor(4) as pool:
            opened = list(pool.map(Place(tmp_path, url).open, [Clock() for _ in range(4)]))
        with opened[0].reading() as session:
            assert revision(session.db) == LATEST
        for one in opened:
            one.close()


@pytest.mark.parametrize("to", ["sqlite", "postgresql"])
def test_a_backup_comes_back_on_either_database(
    desk: Workspace, tmp_path: Path, postgres: Postgres, to: str
) -> None:
    with desk.writing() as session:
        slug = fill(session)
    file, new = tmp_path / "backup.jsonl.gz", tmp_path / "new"
    made = backup(desk, file)
    assert file.stat().st_mode & 0o777 == 0o600
    assert check(file) == made
    url = postgres.empty() if to == "postgresql" else ""
    assert restore(file, new, url) == made
    restored = Workspace.open(new, url, Clock())
    assert contents(restored) == contents(desk)
    with restored.writing() as session:
        assert audit.verify(session) is None
        assert suppressions.load(session).matches([login("mira-l")])
        entries.add(session, IDA, slug, "p2")
        assert [one.person_id for one in entries.every(session, IDA, slug)] == ["p1", "p2"]
    restored.close()
    with pytest.raises(Conflict, match="has work in it"):
        restore(file, new, url)
    assert restore(file, new, url, replace=True) == made


def test_a_backup_of_the_version_before_comes_back(desk: Workspace, tmp_path: Path) -> None:
    with desk.writing() as session:
        fill(session)
    file = tmp_path / "backup.jsonl.gz"
    backup(desk, file)
    lines = gzip.decompress(file.read_bytes()).decode().splitlines()
    old = [line for line in lines[:-1] if '"table": "jobs"' not in line]
    old = [line for line in old if '"table": "idempotency_keys"' not in line]
    old[0] = old[0].replace(f'"revision": "{LATEST}"', '"revision": "0001"')
    write(file, old)
    restore(file, tmp_path / "new")
    restored = Workspace.open(tmp_path / "new", "", Clock())
    passing = ("jobs", "idempotency_keys")
    assert contents(restored, passing) == contents(desk, passing)
    assert contents(restored)["jobs"] == []
    restored.close()


def write(file: Path, lines: list[str]) -> None:
    body = "".join(f"{line}\n" for line in lines).encode()
    with gzip.open(file, "wb") as stream:
        stream.write(body + f'{{"sha256": "{sha256(body).hexdigest()}"}}\n'.encode())


def test_a_damaged_backup_changes_nothing(desk: Workspace, place: Place, tmp_path: Path) -> None:
    with desk.writing() as session:
        fill(session)
    file = tmp_path / "backup.jsonl.gz"
    backup(desk, file)
    before, whole = contents(desk), file.read_bytes()
    lines = gzip.decompress(whole).splitlines(keepends=True)
    for damaged in (whole[:-20], gzip.compress(b"".join(lines[:-2] + lines[-1:])), b"no backup"):
        file.write_bytes(damaged)
        with pytest.raises(DamagedBackup):
            restore(file, place.data, place.url, replace=True)
    assert contents(desk) == before


def test_a_backup_of_another_installation_is_refused(desk: Workspace, tmp_path: Path) -> None:
    file, other = tmp_path / "backup.jsonl.gz", tmp_path / "other"
    backup(desk, file)
    Workspace.open(other).close()
    with pytest.raises(Conflict, match="has a secret of its own"):
        restore(file, other, replace=True)


def test_a_failed_write_leaves_nothing(desk: Workspace) -> None:
    before = contents(desk)

    def fail() -> None:
        with desk.writing() as session:
            fill(session)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert contents(desk) == before


def test_writers_take_turns_and_the_chain_holds(desk: Workspace) -> None:
    def write(number: int) -> None:
        with desk.writing() as session:
            audit.append(session, audit.Entry("ida", str(number)))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(48)))
    with desk.reading() as session:
        assert (audit.count(session), audit.verify(session)) == (48, None)


def test_readers_see_one_moment(desk: Workspace) -> None:
    with desk.reading() as early:
        assert shortlists.every(early, IDA) == ()
        with desk.writing() as session:
            shortlists.start(session, IDA, "New")
        assert shortlists.every(early, IDA) == ()
    with desk.reading() as late:
        assert [one.name for one in shortlists.every(late, IDA)] == ["New"]


WRITER = """
    import sys
    from pathlib import Path
    from sourcer.workspace import Workspace, audit
    workspace = Workspace.open(Path(sys.argv[1]), sys.argv[2])
    for number in range(10**6):
        with workspace.writing() as session:
            audit.append(session, audit.Entry("ida", str(number)))
        print(number, flush=True)
"""


def test_a_kill_takes_back_no_write_that_was_acknowledged(place: Place) -> None:
    command = [sys.executable, "-c", textwrap.dedent(WRITER), str(place.data), place.url]
    here = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=here) as writer:
        assert writer.stdout is not None
        said = [writer.stdout.readline() for _ in range(40)]
        writer.send_signal(signal.SIGKILL)
        said += writer.stdout.readlines()
    acknowledged = [int(line) for line in said if line.endswith("\n")]
    again = place.open(Clock())
    with again.reading() as session:
        assert audit.verify(session) is None
        assert audit.count(session) >= len(acknowledged) >= 40
    again.close()


def test_an_unreachable_database_is_named_without_its_password(tmp_path: Path) -> None:
    with pytest.raises(BadSettings) as raised:
        Workspace.open(tmp_path, "postgresql://sourcer:hunter2@127.0.0.1:1/sourcer")
    assert "cannot be opened" in str(raised.value)
    assert "hunter2" not in str(raised.value)
