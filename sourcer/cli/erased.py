"""The end of an erasure: no snapshot is left that holds the person."""

import shutil

from sourcer import snapshot
from sourcer.settings import Settings


def finish(settings: Settings) -> list[int]:
    """Once a snapshot without them is current: drops all others, and closes the requests."""
    from sourcer.workspace import Workspace, erasures

    if not settings.has_workspace:
        return []
    workspace = Workspace.open(settings.data, settings.workspace_url)
    try:
        with workspace.reading() as session:
            waiting = erasures.pending(session)
        if waiting:
            snapshot.keep_current(settings.data)
            shutil.rmtree(settings.data / "inbox", ignore_errors=True)
        for one in waiting:
            with workspace.writing() as session:
                for store in one.stores:
                    erasures.purged(session, one.id, store)
        if waiting:
            workspace.compact()
        return [one.id for one in waiting]
    finally:
        workspace.close()
