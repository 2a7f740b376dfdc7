"""Why people are on the list: gathers the facts and the commits to cite from the columns."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import islice

import numpy as np

from index.areas import Areas, Touched
from index.ballots import Ballots
from index.citing import Citing
from index.columns import ROLES, Columns, each_once
from index.details import Details
from index.reviewing import Reviewing
from index.scope import EPOCH
from index.worth import Worth
from sourcer import ranking
from sourcer.commits import Role
from sourcer.evidence import Cited
from sourcer.explaining import CITED, Case, Likeness
from sourcer.ranking import Floats, Ints, Mask, Places
from sourcer.substance import KINDS, Kind

MOST_CITED = 6
"""Commits of a person that are read to choose evidence from: those that gave most and show most."""
WITH_OTHERS = np.float32(0.5)
"""What the size of a work counts for those who had another part in it than its author."""


@dataclass(frozen=True)
class Argument:
    """What decided the order: the arrays of one question."""

    own_fit: Floats
    places: Places
    topics: tuple[int, ...]
    families: tuple[tuple[int, ...], ...]
    """Each topic with those below it: a commit about any of them is about the topic."""
    weights: ranking.Weights
    today: int
    alike: tuple[int, ...] = ()
    """People whose like is looked for."""
    allowed: Mask | None = None
    """The commits that may count."""


class Telling:
    """Builds the cases for all people of a page at once."""

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
        self._reviewing = reviewing
        self._citing = Citing(columns, details, names)
        self._areas = Areas(columns, self._citing)
        self.cited = self._citing.cited
        self._pair_commit = np.repeat(
            np.arange(len(columns.day), dtype=np.int32), columns.people.lengths
        )

    def cases(
        self, argument: Argument, ballots: Ballots, scores: Sequence[float]
    ) -> Sequence[Case]:
        """One for each person; `scores` are against the best of the list."""
        if not len(ballots.people):
            return ()
        told = self._reviewing.apart(
            ballots, argument.topics, argument.places.nodes, argument.allowed
        )
        ballots = told.ballots
        days = self._columns.day[ballots.commits]
        touched = Touched(*self._columns.nodes.gather(ballots.commits))
        shares = self._shares(argument, ballots, days)
        work = self._work(argument, ballots, touched)
        cited, times = self._best(argument, ballots), _times(ballots, days, argument.today)
        areas = self._areas.of(argument.places, ballots, touched)
        likeness = self._likenesses(argument.alike, ballots.people)
        is_worded, counts = bool(argument.own_fit.any()), ballots.counts.tolist()
        partners = self._worth.partners(argument.today)[ballots.people].tolist()
        return [
            Case(
                score=score,
                commits=cited[row],
                count=counts[row],
                is_worded=is_worded,
                by_wording=shares.by_wording[row],
                topics=work.topics[row],
                cited_on=work.cited_on[row],
                kinds=work.kinds[row],
                substance=shares.substance[row],
                faded=shares.faded[row],
                first=EPOCH + timedelta(times.first[row]),
                last=EPOCH + timedelta(times.last[row]),
                last_year=times.last_year[row],
                months=times.months[row],
                files=work.files[row],
                partners=partners[row],
                areas=areas[row],
                likeness=likeness[row],
                is_written=told.is_written[row],
                review=told.reviews[row],
            )
            for row, score in enumerate(scores)
        ]

    def _best(self, argument: Argument, ballots: Ballots) -> Sequence[tuple[Cited, ...]]:
        is_about = argument.own_fit.any() or argument.places.fits.any()
        tells = ballots.given if is_about else self._sizes(argument, ballots)
        best = ballots.top(tells * self._worth.heft[ballots.commits], MOST_CITED)
        people = ballots.people[ballots.place[best]]
        cited = iter(self.cited(ballots.commits[best], tells[best], people))
        return [tuple(islice(cited, min(count, MOST_CITED))) for count in ballots.counts.tolist()]

    def _sizes(self, argument: Argument, ballots: Ballots) -> Floats:
        """Where no words say what the work is to be about, somebody's own largest works tell."""
        size = self._worth.size(argument.today, argument.weights)[ballots.commits]
        roles = self._citing.roles(ballots.commits, ballots.people[ballots.place])
        own: Floats = np.where(roles == ROLES.index(Role.AUTHOR), size, WITH_OTHERS * size)
        return own

    def _shares(self, argument: Argument, ballots: Ballots, days: Ints) -> "_Shares":
        weights, commits = argument.weights, ballots.commits
        own = (1 - weights.paths) * argument.own_fit[commits]
        there = weights.paths * argument.places.fits[commits]
        heft = self._worth.substance(weights)[commits]
        faded = ranking.faded(days, argument.today, weights.half_life)
        return _Shares(
            by_wording=ballots.mean(own / np.maximum(own + there, 1e-9), ballots.given),
            substance=ballots.mean(heft, ballots.given / np.maximum(heft, 1e-6)),
            faded=ballots.mean(faded, ballots.given / np.maximum(faded, 1e-6)),
        )

    def _work(self, argument: Argument, ballots: Ballots, touched: Touched) -> "_Work":
        kinds = self._worth.kind_of_commit[ballots.commits].astype(np.int64)
        held = self._details.topics
        names = [held[topic][1] for topic in argument.topics]
        about = [ballots.only(rows) for rows in self._about_each(argument.families, ballots)]
        counts = [some.counts.tolist() for some in about]
        cites = [self._first_cites(some) for some in about]
        people = range(len(ballots.people))
        return _Work(
            topics=[dict(zip(names, (each[at] for each in counts), strict=True)) for at in people],
            cited_on=[dict(zip(names, (each[at] for each in cites), strict=True)) for at in people],
            kinds=[
                {kind: count for kind, count in zip(KINDS, found, strict=False) if count}
                for found in ballots.tally(ballots.place, kinds, len(KINDS) + 1).tolist()
            ],
            files=self._files(ballots, touched),
        )

    def _about_each(self, families: Sequence[Sequence[int]], ballots: Ballots) -> Iterator[Mask]:
        """For each topic, the ballots by commits about it or a narrower one."""
        row, topics = self._columns.topics.gather(ballots.commits)
        for family in families:
            is_in = np.zeros(len(self._details.topics), np.bool_)
            is_in[list(family)] = True
            about = np.zeros(len(ballots.commits), np.bool_)
            about[row[is_in[topics]]] = True
            yield about

    def _first_cites(self, ballots: Ballots) -> list[tuple[str, ...]]:
        """Per person, of the commits that gave most."""
        first = np.arange(len(ballots.place)) - ballots.starts[ballots.place] < CITED
        cites = iter(self._citing.cites(ballots.commits[first]))
        return [tuple(islice(cites, min(count, CITED))) for count in ballots.counts.tolist()]

    def _files(self, ballots: Ballots, touched: Touched) -> list[int]:
        """Per person: how many files their commits changed."""
        is_file = self._columns.node_is_file
        at = is_file[touched.nodes]
        pairs = each_once(ballots.place[touched.rows[at]] * len(is_file) + touched.nodes[at])
        people = pairs // max(len(is_file), 1)
        files: list[int] = np.bincount(people, minlength=len(ballots.people)).tolist()
        return files

    def _likenesses(self, alike: tuple[int, ...], people: Ints) -> Sequence[Likeness | None]:
        if not alike:
            return [None] * len(people)
        theirs = np.unique(np.concatenate([self._commits_of(other) for other in alike]))
        return [self._likeness(theirs, person) for person in people.tolist()]

    def _likeness(self, theirs: Ints, person: int) -> Likeness:
        """Files that both changed, those that few commits changed first."""
        own = self._commits_of(person)
        rows, nodes = self._columns.nodes.gather(own)
        shared = np.intersect1d(nodes, self._columns.nodes.gather(theirs)[1])
        files = shared[self._columns.node_is_file[shared]]
        rarest = files[np.argsort(self._columns.node_commits.lengths[files], kind="stable")]
        telling = own[rows[np.isin(nodes, rarest[:CITED])]]
        cited = tuple(self._citing.cites(np.unique(telling)[::-1][:CITED]))
        names = tuple(self._citing.names[node] for node in rarest.tolist())
        return Likeness(names, len(np.intersect1d(own, theirs)), cited)

    def _commits_of(self, person: int) -> Ints:
        commits: Ints = self._pair_commit[self._columns.people.items == person]
        return commits

    def named(self, person: int, cites: Collection[str]) -> tuple[Cited, ...]:
        """Those of the person's commits that are told by repository and sha."""
        own, shas = self._commits_of(person), {cite.rpartition("@")[2] for cite in cites}
        held = self._details.facts.shas.at(own)
        kept = own[np.array([sha in shas for sha in held], np.bool_)]
        nothing, people = np.zeros(len(kept), np.float32), np.full(len(kept), person, np.int32)
        return self.cited(kept, nothing, people)


