"""Erasing people from everything but the workspace: a snapshot without them, and no other left.

Killed at any point, it is finished by the next ingest or nightly run: the workspace remembers what
is not done yet.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from sourcer import settings as settings_file
from sourcer.cli import erased, publishing
from sourcer.cli.progress import Progress
from sourcer.lock import exclusive

if TYPE_CHECKING:
    from index.embedder import Embedder


def erase(data: Path, progress: Progress, embedder: "Embedder | None" = None) -> list[int]:
    """Does what every open request asks for, from what is on disk; says which are done.

    Nothing is fetched. Raises Busy when another process is writing.
    """
    from ingest import run

    settings = settings_file.read(data)
    with exclusive(data, "erase"):
        timings = run.Timings()
        gathered = run.gather(settings, [], timings, progress)
        live = publishing.current_or_none(data)
        making = publishing.prepared(settings, gathered, live, timings)
        if gathered.crawled and not (live and live.manifest["inputs"] == making.inputs):
            publishing.publish(making, progress, embedder)
        return erased.finish(settings) if gathered.crawled or live is None else []
