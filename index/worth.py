"""What a commit is worth to those who made it, beyond how well it fits the question."""

import numpy as np
import numpy.typing as npt

from index.columns import ROLES, Columns
from index.details import Details
from index.partners import Partners
from index.remembered import Remembered
from index.scope import Scope
from sourcer import ranking
from sourcer.commits import Role
from sourcer.query import Query
from sourcer.ranking import Credit, Floats, Ints, Weights
from sourcer.substance import BULK, KINDS, TRIVIAL, Kind

MOST_CREATED = 7
"""New files beyond these add nothing."""
MOST_CHANGED = 15
"""Files beyond these make a commit no larger a work."""
LIGHT = 0.8
"""Of a trivial commit: how much less it shows."""


class Worth:
    """Facts of every commit that no question changes; worked out once when a snapshot is opened."""

    def __init__(self, columns: Columns, details: Details) -> None:
        self._columns = columns
        self._details = details
        self.kind_of_node = columns.node_kind
        self.trivial = self._trivial()
        self.kind_of_commit = self._kinds()
        self.written_only = np.flatnonzero(self.kind_of_commit == KINDS.index(Kind.DOCS))
        self.heft = self._heft()
        self.width = ranking.width(columns.files)
        self._creation = np.log2(1 + np.minimum(details.created, MOST_CREATED)).astype(np.float32)
        self._pair_commit = np.repeat(
            np.arange(len(columns.day), dtype=np.int32), columns.people.lengths
        )
        self._pair_repo = columns.repo[self._pair_commit]
        self._credits = Remembered[tuple[Role, ...], Floats](64)
        self._outputs = Remembered[frozenset[int] | None, Ints](64)
        self._partners = Remembered[int, Ints](64)
        self._lasting = Remembered[tuple[int, Weights], Floats](8)
        self._substances = Remembered[Weights, Floats](8)
        self._written_with = Partners(columns)

    def _trivial(self) -> Floats:
        """Per commit 0 to 1: how much of it is generated, vendored, configuration or a sweep."""
        columns = self._columns
        commit = np.repeat(np.arange(len(columns.day)), columns.nodes.lengths)
        is_file = columns.node_is_file[columns.nodes.items]
        light = np.isin(self.kind_of_node, [KINDS.index(kind) for kind in TRIVIAL])
        files = np.bincount(commit[is_file], minlength=len(columns.day))
        trivial = np.bincount(
            commit[is_file & light[columns.nodes.items]], minlength=len(columns.day)
        )
        share = trivial / np.maximum(files, 1)
        sweep = (columns.files > BULK) | columns.chore | columns.merge
        return np.where(sweep, 1.0, share).astype(np.float32)

    def _heft(self) -> Floats:
        """Per commit: what it can show of anyone, by its files and subject alone."""
        codes = [KINDS.index(Kind.KERNEL), KINDS.index(Kind.CODE)]
        shown = np.where(np.isin(self.kind_of_commit, codes), 1.0, 0.4)
        return ((1 - LIGHT * self.trivial) * shown).astype(np.float32)

    def _kinds(self) -> npt.NDArray[np.uint8]:
        """Per commit: the weightiest kind of its files; len(KINDS) where it has none."""
        columns = self._columns
        weightiest = np.full(len(columns.day), len(KINDS), np.uint8)
        for code in reversed(range(len(KINDS))):
            files = np.flatnonzero((self.kind_of_node == code) & columns.node_is_file)
            weightiest[columns.node_commits.gather(files)[1]] = code
        return weightiest

    def of(self, fit: Floats, scope: Scope, weights: Weights) -> Floats:
        """The worth of each commit for a question."""
        lasting = self._lasting.get((self.today(scope), weights), self._worth)
        return (fit**2 * lasting).astype(np.float32)

    def _worth(self, key: tuple[int, Weights]) -> Floats:
        """Per commit, what a perfect fit to a question asked on some day is worth."""
        today, weights = key
        made = 1 + np.float32(weights.creation) * self._creation
        age = ranking.faded(self._columns.day, today, weights.half_life)
        worth: Floats = self.substance(weights) * made * age
        return worth

    def size(self, today: int, weights: Weights) -> Floats:
        """Per commit: how large a work it is, whatever it is about, by its files and the new ones
        among them; less with age."""
        files = np.log2(1 + np.minimum(self._columns.files, MOST_CHANGED))
        lasting = self._lasting.get((today, weights), self._worth)
        size: Floats = (lasting * files * (1 + self._creation)).astype(np.float32)
        return size

    def substance(self, weights: Weights) -> Floats:
        """Per commit: what is left of it once trivia and mere documentation are discounted."""
        return self._substances.get(weights, self._substance)

    def _substance(self, weights: Weights) -> Floats:
        left: Floats = 1 - np.float32(weights.trivia) * self.trivial
        left[self.written_only] *= np.float32(1 - weights.writing)
        return left

    def today(self, scope: Scope) -> int:
        """The day of the last commit that may count: age is against it, not against the clock."""
        days = self._columns.day
        allowed = days if scope.allowed is None else days[scope.allowed]
        return int(allowed.max(initial=0))

    def breadth(self, scope: Scope) -> int:
        """How many commits the scope's repositories have."""
        return len(self._columns.day) if scope.repos is None else int(scope.repos.sum())

    def credit(self, scope: Scope) -> Credit:
        worth, output = self.credited(scope.roles), self.output(scope.within.repos)
        partners = self.partners(self.today(scope))
        return Credit(self._columns.people, worth, self._columns.day, output, partners)

    def credited(self, roles: tuple[Role, ...]) -> Floats:
        """Beside people.items: 1 for those who had one of the roles."""
        return self._credits.get(roles, self._credited)

    def output(self, repos: frozenset[int] | None) -> Ints:
        """Per person: commits written or co-written in chosen repositories; None: in all."""
        return self._outputs.get(repos, self._output)

    def partners(self, today: int) -> Ints:
        """Per person: with how many others they wrote commits up to a day."""
        return self._partners.get(today, self._written_with.until)

    def _credited(self, roles: tuple[Role, ...]) -> Floats:
        codes = [ROLES.index(role) for role in roles]
        return np.isin(self._columns.roles, codes).astype(np.float32)

    def _output(self, repos: frozenset[int] | None) -> Ints:
        if repos is None:
            return self._columns.person_commits
        done = self._columns.roles <= ROLES.index(Role.CO_AUTHOR)
        chosen = self._columns.people.items[done & np.isin(self._pair_repo, list(repos))]
        return np.bincount(chosen, minlength=len(self._columns.person_commits)).astype(np.int32)

    def people_alike(self, query: Query) -> list[int]:
        """The people whose like a question asks for."""
        names = [
            str(name)
            for wanted in query.filters
            if wanted.field == "similar_to" and not wanted.negated
            for name in (wanted.value if isinstance(wanted.value, tuple) else (wanted.value,))
        ]
        found = (self._details.person(name) for name in names)
        return [person for person in found if person is not None]

    def seeds(self, fit: Floats, alike: list[int], weights: Weights) -> Floats:
        """The commits to learn places from: those that fit, and those of people to be like."""
        if not alike:
            return fit * (1 - np.float32(weights.trivia) * self.trivial)
        theirs = np.zeros(len(fit), np.float32)
        theirs[self._pair_commit[np.isin(self._columns.people.items, alike)]] = 1.0
        return np.maximum(fit, theirs)
