"""Signatures out of the history's tables, and people into theirs."""

from datetime import datetime

import pytest

from ingest.identity import resolve
from sourcer.people import Link, Login, Person, Rule
from sourcer.resolution import (
    Machine,
    Occurrence,
    OwnerNaming,
    Resolution,
    SameCommit,
    SignOff,
)
from sourcer.store import holdings, people
from sourcer.store.database import Database, create

MAY, JUNE = datetime(2026, 5, 1), datetime(2026, 6, 1)


@pytest.fixture
def db() -> Database:
    """Two commits by one author: one with a signer, one with a co-author and both signing."""
    db = create()
    db.execute("insert into repos values (0, 'acme/engine', '/x', null, null, 'paths', null)")
    for id_, day in enumerate((MAY, JUNE)):
        db.execute(
            """
            insert into commits values
            (?, 0, ?, ?, 0, ?, 0, 'subject', '', null, null, 1, 0, null, null)
            """,
            [id_, f"sha{id_}", day, day],
        )
    db.execute(
        """
        insert into signatures values
        (0, 'Mira Lundgren', 'mira@firm.example', 'k0'), (1, 'mlu', 'mlu@qq.com', 'k1'),
        (2, 'Johan Bergquist', 'johan@firm.example', 'k2'),
        (3, 'Claude', 'noreply@anthropic.com', 'k3')
        """
    )
    db.execute(
        """
        insert into roles values
        (0, 0, 'author'), (0, 1, 'signer'), (1, 0, 'author'), (1, 2, 'co-author'),
        (1, 2, 'signer'), (1, 1, 'signer'), (1, 3, 'co-author')
        """
    )
    db.execute(
        "insert into holdings values (0, 'mlundgren', null, 'code owner', '*', null, null, null)"
    )
    return db


def test_occurrences_count_each_role_with_dates(db: Database) -> None:
    found = people.evidence(db).occurrences
    assert found[0] == Occurrence(
        0, "k0", "Mira Lundgren", "mira@firm.example", MAY, JUNE, authored=2
    )
    assert found[2] == Occurrence(
        2, "k2", "Johan Bergquist", "johan@firm.example", JUNE, JUNE, co_authored=1, signed=1
    )


def test_pairs_of_one_commit_are_counted_with_their_company(db: Database) -> None:
    assert people.evidence(db).same_commit == (
        SameCommit(0, 1, commits=2, company=2),
        SameCommit(0, 2, commits=1, company=4),
        SameCommit(0, 3, commits=1, company=4),
        SameCommit(1, 2, commits=1, company=4),
        SameCommit(1, 3, commits=1, company=4),
        SameCommit(2, 3, commits=1, company=4),
    )


def test_sign_offs_tell_where_a_signer_was_alone(db: Database) -> None:
    assert people.evidence(db).sign_offs == (
        SignOff(author=0, signer=1, commits=2, alone=1),
        SignOff(author=0, signer=2, commits=1, alone=0),
    )


def test_crowded_commits_give_no_pairs(db: Database) -> None:
    for id_ in range(10, 10 + people.CROWD):
        db.execute("insert into signatures values (?, 'n', 'e', ?)", [id_, f"k{id_}"])
        db.execute("insert into roles values (1, ?, 'co-author')", [id_])
    assert people.evidence(db).same_commit == (SameCommit(0, 1, commits=1, company=2),)


def test_logins_and_projects_come_with_the_evidence(db: Database) -> None:
    found = people.evidence(db, mentioned=["snowquill"])
    assert found.logins == {"mlundgren", "snowquill"}
    assert found.projects == {"engine"}


def test_what_is_written_is_read_back(db: Database) -> None:
    mira = Person(
        "pmira",
        "Mira Lundgren",
        (Link(0, Rule.ONLY), Link(1, Rule.SIGNS_ONLY, via=0)),
        (Login("mlundgren", 7, "same GitHub account"),),
    )
    people.write(db, Resolution((mira,), {3: Machine.AGENT}, {"pold": "pmira"}))
    assert db.execute("from people").fetchall() == [("pmira", 0, "Mira Lundgren")]
    assert db.execute("from person_signatures order by all").fetchall() == [
        (0, "pmira", "the first signature of this person", None),
        (1, "pmira", "signs only this author's commits", 0),
    ]
    assert db.execute("from machine_signatures").fetchall() == [(3, "agent")]
    assert db.execute("from logins").fetchall() == [
        ("pmira", "mlundgren", 7, "same GitHub account")
    ]
    assert people.known_ids(db) == {"k0": "pmira", "k1": "pmira"}


def test_writing_again_replaces(db: Database) -> None:
    people.write(db, Resolution((Person("pa", "A", (Link(0, Rule.ONLY),)),)))
    people.write(db, Resolution((Person("pb", "B", (Link(0, Rule.ONLY),)),)))
    assert db.execute("select id from people").fetchall() == [("pb",)]
    assert people.known_ids(db) == {"k0": "pb"}


@pytest.mark.parametrize("asked", ["pmira", "pold", "MLundgren", "@mlundgren"])
def test_a_person_is_found_by_id_old_id_and_login(db: Database, asked: str) -> None:
    mira = Person("pmira", "Mira", (Link(0, Rule.ONLY),), (Login("mlundgren", None, "x"),))
    people.write(db, Resolution((mira,), redirects={"pold": "pmira"}))
    assert people.id_of(db, asked) == "pmira"
    assert people.id_of(db, "nobody") is None


def test_from_history_to_people_and_back(db: Database) -> None:
    found = resolve(people.evidence(db))
    people.write(db, found)
    again = resolve(people.evidence(db), known=people.known_ids(db))
    assert again == found
    assert db.execute(
        "select name, login from people join logins on person_id = id"
    ).fetchall() == [("Mira Lundgren", "mlundgren")]


def test_commits_that_name_owners_come_with_what_they_added(db: Database) -> None:
    db.execute("update commits set subject = 'Add @mlundgren as owner' where id = 1")
    db.execute("update holdings set since = ?, since_sha = 'sha0'", [MAY])
    assert people.evidence(db).namings == (
        OwnerNaming(0, "subject", ("mlundgren",)),
        OwnerNaming(0, "Add @mlundgren as owner"),
    )


def test_who_asked_not_to_be_found_leaves_no_row(db: Database) -> None:
    mira = Person("pmira", "Mira", (Link(0, Rule.ONLY),), (Login("mlundgren", None, "x"),))
    johan = Person("pjohan", "Johan", (Link(2, Rule.ONLY),))
    people.write(db, Resolution((mira, johan), {3: Machine.AGENT}, redirects={"pold": "pmira"}))
    holdings.name_holders(db)
    assert people.withhold(db, ["pmira"]) == 1
    assert db.execute("select id, ordinal from people").fetchall() == [("pjohan", 0)]
    for table in ("logins", "redirects", "holdings"):
        assert db.execute(f"from {table}").fetchall() == [], table
    assert db.execute("from person_signatures").fetchall() == [
        (2, "pjohan", "the first signature of this person", None)
    ]
    assert db.execute("from machine_signatures order by all").fetchall() == [
        (0, "withheld"),
        (3, "agent"),
    ]
    assert db.execute("select name, email from signatures where id = 0").fetchall() == [("", "")]
    assert people.withhold(db, []) == 0
