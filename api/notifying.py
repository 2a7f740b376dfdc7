"""Whom the installation holds data on that did not come from them, and by when to tell them so."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from api.blinding import Veil
from api.snapshots import Opened
from sourcer.people import Declared
from sourcer.workspace import notices
from sourcer.workspace.notices import Notice

EPOCH = 1970
HISTORY = "public commit history"


@dataclass(frozen=True, slots=True)
class Due:
    """A person, where data on them came from, and whether they were told."""

    person_id: str
    name: str
    sources: tuple[str, ...]
    obtained: datetime
    due: datetime
    is_listed: bool
    """On a shortlist: whoever is contacted is told then at the latest."""
    told: Notice | None

    def is_late(self, now: datetime) -> bool:
        return self.told is None and self.due < now


def duties(
    opened: Opened, told: Mapping[str, Notice], listed: Mapping[str, datetime], veil: Veil
) -> tuple[Due, ...]:
    """Who has to be told, those who are late first; then those who were told.

    That is everybody with a profile that was imported or fetched, and everybody on a shortlist;
    `listed` says since when.
    """
    found = []
    details = opened.searcher.details
    ids = details.people["id"].to_pylist()
    for ordinal, id_ in enumerate(ids):
        if id_ in opened.people.hidden:
            continue
        facts = [fact for _, fact in details.known(ordinal).profile.fields]
        if facts or id_ in listed:
            found.append(_due(opened, id_, facts, told.get(id_), listed.get(id_), veil))
    return tuple(sorted(found, key=lambda one: (one.told is not None, one.due, one.name)))


def _due(
    opened: Opened, id_: str, facts: Iterable[Declared], told: Notice | None,
    listed_at: datetime | None, veil: Veil,
) -> Due:  # fmt: skip
    known = list(facts)
    dated = [moment for fact in known if (moment := _utc(fact.fetched_at)).year > EPOCH]
    obtained = min([*dated, *([listed_at] if listed_at else [])], default=_made(opened))
    return Due(
        person_id=id_,
        name=veil.name(id_, opened.people.shown(id_).name),
        sources=(HISTORY, *dict.fromkeys(fact.source for fact in known)),
        obtained=obtained,
        due=notices.due(obtained),
        is_listed=listed_at is not None,
        told=told,
    )


def _made(opened: Opened) -> datetime:
    said = opened.snapshot.manifest.get("made")
    return _utc(datetime.fromisoformat(str(said))) if said else datetime.now(UTC)


def _utc(moment: datetime) -> datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
