"""Conditions on people: yes, no, or not decided by what is known."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import eq, ge, gt, le, lt
from typing import Self

import numpy as np
import numpy.typing as npt

from index.columns import ROLES, Columns
from index.details import Details
from index.remembered import Remembered
from index.scope import Scope, day_of
from index.topic_families import TopicFamilies
from index.worth import Worth
from sourcer import time_zones
from sourcer.attributes import DECIDED_BY_PROFILE, NOTHING_KNOWN, decide
from sourcer.commits import Role
from sourcer.query import Filter, Mode, Query
from sourcer.ranking import Ints, Mask

Counts = npt.NDArray[np.int64]
_COMPARE: Mapping[str, Callable[..., Mask]] = {"=": eq, "<": lt, "<=": le, ">": gt, ">=": ge}
_NOT_ASKED, _CODES = np.int8(-1), {False: np.int8(0), True: np.int8(1), None: np.int8(2)}
"""What is kept of how a condition was decided."""
_NEVER = np.iinfo(np.int32).max


@dataclass(frozen=True, slots=True)
class Undecided:
    """Which conditions the data leave open of each person.

    >>> open_ = Undecided.of([("location", np.array([True, True, False]))], 3)
    >>> open_[1], open_[2], open_.any.tolist()
    (('location',), (), [True, True, False])
    """

    names: tuple[str, ...]
    codes: npt.NDArray[np.int64]
    """Per person one bit for each name."""

    @classmethod
    def of(cls, conditions: Sequence[tuple[str, Mask]], people: int) -> Self:
        codes = np.zeros(people, np.int64)
        for bit, (_, undecided) in enumerate(conditions):
            codes |= undecided.astype(np.int64) << bit
        return cls(tuple(name for name, _ in conditions), codes)

    @property
    def any(self) -> Mask:
        """Who has any."""
        open_: Mask = self.codes != 0
        return open_

    def __getitem__(self, person: int) -> tuple[str, ...]:
        code = int(self.codes[person])
        found = (name for bit, name in enumerate(self.names) if code >> bit & 1)
        return tuple(dict.fromkeys(found))

    def at(self, rows: npt.NDArray[np.integer]) -> Self:
        return type(self)(self.names, self.codes[rows])


@dataclass(frozen=True)
class Verdicts:
    """For each candidate: what fails is gone; what stays undecided is named."""

    kept: Ints
    unknown: Undecided
    wished: npt.NDArray[np.float32]
    """How many `should` conditions each kept one meets."""


class PeopleFilters:
    """Decides a query's conditions on people for chosen candidates."""

    def __init__(
        self, columns: Columns, details: Details, families: TopicFamilies, worth: Worth
    ) -> None:
        self._columns = columns
        self._worth = worth
        self._families = families
        self._held = details.topic_ordinals
        self._details = details
        self._pair_commit = np.repeat(
            np.arange(len(columns.day), dtype=np.int32), columns.people.lengths
        )
        self._answers = Remembered[tuple[object, ...], npt.NDArray[np.int8]](256)
        self._reviewing = columns.roles == ROLES.index(Role.REVIEWER)

    def judge(
        self, query: Query, scope: Scope, candidates: Ints, about: Mask | None = None
    ) -> Verdicts:
        """`about` are the commits on the topics that must be, as `about(query)` has them."""
        kept = self._on_topic(about, scope)[candidates]
        open_: list[tuple[str, Mask]] = []
        wished = np.zeros(len(candidates), np.float32)
        for wanted in query.filters:
            yes, undecided = self._decide(wanted, scope, candidates)
            if wanted.mode is Mode.SHOULD:
                wished += yes
                continue
            kept &= yes | undecided
            if undecided.any():
                open_.append((_NAMES.get(wanted.field, wanted.field), undecided))
        rows = np.flatnonzero(kept)
        unknown = Undecided.of(open_, len(candidates))
        return Verdicts(candidates[rows], unknown.at(rows), wished[rows])

    def _on_topic(self, about: Mask | None, scope: Scope) -> Mask:
        """Who has a commit about one of the topics that must be."""
        if about is None:
            return np.ones(len(self._columns.person_commits), np.bool_)
        commits = np.flatnonzero(about if scope.allowed is None else about & scope.allowed)
        _, at = self._columns.people.places(commits)
        taken = self._worth.credited(scope.roles)[at] > 0
        found = np.zeros(len(self._columns.person_commits), np.bool_)
        found[self._columns.people.items[at[taken]]] = True
        return found

    def about(self, query: Query) -> Mask | None:
        """The commits about one of the topics that must be; None: no topic must."""
        wanted = [
            topic.id
            for topic in query.topics
            if topic.mode is Mode.MUST and not topic.negated and topic.id in self._held
        ]
        return self._families.commits(wanted) if wanted else None

    def _decide(self, wanted: Filter, scope: Scope, people: Ints) -> tuple[Mask, Mask]:
        """Who meets a condition, and of whom it cannot be said."""
        none, everyone = np.zeros(len(people), np.bool_), np.ones(len(people), np.bool_)
        if wanted.field in DECIDED_BY_PROFILE:
            return self._declared(wanted, people)
        if wanted.field == "timezone":
            clocks = self._details.clocks
            return _answered(
                time_zones.decide(wanted, clocks.get(person)) for person in people.tolist()
            )
        if wanted.field == "activity" and scope.reviews_unknown:
            return none, everyone
        if wanted.field == "reviews" and not self._pairs(self._reviewing, scope.repos).any():
            return none, everyone
        numbers = self._numbers(wanted, scope)
        if numbers is None:
            met = self._in_repos(wanted)[people] if wanted.field == "repo" else everyone
            return met, none
        met = _compared(wanted, numbers[people])
        return (~met if wanted.negated else met), none

    def _declared(self, wanted: Filter, people: Ints) -> tuple[Mask, Mask]:
        """Decided once for a person, as nothing of it changes while a snapshot is open."""
        condition = (wanted.field, wanted.op, wanted.value, wanted.negated)
        answers = self._answers.get(condition, lambda _: self._undecided(wanted))
        for person in people[answers[people] == _NOT_ASKED].tolist():
            answers[person] = _CODES[decide(wanted, self._details.attributes[person])]
        return answers[people] == _CODES[True], answers[people] == _CODES[None]

    def _undecided(self, wanted: Filter) -> npt.NDArray[np.int8]:
        """Per person: not asked; but most declare nothing, and what that means is known."""
        nothing = _CODES[decide(wanted, NOTHING_KNOWN)]
        answers = np.full(len(self._columns.person_commits), nothing, np.int8)
        answers[list(self._details.attributes)] = _NOT_ASKED
        return answers

    def _numbers(self, wanted: Filter, scope: Scope) -> Counts | None:
        """Per person the number that a condition compares; None for other conditions."""
        done = self._columns.roles <= ROLES.index(Role.CO_AUTHOR)
        if wanted.field == "commits":
            return self._count(done, scope.counted)
        if wanted.field == "merged_prs":
            by_pull = self._details.pulls > 0
            return self._count(done, by_pull if scope.counted is None else by_pull & scope.counted)
        if wanted.field == "reviews":
            return self._count(self._reviewing, scope.counted)
        if wanted.field == "first_commit":
            return self._extreme(np.minimum, _NEVER, done, scope.repos)
        if wanted.field == "last_commit":
            return self._extreme(np.maximum, -1, done, scope.repos)
        return None

    def _pairs(self, pairs: Mask, commits: Mask | None) -> Mask:
        return pairs if commits is None else pairs & commits[self._pair_commit]

    def _count(self, pairs: Mask, commits: Mask | None) -> Counts:
        chosen = self._columns.people.items[self._pairs(pairs, commits)]
        return np.bincount(chosen, minlength=len(self._columns.person_commits))

    def _extreme(self, better: np.ufunc, start: int, pairs: Mask, commits: Mask | None) -> Counts:
        chosen = self._pairs(pairs, commits)
        found = np.full(len(self._columns.person_commits), start, np.int64)
        better.at(
            found, self._columns.people.items[chosen], self._columns.day[self._pair_commit[chosen]]
        )
        return found

    def _in_repos(self, wanted: Filter) -> Mask:
        """Who has commits in all of several repositories, or in none of unwanted ones."""
        names = wanted.value if isinstance(wanted.value, tuple) else (wanted.value,)
        held = [self._details.repos_named(str(name)) for name in names]
        per_name = [self._worth.output(repos) > 0 for repos in held]
        if wanted.op == "all" and not wanted.negated:
            all_met: Mask = np.logical_and.reduce(per_name)
            return all_met
        met: Mask = np.logical_or.reduce(per_name)
        return ~met if wanted.negated else met


def _answered(said: Iterable[bool | None]) -> tuple[Mask, Mask]:
    """Who is a yes, and who is undecided."""
    answers = list(said)
    return (
        np.array([answer is True for answer in answers], np.bool_),
        np.array([answer is None for answer in answers], np.bool_),
    )


_NAMES = {
    "country": "location",
    "admin1": "location",
    "city": "location",
    "region": "location",
    "activity": "reviews",
    "company": "employer",
    "hireable": "open to offers",
    "timezone": "time zone",
}


def _compared(wanted: Filter, numbers: Counts) -> Mask:
    """
    >>> _compared(Filter("commits", ">=", 20), np.array([19, 20])).tolist()
    [False, True]
    """
    if wanted.op == "between":
        first, last = wanted.value if isinstance(wanted.value, tuple) else (None, None)
        low = -1 if first is None else day_of(first)
        high = _NEVER if last is None else day_of(last)
        return (numbers >= low) & (numbers <= high)
    value = wanted.value
    number = day_of(value) if wanted.field in ("first_commit", "last_commit") else value
    return _COMPARE[wanted.op](numbers, number)
