"""Long work, such as imports and ingests, and how far it has come."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from sqlalchemy import Row, select, update
from sqlalchemy import insert as insert_into

from sourcer.errors import Conflict, NotFound
from sourcer.workspace.actors import Actor, Role
from sourcer.workspace.database import Session
from sourcer.workspace.tables import jobs
from sourcer.workspace.wording import kept, slug

SILENCE = timedelta(minutes=10)
"""A job that says nothing for so long is taken for dead."""


class State(StrEnum):
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


ENDED = (State.DONE, State.FAILED)


@dataclass(frozen=True, slots=True)
class Job:
    """One piece of long work; `says` is what it does now, or why it failed."""

    slug: str
    kind: str
    started_by: str
    started_at: datetime
    changed_at: datetime
    state: State
    done: int
    total: int
    says: str
    result: object


def start(session: Session, actor: Actor, kind: str) -> Job:
    """A new job, waiting to be taken up."""
    actor.must_be(Role.RECRUITER)
    name = slug()
    session.db.execute(
        insert_into(jobs).values(
            slug=name,
            kind=kind,
            started_by=actor.name,
            started_at=session.now,
            changed_at=session.now,
            state=State.WAITING,
            done=0,
            total=0,
            says="",
        )
    )
    return get(session, name)


def report(session: Session, name: str, says: str, done: int, total: int) -> Job:
    """How far the work has come; also how it says that it is alive."""
    values = {"state": State.RUNNING, "says": kept(says), "done": done, "total": total}
    return _changed(session, name, values)


def finish(session: Session, name: str, result: object = None) -> Job:
    return _changed(session, name, {"state": State.DONE, "says": "", "result": result})


def fail(session: Session, name: str, why: str) -> Job:
    return _changed(session, name, {"state": State.FAILED, "says": kept(why)})


def fail_abandoned(session: Session) -> int:
    """Fails those that have been silent too long, as their process must have died."""
    silent = jobs.c.state.not_in(ENDED) & (jobs.c.changed_at < session.now - SILENCE)
    values = {"state": State.FAILED, "says": "its process ended", "changed_at": session.now}
    return session.db.execute(update(jobs).where(silent).values(values)).rowcount


def get(session: Session, name: str) -> Job:
    row = session.db.execute(select(jobs).where(jobs.c.slug == name)).first()
    if row is None:
        raise NotFound(f"there is no job {name}")
    return _job(row)


def recent(session: Session, limit: int = 50) -> tuple[Job, ...]:
    asked = select(jobs).order_by(jobs.c.started_at.desc()).limit(limit)
    return tuple(_job(row) for row in session.db.execute(asked))


def _changed(session: Session, name: str, values: dict[str, object]) -> Job:
    if (job := get(session, name)).state in ENDED:
        raise Conflict(f"job {name} has ended already: {job.state}")
    touched = {**values, "changed_at": session.now}
    session.db.execute(update(jobs).where(jobs.c.slug == name).values(touched))
    return get(session, name)


def _job(row: Row[tuple[object, ...]]) -> Job:
    return Job(
        slug=row.slug,
        kind=row.kind,
        started_by=row.started_by,
        started_at=row.started_at,
        changed_at=row.changed_at,
        state=State(row.state),
        done=row.done,
        total=row.total,
        says=row.says,
        result=row.result,
    )
