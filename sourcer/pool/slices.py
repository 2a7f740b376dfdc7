"""A pool by employer, school, place, tenure, topic, quarter or lane; several pools side by side."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from sourcer.errors import BadInput
from sourcer.pool.funnel import Standing
from sourcer.track_record import LABEL


@dataclass(frozen=True, slots=True)
class Member:
    """One person of a pool, as slices count them. Empty or None: not known."""

    id: str
    standing: Standing = Standing.MATCHED
    unknown: tuple[str, ...] = ()
    """The words of the question that nothing decides."""
    country: str | None = None
    state: str | None = None
    city: str | None = None
    employers: tuple[str, ...] = ()
    schools: tuple[str, ...] = ()
    seniority: str | None = None
    by_artifacts: bool = False
    """The track record shows "senior or above", whatever the title."""
    open: bool | None = None
    years: int | None = None
    joined: str | None = None
    """The quarter of the first commit that counts: "2025-Q3"."""
    topics: tuple[str, ...] = ()
    repos: tuple[str, ...] = ()
    lane: str | None = None


@dataclass(frozen=True, slots=True)
class Dimension:
    """What a pool can be sliced by."""

    title: str
    values: Callable[[Member], Collection[str]]
    how: str
    in_order: bool = False
    """By value, as quarters are; otherwise the largest first."""
    tells_who: bool = False
    """A value that few have may tell who they are."""


def _one(value: str | None) -> tuple[str, ...]:
    return () if value is None else (value,)


def _tenure(member: Member) -> tuple[str, ...]:
    """
    >>> _tenure(Member("p", years=1)), _tenure(Member("p", years=7))
    (('1 to 2 years',), ('5 years or more',))
    """
    if member.years is None:
        return ()
    for least, says in ((5, "5 years or more"), (3, "3 to 4 years"), (1, "1 to 2 years")):
        if member.years >= least:
            return (says,)
    return ("0, under a year",)


_DECLARED = "read from the declared location; a commit's time zone is not used"
DIMENSIONS: Mapping[str, Dimension] = {
    "lane": Dimension(
        "Sourcing lane", lambda m: _one(m.lane), "the first lane of lanes.toml that holds"
    ),
    "employer": Dimension(
        "Employer",
        lambda m: m.employers,
        "declared now, else seen last as the domain of commit emails",
        tells_who=True,
    ),
    "school": Dimension(
        "School or lab",
        lambda m: m.schools,
        "declared, or seen as the domain of commit emails, now or before",
        tells_who=True,
    ),
    "country": Dimension("Country", lambda m: _one(m.country), _DECLARED, tells_who=True),
    "state": Dimension("State or province", lambda m: _one(m.state), _DECLARED, tells_who=True),
    "city": Dimension("City", lambda m: _one(m.city), _DECLARED, tells_who=True),
    "seniority": Dimension(
        "Declared seniority",
        lambda m: _one(m.seniority),
        "read from the declared title; artifacts are not mixed in",
    ),
    "artifacts": Dimension(
        "Seniority by artifacts",
        lambda m: (LABEL,) if m.by_artifacts else (),
        "years active, roles held, reviews and scope of the commits held here, by the rules of"
        " track_record.py; the others may be as senior, for most work leaves no public trace",
    ),
    "open": Dimension(
        "Open to offers",
        lambda m: () if m.open is None else ("open" if m.open else "not open",),
        "declared: GitHub's hireable flag, an imported status, or a statement in the biography",
    ),
    "tenure": Dimension(
        "Years active",
        _tenure,
        "quarters with any commit held here, divided by four, rounded down",
        in_order=True,
    ),
    "topic": Dimension(
        "Topic", lambda m: m.topics, "topics of the commits that count; people count in several"
    ),
    "repo": Dimension(
        "Repository", lambda m: m.repos, "where commits that count are; people count in several"
    ),
    "quarter": Dimension(
        "New per quarter",
        lambda m: _one(m.joined),
        "the quarter of a person's first commit that counts",
        in_order=True,
    ),
}


@dataclass(frozen=True, slots=True)
class Row:
    """One value of a slice: how many people have it, and how many of them meet every word."""

    value: str
    people: int
    matched: int

    def json(self) -> dict[str, object]:
        return {"value": self.value, "people": self.people, "matched": self.matched}


@dataclass(frozen=True, slots=True)
class Slice:
    """A pool by one dimension; `unknown` people have no value, `others` have one below the top."""

    dimension: str
    title: str
    rows: tuple[Row, ...]
    others: int
    unknown: int
    how: str

    def json(self) -> dict[str, object]:
        return {
            "dimension": self.dimension,
            "title": self.title,
            "rows": [row.json() for row in self.rows],
            "others": self.others,
            "unknown": self.unknown,
            "how": self.how,
        }


def sliced(members: Sequence[Member], by: str, top: int | None = 12, least: int = 1) -> Slice:
    """A pool by one of DIMENSIONS; the most frequent `top` values. Raises BadInput for another.

    Employers, schools and places that fewer than `least` have are not named.

    >>> pool = [Member("a", country="PL"), Member("b", country="PL"), Member("c")]
    >>> one = sliced(pool, "country")
    >>> one.rows, one.unknown
    ((Row(value='PL', people=2, matched=2),), 1)
    >>> sliced(pool, "country", least=5).others
    2
    """
    dimension = _dimension(by)
    people, matched = Counter[str](), Counter[str]()
    for member in members:
        people.update(dimension.values(member))
        if member.standing is Standing.MATCHED:
            matched.update(dimension.values(member))
    named = [value for value in people if people[value] >= least or not dimension.tells_who]
    ranked = sorted(named, key=lambda value: (-people[value], value))
    shown = ranked if dimension.in_order else ranked[:top]
    shown_set = set(shown)
    known = [values for member in members if (values := dimension.values(member))]
    return Slice(
        by,
        dimension.title,
        tuple(
            Row(value, people[value], matched[value])
            for value in (sorted(shown) if dimension.in_order else shown)
        ),
        others=sum(shown_set.isdisjoint(values) for values in known),
        unknown=len(members) - len(known),
        how=dimension.how,
    )


def _dimension(by: str) -> Dimension:
    if by not in DIMENSIONS:
        raise BadInput(f"a pool is sliced by one of {', '.join(DIMENSIONS)}, not by {by!r}")
    return DIMENSIONS[by]


@dataclass(frozen=True, slots=True)
class SideBySide:
    """Several pools by one dimension: a row per value, a column per pool."""

    dimension: str
    pools: tuple[str, ...]
    rows: tuple[tuple[str, tuple[int, ...]], ...]
    unknown: tuple[int, ...]
    how: str

    def json(self) -> dict[str, object]:
        return {
            "dimension": self.dimension,
            "pools": list(self.pools),
            "rows": [{"value": value, "people": list(counts)} for value, counts in self.rows],
            "unknown": list(self.unknown),
            "how": self.how,
        }


def side_by_side(pools: Mapping[str, Sequence[Member]], by: str, top: int = 12) -> SideBySide:
    """The values that are most frequent over all pools, each pool counted by itself.

    >>> both = side_by_side({"x": [Member("a", country="PL")], "y": [Member("b")]}, "country")
    >>> both.rows, both.unknown
    ((('PL', (1, 0)),), (0, 1))
    """
    slices = [sliced(members, by, top=None) for members in pools.values()]
    counts = [{row.value: row.people for row in each.rows} for each in slices]
    total = sum((Counter(each) for each in counts), Counter[str]())
    values = sorted(total, key=lambda value: (-total[value], value))
    values = sorted(values) if _dimension(by).in_order else values[:top]
    return SideBySide(
        by,
        tuple(pools),
        tuple((value, tuple(each.get(value, 0) for each in counts)) for value in values),
        tuple(each.unknown for each in slices),
        _dimension(by).how,
    )
