"""Credit for reviewing, where reviews were fetched: less than for writing, and told apart."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from index.ballots import Ballots
from index.citing import Citing
from index.columns import ROLES, Columns
from index.details import Details
from index.scope import Scope
from sourcer.commits import Role
from sourcer.explaining import CITED, Review
from sourcer.ranking import Credit, Ints, Mask

LEAST = 3
"""Reviews on what was asked, fewer than which are not told."""


@dataclass(frozen=True, slots=True)
class Apart:
    """Each person's ballots to be told, and what they reviewed."""

    ballots: Ballots
    is_written: list[bool]
    """Per person: whether the ballots left are of work of their own."""
    reviews: list[Review | None]


class Reviewing:
    """The reviews of one snapshot. Commit messages name reviewers too, but of few commits: there is
    credit where all pull requests were asked for theirs."""

    def __init__(self, columns: Columns, details: Details, names: Sequence[str]) -> None:
        self._columns = columns
        self._details = details
        self._citing = Citing(columns, details, names)
        commit = np.repeat(np.arange(len(columns.day), dtype=np.int32), columns.people.lengths)
        fetched = np.isin(columns.repo, sorted(details.reviews_fetched))
        self._pair_commit = commit
        self.pairs: Mask = (columns.roles == ROLES.index(Role.REVIEWER)) & fetched[commit]
        """Beside people.items: a review that was fetched."""
        self._asked: Mask = fetched & (details.pulls > 0)

    @cached_property
    def by_person(self) -> Ints:
        """Per person: reviews fetched."""
        reviewed = self._columns.people.items[self.pairs]
        counts = np.bincount(reviewed, minlength=len(self._columns.person_commits))
        return counts.astype(np.int32)

    def added(self, credit: Credit, scope: Scope, weight: float) -> Credit:
        """The same credit, and a little for reviews where the question leaves the role open."""
        if not weight or not scope.any_role or not self.by_person.any():
            return credit
        worth = np.where(self.pairs & (credit.worth == 0), np.float32(weight), credit.worth)
        return replace(credit, worth=worth, commits=credit.commits + self.by_person)

    def apart(
        self, ballots: Ballots, topics: Sequence[int], nodes: Ints, allowed: Mask | None
    ) -> "Apart":
        """What people wrote without what they reviewed; of who wrote nothing, what they reviewed.

        `topics` and `nodes` are those of the question, `allowed` the commits that may count.
        """
        done = self._written(ballots)
        is_written = ballots.tally(ballots.place, done.astype(np.int64), 2)[:, 1] > 0
        shares = ballots.mean((~done).astype(np.float32), ballots.given)
        reviewers = set(ballots.people[np.unique(ballots.place[~done])].tolist())
        told = (
            self._told(person, topics, nodes, allowed) if person in reviewers else None
            for person in ballots.people.tolist()
        )
        return Apart(
            ballots if done.all() else ballots.only(done | ~is_written[ballots.place]),
            is_written.tolist(),
            [one and replace(one, share=share) for one, share in zip(told, shares, strict=True)],
        )

    def _written(self, ballots: Ballots) -> Mask:
        """Per ballot: whether its person wrote or co-wrote the commit."""
        roles = self._citing.roles(ballots.commits, ballots.people[ballots.place])
        done: Mask = roles <= ROLES.index(Role.CO_AUTHOR)
        return done

    def _told(
        self, person: int, topics: Sequence[int], nodes: Ints, allowed: Mask | None
    ) -> Review | None:
        """How much of the work that was asked for a person reviewed."""
        own = np.zeros(len(self._columns.day), np.bool_)
        own[self._pair_commit[self.pairs & (self._columns.people.items == person)]] = True
        if allowed is not None:
            own &= allowed
        if not own.any():
            return None
        what, about = self._most(own, topics, nodes)
        asked = about & self._asked if allowed is None else about & self._asked & allowed
        newest = np.flatnonzero(own & about)[::-1][:CITED]
        count, total = self._pulls(own & asked), self._pulls(asked)
        cites = tuple(self._citing.cites(newest))
        return Review(what, count, total, cites) if count >= LEAST else None

    def _most(self, own: Mask, topics: Sequence[int], nodes: Ints) -> tuple[str, Mask]:
        """The topic asked for, or else the place of the question, where most was reviewed."""
        columns = self._columns
        found = [
            *((f"on {self._details.topics[at][1]}", columns.topic_commits[at]) for at in topics),
            *(
                (f"to {self._citing.names[at]}", columns.node_commits[at])
                for at in nodes.tolist()
                if not topics
            ),
        ]
        counts = [int(own[commits].sum()) for _, commits in found]
        about = np.ones(len(own), np.bool_)
        if not any(counts):
            return "", about
        name, commits = found[int(np.argmax(counts))]
        about[:] = False
        about[commits] = True
        return name, about

    def _pulls(self, commits: Mask) -> int:
        """How many pull requests these commits were."""
        rows = np.flatnonzero(commits)
        repos = self._columns.repo[rows].astype(np.int64)
        return len(np.unique(repos << 40 | self._details.pulls[rows]))
