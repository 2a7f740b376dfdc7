"""For how long what each source says is kept."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from sourcer.errors import BadSettings

AUDIT = "audit"
"""What the log of who asked what goes by, among the sources of profiles."""
ANY = "*"


@dataclass(frozen=True, slots=True)
class Retention:
    """Days by source; one that is not named is kept for as long as `*` says, or for ever."""

    days: Mapping[str, int]

    @classmethod
    def read(cls, text: str) -> "Retention":
        """
        >>> Retention.read("github=365 audit=1095").days
        {'github': 365, 'audit': 1095}
        >>> Retention.read("github: 1 year")
        Traceback (most recent call last):
        sourcer.errors.BadSettings: retention has 'github:'; expected source=days, as in github=365
        """
        return cls(dict(map(_pair, text.replace(",", " ").split())))

    def oldest(self, source: str, now: datetime) -> datetime | None:
        """From when on a source's data is kept; None: all of it.

        The log is kept unless it is named: `*` speaks of profiles.
        """
        days = self.days.get(source, None if source == AUDIT else self.days.get(ANY))
        return None if days is None else now - timedelta(days=days)


def _pair(word: str) -> tuple[str, int]:
    if not (match := re.fullmatch(r"([^=]+)=(\d+)", word)):
        raise BadSettings(f"retention has {word!r}; expected source=days, as in github=365")
    return match[1], int(match[2])
