"""Facts of every person that no question changes: work by topic and kernel, track record, lane."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from functools import cached_property

import numpy as np
import numpy.typing as npt

from index.columns import ROLES, Columns
from index.details import Details
from index.remembered import Remembered
from index.scope import EPOCH
from index.worth import Worth
from sourcer import lanes
from sourcer.commits import Role
from sourcer.lanes.file import Lane
from sourcer.ranking import Ints, Mask
from sourcer.shortlist import Entry
from sourcer.substance import KINDS, Kind
from sourcer.topics import Taxonomy
from sourcer.track_record import AREA, TrackRecord

SUBSTANTIAL = 0.5
"""A commit more trivial than this is none for the record."""
CO_AUTHOR = ROLES.index(Role.CO_AUTHOR)
REVIEWER = ROLES.index(Role.REVIEWER)


def quarters(days: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
    """Calendar quarters since 1970 of days since 1970.

    >>> quarters(np.array([0, 89, 90, 365])).tolist()
    [0, 0, 1, 4]
    """
    months = days.astype("datetime64[D]").astype("datetime64[M]").astype(np.int64)
    return months // 3


class PeopleFacts:
    """Worked out person by person when first asked for."""

    def __init__(
        self,
        columns: Columns,
        details: Details,
        worth: Worth,
        taxonomy: Taxonomy,
        known_lanes: Sequence[Lane] | None = None,
    ) -> None:
        self._columns = columns
        self._details = details
        self._worth = worth
        self._taxonomy = taxonomy
        self._roots = _roots(taxonomy, details)
        self._lanes = known_lanes
        self._records = Remembered[int, TrackRecord](100_000)
        self._placed = Remembered[int, lanes.Placed | None](100_000)
        self._wider = Remembered[frozenset[str], frozenset[str]](256)
        order = np.argsort(columns.people.items, kind="stable")
        commits = np.repeat(np.arange(len(columns.day), dtype=np.int32), columns.people.lengths)
        people = np.arange(len(columns.person_commits) + 1)
        self._starts = np.searchsorted(columns.people.items[order], people)
        self._commits = commits[order]
        self._roles = columns.roles[order]

    def placed_by(self, known_lanes: Sequence[Lane]) -> "PeopleFacts":
        """The same facts under other lanes."""
        return PeopleFacts(self._columns, self._details, self._worth, self._taxonomy, known_lanes)

    def commits(self, person: int, roles: slice = slice(0, CO_AUTHOR + 1)) -> Ints:
        """A person's commits, oldest first; those written or co-written unless said otherwise."""
        held = slice(self._starts[person], self._starts[person + 1])
        role = self._roles[held]
        found: Ints = self._commits[held][(role >= roles.start) & (role < roles.stop)]
        return found

    @cached_property
    def in_kernels(self) -> Mask:
        """The commits, no sweep or chore, that change a kernel's source."""
        columns = self._columns
        kernel = self._worth.kind_of_node == KINDS.index(Kind.KERNEL)
        nodes = np.flatnonzero(kernel & columns.node_is_file)
        found = np.zeros(len(columns.day), np.bool_)
        if len(nodes):
            found[columns.node_commits.gather(nodes)[1]] = True
        return found & (self._worth.trivial < SUBSTANTIAL)

    @cached_property
    def kernel_commits(self) -> npt.NDArray[np.int64]:
        """Per person: how many of theirs change kernels."""
        count = len(self._columns.person_commits)
        return np.array([self.in_kernels[self.commits(p)].sum() for p in range(count)], np.int64)

    def record(self, person: int) -> TrackRecord:
        return self._records.get(person, self._recorded)

    def _recorded(self, person: int) -> TrackRecord:
        days = self._columns.day
        done, reviewed = self.commits(person), self.commits(person, slice(REVIEWER, REVIEWER + 1))
        substantial = done[self._worth.trivial[done] < SUBSTANTIAL]
        return TrackRecord(
            first=_date(int(days[done].min())) if len(done) else None,
            last=_date(int(days[done].max())) if len(done) else None,
            quarters=len(np.unique(quarters(days[done]))),
            substantial=len(substantial),
            areas=self._areas(substantial),
            reviews=len(reviewed),
            review_quarters=len(np.unique(quarters(days[reviewed]))),
            holdings=self._details.holdings.get(person, ()),
        )

    def _areas(self, commits: Ints) -> tuple[str, ...]:
        """Names of the widest topics: two that lie in one another are one area."""
        row, topics = self._columns.topics.gather(commits)
        pairs = {
            (int(c), root) for c, t in zip(row, topics, strict=True) for root in self._roots[t]
        }
        counts: dict[int, int] = {}
        for _, root in pairs:
            counts[root] = counts.get(root, 0) + 1
        most = sorted(counts, key=lambda root: (-counts[root], root))
        return tuple(self._details.topics[root][1] for root in most if counts[root] >= AREA)

    def lane(self, person: int) -> lanes.Placed | None:
        """Where a sourcer would look for this person first."""
        return self._placed.get(person, self._place)

    def _place(self, person: int) -> lanes.Placed | None:
        known = self._details.known(person)
        how = {seen.company: seen.declared.method for seen in known.seen}
        now = {name: how.get(name, "declared") for name in sorted(known.employers)}
        past = {name: how.get(name, "declared") for name in sorted(known.past_employers)}
        facts = lanes.Facts(self._work(person), now, past, known.profile)
        return lanes.lane_of(facts, self._lanes)

    def grouped(self, entries: Iterable[Entry]) -> tuple[lanes.Group[Entry], ...]:
        """A shortlist's people by lane, each lane in the order of the shortlist."""

        def placed(entry: Entry) -> lanes.Placed | None:
            person = self._details.person(entry.person.id)
            return None if person is None else self.lane(person)

        return lanes.grouped(entries, placed, self._lanes)

    def _work(self, person: int) -> lanes.Work:
        commits = self.commits(person)
        row, topics = self._columns.topics.gather(commits)
        kernel = self.in_kernels[commits]
        ids = [self._details.topics[topic][0] for topic in range(len(self._details.topics))]

        def on_any(wanted: frozenset[str], kernels: bool) -> int:
            chosen = kernel.copy() if kernels else np.ones(len(commits), np.bool_)
            if wanted:
                narrower = self._wider.get(wanted, self._narrower)
                ordinals = [number for number, id_ in enumerate(ids) if id_ in narrower]
                about = np.zeros(len(commits), np.bool_)
                about[row[np.isin(topics, ordinals)]] = True
                chosen &= about
            return int(chosen.sum())

        return lanes.Work(self._by_topic(topics, ids), on_any)

    def _narrower(self, topics: frozenset[str]) -> frozenset[str]:
        return frozenset(id_ for topic in topics for id_ in self._taxonomy.family(topic))

    def _by_topic(self, topics: Ints, ids: Sequence[str]) -> Mapping[str, int]:
        counts = np.bincount(topics, minlength=len(ids))
        return {ids[topic]: int(counts[topic]) for topic in np.flatnonzero(counts).tolist()}


def _roots(taxonomy: Taxonomy, details: Details) -> list[frozenset[int]]:
    """Per topic ordinal: the widest topics that it lies in, or itself."""
    parents = {topic.id: topic.parents for topic in taxonomy.topics}

    def above(id_: str) -> frozenset[str]:
        over = [above(parent) for parent in parents.get(id_, ())]
        return frozenset[str]().union(*over) if over else frozenset({id_})

    ordinals = details.topic_ordinals
    return [frozenset(ordinals[root] for root in above(id_)) for id_, _ in details.topics]


def _date(day: int) -> date:
    return EPOCH + timedelta(days=day)
