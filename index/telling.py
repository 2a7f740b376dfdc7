"""Why a person is on the list: gathers the facts and the commits to cite from the columns."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from index.columns import ROLES, Columns
from index.details import Details
from index.worth import KINDS, Worth
from sourcer import ranking
from sourcer.commits import Role
from sourcer.evidence import Cited
from sourcer.explaining import Area, Case
from sourcer.ranking import Floats, Ints, Places
from sourcer.substance import Kind

MOST_CITED = 40
"""Commits of a person that are read to choose evidence from."""
AREAS = 3
SHOWN_FILES = 12


@dataclass(frozen=True)
class Argument:
    """What decided the order: the arrays of one question."""

    own_fit: Floats
    places: Places
    topics: tuple[int, ...]
    weights: ranking.Weights
    today: int


class Telling:
    """Builds the case for one person after another."""

    def __init__(self, columns: Columns, details: Details, worth: Worth) -> None:
        self._columns = columns
        self._details = details
        self._worth = worth

    def case(
        self, argument: Argument, person: int, commits: Ints, given: Floats, score: float
    ) -> Case:
        days = self._columns.day[commits]
        faded = ranking.faded(days, argument.today, argument.weights.half_life)
        heft = 1 - argument.weights.trivia * self._worth.trivial[commits]
        return Case(
            score=score,
            commits=tuple(
                self._cited(int(commit), person, float(weight))
                for commit, weight in zip(commits[:MOST_CITED], given, strict=False)
            ),
            count=len(commits),
            by_wording=self._by_wording(argument, commits, given),
            topics=self._topics(argument.topics, commits),
            kinds=self._kinds(commits),
            substance=_mean(heft, given / np.maximum(heft, 1e-6)),
            faded=_mean(faded, given / np.maximum(faded, 1e-6)),
            last_year=int((days > argument.today - ranking.DAYS_PER_YEAR).sum()),
            months=len(np.unique(days // 30)),
            files=self._files(commits),
            areas=self._areas(argument.places, person, commits),
        )

    def _by_wording(self, argument: Argument, commits: Ints, given: Floats) -> float:
        own = (1 - argument.weights.paths) * argument.own_fit[commits]
        there = argument.weights.paths * argument.places.fits[commits]
        return _mean(own / np.maximum(own + there, 1e-9), given)

    def _topics(self, topics: tuple[int, ...], commits: Ints) -> Mapping[str, int]:
        held = self._columns.topic_commits
        return {
            self._details.topics[topic][1]: len(np.intersect1d(held[topic], commits))
            for topic in topics
        }

    def _kinds(self, commits: Ints) -> Mapping[Kind, int]:
        """Each commit under the weightiest kind of its files."""
        row, nodes = self._columns.nodes.gather(commits)
        files = self._columns.node_is_file[nodes]
        weightiest = np.full(len(commits), len(KINDS), np.int64)
        np.minimum.at(weightiest, row[files], self._worth.kind_of_node[nodes[files]])
        counts = np.bincount(weightiest, minlength=len(KINDS) + 1)
        return {kind: int(counts[code]) for code, kind in enumerate(KINDS) if counts[code]}

    def _files(self, commits: Ints) -> int:
        _, nodes = self._columns.nodes.gather(commits)
        return len(np.unique(nodes[self._columns.node_is_file[nodes]]))

    def _areas(self, places: Places, person: int, commits: Ints) -> tuple[Area, ...]:
        """The places of the question where the person did most, a place inside another left out."""
        found: list[tuple[Area, int]] = []
        for node in places.nodes:
            tallied = self._tally(int(node))
            own = int(tallied[person])
            if own and not any(self._is_inside(int(node), taken) for _, taken in found):
                rank = 1 + int((tallied > own).sum())
                there = np.intersect1d(commits, self._columns.node_commits[int(node)])
                cited = tuple(self._cited(int(c), person, 0.0) for c in there[::-1][:3])
                name = self._columns.node_names[int(node)]
                total = len(self._columns.node_commits[int(node)])
                found.append((Area(name, own, total, rank, cited), int(node)))
            if len(found) == AREAS:
                break
        return tuple(area for area, _ in found)

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

    def _cited(self, commit: int, person: int, weight: float) -> Cited:
        columns, table = self._columns, self._details.commits
        repo = int(columns.repo[commit])
        sha = table["sha"][commit].as_py()
        nodes = columns.nodes[commit]
        files = nodes[columns.node_is_file[nodes]]
        return Cited(
            commit=commit,
            repo=self._details.repos[repo].name,
            sha=sha,
            subject=table["subject"][commit].as_py(),
            date=table["authored_at"][commit].as_py(),
            role=self._role(commit, person),
            paths=tuple(columns.node_names[int(node)] for node in files[:SHOWN_FILES]),
            files=int(columns.files[commit]),
            topics=tuple(self._details.topics[int(t)][0] for t in columns.topics[commit]),
            weight=weight,
            url=self._details.url(repo, sha),
            pull=table["pull"][commit].as_py(),
            added=table["added"][commit].as_py(),
            deleted=table["deleted"][commit].as_py(),
        )

    def _role(self, commit: int, person: int) -> Role:
        start = self._columns.people.starts[commit]
        where = int(np.flatnonzero(self._columns.people[commit] == person)[0])
        return ROLES[int(self._columns.roles[start + where])]


def _mean(values: Floats, weights: Floats) -> float:
    total = float(weights.sum())
    return float((values * weights).sum() / total) if total > 0 else 0.0
