"""For how long what each source says is kept."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from sourcer.errors import BadSettings

AUDIT = "audit"
"""What the log of who asked what goes by, among the sources of profiles."""
ANY = "*"
FOREVER = "forever"
USUAL: Mapping[str, int | None] = {
    "github": 365,
    "linkedin": 730,
    "people-data-labs": 365,
    "json-resume": 730,
    "table": 730,
    "artifacts": 1825,
    "openalex": 1825,
    ANY: 730,
}
"""Days, where the setting says nothing: what is fetched again by itself and what others collected
goes first, what is public anyway last."""


@dataclass(frozen=True, slots=True)
class Retention:
    """Days by source, None: for ever; `*` is every source that is not named."""

    days: Mapping[str, int | None]

    @classmethod
    def read(cls, text: str) -> "Retention":
        """What is not named is kept as is usual, unless `*` says otherwise.

        >>> kept = Retention.read("github=30 audit=1095")
        >>> kept.days["github"], kept.days["linkedin"], kept.days["audit"]
        (30, 730, 1095)
        >>> Retention.read("github=30 *=forever").days
        {'github': 30, '*': None}
        >>> Retention.read("github: 1 year")
        Traceback (most recent call last):
        sourcer.errors.BadSettings: retention has 'github:'; expected source=days, as in github=365
        """
        said = dict(map(_pair, text.replace(",", " ").split()))
        return cls(said if ANY in said else {**USUAL, **said})

    def oldest(self, source: str, now: datetime) -> datetime | None:
        """From when on a source's data is kept; None: all of it."""
        days = self.days_of(source)
        return None if days is None else now - timedelta(days=days)

    def expiry(self, source: str, fetched_at: datetime) -> datetime | None:
        """When something goes that was fetched then; None: never.

        >>> Retention.read("").expiry("table:ats-export", datetime(2026, 5, 1))
        datetime.datetime(2028, 4, 30, 0, 0)
        """
        days = self.days_of(source)
        return None if days is None else fetched_at + timedelta(days=days)

    def days_of(self, source: str) -> int | None:
        """Of the source, of its kind (`table` for `table:ats-export`), or of any.

        The log is kept unless it is named: `*` speaks of profiles.
        """
        if source == AUDIT:
            return self.days.get(AUDIT)
        named = (name for name in (source, source.partition(":")[0], ANY) if name in self.days)
        return self.days[next(named, ANY)]


def _pair(word: str) -> tuple[str, int | None]:
    if not (match := re.fullmatch(rf"([^=]+)=(\d+|{FOREVER})", word)):
        raise BadSettings(f"retention has {word!r}; expected source=days, as in github=365")
    return match[1], None if match[2] == FOREVER else int(match[2])


USUALLY = Retention.read("")