@dataclass(frozen=True, slots=True)
class _Shares:
    """Per person, 0 to 1: what the score is due to."""

    by_wording: list[float]
    substance: list[float]
    faded: list[float]


@dataclass(frozen=True, slots=True)
class _Work:
    """Per person: commits by topic and by kind, and files."""

    topics: Sequence[Mapping[str, int]]
    cited_on: Sequence[Mapping[str, tuple[str, ...]]]
    kinds: Sequence[Mapping[Kind, int]]
    """Each commit counts under the weightiest kind of its files."""
    files: Sequence[int]


@dataclass(frozen=True, slots=True)
class _Times:
    """Per person: days since 1970, commits in the last year, and months with commits."""

    first: Sequence[int]
    last: Sequence[int]
    last_year: Sequence[int]
    months: Sequence[int]


def _times(ballots: Ballots, days: Ints, today: int) -> _Times:
    first = ballots.lowest(days)
    months = (days - first[ballots.place]) // 30
    late = ballots.place[days > today - ranking.DAYS_PER_YEAR]
    active = ballots.tally(ballots.place, months, int(months.max()) + 1) > 0
    return _Times(
        first=first.tolist(),
        last=ballots.highest(days).tolist(),
        last_year=np.bincount(late, minlength=len(first)).tolist(),
        months=np.count_nonzero(active, axis=1).tolist(),
    )
