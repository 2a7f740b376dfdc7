"""An answer's body, written straight from the shortlist: `SearchOut` says what is in it.

Checking a hundred kilobytes of our own facts against the model took as long as finding them.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime

from pydantic_core import to_json

from api.responses import Json, clean, in_utc, may_hold_email
from index.pool import LaneOfEntries
from index.remembered import Remembered
from sourcer.shortlist import Entry, Shortlist, Shown

Told = Remembered[str, Json]
"""How people are told of, by id: the same in every answer of a snapshot."""
MOST_TOLD = 2_000
DECLARED = ("location", "employer", "title", "seniority", "open_to_offers")


def search_body(
    found: Shortlist,
    search_id: str,
    next_cursor: str | None,
    told: Told,
    lanes: Sequence[LaneOfEntries] | None = None,
) -> bytes:
    """
    >>> from sourcer.query import Query
    >>> search_body(Shortlist(Query("moe"), "2026", 0), "f00", None, Told(9))[:41]
    b'{"search_id":"f00","snapshot":"2026","que'
    """
    said: Json = {
        "search_id": search_id,
        "snapshot": found.snapshot,
        "query": found.query.json(),
        "total": found.total,
        "entries": [_entry(entry, told) for entry in found.entries],
        "next_cursor": next_cursor,
        "notes": list(found.notes),
        "lanes": None if lanes is None else [one.json() for one in lanes],
    }
    body = to_json(said)
    return to_json(clean(said)) if may_hold_email(body.decode()) else body


def _entry(entry: Entry, told: Told) -> Json:
    person = told.get(entry.person.id, lambda _: _person(entry.person))
    return entry.json(person)


def _person(shown: Shown) -> Json:
    return {
        name: _in_utc(value) if name in DECLARED and isinstance(value, dict) else value
        for name, value in shown.json().items()
    }


def _in_utc(declared: Mapping[str, object]) -> Json:
    """
    >>> _in_utc({"value": "Lyon", "fetched_at": "2026-05-01T00:00:00"})
    {'value': 'Lyon', 'fetched_at': '2026-05-01T00:00:00Z'}
    """
    moment = in_utc(datetime.fromisoformat(str(declared["fetched_at"])))
    return {**declared, "fetched_at": moment.isoformat().replace("+00:00", "Z")}
