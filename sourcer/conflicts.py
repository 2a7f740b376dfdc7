"""Sources that differ are all kept; which of them is shown, and why."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from sourcer.store.person import FieldRow

LISTED = frozenset({"school", "past_company", "skills"})
"""Fields that may have several values, all of them shown."""


def explained(rows: Iterable[FieldRow]) -> Iterator[FieldRow]:
    """The rows of one person by field, newest first, each with why it is shown or is not.

    >>> from datetime import datetime
    >>> new = FieldRow("location", "Oslo", "github", datetime(2026, 5, 1), "declared")
    >>> old = FieldRow("location", "Bergen", "linkedin", datetime(2024, 1, 1), "imported")
    >>> [row.standing for row in explained([new, old])]
    ['shown: the newest of 2 that differ', 'not shown: github says otherwise since 2026-05-01']
    >>> [row.standing for row in explained([new])]
    ['']
    """
    for field, held in groupby(rows, key=lambda row: row.field):
        said = list(held)
        for at, row in enumerate(said):
            yield row._replace(standing="" if field in LISTED else _standing(said, at))


def _standing(said: Sequence[FieldRow], at: int) -> str:
    if len(said) == 1:
        return ""
    shown, row = said[0], said[at]
    if at:
        what = "the same" if row.value == shown.value else "otherwise"
        return f"not shown: {shown.source} says {what} since {shown.fetched_at:%Y-%m-%d}"
    differ = any(other.value != shown.value for other in said)
    return f"shown: the newest of {len(said)} that {'differ' if differ else 'agree'}"
