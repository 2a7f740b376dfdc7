"""Where people work and worked, each row with how that is known."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import NamedTuple

import pyarrow as pa

from sourcer.store.database import Database, insert

DECLARED, LEFT = "declared", "declared as left"


class Affiliation(NamedTuple):
    """`first` and `last` bound the use of an email domain; a declaration has its date as `last`."""

    person_id: str
    company: str
    how: str
    first_seen: datetime | None
    last_seen: datetime | None
    source: str


def domains(db: Database) -> list[tuple[str, str, date, date, int]]:
    """person id, email domain, days of the first and last commit with it, how many commits.

    A name that stands only in trailers beside an address proves nothing of who employs whom:
    domains are taken from what people authored.
    """
    rows: list[tuple[str, str, date, date, int]] = db.execute(
        """
        select person_id, lower(regexp_extract(email, '@([^@>\\s]+)\\s*$', 1)) as domain,
               min(authored_at)::date, max(authored_at)::date, count(distinct commit_id)
        from person_signatures
        join signatures on signatures.id = signature_id
        join roles using (signature_id)
        join commits on commits.id = commit_id
        where role = 'author' and domain <> ''
        group by all order by all
        """
    ).fetchall()
    return rows


def write(db: Database, rows: Sequence[Affiliation]) -> None:
    text, moment = pa.string(), pa.timestamp("s")
    types = (text, text, text, moment, moment, text)
    columns = list(zip(*rows, strict=True)) or [()] * len(types)
    arrays = [pa.array(list(each), kind) for each, kind in zip(columns, types, strict=True)]
    insert(db, "affiliations", pa.table(arrays, names=list(Affiliation._fields)))
