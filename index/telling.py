"""Why a person is on the list: gathers the facts and the commits to cite from the columns."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from index.citing import Citing
from index.columns import ROLES, Columns
from index.details import Details
from index.reviewing import Reviewing
from index.scope import EPOCH
from index.worth import Worth
from sourcer import ranking
from sourcer.commits import Role
from sourcer.evidence import Cited
from sourcer.explaining import CITED, Area, Case, Likeness, Review
from sourcer.ranking import Floats, Ints, Mask, Places
from sourcer.substance import KINDS, Kind

MOST_CITED = 6
"""Commits of a person that are read to choose evidence from: those that gave most and show most."""
AREAS = 3


@dataclass(frozen=True)
class Argument:
    """What decided the order: the arrays of one question."""

    own_fit: Floats
    places: Places
    topics: tuple[int, ...]
    weights: ranking.Weights
    today: int
    alike: tuple[int, ...] = ()
    """People whose like is looked for."""
    allowed: Mask | None = None
    """The commits that may count."""


@dataclass(frozen=True, slots=True)
class Touched:
    """The directories and files of some commits: which of the commits, and which node."""

    rows: npt.NDArray[np.int64]
    nodes: Ints


class Telling:
    """Builds the case for one person after another."""

    def __init__(
        self,
        columns: Columns,
        details: Details,
        worth: Worth,
        names: Sequence[str],
        reviewing: Reviewing,
    ) -> None:
        self._columns = columns
        self._details = details
        self._worth = worth
        self._names = names
        self._reviewing = reviewing
        self._citing = Citing(columns, details, names)
        self.cited = self._citing.cited
        self._pair_commit = np.repeat(
            np.arange(len(columns.day), dtype=np.int32), columns.people.lengths
        )

    def case(
        self, argument: Argument, person: int, commits: Ints, given: Floats, score: float
    ) -> Case:
        done = self._reviewing.written(commits, person)
        review = self._review(argument, person, commits[~done], given[~done])
        if done.any():
            share = _mean((~done).astype(np.float32), given)
            commits, given = commits[done], given[done]
        else:
            share = 1.0
        days = self._columns.day[commits]
        touched = Touched(*self._columns.nodes.gather(commits))
        faded = ranking.faded(days, argument.today, argument.weights.half_life)
        best = np.argsort(-given * self._worth.heft[commits], kind="stable")[:MOST_CITED]
        heft = 1 - argument.weights.trivia * self._worth.trivial[commits]
        return Case(
            score=score,
            commits=self.cited(commits[best], given[best], person),
            count=len(commits),
            is_worded=bool(argument.own_fit.any()),
            by_wording=self._by_wording(argument, commits, given),
            topics=self._topics(argument.topics, commits),
            kinds=self._kinds(commits),
            substance=_mean(heft, given / np.maximum(heft, 1e-6)),
            faded=_mean(faded, given / np.maximum(faded, 1e-6)),
            first=EPOCH + timedelta(int(days.min())),
            last=EPOCH + timedelta(int(days.max())),
            last_year=int((days > argument.today - ranking.DAYS_PER_YEAR).sum()),
            months=int(np.count_nonzero(np.bincount((days - days.min()) // 30))),
            files=self._files(touched),
            areas=self._areas(argument.places, person, commits, touched),
            likeness=self._likeness(argument.alike, person) if argument.alike else None,
            is_written=bool(done.any()),
            review=replace(review, share=share) if review else None,
        )

    def _review(
        self, argument: Argument, person: int, reviewed: Ints, given: Floats
    ) -> Review | None:
        if not len(reviewed):
            return None
        worth = np.zeros(len(self._columns.day), np.float32)
        worth[reviewed] = given
        nodes, allowed = argument.places.nodes, argument.allowed
        return self._reviewing.told(person, argument.topics, nodes, allowed, worth)

    def _by_wording(self, argument: Argument, commits: Ints, given: Floats) -> float:
        own = (1 - argument.weights.paths) * argument.own_fit[commits]
        there = argument.weights.paths * argument.places.fits[commits]
        return _mean(own / np.maximum(own + there, 1e-9), given)

    def _topics(self, topics: tuple[int, ...], commits: Ints) -> Mapping[str, int]:
        _, found = self._columns.topics.gather(commits)
        counts = np.bincount(found, minlength=len(self._details.topics))
        return {self._details.topics[topic][1]: int(counts[topic]) for topic in topics}

    def _kinds(self, commits: Ints) -> Mapping[Kind, int]:
        """Each commit under the weightiest kind of its files."""
        counts = np.bincount(self._worth.kind_of_commit[commits], minlength=len(KINDS))
        return {kind: int(counts[code]) for code, kind in enumerate(KINDS) if counts[code]}

    def _files(self, touched: Touched) -> int:
        seen = np.zeros(len(self._columns.node_is_file), np.bool_)
        seen[touched.nodes] = True
        return int(np.count_nonzero(seen & self._columns.node_is_file))

    def _areas(
        self, places: Places, person: int, commits: Ints, touched: Touched
    ) -> tuple[Area, ...]:
        """The places of the question where the person did most, a place inside another left out."""
        found: list[tuple[Area, int]] = []
        for node in places.nodes.tolist():
            tallied = self._tally(node)
            own = int(tallied[person])
            if own and not any(self._is_inside(node, taken) for _, taken in found):
                there = commits[touched.rows[touched.nodes == node][:CITED]]
                cited = tuple(self._citing.cite(commit) for commit in there.tolist())
                rank = 1 + int((tallied > own).sum())
                total = len(self._columns.node_commits[node])
                found.append((Area(self._names[node], own, total, rank, cited), node))
            if len(found) == AREAS:
                break
        return tuple(area for area, _ in found)

    def _likeness(self, alike: tuple[int, ...], person: int) -> Likeness:
        """Files that both changed, those that few commits changed first."""
        own = self._commits_of(person)
        theirs = np.unique(np.concatenate([self._commits_of(other) for other in alike]))
        rows, nodes = self._columns.nodes.gather(own)
        shared = np.intersect1d(nodes, self._columns.nodes.gather(theirs)[1])
        files = shared[self._columns.node_is_file[shared]]
        rarest = files[np.argsort(self._columns.node_commits.lengths[files], kind="stable")]
        telling = own[rows[np.isin(nodes, rarest[:CITED])]]
        cited = tuple(
            self._citing.cite(commit) for commit in np.unique(telling)[::-1][:CITED].tolist()
        )
        names = tuple(self._names[node] for node in rarest.tolist())
        return Likeness(names, len(np.intersect1d(own, theirs)), cited)

    def _commits_of(self, person: int) -> Ints:
        commits: Ints = self._pair_commit[self._columns.people.items == person]
        return commits

    def _is_inside(self, node: int, other: int) -> bool:
        while node >= 0:
            if node == other:
                return True
            node = int(self._columns.node_parent[node])
        return False

    @lru_cache(maxsize=4096)  # noqa: B019 - a Telling lives as long as its snapshot is open
    def _tally(self, node: int) -> npt.NDArray[np.int64]:
        """Per person: commits authored or co-authored in a place."""
        commits = self._columns.node_commits[node]
        _, people = self._columns.people.gather(commits)
        done = self._columns.roles[self._columns.people.positions(commits)] <= ROLES.index(
            Role.CO_AUTHOR
        )
        return np.bincount(people[done], minlength=len(self._columns.person_commits))

    def named(self, person: int, cites: Collection[str]) -> tuple[Cited, ...]:
        """Those of the person's commits that are told by repository and sha."""
        own, shas = self._commits_of(person), {cite.rpartition("@")[2] for cite in cites}
        held = self._details.facts.shas
        kept = own[np.array([held[commit] in shas for commit in own.tolist()], np.bool_)]
        return self.cited(kept, np.zeros(len(kept), np.float32), person)


def _mean(values: npt.NDArray[np.floating], weights: npt.NDArray[np.floating]) -> float:
    total = float(weights.sum())
    return float((values * weights).sum() / total) if total > 0 else 0.0
