"""sourcer profiles import | queue, as a recruiter runs them."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ingest.profiles import linking
from ingest.profiles.records import load
from sourcer import snapshot
from sourcer.cli.profiles import app
from sourcer.settings import salt
from sourcer.store import create, profiles

RUN = CliRunner()
TABLE = "Candidate,Firm,Current Role\nMira Lundgren,ACME,Lead\nJo\n"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    file = tmp_path / "export.csv"
    file.write_text(TABLE)
    return file


def sourcer(data: Path, *arguments: str) -> tuple[int, str]:
    done = RUN.invoke(app, [*arguments, "--data", str(data)])
    return done.exit_code, done.output


def test_a_guess_is_shown_and_nothing_is_imported_until_it_is_confirmed(
    data: Path, table: Path
) -> None:
    code, said = sourcer(data, "import", str(table))
    assert code == 1
    assert "name = Candidate, title = Current Role; not read: Firm" in said
    assert not list((data / "profiles").glob("*.parquet"))


def test_a_mapping_is_mended_saved_and_taken_again(data: Path, table: Path, tmp_path: Path) -> None:
    code, said = sourcer(data, "import", str(table), "--map", "company=Firm")
    assert code == 0
    assert said.splitlines() == [
        "export.csv: 1 records (table).",
        "  Read as export: name = Candidate, title = Current Role, company = Firm",
        "  line 3 was not read: it has 1 cell where the header has 3",
    ]
    later = tmp_path / "later.csv"
    later.write_text(TABLE.replace("Mira Lundgren", "Jo Bergqvist"))
    code, said = sourcer(data, "import", str(later), "--json")
    assert code == 0
    assert json.loads(said)["imported"][0]["records"] == 1


def test_a_file_may_be_older_than_its_date_says(data: Path, table: Path) -> None:
    code, _ = sourcer(data, "import", str(table), "--yes", "--as-of", "2024-03-01")
    assert code == 0
    (record,) = load(data / "profiles")
    assert record.fetched_at == datetime(2024, 3, 1, tzinfo=UTC)


def test_a_file_read_as_another_format_replaces_what_it_said(data: Path, tmp_path: Path) -> None:
    file = tmp_path / "Connections.csv"
    file.write_text(
        "First Name,Last Name,URL,Email Address,Company,Position,Connected On\n"
        "Mira,Lundgren,,,ACME,Lead,04 May 2026\n"
    )
    sourcer(data, "import", str(file))
    code, _ = sourcer(data, "import", str(file), "--kind", "table", "--yes")
    assert code == 0
    assert [record.source for record in load(data / "profiles")] == ["table:connections"]


def test_the_same_file_again_is_said_to_be_there(data: Path, table: Path) -> None:
    sourcer(data, "import", str(table), "--yes")
    code, said = sourcer(data, "import", str(table))
    assert code == 0
    assert "imported already on" in said


def test_one_bad_file_does_not_stop_the_others(data: Path, table: Path, tmp_path: Path) -> None:
    code, said = sourcer(data, "import", str(tmp_path / "none.csv"), str(table), "--yes")
    assert code == 1
    assert "export.csv: 1 records" in said
    assert "No such file" in said


def published(data: Path) -> None:
    """A snapshot with one person and what the imports say of her."""
    with snapshot.draft(data) as draft:
        db = create(draft / snapshot.DATABASE)
        db.execute("insert into people values ('p1', 0, 'Mira Lundgren')")
        linking.link(db, data / "profiles", salt(data))
        db.close()
        snapshot.publish(data, draft, {})


def test_the_queue_shows_for_and_against_and_takes_decisions(data: Path, table: Path) -> None:
    sourcer(data, "import", str(table), "--yes")
    published(data)
    _, said = sourcer(data, "queue", "--json")
    (row,) = json.loads(said)
    assert (row["row"], row["name"], row["for"], row["against"], row["decided"]) == (
        "Mira Lundgren · Lead",
        "Mira Lundgren",
        ["same name"],
        ["the row names no company or school"],
        None,
    )
    _, said = sourcer(data, "queue", "--accept", row["id"])
    assert "accepted, done at the next ingest" in said
    published(data)
    _, said = sourcer(data, "queue", "--json")
    assert json.loads(said) == []
    db = create()
    linking.link(db, data / "profiles", salt(data))
    assert profiles.suggestions(db) == []


def test_an_accepted_row_is_linked_at_the_next_ingest_and_can_be_undone(
    data: Path, table: Path
) -> None:
    sourcer(data, "import", str(table), "--yes")
    published(data)
    id_ = json.loads(sourcer(data, "queue", "--json")[1])[0]["id"]
    sourcer(data, "queue", "--accept", id_)
    published(data)
    sourcer(data, "queue", "--undo", id_)
    published(data)
    assert [row["id"] for row in json.loads(sourcer(data, "queue", "--json")[1])] == [id_]


def test_an_unknown_id_is_refused(data: Path, table: Path) -> None:
    sourcer(data, "import", str(table), "--yes")
    published(data)
    code, _ = sourcer(data, "queue", "--accept", "nonsense")
    assert code == 1
