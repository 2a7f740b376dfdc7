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
    expires_at: datetime | None = None


def domains(db: Database) -> list[tuple[str, str, date, date, int]]:
    """person id, email domain, days of the first and last commit with it, how many commits.

    An address that two people sign with, as where a trailer puts one's name beside another's, says
    nothing of either.
    """
    rows: list[tuple[str, str, date, date, int]] = db.execute(
        """
        with held as (
            select person_id, signature_id, lower(email) as address,
                   lower(regexp_extract(email, '@([^@>\\s]+)\\s*$', 1)) as domain
            from person_signatures join signatures on signatures.id = signature_id
        ), own as (
            select address from held group by all having count(distinct person_id) = 1
        )
        select person_id, domain, min(authored_at)::date, max(authored_at)::date,
               count(distinct commit_id)
        from held
        semi join own using (address)
        join roles using (signature_id)
        join commits on commits.id = commit_id
        where role in ('author', 'co-author', 'signer') and domain <> ''
        group by all order by all
        """
    ).fetchall()
    return rows


def write(db: Database, rows: Sequence[Affiliation]) -> None:
    text, moment = pa.string(), pa.timestamp("s")
    types = (text, text, text, moment, moment, text, moment)
    columns = list(zip(*rows, strict=True)) or [()] * len(types)
    arrays = [pa.array(list(each), kind) for each, kind in zip(columns, types, strict=True)]
    insert(db, "affiliations", pa.table(arrays, names=list(Affiliation._fields)))
