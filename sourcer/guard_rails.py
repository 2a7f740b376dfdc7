"""What keeps a bad night from being published: counts and answers compared with the last snapshot.

A history that was rewritten, a repository that vanished, a rule that went wrong: all show as a
drop. What drops further than its limit is held back for a person to look at.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from sourcer.settings import Settings

WATCHED = {
    "commits": "commits",
    "people": "people",
    "commits_with_topics": "commits that have a topic",
}
"""Counts of a manifest that may not fall far, and how they are called."""


@dataclass(frozen=True, slots=True)
class Limits:
    """By how many per cent each may drop; 100 lets anything pass."""

    counts: Mapping[str, int]
    judged: int

    @classmethod
    def of(cls, settings: Settings) -> "Limits":
        counts = {
            "commits": settings.hold_commits,
            "people": settings.hold_people,
            "commits_with_topics": settings.hold_topics,
        }
        return cls(counts, settings.hold_judged)


def drops(
    before: Mapping[str, int], now: Mapping[str, int], limits: Mapping[str, int]
) -> list[str]:
    """Which counts fell further than they may.

    >>> limits = {"commits": 5, "people": 10}
    >>> drops({"commits": 1000, "people": 90}, {"commits": 900, "people": 85}, limits)
    ['1,000 commits before, 900 now: 10.0 % fewer, of which 5 % are allowed (hold_commits)']
    """
    return [
        f"{before[name]:,} {WATCHED[name]} before, {now.get(name, 0):,} now: {fallen:.1f} % "
        f"fewer, of which {limit} % are allowed (hold_{name.rpartition('_')[2]})"
        for name, limit in limits.items()
        if (fallen := _fallen(before.get(name, 0), now.get(name, 0))) > limit
    ]


def judged_worse(before: float | None, now: float | None, limit: int) -> list[str]:
    """Whether the installation's judged questions are answered worse than they may be.

    >>> judged_worse(0.80, 0.60, 10)[0][:63]
    'nDCG of the judged questions: 0.800 before, 0.600 now: 25.0 % l'
    >>> judged_worse(None, 0.60, 10), judged_worse(0.61, 0.60, 10)
    ([], [])
    """
    if before is None or now is None or (fallen := _fallen(before, now)) <= limit:
        return []
    return [
        f"nDCG of the judged questions: {before:.3f} before, {now:.3f} now: {fallen:.1f} % less, "
        f"of which {limit} % are allowed (hold_judged)"
    ]


def _fallen(before: float, now: float) -> float:
    """Per cent."""
    return 100 * (before - now) / before if before else 0.0
