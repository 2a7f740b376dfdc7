from collections.abc import Iterator

import pytest

from sourcer.errors import BadInput, Conflict, NotAllowed, NotFound
from sourcer.workspace import Session, Workspace, accounts, entries, notes, shortlists
from sourcer.workspace.actors import LOCAL, Role, Sharing
from sourcer.workspace.entries import Comparison, Stage
from sourcer.workspace.following import follow
from tests.workspaces import ADA, IDA, JON, VERA, Clock


@pytest.fixture
def session(desk: Workspace) -> Iterator[Session]:
    with desk.writing() as opened:
        yield opened


@pytest.fixture
def slug(session: Session) -> str:
    return shortlists.start(session, IDA, "Kernel people").slug


def people(session: Session, slug: str) -> list[str]:
    return [one.person_id for one in entries.every(session, IDA, slug)]


def test_people_stand_in_order_with_stage_and_reason(session: Session, slug: str) -> None:
    for person in ("p1", "p2", "p3"):
        entries.add(session, IDA, slug, person, f"why {person}")
    entries.move_to(session, JON, slug, "p2", Stage.CONTACTED)
    entries.explain(session, JON, slug, "p2", "wrote it")
    entries.order(session, IDA, slug, ["p3", "p1"])
    listed = entries.every(session, VERA, slug)
    assert [(one.person_id, one.stage, one.reasons) for one in listed] == [
        ("p3", "found", ("why p3",)),
        ("p1", "found", ("why p1",)),
        ("p2", "contacted", ("wrote it",)),
    ]
    with pytest.raises(BadInput, match="twice"):
        entries.order(session, IDA, slug, ["p3", "p3"])
    with pytest.raises(Conflict, match="p1 is on shortlist"):
        entries.add(session, IDA, slug, "p1")


def test_a_removed_person_comes_back_with_everything(session: Session, slug: str) -> None:
    entries.add(session, IDA, slug, "p1", "why")
    notes.write(session, IDA, slug, "p1", "call on Monday")
    entries.move_to(session, IDA, slug, "p1", Stage.REPLIED)
    entries.remove(session, JON, slug, "p1")
    assert people(session, slug) == []
    assert [one.person_id for one in entries.removed(session, IDA, slug)] == ["p1"]
    back = entries.add(session, IDA, slug, "p1")
    assert (back.stage, back.reasons) == (Stage.REPLIED, ("why",))
    assert [one.text for one in notes.every(session, IDA, slug, "p1")] == ["call on Monday"]
    assert entries.removed(session, IDA, slug) == ()


def test_every_change_is_told_and_undone(session: Session, slug: str) -> None:
    entries.add(session, IDA, slug, "p1")
    entries.add(session, JON, slug, "p2")
    entries.move_to(session, JON, slug, "p1", Stage.OFFER)
    entries.order(session, IDA, slug, ["p2", "p1"])
    history = shortlists.history(session, VERA, slug)
    assert [(one.kind, one.changed_by) for one in history] == [
        ("ordered", "ida"),
        ("moved", "jon"),
        ("added", "jon"),
        ("added", "ida"),
        ("started", "ida"),
    ]
    moved = shortlists.undo(session, IDA, slug, history[1].id)
    assert entries.get(session, IDA, slug, "p1").stage is Stage.FOUND
    assert people(session, slug) == ["p2", "p1"]
    shortlists.undo(session, IDA, slug)
    assert people(session, slug) == ["p1", "p2"]
    shortlists.undo(session, IDA, slug)
    assert people(session, slug) == ["p1"]
    shortlists.undo(session, IDA, slug, moved.id)
    assert entries.get(session, IDA, slug, "p1").stage is Stage.OFFER
    with pytest.raises(Conflict, match="was undone already"):
        shortlists.undo(session, IDA, slug, history[1].id)


def test_what_was_changed_again_is_not_undone(session: Session, slug: str) -> None:
    entries.add(session, IDA, slug, "p1")
    entries.move_to(session, IDA, slug, "p1", Stage.CONTACTED)
    first = shortlists.history(session, IDA, slug)[0].id
    entries.move_to(session, IDA, slug, "p1", Stage.REPLIED)
    with pytest.raises(Conflict, match="changed again after change"):
        shortlists.undo(session, IDA, slug, first)
    entries.move_to(session, IDA, slug, "p1", Stage.REPLIED)
    assert len(shortlists.history(session, IDA, slug)) == 4


def test_undoing_the_start_is_the_owners(session: Session, slug: str) -> None:
    with pytest.raises(NotAllowed, match="belongs to ida"):
        shortlists.undo(session, JON, slug)
    shortlists.undo(session, IDA, slug)
    with pytest.raises(NotFound, match="was removed"):
        shortlists.get(session, IDA, slug)
    assert shortlists.recover(session, IDA, slug).name == "Kernel people"


