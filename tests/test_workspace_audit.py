from datetime import timedelta

import pytest
from sqlalchemy import delete, update

from sourcer.errors import NotAllowed
from sourcer.workspace import Workspace, audit
from sourcer.workspace.tables import audit as rows
from tests.workspaces import ADA, IDA, Clock


def log(desk: Workspace, *actions: str) -> None:
    with desk.writing() as session:
        audit.append(
            session, *(audit.Entry("ida", action, {"shown": [f"p-{action}"]}) for action in actions)
        )


def verified(desk: Workspace, head: tuple[int, str] | None = None) -> int | None:
    with desk.reading() as session:
        return audit.verify(session, head)


def test_a_log_holds_and_is_read_newest_first(desk: Workspace) -> None:
    log(desk, "a", "b")
    log(desk, "c")
    assert verified(desk) is None
    with desk.reading() as session:
        assert [(one.id, one.action) for one in audit.entries(session, ADA, limit=2)] == [
            (3, "c"),
            (2, "b"),
        ]
        assert [one.id for one in audit.entries(session, ADA, before=2)] == [1]
        with pytest.raises(NotAllowed):
            audit.entries(session, IDA)


@pytest.mark.parametrize(
    ("values", "broken"),
    [
        ({"actor": "jon"}, 2),
        ({"details": {"shown": []}}, 2),
        ({"details": None}, 2),
        ({"digest": "0"}, 2),
    ],
)
def test_a_changed_row_is_noticed(desk: Workspace, values: dict[str, object], broken: int) -> None:
    log(desk, "a", "b", "c")
    with desk.writing() as session:
        session.db.execute(update(rows).where(rows.c.id == 2).values(values))
    assert verified(desk) == broken


def test_a_missing_row_is_noticed(desk: Workspace) -> None:
    log(desk, "a", "b", "c")
    with desk.reading() as session:
        head = audit.head(session)
    with desk.writing() as session:
        session.db.execute(delete(rows).where(rows.c.id == 2))
    assert verified(desk) == 2
    with desk.writing() as session:
        session.db.execute(delete(rows).where(rows.c.id > 1))
    assert (verified(desk), verified(desk, head)) == (None, 2)


def test_blotted_rows_hold_as_the_log_says_which(desk: Workspace) -> None:
    log(desk, "a", "b")
    with desk.writing() as session:
        assert audit.blot(session, frozenset({"p-a"}), "ada") == 1
    assert verified(desk) is None
    with desk.reading() as session:
        assert audit.about(session, frozenset({"p-a"})) == ()
        assert [one.details for one in audit.entries(session, ADA)] == [
            {"rows": [1]},
            {"shown": ["p-b"]},
            None,
        ]


def test_the_chain_goes_on_from_a_checkpoint(desk: Workspace, clock: Clock) -> None:
    log(desk, "a", "b")
    clock.sleep(timedelta(days=400).total_seconds())
    log(desk, "c")
    with desk.writing() as session:
        assert audit.drop_before(session, clock() - timedelta(days=365)) == 2
        assert audit.drop_before(session, clock() - timedelta(days=365)) == 0
    assert verified(desk) is None
    with desk.reading() as session:
        assert [one.action for one in audit.entries(session, ADA)] == ["audit.dropped", "c"]
    with desk.writing() as session:
        session.db.execute(delete(rows).where(rows.c.id == 3))
    assert verified(desk) == 3
