"""Long work that runs beside the answers: imports and ingests, told of as jobs.

What an import or ingest does is given from outside, as nothing here may know of ingest.
"""

import logging
import shutil
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from sourcer.errors import BadInput, SourcerError
from sourcer.workspace import Workspace, jobs
from sourcer.workspace.actors import Actor
from sourcer.workspace.jobs import Job
from sourcer.workspace.wording import without_emails

Progress: TypeAlias = Callable[[str, int, int], None]
Facts: TypeAlias = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Doing:
    """The work that an installation can do: the composition root says how."""

    import_file: Callable[[Path, Facts, Progress], Facts] | None = None
    ingest: Callable[[Progress], Facts] | None = None
    add: Callable[[str, Progress], Facts] | None = None
    """Remembers a repository, NAME or NAME=SOURCE, and ingests it."""
    erase: Callable[[Progress], Facts] | None = None
    """Finishes every erasure that was asked for: crawl, profiles, snapshots."""
    preview: Callable[[Path], Facts] | None = None
    """What a file is and, of a table, its header, first rows and guessed mapping."""
    queue: Callable[[], list[Facts]] | None = None
    decide: Callable[[str, str], None] | None = None
    """A verdict (accept, reject, undo) and the id of a row that may be about somebody."""


@dataclass(frozen=True)
class Work:
    """Runs jobs one after another, so that they do not fight over the data directory."""

    workspace: Workspace
    doing: Doing = field(default_factory=Doing)
    runner: ThreadPoolExecutor = field(
        default_factory=lambda: ThreadPoolExecutor(1, thread_name_prefix="job")
    )

    def start(self, actor: Actor, kind: str, do: Callable[[Progress], Facts]) -> Job:
        """A job that runs as soon as those before it have ended."""
        with self.workspace.writing() as session:
            jobs.fail_abandoned(session)
            job = jobs.start(session, actor, kind)
        self.runner.submit(self._run, job.slug, do)
        return job

    def import_file(self, actor: Actor, file: Path, options: Facts) -> Job:
        doing = self.doing.import_file
        if doing is None:
            raise BadInput("this server takes no imports. Run: sourcer profiles import FILE")

        def do(progress: Progress) -> Facts:
            try:
                return doing(file, options, progress)
            finally:
                shutil.rmtree(file.parent)

        return self.start(actor, "import", do)

    def ingest(self, actor: Actor) -> Job:
        doing = self.doing.ingest
        if doing is None:
            raise BadInput("this server starts no ingests. Run: sourcer ingest")
        return self.start(actor, "ingest", doing)

    def erase(self, actor: Actor) -> Job | None:
        """None: the next ingest does it."""
        return self.start(actor, "erase", self.doing.erase) if self.doing.erase else None

    def add(self, actor: Actor, source: str) -> Job:
        doing = self.doing.add
        if doing is None:
            raise BadInput("this server adds no repositories. Run: sourcer ingest NAME=SOURCE")
        return self.start(actor, "ingest", lambda progress: doing(source, progress))

    def preview(self, file: Path) -> Facts:
        if self.doing.preview is None:
            raise BadInput("this server takes no imports. Run: sourcer profiles import FILE")
        return self.doing.preview(file)

    def queue(self) -> list[Facts]:
        """Imported rows that may be about somebody."""
        return [] if self.doing.queue is None else self.doing.queue()

    def decide(self, verdict: str, row: str) -> None:
        if self.doing.decide is None:
            raise BadInput("this server takes no decisions. Run: sourcer profiles queue")
        self.doing.decide(verdict, row)

    def _run(self, name: str, do: Callable[[Progress], Facts]) -> None:
        def report(says: str, done: int, total: int) -> None:
            with self.workspace.writing() as session:
                jobs.report(session, name, says, done, total)

        try:
            report("begins", 0, 0)
            result = dict(do(report))
        except SourcerError as error:
            self._fail(name, str(error))
        except Exception as error:  # noqa: BLE001 - whatever ends a job, its reader must learn so
            logging.getLogger("api").error("job %s ended with %s", name, type(error).__name__)
            self._fail(name, f"it broke with {type(error).__name__}: see the server's log")
        else:
            with self.workspace.writing() as session:
                jobs.finish(session, name, result)

    def _fail(self, name: str, why: str) -> None:
        with self.workspace.writing() as session:
            jobs.fail(session, name, without_emails(why))

    def close(self) -> None:
        self.runner.shutdown(wait=False, cancel_futures=True)
