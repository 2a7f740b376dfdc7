"""What an admin watches: nightly runs, what is kept for how long, who is shown, dead letters."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from fastapi import APIRouter, Request, Response

from api.exposing import Exposed, exposed
from api.pages.forms import Said
from api.pages.pictures import Bar
from api.pages.site import AtSite, Site
from sourcer import retries, runs
from sourcer.pool.exposure import Exposure
from sourcer.retention import AUDIT, Retention
from sourcer.runs import Run
from sourcer.workspace import Session, audit, deliveries, erasures
from sourcer.workspace.actors import Role

router = APIRouter(prefix="/admin", include_in_schema=False)
RUNS = 30
DAYS = (7, 30, 90, 365)


@dataclass(frozen=True, slots=True)
class RunView:
    """One night, its steps as bars."""

    run: Run
    began: datetime
    steps: tuple[Bar, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class Kept:
    """One source: what is held of it, since when, and for how long."""

    source: str
    held: int
    oldest: datetime | None
    days: int | None
    """None: for ever."""
    goes_at: datetime | None
    """When the oldest of it goes."""


@router.get("/runs")
async def nightly(site: AtSite) -> Response:
    """The last nightly runs: steps and how long they took, what they did, what failed."""
    site.actor.must_be(Role.ADMIN)

    def made() -> dict[str, object]:
        data = site.desk.settings.data
        found = runs.recent(data, RUNS)
        return {
            "runs": [_run(one) for one in found],
            "last_good": next((one for one in found if one.exit_code == 0), None),
            "failing": [(name, one.says) for name, one in sorted(retries.read(data).items())],
        }

    return await site.page("runs.html", made)


@router.get("/retention")
async def retention(site: AtSite) -> Response:
    """What is held of each source, and when it goes."""
    site.actor.must_be(Role.ADMIN)
    log = await site.read(_log)

    def made() -> dict[str, object]:
        settings = site.desk.settings
        said = Retention.read(settings.retention)
        held = _held(site)
        kept = [_kept(source, *found, said) for source, found in sorted(held.items())]
        return {
            "kept": [*kept, _kept(AUDIT, *log, said)],
            "setting": settings.retention,
            "snapshots": settings.keep_snapshots,
            "runs": settings.keep_runs,
        }

    return await site.page("retention.html", made)


@router.get("/exposure")
async def exposure(request: Request, site: AtSite) -> Response:
    """Who is shown, beside who is there."""
    site.actor.must_be(Role.ADMIN)
    asked = request.query_params.get("days", "")
    days = int(asked) if asked in map(str, DAYS) else DAYS[1]
    await site.run(site.desk.auditing.flush)
    found = await site.read(lambda session: exposed(site.opened, session, days))
    return await site.page("exposure.html", lambda: _exposure(site, found))


@router.get("/alerts")
async def dead(site: AtSite) -> Response:
    """Alerts that could not be delivered, and erasures that are not finished."""
    site.actor.must_be(Role.ADMIN)

    def read(session: Session) -> dict[str, object]:
        found = deliveries.dead(session, site.actor)
        return {
            "dead": [(one, deliveries.target_of(session, one)) for one in found],
            "erasures": erasures.pending(session),
        }

    found = await site.read(read)
    return await site.page("dead_letters.html", lambda: found)


@router.post("/alerts/{number}/revive")
async def revive(site: AtSite, number: int) -> Response:
    await site.form()
    await site.write(lambda session: deliveries.revive(session, site.actor, number))
    return site.go("/admin/alerts", Said(site.words("done.revived")))


def _run(run: Run) -> RunView:
    seconds = {name: took for name, took in run.seconds.items() if name != "all"}
    most = max(seconds.values(), default=0.0) or 1.0
    steps = tuple(
        Bar(name, 0, 100 * took / most, key=f"{took:.1f}") for name, took in seconds.items()
    )
    whole = run.seconds.get("all", sum(seconds.values()))
    return RunView(run, datetime.fromisoformat(run.began), steps, whole)


def _log(session: Session) -> tuple[int, datetime | None]:
    return audit.count(session), audit.oldest(session)


def _held(site: Site) -> Mapping[str, tuple[int, datetime | None]]:
    """Of each source, about how many people it says something, and since when."""
    people, oldest = Counter[str](), dict[str, datetime]()
    for known in site.opened.searcher.details.attributes.values():
        facts = [fact for _, fact in known.profile.fields]
        people.update({fact.source for fact in facts})
        for fact in facts:
            first = oldest.get(fact.source, fact.fetched_at)
            oldest[fact.source] = min(first, fact.fetched_at)
    return {source: (count, oldest.get(source)) for source, count in people.items()}


def _kept(source: str, held: int, oldest: datetime | None, said: Retention) -> Kept:
    days = said.days_of(source)
    goes_at = oldest + timedelta(days=days) if oldest and days is not None else None
    return Kept(source, held, oldest, days, goes_at)


def _exposure(site: Site, found: Exposed) -> dict[str, object]:
    return {
        "days": found.days,
        "spans": DAYS,
        "times": found.times,
        "tables": [(one, _rows(site, one)) for one in found.by],
    }


def _rows(site: Site, one: Exposure) -> list[tuple[str, int, int, float, float, float]]:
    """Name, how many there are, how many were shown, and both shares."""
    return [
        (
            _name(site, one.dimension, share.value),
            share.pool,
            share.people,
            share.pool_share,
            share.shown_share,
            share.ratio,
        )
        for share in one.shares
    ]


def _name(site: Site, dimension: str, value: str) -> str:
    if not value:
        return site.words("slices.unknown")
    return site.words.territory(value) if dimension == "country" else value
