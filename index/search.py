"""Recall, rank, evidence: the one function that every face calls."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Self

import numpy as np

from index.activity import Activity
from index.ballots import Ballots
from index.columns import Columns
from index.commit_index import CommitIndex
from index.details import Details
from index.introducing import Introducing, asks_who_introduced
from index.joining import Joining
from index.people_facts import PeopleFacts
from index.people_filters import PeopleFilters, Undecided, Verdicts
from index.recall import Asked, recall, term_weights
from index.reviewing import Reviewing
from index.scope import Scope, Scopes
from index.telling import Argument, Telling
from index.topic_families import TopicFamilies
from index.withholding import withheld
from index.worth import Worth
from sourcer import ranking, track_record
from sourcer.evidence import Cited, choose
from sourcer.explaining import explain
from sourcer.query import Query
from sourcer.query.joined import joined
from sourcer.ranking import SEEDS, VOTERS, Floats, Ints, Places, Votes, Weights
from sourcer.shortlist import Entry, Shortlist
from sourcer.snapshot import Snapshot
from sourcer.topics import Taxonomy, load

WISH = 1.3
"""What a score is multiplied by for each wish that a person, or a commit, meets."""

WRITING = "docs"
"""The topic of documentation."""

FAINT = 1e-6
"""The least that a commit on a topic that must be is worth to who wrote it: more than nothing."""


@dataclass(frozen=True)
class Standing:
    """A question answered, before anything is read to be shown."""

    scope: Scope
    argument: Argument
    votes: Votes
    kept: Ints
    """People, best first: those who meet every condition, then those of whom that is not known."""
    unknown: Undecided
    scores: Floats


class Searcher:
    """A snapshot opened for questions; safe to share between threads, as nothing in it changes.

    `hidden` are people (ordinals) who asked not to be found: they answer no question.
    """

    def __init__(
        self,
        index: CommitIndex,
        details: Details,
        taxonomy: Taxonomy,
        snapshot: str = "",
        hidden: Collection[int] = (),
    ) -> None:
        self.index = index
        self.details = details
        self.snapshot = snapshot
        self.taxonomy = taxonomy
        self.hidden = frozenset(hidden)
        names = _node_names(index.columns)
        self.worth = Worth(index.columns, details)
        self.introducing = Introducing(index.columns, details, self.worth)
        self.scopes = Scopes(index, details, taxonomy, names)
        self.families = TopicFamilies(index.columns, details, taxonomy)
        self.filters = PeopleFilters(index.columns, details, self.families, self.worth)
        self.joining = Joining(self.families, taxonomy)
        self.reviewing = Reviewing(index.columns, details, names)
        self.telling = Telling(index.columns, details, self.worth, names, self.reviewing)

    @cached_property
    def facts(self) -> PeopleFacts:
        """What no question changes of people."""
        return PeopleFacts(self.index.columns, self.details, self.worth, self.taxonomy)

    @classmethod
    def open(
        cls, snapshot: Snapshot, taxonomy: Taxonomy | None = None, hidden: Collection[str] = ()
    ) -> Self:
        """`hidden`: ids of people who asked not to be found."""
        details = Details.open(snapshot.database)
        ordinals = [ordinal for id_ in hidden if (ordinal := details.person(id_)) is not None]
        return cls(
            CommitIndex.open(snapshot.index),
            withheld(details, ordinals) if ordinals else details,
            taxonomy or load(),
            snapshot.name,
            ordinals,
        )

    def without(self, hidden: Collection[int]) -> Self:
        """The same snapshot without people (ordinals) who asked not to be found."""
        details = withheld(self.details, hidden)
        return type(self)(self.index, details, self.taxonomy, self.snapshot, hidden)

    def search(
        self,
        query: Query,
        *,
        limit: int = 20,
        offset: int = 0,
        weights: Weights | None = None,
        order: Callable[[Ints], Iterable[int]] | None = None,
    ) -> Shortlist:
        """The people who answer a question, `limit` of them after the first `offset`.

        `order` takes their ordinals, best first, and says which row comes when.
        """
        standing = self.standing(query, weights or Weights())
        limit = _asked_limit(query, limit)
        page = slice(offset, offset + limit)
        everyone = range(len(standing.kept))
        rows = everyone if order is None else list(order(standing.kept))
        entries = tuple(self._entries(query, standing, rows[page]))
        return Shortlist(
            query=query,
            snapshot=self.snapshot,
            total=len(standing.kept),
            entries=entries,
            offset=offset,
            notes=standing.scope.notes,
        )

    def about(self, query: Query, person: str) -> Entry | None:
        """One person (id or login) as the answer to a question has them; None: not in it."""
        ordinal = self.details.person(person)
        standing = self.standing(query, Weights())
        rows = np.flatnonzero(standing.kept == (-1 if ordinal is None else ordinal))
        return next(self._entries(query, standing, rows.tolist()), None)

    def cited(self, person: str, cites: Collection[str]) -> dict[str, Cited]:
        """The commits that a score names, as evidence for that person."""
        ordinal = self.details.person(person)
        named = () if ordinal is None else self.telling.named(ordinal, cites)
        return {one.cite: one for one in named}

    @cached_property
    def activity(self) -> Activity:
        return Activity(self.index.columns)

    def standing(self, query: Query, weights: Weights, until: int | None = None) -> Standing:
        """Everyone who answers, in order. `until` leaves out commits after a day since 1970."""
        scope = self.scopes.of(query).until(self.index.columns.day, until)
        asked = self._asked(query, scope)
        if self.details.topic_ordinals.get(WRITING) in asked.topics:
            weights = replace(weights, writing=0.0)
        if asks_who_introduced(query):
            weights = replace(weights, output=0.0, tenure=0.0, partners=0.0)
        own = recall(self.index, asked).fit(weights)
        places = self._places(query, own, scope, weights)
        fit = self._fit(own, places, scope, weights)
        worth = self._worth(query, fit, places, asked, scope, weights)
        if (wished := self.scopes.wished(query)) is not None:
            worth = np.where(wished, worth * np.float32(WISH), worth)
        voters = VOTERS if own.any() or places.fits.any() else len(fit)
        credit = self.reviewing.added(self.worth.credit(scope), scope, weights.reviewing)
        if (listed := joined(query)) is not None:
            votes = self.joining.votes(worth, listed, credit, weights)
        else:
            votes = ranking.votes(worth, credit, weights, voters)
        about = self.filters.about(query)
        if about is not None:
            # whoever has a commit on the topic answers, however many others did more
            faint = FAINT * (about if scope.allowed is None else about & scope.allowed)
            least = np.maximum(worth * about, faint, dtype=np.float32)
            votes = votes.followed_by(ranking.votes(least, credit, weights, len(fit)))
        verdicts = self.filters.judge(query, scope, self._candidates(query, votes), about)
        today = self.worth.today(scope)
        alike = tuple(self.worth.people_alike(query))
        ids = [self.details.topics[topic][0] for topic in asked.topics]
        families = tuple(self.families.ordinals((id_,)) for id_ in ids)
        argument = Argument(
            own, places, asked.topics, families, weights, today, alike, scope.allowed
        )
        return _ordered(scope, argument, votes, verdicts)

    def _places(self, query: Query, own: Floats, scope: Scope, weights: Weights) -> Places:
        columns, alike = self.index.columns, self.worth.people_alike(query)
        seeds = self.worth.seeds(own, alike, weights)
        most = len(seeds) if alike else SEEDS
        return ranking.path_feedback(
            seeds,
            columns.nodes,
            columns.node_commits,
            self.worth.width,
            self.worth.breadth(scope),
            most,
        )

    def _fit(self, own: Floats, places: Places, scope: Scope, weights: Weights) -> Floats:
        """A question without words is answered by all that its conditions allow."""
        if own.any() or places.fits.any():
            fit = (1 - weights.paths) * own + weights.paths * places.fits
        else:
            fit = (1 / np.log2(2 + np.maximum(self.index.columns.files, 1))).astype(np.float32)
        allowed: Floats = fit if scope.allowed is None else fit * scope.allowed
        return allowed

    def _worth(
        self,
        query: Query,
        fit: Floats,
        places: Places,
        asked: Asked,
        scope: Scope,
        weights: Weights,
    ) -> Floats:
        if asks_who_introduced(query):
            ids = [self.details.topics[ordinal][0] for ordinal in asked.topics]
            return self.introducing.worth(self.joining.whole(ids, fit), places)
        terms = sum(term_weights(asked.text).values())
        return self.worth.of(ranking.focused(fit, terms, weights), scope, weights)

    def _asked(self, query: Query, scope: Scope) -> Asked:
        meant = [topic for topic, _ in self.taxonomy.find(query.searched)]
        unwanted = {topic.id for topic in query.topics if topic.negated}
        ordinals = self.details.topic_ordinals
        topics = tuple(
            ordinals[topic]
            for topic in dict.fromkeys((*query.wanted, *meant))
            if topic in ordinals and topic not in unwanted
        )
        return Asked(query.searched, topics, scope.within, scope.allowed)

    def _candidates(self, query: Query, votes: Votes) -> Ints:
        """Everyone with a vote, but not the people whose like is looked for, nor the hidden."""
        left_out = [*self.worth.people_alike(query), *self.hidden]
        best = votes.best()
        return best[~np.isin(best, left_out)] if left_out else best

    def _entries(self, query: Query, standing: Standing, rows: Sequence[int]) -> Iterator[Entry]:
        """The people of one page: those in chosen places of the order."""
        people = standing.kept[list(rows)]
        ballots = Ballots.of(standing.votes, people)
        scores = (standing.scores[list(rows)] / standing.scores.max(initial=0.0)).tolist()
        cases = self.telling.cases(standing.argument, ballots, scores)
        for row, person, case in zip(rows, people.tolist(), cases, strict=True):
            unknown = standing.unknown[row]
            yield Entry(
                person=self.details.shown(person),
                score=case.score,
                why=explain(case),
                evidence=choose(case.commits),
                unknown=unknown,
                notes=(*self._by_artifacts(query, person, unknown), *self._by_clock(query, person)),
            )

    def _by_artifacts(self, query: Query, person: int, unknown: tuple[str, ...]) -> Iterator[str]:
        """What the artifacts show where no title says whether somebody is senior."""
        asked = [wanted for wanted in query.filters if wanted.field == "seniority"]
        for wanted in asked if "seniority" in unknown else ():
            if shown := track_record.meets(wanted, self.facts.record(person)):
                yield f"{shown.label}: {'; '.join(shown.reasons)}"

    def _by_clock(self, query: Query, person: int) -> Iterator[str]:
        """What a question about time zones was answered by."""
        held = self.details.clocks.get(person)
        if held and any(wanted.field == "timezone" for wanted in query.filters):
            yield held.says


def _node_names(columns: Columns) -> list[str]:
    """All paths as texts at once: taken singly, each would be cut and decoded again and again."""
    names = columns.node_names
    letters = names.letters.tobytes()
    starts = names.starts.tolist()
    return [
        letters[start:end].decode("utf-8", "surrogateescape") for start, end in pairwise(starts)
    ]


def _ordered(scope: Scope, argument: Argument, votes: Votes, verdicts: Verdicts) -> Standing:
    scores = votes.totals[verdicts.kept] * WISH**verdicts.wished
    order = np.lexsort((verdicts.kept, -scores, verdicts.unknown.any))
    return Standing(
        scope=scope,
        argument=argument,
        votes=votes,
        kept=verdicts.kept[order],
        unknown=verdicts.unknown.at(order),
        scores=scores[order].astype(np.float32),
    )


def _asked_limit(query: Query, limit: int) -> int:
    asked = [wanted.value for wanted in query.filters if wanted.field == "limit"]
    return min(limit, *(int(str(value)) for value in asked)) if asked else limit
