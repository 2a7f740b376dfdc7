"""Who was shown in the answers of the last days, beside everybody who is there."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from api.snapshots import Opened
from sourcer.pool.exposure import BY, Exposure, exposure
from sourcer.query import Query
from sourcer.workspace import Session, audit


@dataclass(frozen=True, slots=True)
class Exposed:
    """The report: how often anybody was shown, and the pool by each dimension."""

    days: int
    times: int
    by: tuple[Exposure, ...]


def exposed(opened: Opened, session: Session, days: int) -> Exposed:
    """Counts every answer of the log; people who are in the snapshot no more are left out."""
    members = opened.pools.of(Query("")).members
    shown = audit.times_shown(session, since(session.now, days))
    here = {member.id: shown[member.id] for member in members if shown[member.id]}
    return Exposed(days, sum(here.values()), tuple(exposure(members, here, by) for by in BY))


def since(now: datetime, days: int) -> datetime:
    return now - timedelta(days=days)
