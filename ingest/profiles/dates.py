"""Dates as exports write them."""

import re
from datetime import UTC, date, datetime

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
ISO = re.compile(r"(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?(?!\d)")
NAMED = re.compile(r"(?:(\d{1,2})[ -])?([A-Za-z]{3})[a-z]*\.?[ -](?:(\d{1,2}),? )?(\d{4})")
NUMBERS = re.compile(r"(\d{1,2})[/.](\d{1,2})[/.](\d{4})(?!\d)")


def read(text: str) -> date | None:
    """A day; a month stands for its first. None where it cannot be told.

    >>> [str(read(text)) for text in ("2026-05-04T09:00:00Z", "04 May 2026", "May 2026", "2019")]
    ['2026-05-04', '2026-05-04', '2026-05-01', '2019-01-01']
    >>> [str(read(text)) for text in ("31/12/2025", "12/31/2025", "May 4, 2026")]
    ['2025-12-31', '2025-12-31', '2026-05-04']

    Whether 04/05 is April or May is nobody's to guess:

    >>> read("04/05/2026"), read("never"), read("2026-13-40")
    (None, None, None)
    """
    plain = text.strip()
    parts = _iso(plain) or _named(plain) or _numbers(plain)
    try:
        return date(*parts) if parts else None
    except ValueError:
        return None


def moment(text: str) -> datetime | None:
    """The midnight at which a day begins, in UTC."""
    day = read(text)
    return datetime(day.year, day.month, day.day, tzinfo=UTC) if day else None


def _iso(text: str) -> tuple[int, int, int] | None:
    if found := ISO.match(text):
        return int(found[1]), int(found[2]), int(found[3] or 1)
    return (int(text), 1, 1) if re.fullmatch(r"(19|20)\d\d", text) else None


def _named(text: str) -> tuple[int, int, int] | None:
    found = NAMED.match(text)
    if not found or found[2].lower() not in MONTHS:
        return None
    return int(found[4]), MONTHS.index(found[2].lower()) + 1, int(found[1] or found[3] or 1)


def _numbers(text: str) -> tuple[int, int, int] | None:
    found = NUMBERS.match(text)
    if not found:
        return None
    first, second, year = int(found[1]), int(found[2]), int(found[3])
    if first == second or second > 12:
        return year, first, second
    return (year, second, first) if first > 12 else None
