"""What a source said goes when its time is over: from the files, from new snapshots, from view."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from index.details import Details
from ingest import employers
from ingest.profiles import linking, records, retention
from ingest.profiles.records import Record
from sourcer import conflicts
from sourcer.cli import app
from sourcer.errors import BadSettings
from sourcer.retention import Retention
from sourcer.store import person, profiles
from sourcer.store.database import Database, create

NOW = datetime.now(UTC).replace(microsecond=0)
USUAL_DAYS = {
    "github": 365,
    "linkedin": 730,
    "json-resume": 730,
    "people-data-labs": 365,
    "table:ats-export": 730,
    "artifacts": 1825,
    "openalex": 1825,
    "what comes next": 730,
}


def ago(days: int) -> datetime:
    return NOW - timedelta(days=days)


@pytest.mark.parametrize(("source", "days"), USUAL_DAYS.items())
def test_every_source_has_a_term(source: str, days: int, tmp_path: Path) -> None:
    held = [Record(source, str(at), at, {}) for at in (ago(days - 1), ago(days + 1))]
    file = records.save(held, tmp_path, "held", {})
    assert retention.expire(tmp_path, Retention.read(""), NOW) == {source: 1}
    assert records.read(file) == held[:1]
    assert retention.expire(tmp_path, Retention.read(""), NOW) == {}


def test_what_is_set_goes_before_what_is_usual() -> None:
    said = Retention.read("table=10 table:ats-export=90 linkedin=forever")
    assert said.expiry("table:ats-export", ago(0)) == ago(-90)
    assert said.expiry("table:old", ago(0)) == ago(-10)
    assert said.expiry("linkedin", ago(0)) is None
    assert said.expiry("github", ago(0)) == ago(-365)
    assert Retention.read("*=7").expiry("github", ago(0)) == ago(-7)
    assert (said.oldest("audit", NOW), Retention.read("*=7").oldest("audit", NOW)) == (None, None)
    with pytest.raises(BadSettings, match="retention has 'github=soon'"):
        Retention.read("github=soon")


def test_an_ingest_drops_what_is_old_whatever_becomes_of_it(tmp_path: Path) -> None:
    held = [Record("linkedin", str(days), ago(days), {"title": "CTO"}) for days in (700, 800)]
    file = records.save(held, tmp_path / "profiles", "held", {})
    (tmp_path / "empty").mkdir()
    source = f"acme/engine={tmp_path / 'empty'}"
    said = CliRunner().invoke(app, ["ingest", source, "--data", str(tmp_path)])
    assert said.exit_code != 0
    assert records.read(file) == held[:1]


def test_a_wish_to_be_left_alone_outlives_the_rest(tmp_path: Path) -> None:
    said = {"bio": "No recruiters, please", "location": "Oslo", "company": "ACME"}
    file = records.save([Record("github", "7", ago(400), said, "ida")], tmp_path, "held", {})
    assert retention.expire(tmp_path, Retention.read(""), NOW) == {}
    (left,) = records.read(file)
    assert (left.login, left.fields) == ("ida", {"bio": "No recruiters, please"})


def test_fields_know_when_they_go_and_are_gone_then(tmp_path: Path) -> None:
    old = {"location": "Bergen, Norway", "company": "Red Hat", "title": "Engineer"}
    new = {"location": "Oslo, Norway"}
    records.save(
        [Record("table:old", "1", ago(20), old, "ida"), Record("github", "7", ago(9), new, "ida")],
        tmp_path,
        "held",
        {},
    )
    kept, late = Retention.read("table=30"), Retention.read("table=10")
    for said, companies, fields in ((kept, ["red hat"], 4), (late, [], 1)):
        db = _world()
        linking.link(db, tmp_path, b"salt", retention=said)
        employers.write(db)
        rows = person.fields(db, "p1")
        assert len(rows) == fields
        assert [row.company for row in person.affiliations(db, "p1")] == companies
        shown = Details.read(db).known(0)
        assert sorted(shown.employers) == companies
        assert (shown.profile.first("title") is None) == (not companies)
        assert rows[-1].expires_at == (
            rows[-1].fetched_at + timedelta(days=30 if companies else 365)
        )


def test_sources_that_differ_are_all_kept_and_the_shown_one_is_explained(tmp_path: Path) -> None:
    said = [
        Record("table:ats", "1", ago(3), {"location": "Oslo", "school": "NTNU"}, "ida"),
        Record("github", "7", ago(9), {"location": "Bergen", "bio": "Kernels"}, "ida"),
        Record("linkedin", "x", ago(12), {"location": "Oslo"}, "ida"),
    ]
    records.save(said, tmp_path, "held", {})
    db = _world()
    linking.link(db, tmp_path, b"salt")
    day = f"{ago(3):%Y-%m-%d}"
    assert [
        (row.field, row.value, row.standing) for row in conflicts.explained(person.fields(db, "p1"))
    ] == [
        ("bio", "Kernels", ""),
        ("location", "Oslo", "shown: the newest of 3 that differ"),
        ("location", "Bergen", f"not shown: table:ats says otherwise since {day}"),
        ("location", "Oslo", f"not shown: table:ats says the same since {day}"),
        ("school", "NTNU", ""),
    ]
    shown = Details.read(db).shown(0).location
    assert shown is not None
    assert (shown.value, shown.source) == ("Oslo", "table:ats")


def _world() -> Database:
    """One person, ida at GitHub."""
    db = create()
    db.execute("insert into people (id, name, ordinal) values ('p1', 'Ida Berg', 0)")
    db.execute("insert into logins values ('p1', 'ida', 7, 'test')")
    assert profiles.accounts(db)[0].login == "ida"
    return db
