"""The workspace and the snapshot, opened for a command that decides about people."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sourcer import snapshot
from sourcer.errors import NoSnapshot, NoSuchPerson

if TYPE_CHECKING:
    from sourcer.store.database import Database
    from sourcer.workspace import Workspace
    from sourcer.workspace.decisions import Side


@contextmanager
def desk(data: Path) -> "Iterator[Workspace]":
    """The workspace of a data directory."""
    from sourcer import settings
    from sourcer.workspace import Workspace

    workspace = Workspace.open(data, settings.read(data).workspace_url)
    try:
        yield workspace
    finally:
        workspace.close()


@contextmanager
def snapshot_open(data: Path) -> "Iterator[Database | None]":
    """The current snapshot; None when nothing is published."""
    from sourcer.store.database import open_readonly

    try:
        live = snapshot.current_good(data)
    except NoSnapshot:
        yield None
        return
    db = open_readonly(live.database)
    try:
        yield db
    finally:
        db.close()


def side(data: Path, who: str) -> "Side":
    """A person, by login or id, with all signature keys. Raises NoSuchPerson."""
    from sourcer.store import known_by, people
    from sourcer.workspace.decisions import Side

    with snapshot_open(data) as db:
        id_ = None if db is None else people.id_of(db, who)
        if db is None or id_ is None:
            raise NoSuchPerson(f"nobody is called {who!r}. Give a login or a person's id")
        return Side(id_, tuple(key for key, *_ in known_by.signatures(db, id_)))
