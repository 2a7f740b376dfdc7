"""What a person's artifacts show of seniority. It stands beside the declared title, never in it.

Titles say what an employer called somebody. Artifacts show whether somebody has carried a part of
a project for years, decided what enters it, and worked across it. They can show "senior or above";
they can show neither a level above that, nor that somebody is not senior: most work leaves no
public trace.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from sourcer.query import Filter
from sourcer.shortlist import Holding
from sourcer.titles import Seniority

LABEL = "senior or above by artifacts, not by title"
AREA = 8
"""Substantial commits on one topic from which it counts as an area of one's work."""


@dataclass(frozen=True, slots=True)
class TrackRecord:
    """The countable facts; a quarter is a calendar quarter with at least one of the things."""

    first: date | None = None
    last: date | None = None
    quarters: int = 0
    """With a commit written or co-written."""
    substantial: int = 0
    """Commits that are no sweep, chore or merge, and no mere configuration or generated file."""
    areas: tuple[str, ...] = ()
    """Names of topics with at least AREA substantial commits, most first."""
    reviews: int = 0
    review_quarters: int = 0
    holdings: tuple[Holding, ...] = ()
    """Roles that the projects themselves say the person holds."""

    @property
    def years(self) -> float:
        """Years active, gaps left out.

        >>> TrackRecord(quarters=6).years
        1.5
        """
        return self.quarters / 4

    def json(self) -> dict[str, object]:
        return {
            "first": self.first and self.first.isoformat(),
            "last": self.last and self.last.isoformat(),
            "years_active": self.years,
            "substantial_commits": self.substantial,
            "areas": list(self.areas),
            "reviews": self.reviews,
            "roles_held": [held.json() for held in self.holdings],
        }


@dataclass(frozen=True, slots=True)
class Way:
    """One way in which artifacts show "senior or above"."""

    name: str
    rule: str
    """In words, with its numbers."""
    holds: Callable[[TrackRecord], bool]
    says: Callable[[TrackRecord], str]


@dataclass(frozen=True, slots=True)
class Shown:
    """That a condition on seniority is met by artifacts, with every way in which it is."""

    reasons: tuple[str, ...]
    label: str = LABEL

    def json(self) -> dict[str, object]:
        return {"label": self.label, "reasons": list(self.reasons)}


WAYS = (
    Way(
        "owner",
        "a project names them maintainer, committer or code owner,"
        " after 20 substantial commits in 4 quarters or more",
        lambda it: bool(it.holdings) and it.substantial >= 20 and it.quarters >= 4,
        lambda it: f"{_held(it.holdings)}, with {_work(it)}",
    ),
    Way(
        "reviewer",
        "40 reviews in 4 quarters or more, beside 10 substantial commits",
        lambda it: it.reviews >= 40 and it.review_quarters >= 4 and it.substantial >= 10,
        lambda it: f"reviewed {it.reviews} commits in {it.review_quarters} quarters",
    ),
    Way(
        "builder",
        f"60 substantial commits in 8 quarters or more, over 3 areas of {AREA} commits each",
        lambda it: it.substantial >= 60 and it.quarters >= 8 and len(it.areas) >= 3,
        lambda it: f"{_work(it)}, across {', '.join(it.areas[:3])}",
    ),
)


def senior(record: TrackRecord) -> Shown | None:
    """Do the artifacts show "senior or above"? None: they do not say.

    >>> owner = Holding("acme/engine", "code owner", "engine/kv/", None)
    >>> senior(TrackRecord(quarters=6, substantial=31, holdings=(owner,))).reasons
    ('code owner of engine/kv/ in acme/engine, with 31 substantial commits in 6 quarters',)
    >>> senior(TrackRecord(quarters=40, substantial=19, reviews=3)) is None
    True
    """
    reasons = tuple(way.says(record) for way in WAYS if way.holds(record))
    return Shown(reasons) if reasons else None


def meets(wanted: Filter, record: TrackRecord) -> Shown | None:
    """A labelled fallback for a condition on seniority that no declared title decides.

    >>> owner = Holding("acme/engine", "committer", "*", None)
    >>> record = TrackRecord(quarters=4, substantial=20, holdings=(owner,))
    >>> meets(Filter("seniority", ">=", "senior"), record).label
    'senior or above by artifacts, not by title'
    >>> meets(Filter("seniority", ">=", "staff"), record) is None
    True
    """
    return senior(record) if _is_met_by_senior(wanted) else None


def _is_met_by_senior(wanted: Filter) -> bool:
    """Only "at least" and "above" can be met by whoever is senior at the least."""
    if wanted.field != "seniority" or wanted.negated or wanted.op not in (">=", ">"):
        return False
    asked = Seniority(str(wanted.value))
    reaches = Seniority.SENIOR.at_least(asked) is True
    return reaches and (wanted.op == ">=" or asked is not Seniority.SENIOR)


def _held(holdings: tuple[Holding, ...]) -> str:
    """
    >>> build = Holding("acme/engine", "code owner", "/CMakeLists.txt", None)
    >>> cache = Holding("acme/engine", "code owner", "/engine/kv", None)
    >>> _held((build, cache))
    'code owner of /engine/kv in acme/engine and 1 more'
    """
    first = min(holdings, key=_narrowness)
    more = f" and {len(holdings) - 1} more" if len(holdings) > 1 else ""
    scope = "" if first.scope in ("", "*") else f" of {first.scope}"
    return f"{first.role}{scope} in {first.repo}{more}"


def _narrowness(holding: Holding) -> int:
    """A whole project, a directory, a single file."""
    if holding.scope in ("", "*"):
        return 0
    return 2 if "." in holding.scope.rpartition("/")[2] else 1


def _work(record: TrackRecord) -> str:
    return f"{record.substantial} substantial commits in {record.quarters} quarters"
