"""Reads are noted a moment later, and none is lost while the log cannot be written."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep

import pytest

from api import auditing
from api.auditing import Auditing
from sourcer.workspace import Session, Workspace, audit
from sourcer.workspace.actors import LOCAL


@dataclass
class Failing:
    """A workspace whose disk is full for the first writes."""

    workspace: Workspace
    failures: int

    @contextmanager
    def writing(self) -> Iterator[Session]:
        if self.failures:
            self.failures -= 1
            raise OSError("no space left")
        with self.workspace.writing() as session:
            yield session


def test_what_could_not_be_written_is_written_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(auditing, "EVERY", 0.02)
    workspace = Workspace.open(tmp_path)
    noting = Auditing(Failing(workspace, 3))  # type: ignore[arg-type]
    noting.start()
    until = monotonic() + 10
    for number in range(3):
        noting.note("ida", "searched", "moe", {"shown": ["p1"]})
        noting.note("ida", "searched", number, {"shown": ["p2"]})
        sleep(0.03)
    logged: tuple[audit.Logged, ...] = ()
    while monotonic() < until and sum(map(times, logged)) < 6:
        sleep(0.02)
        with workspace.reading() as session:
            logged = audit.entries(session, LOCAL)
            assert audit.verify(session) is None
    noting.stop()
    assert sum(map(times, logged)) == 6
    workspace.close()


def times(one: audit.Logged) -> int:
    found = (one.details or {}).get("times", 1)
    assert isinstance(found, int)
    return found
