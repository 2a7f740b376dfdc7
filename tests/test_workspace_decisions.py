from datetime import datetime

import pytest

from ingest.identity import resolve
from sourcer.errors import BadInput, Conflict, NotAllowed, NotFound
from sourcer.resolution import Decisions, Occurrence, SignatureEvidence
from sourcer.workspace import Workspace, decisions
from sourcer.workspace.decisions import Side
from tests.workspaces import IDA, JON, VERA

P1, P2, P3 = Side("p1", ("a1", "a2")), Side("p2", ("b1", "b2")), Side("p3", ("c1",))


def test_a_merge_is_obeyed_until_it_is_undone(desk: Workspace) -> None:
    may = datetime(2026, 5, 1)
    seen = tuple(
        Occurrence(number, key, f"Name{key} Sur{key}", f"{key}@x{key}.example", may, may, 1)
        for number, key in enumerate(("a1", "b1"))
    )
    with desk.writing() as session:
        made = decisions.merge(session, IDA, Side("p1", ("a1",)), Side("p2", ("b1",)), "told us so")
        assert decisions.standing(session) == Decisions(merges=(("a1", "b1"),))
        merged = resolve(SignatureEvidence(seen), decisions.standing(session))
        undone = decisions.undo(session, JON, made.id)
        parted = resolve(SignatureEvidence(seen), decisions.standing(session))
    assert (len(merged.people), len(parted.people)) == (1, 2)
    assert (undone.author, undone.undone_by, undone.reason) == ("ida", "jon", "told us so")


def test_a_split_holds_every_signature_apart(desk: Workspace) -> None:
    with desk.writing() as session:
        decisions.split(session, IDA, Side("p1", ("a1", "a2")), Side("p1", ("a3",)), "two Miras")
        assert decisions.standing(session) == Decisions(splits=(("a1", "a3"), ("a2", "a3")))


def test_a_merge_against_a_split_is_refused(desk: Workspace) -> None:
    with desk.writing() as session:
        split = decisions.split(session, IDA, P1, P2, "two people")
        with pytest.raises(Conflict, match=r"Undo that first: sourcer people undo 1"):
            decisions.merge(session, JON, P2, P1, "one person")
        decisions.merge(session, JON, P2, P3, "one person")
        with pytest.raises(
            Conflict, match=r"p3 and p1 were taken apart \(decision 1, a split by ida"
        ):
            decisions.merge(session, JON, P3, P1, "one person, by way of p2")
        decisions.undo(session, IDA, split.id)
        decisions.merge(session, JON, P2, P1, "one person")


def test_a_split_against_a_merge_is_refused(desk: Workspace) -> None:
    with desk.writing() as session:
        decisions.merge(session, IDA, P1, P2, "one person")
        through = decisions.merge(session, IDA, P2, P3, "one person")
        both = Side("p1", ("a1", "a2", "b1", "b2"))
        with pytest.raises(Conflict, match=f"Undo that first: sourcer people undo {through.id}"):
            decisions.split(session, IDA, both, P3, "two people")
        decisions.split(
            session, IDA, Side("p1", ("a1", "b1", "b2")), Side("p1", ("a2",)), "not hers"
        )


def test_undoing_twice_and_other_faults(desk: Workspace) -> None:
    with desk.writing() as session:
        made = decisions.merge(session, IDA, P1, P2, "one person")
        decisions.undo(session, IDA, made.id)
        with pytest.raises(Conflict, match="was undone on 2026-05-01 already"):
            decisions.undo(session, IDA, made.id)
        with pytest.raises(NotFound, match="no decision 9"):
            decisions.undo(session, IDA, 9)
        with pytest.raises(BadInput, match="needs a reason"):
            decisions.merge(session, IDA, P1, P2, " ")
        with pytest.raises(BadInput, match="share a signature"):
            decisions.merge(session, IDA, P1, P1, "same")
        with pytest.raises(NotAllowed):
            decisions.merge(session, VERA, P1, P3, "one person")
    with desk.reading() as session:
        assert [one.id for one in decisions.every(session)] == [made.id]
