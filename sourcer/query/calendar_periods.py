"""Stretches of the calendar, and counting back from a day.

>>> quarter(2025, 3)
Period(start=datetime.date(2025, 7, 1), end=datetime.date(2025, 9, 30), yearless=False)
>>> back(date(2026, 3, 31), 1, "month")
datetime.date(2026, 2, 28)
"""

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta

UNIT_DAYS = {"day": 1, "week": 7, "fortnight": 14}
UNIT_MONTHS = {"month": 1, "quarter": 3, "half": 6, "year": 12, "decade": 120}
DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Period:
    """First and last day; `yearless` where the words gave no year and the latest past one holds."""

    start: date
    end: date
    yearless: bool = False

    def in_year(self, year: int) -> "Period":
        """The same stretch in another year."""
        shift = year - self.start.year
        return Period(_shifted(self.start, shift), _shifted(self.end, shift))

    def third(self, which: int) -> "Period":
        """The first, second or last third; whole months where it is a year."""
        if (self.end - self.start).days > 300:
            year = self.start.year
            return Period(month(year, 4 * which + 1).start, month(year, 4 * which + 4).end)
        step = (self.end - self.start).days // 3
        start = self.start + step * which * DAY
        return Period(start, self.end if which == 2 else start + step * DAY)


def _shifted(day: date, years: int) -> date:
    return _clipped(day.year + years, day.month, day.day)


def _clipped(year: int, month_: int, day: int) -> date:
    return date(year, month_, min(day, monthrange(year, month_)[1]))


def months_from(year: int, first: int, count: int) -> Period:
    """Whole months; `first` may run past December."""
    last = first + count - 1
    end_year, end_month = year + (last - 1) // 12, (last - 1) % 12 + 1
    start_year, start_month = year + (first - 1) // 12, (first - 1) % 12 + 1
    return Period(date(start_year, start_month, 1), _clipped(end_year, end_month, 31))


def month(year: int, number: int) -> Period:
    return months_from(year, number, 1)


def quarter(year: int, number: int) -> Period:
    return months_from(year, 3 * number - 2, 3)


def half(year: int, number: int) -> Period:
    return months_from(year, 6 * number - 5, 6)


def whole_year(year: int) -> Period:
    return months_from(year, 1, 12)


def back(today: date, count: int, unit: str) -> date:
    """The day so many units before; the earliest that a calendar here holds is the year 1."""
    if unit in UNIT_DAYS:
        return today - min(count * UNIT_DAYS[unit], today.toordinal() - 1) * DAY
    total = max(today.year * 12 + today.month - 1 - count * UNIT_MONTHS[unit], 12)
    return _clipped(total // 12, total % 12 + 1, today.day)


def latest(period: Period, today: date) -> Period:
    """A yearless stretch in the last year in which it had begun.

    >>> latest(month(2026, 8), date(2026, 6, 15)).start
    datetime.date(2025, 8, 1)
    """
    here = period.in_year(today.year)
    chosen = here if here.start <= today else period.in_year(today.year - 1)
    return Period(chosen.start, chosen.end, yearless=True)


def calendar_unit(today: date, unit: str, ago: int) -> Period | None:
    """This (ago 0) or last (ago 1) day, week, month, quarter, half or year."""
    if unit == "day":
        day = today - ago * DAY
        return Period(day, day)
    if unit == "week":
        monday = today - (today.weekday() + 7 * ago) * DAY
        return Period(monday, monday + 6 * DAY)
    if unit not in UNIT_MONTHS or unit == "decade":
        return None
    size = UNIT_MONTHS[unit]
    first = (today.month - 1) // size * size + 1 - ago * size
    return months_from(today.year, first, size)
