"""The commands about people and the workspace, over a small snapshot."""

import json
import shutil
from datetime import datetime
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from ingest.identity import resolve
from sourcer import settings, snapshot
from sourcer.addresses import hashed
from sourcer.cli import people, privacy, safekeeping
from sourcer.errors import BadInput, Conflict, NoSuchPerson
from sourcer.resolution import Decisions, Occurrence, SignatureEvidence
from sourcer.store import forgetting, known_by
from sourcer.store.database import create, open_readonly
from sourcer.workspace import Session, Workspace, decisions, entries, shortlists, suppressions
from sourcer.workspace.actors import LOCAL
from sourcer.workspace.identifiers import (
    email,
    email_hash,
    login,
    person,
    signature,
    url,
)
from sourcer.workspace.suppressions import Suppressed
from tests.small_history import Change, History
from tests.workspaces import IDA

app = typer.Typer()
for command in (privacy.forget, privacy.access, safekeeping.backup, safekeeping.restore):
    app.command()(command)
app.add_typer(people.app, name="people")


def run(data: Path, *words: str) -> str:
    ran = CliRunner().invoke(app, [*words, "--data", str(data)], catch_exceptions=False)
    assert ran.exit_code == 0, ran.output
    return ran.output


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Mira and Jon, in a published snapshot; Mira is on a shortlist."""
    with snapshot.draft(tmp_path) as draft:
        history = History(create(draft / snapshot.DATABASE))
        history.add(
            Change("Mira", "2026-05-01", "Fuse", ["a.cu"]), Change("Jon", "2026-05-02", "x", ["b"])
        )
        history.declare("Mira", linkedin="https://linkedin.com/in/mira", company="Acme AG")
        history.db.execute("update signatures set email = lower(name) || '@firm.example'")
        history.db.close()
        snapshot.publish(tmp_path, draft, {})
    workspace = Workspace.open(tmp_path)
    with workspace.writing() as session:
        slug = shortlists.start(session, LOCAL, "Kernels").slug
        entries.add(session, LOCAL, slug, "p-Mira", "fuses")
    workspace.close()
    return tmp_path


def suppressed(data: Path) -> Suppressed:
    workspace = Workspace.open(data)
    with workspace.reading() as session:
        found = suppressions.load(session)
    workspace.close()
    return found


@pytest.mark.parametrize(
    "who",
    [
        ["mira"],
        ["@Mira"],
        ["mira@firm.example"],
        ["https://www.linkedin.com/in/Mira/"],
        ["p-Mira"],
        ["Mira", "--context", "acme ag"],
        ["Mira", "--context", "engine"],
    ],
)
def test_forgetting_one_thing_forgets_all_the_person_is_known_by(
    data: Path, who: list[str]
) -> None:
    said = run(data, "forget", *who)
    assert "@" not in said
    found = suppressed(data)
    for one in (
        login("mira"),
        email("Mira+x@firm.example"),
        url("linkedin.com/in/mira"),
        person("p-Mira"),
        signature("key-Mira"),
    ):
        assert found.matches([one])
    with_all = create(snapshot.current(data).database)
    assert found.among(known_by.everyone(with_all)) == {"p-Mira"}
    with_all.close()


def test_a_namesake_in_the_same_project_is_not_forgotten_with_them(data: Path) -> None:
    with snapshot.draft(data) as draft:
        shutil.copy(snapshot.current(data).database, draft / snapshot.DATABASE)
        db = create(draft / snapshot.DATABASE)
        db.execute("update people set name = 'Mira'")
        db.close()
        database = snapshot.publish(data, draft, {}).database
    with pytest.raises(BadInput, match="2 people are known by that: p-Jon, p-Mira"):
        run(data, "forget", "Mira", "--context", "engine")
    run(data, "forget", "mira")
    db = open_readonly(database)
    assert suppressed(data).among(known_by.everyone(db)) == {"p-Mira"}
    db.close()


def test_an_email_that_many_share_forgets_nobody_else(data: Path) -> None:
    with pytest.raises(BadInput, match="an email that many share tells nobody apart"):
        run(data, "forget", "root@localhost")
    shared = [email("you@example.com"), login("mira")]
    workspace = Workspace.open(data)
    with workspace.writing() as session:
        suppressions.suppress(session, LOCAL, shared, "API")
    workspace.close()
    assert suppressed(data).matches([login("mira")])
    assert not suppressed(data).matches([email("you@example.com"), login("jon")])


def test_an_imported_record_is_known_by_the_hash_of_its_email(data: Path) -> None:
    run(data, "forget", "mira")
    key = hashed(settings.salt(data), "mira@firm.example")
    assert suppressed(data).matches([email_hash(key)])
    assert not suppressed(data).matches([email_hash(hashed(b"other", "mira@firm.example"))])


def test_somebody_who_is_in_no_snapshot_yet_is_forgotten_beforehand(tmp_path: Path) -> None:
    run(tmp_path, "forget", "mira-l")
    assert suppressed(tmp_path).matches([login("Mira-L")])


def test_erasing_says_what_is_left_to_purge(data: Path) -> None:
    said = run(data, "forget", "mira", "--erase")
    assert "finished by the next ingest" in said
    held = json.loads(run(data, "access", "p-Mira"))
    assert held["workspace"]["shortlists"] == []


def test_access_tells_what_both_stores_hold_but_no_email(data: Path) -> None:
    said = run(data, "access", "mira")
    assert "@" not in said
    held = json.loads(said)
    about = held["snapshot"]["p-Mira"]
    assert about["signatures"] == [
        {"key": "key-Mira", "name": "Mira", "linked by": "same email", "commits": 1}
    ]
    assert {row["field"]: row["value"] for row in about["profile_fields"]} == {
        "linkedin": "https://linkedin.com/in/mira",
        "company": "Acme AG",
    }
    (entry,) = held["workspace"]["shortlists"]
    assert (entry["shortlist"], entry["reason"]) == ("Kernels", "fuses")


def test_people_are_merged_listed_and_parted(data: Path) -> None:
    assert "people undo 1" in run(data, "people", "merge", "mira", "p-Jon", "--reason", "same")
    assert "same" in run(data, "people", "decisions")
    with pytest.raises(NoSuchPerson, match="nobody is called 'nobody'"):
        run(data, "people", "merge", "mira", "nobody", "--reason", "same")
    assert "Undone: decision 1, a merge by local" in run(data, "people", "undo", "1")
    with pytest.raises(Conflict, match="undone"):
        run(data, "people", "undo", "1")
    assert "key-Mira" in run(data, "people", "split", "mira")


def test_a_backup_and_back(data: Path) -> None:
    file = data / "backup.jsonl.gz"
    run(data, "backup", str(file))
    with pytest.raises(Conflict, match="has work in it"):
        run(data, "restore", str(file))
    assert "rows from" in run(data, "restore", str(file), "--replace")
    held = json.loads(run(data, "access", "mira"))
    assert len(held["workspace"]["shortlists"]) == 1


def seen() -> SignatureEvidence:
    may = datetime(2026, 5, 1)
    return SignatureEvidence(
        (
            Occurrence(0, "k0", "Mira Lundgren", "mira@firm.example", may, may, 1),
            Occurrence(1, "k1", "Mira Lundgren", "7+mira-l@users.noreply.github.com", may, may, 1),
            Occurrence(2, "k2", "Jon Berg", "jon@other.example", may, may, 1),
        ),
        projects=frozenset({"engine"}),
    )


def test_a_draft_forgets_signatures_roles_and_trailers() -> None:
    history = History().add(Change("Mira", "2026-05-01", "Fuse", ["a.cu"], co=("Jon",)))
    history.hold("Mira", "a.cu", "2026-01-01")
    body = "Why\nSigned-off-by: Mira <Mira@Example.com>\nSigned-off-by: Jon <Jon@example.com>"
    history.db.execute("update commits set body = ?", [body])
    forgetting.forget(history.db, {0}, {"MIRA"})
    rows = history.db.execute("select name, email, key from signatures order by id").fetchall()
    assert rows == [("", "", "forgotten-0"), ("Jon", "Jon@example.com", "key-Jon")]
    assert history.db.execute("select signature_id from roles").fetchall() == [(1,)]
    assert history.db.execute("from holdings").fetchall() == []
    assert history.db.execute("select body from commits").fetchone() == (
        "Why\nSigned-off-by: Jon <Jon@example.com>",
    )


def test_decisions_come_to_the_resolver_as_it_takes_them(desk: Workspace) -> None:
    def made(session: Session) -> Decisions:
        side = decisions.Side
        decisions.merge(session, IDA, side("p0", ("k0", "k1")), side("p2", ("k2",)), "one")
        return decisions.standing(session)

    with desk.writing() as session:
        assert len(resolve(seen(), made(session)).people) == 1


def test_the_workspace_is_where_the_settings_say(tmp_path: Path) -> None:
    read = settings.read(tmp_path, {"SOURCER_WORKSPACE_URL": "postgresql://db.example/sourcer"})
    assert read.workspace_url == "postgresql://db.example/sourcer"