def test_sharing_and_owning(session: Session) -> None:
    slug = shortlists.start(session, IDA, "Mine", sharing=Sharing.PRIVATE).slug
    entries.add(session, IDA, slug, "p1")
    for act in (
        lambda: shortlists.get(session, JON, slug),
        lambda: entries.every(session, ADA, slug),
        lambda: entries.add(session, JON, slug, "p2"),
        lambda: entries.compare(session, JON, slug, slug),
        lambda: notes.write(session, JON, slug, "p1", "hm"),
        lambda: shortlists.recover(session, JON, slug),
    ):
        with pytest.raises(NotFound, match=f"there is no shortlist {slug}"):
            act()
    assert shortlists.every(session, JON) == ()
    assert entries.lists_of(session, JON, "p1") == ()
    assert entries.lists_of(session, IDA, "p1") == ((slug, Stage.FOUND),)
    shortlists.share(session, IDA, slug, Sharing.TEAM)
    with pytest.raises(NotAllowed):
        shortlists.give(session, JON, slug, "jon")
    with pytest.raises(NotAllowed, match="viewer"):
        entries.remove(session, VERA, slug, "p1")
    assert shortlists.give(session, ADA, slug, "jon").owner == "jon"
    shortlists.remove(session, JON, slug)
    assert shortlists.every(session, JON) == ()


def test_two_are_compared(session: Session, slug: str) -> None:
    other = shortlists.start(session, JON, "Other").slug
    for person, where in (("p1", slug), ("p2", slug), ("p2", other), ("p3", other)):
        entries.add(session, IDA, where, person)
    entries.move_to(session, IDA, other, "p2", Stage.HIRED)
    assert entries.compare(session, VERA, slug, other) == Comparison(
        ("p1",), ("p3",), (("p2", Stage.FOUND, Stage.HIRED),)
    )


def test_notes_mention_colleagues(session: Session, slug: str) -> None:
    for name in ("ida", "jon"):
        accounts.add(session, LOCAL, name, Role.RECRUITER)
    entries.add(session, IDA, slug, "p1")
    note = notes.write(session, IDA, slug, "p1", "@jon, @nobody: mira@firm.example, @jon?")
    assert note.text == "@jon, @nobody: •••••••••••••••••, @jon?"
    assert notes.mentioning(session, JON, unseen=True) == (note,)
    notes.mark_seen(session, JON)
    assert notes.mentioning(session, JON, unseen=True) == ()
    assert notes.mentioning(session, JON) == (note,)
    with pytest.raises(NotAllowed):
        notes.reword(session, JON, note.id, "no")
    assert notes.reword(session, IDA, note.id, "later").text == "later"
    notes.remove(session, IDA, note.id)
    assert notes.every(session, IDA, slug) == ()
    shortlists.undo(session, IDA, slug)
    shortlists.undo(session, IDA, slug)
    assert notes.every(session, IDA, slug) == (note,)


def test_a_merge_takes_entries_along_and_its_undo_parts_them(
    session: Session, slug: str, clock: Clock
) -> None:
    entries.add(session, IDA, slug, "p1", "wrote the kernel")
    entries.add(session, JON, slug, "p2", "wrote its tests")
    notes.write(session, JON, slug, "p2", "ask about CI")
    entries.move_to(session, JON, slug, "p2", Stage.REPLIED)
    assert follow(session, {"p2": "p1"}, {"p1"}) == 1
    (one,) = entries.every(session, IDA, slug)
    assert (one.person_id, one.stage, one.added_by) == ("p1", Stage.REPLIED, "ida")
    assert set(one.reasons) == {"wrote the kernel", "wrote its tests"}
    assert [note.text for note in notes.every(session, IDA, slug, "p1")] == ["ask about CI"]
    assert follow(session, {"p2": "p1"}, {"p1"}) == 0
    assert follow(session, {}, {"p1", "p2"}) == 1
    assert people(session, slug) == ["p1", "p2"]
    assert [note.person_id for note in notes.every(session, IDA, slug)] == ["p2"]


def test_removing_two_that_became_one_is_one_change(session: Session, slug: str) -> None:
    entries.add(session, IDA, slug, "p1")
    entries.add(session, IDA, slug, "p2")
    follow(session, {"p2": "p1"}, {"p1"})
    entries.remove(session, IDA, slug, "p1")
    assert people(session, slug) == []
    shortlists.undo(session, IDA, slug)
    assert people(session, slug) == ["p1"]
