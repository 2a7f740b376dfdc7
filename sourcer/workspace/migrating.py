"""Bringing a workspace to a version of its schema, forwards or back by one."""

from pathlib import Path

from sqlalchemy import Connection, inspect, text

from sourcer.errors import OtherWorkspace
from sourcer.workspace.database import Workspace

SCRIPTS = Path(__file__).parent / "migrations"
LATEST = "0003"
"""The revision that this version's tables are of; a test holds it to the scripts."""


def bring_up_to_date(workspace: Workspace) -> None:
    """Migrates to this version. Raises OtherWorkspace when a newer version made it."""
    with workspace.reading() as session:
        at = revision(session.db)
    if at != LATEST:
        migrate(workspace, LATEST)


def revision(db: Connection) -> str:
    """The revision that a database is at; "base": it is empty."""
    if not inspect(db).has_table("alembic_version"):
        return "base"
    row = db.execute(text("select version_num from alembic_version")).first()
    return "base" if row is None else str(row[0])


def migrate(workspace: Workspace, target: str) -> None:
    """Goes to a revision and records it, in one transaction; several processes may try at once."""
    with workspace.writing() as session:
        go(session.db, target)


def go(db: Connection, target: str) -> None:
    """The same, within a transaction that has more to do."""
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    known = [script.revision for script in ScriptDirectory.from_config(config).walk_revisions()]
    order = ["base", *reversed(known)]
    at = revision(db)
    for wanted in (at, target):
        if wanted not in order:
            raise OtherWorkspace(
                f"the workspace is of version {wanted}; this sourcer knows {order[1]} to "
                f"{order[-1]}. Use the newer sourcer that made it"
            )
    config.attributes["connection"] = db
    step = command.upgrade if order.index(target) > order.index(at) else command.downgrade
    if at != target:
        step(config, target)
