"""The lane that somebody stands in, and why."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from sourcer import boolean, companies
from sourcer.lanes.file import Lane, WantedCommits, shipped
from sourcer.people import Profile

NAMED = 3
NO_LANE = "no lane"
Someone = TypeVar("Someone")


@dataclass(frozen=True, slots=True)
class Work:
    """How many commits somebody wrote or co-wrote: per topic, and over several topics at once."""

    by_topic: Mapping[str, int]
    on_any: Callable[[frozenset[str], bool], int] = field(compare=False)
    """Commits on any of the topics (none: on any topic), each once; with True only those that
    change kernels."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What lanes are decided by."""

    work: Work
    now: Mapping[str, str] = field(default_factory=dict)
    """Present employer, by canonical name -> how it is known."""
    past: Mapping[str, str] = field(default_factory=dict)
    profile: Profile = field(default=Profile(""))


@dataclass(frozen=True, slots=True)
class Placed:
    """The lane that somebody stands in, and why."""

    lane: Lane
    why: str

    def json(self) -> dict[str, object]:
        return {"lane": self.lane.id, "name": self.lane.name, "why": self.why}


def lane_of(facts: Facts, lanes: Sequence[Lane] | None = None) -> Placed | None:
    """The first lane that holds; None: no lane leads to this person.

    >>> work = Work({"kda": 5, "docs": 9}, lambda wanted, kernels: 5 * ("kda" in wanted))
    >>> placed = lane_of(Facts(work))
    >>> placed.lane.id, placed.why
    ('artifacts', '5 commits: kda (5)')
    """
    for lane in shipped() if lanes is None else lanes:
        if why := _why(lane, facts):
            return Placed(lane, why)
    return None


@dataclass(frozen=True, slots=True)
class Group(Generic[Someone]):
    """The people of one lane, in the order in which they came; lane None: no lane leads to them."""

    lane: Lane | None
    people: tuple[Someone, ...]


def grouped(
    people: Iterable[Someone],
    placed: Callable[[Someone], Placed | None],
    lanes: Sequence[Lane] | None = None,
) -> tuple[Group[Someone], ...]:
    """People by lane, the lanes in their order; lanes without people are left out.

    >>> both = {"ada": Placed(shipped()[3], ""), "bo": None}
    >>> [(group.lane and group.lane.id, group.people) for group in grouped(both, both.get)]
    [('adjacent', ('ada',)), (None, ('bo',))]
    """
    held: dict[str | None, list[Someone]] = {}
    for person in people:
        place = placed(person)
        held.setdefault(place.lane.id if place else None, []).append(person)
    order = (*(shipped() if lanes is None else lanes), None)
    found = ((lane, held.get(lane.id if lane else None)) for lane in order)
    return tuple(Group(lane, tuple(those)) for lane, those in found if those)


def _why(lane: Lane, facts: Facts) -> str | None:
    by_commits = (_by_commits(wanted, facts.work) for wanted in lane.commits)
    return (
        next(filter(None, by_commits), None) or _by_company(lane, facts) or _by_title(lane, facts)
    )


def _by_commits(wanted: WantedCommits, work: Work) -> str | None:
    count = work.on_any(wanted.topics, wanted.kernels)
    if count < wanted.at_least:
        return None
    about = wanted.topics & work.by_topic.keys() or work.by_topic.keys()
    most = sorted(about, key=lambda topic: (-work.by_topic[topic], topic))[:NAMED]
    named = ", ".join(f"{topic} ({work.by_topic[topic]})" for topic in most)
    what = "1 commit" if count == 1 else f"{count} commits"
    return f"{what}{' to kernels' if wanted.kernels else ''}: {named}"


def _by_company(lane: Lane, facts: Facts) -> str | None:
    for when, held in (("at", facts.now), ("formerly at", facts.past if lane.ever else {})):
        for name, how in held.items():
            if any(companies.belongs(name, wanted) for wanted in lane.companies):
                shown = found.shown if (found := companies.find(name)) else name
                return f"{when} {shown} ({how})"
    return None


def _by_title(lane: Lane, facts: Facts) -> str | None:
    if lane.titles is None:
        return None
    for name, fact in facts.profile.fields:
        if name in (*boolean.TITLES, *boolean.SKILLS) and lane.titles.found_in(fact.value):
            return f"declares “{fact.value}” ({name}, {fact.source})"
    return None
