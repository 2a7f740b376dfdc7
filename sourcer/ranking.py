"""Whose work answers a question: plain arithmetic over arrays, and the tree that explains it.

A commit's fit is what its subject and paths say (BM25), what topics it has, and what it means
(embedding). The fit of the best commits teaches which directories and files the question is
about, and every commit there is credited, however it was worded. A person's score is the sum of
the squared fit of their commits, fading with age. Figures of the parts: `sourcer evaluate`.
"""

from dataclasses import dataclass, fields, replace
from typing import Protocol, Self

import numpy as np
import numpy.typing as npt

from sourcer.errors import BadInput

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int32]
Mask = npt.NDArray[np.bool_]

DAYS_PER_YEAR = 365.25


class Lists(Protocol):
    """One list of numbers per row, end to end; `index.columns.Rows` is one."""

    @property
    def starts(self) -> npt.NDArray[np.int64]: ...
    @property
    def items(self) -> Ints: ...
    @property
    def lengths(self) -> npt.NDArray[np.int64]: ...
    def __getitem__(self, row: int) -> Ints: ...
    def gather(self, rows: npt.NDArray[np.integer]) -> tuple[npt.NDArray[np.int64], Ints]: ...
    def places(
        self, rows: npt.NDArray[np.integer]
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]: ...


@dataclass(frozen=True, slots=True)
class Score:
    """A number, a sentence that says what it means, and the commits or parts that it rests on.

    >>> Score(0.5, "topic fit: 38 commits", commits=("vllm@9f1c2e",)).json()
    {'value': 0.5, 'says': 'topic fit: 38 commits', 'parts': [], 'commits': ['vllm@9f1c2e']}
    """

    value: float
    says: str
    parts: "tuple[Score, ...]" = ()
    commits: tuple[str, ...] = ()

    def json(self) -> dict[str, object]:
        return {
            "value": round(self.value, 4),
            "says": self.says,
            "parts": [part.json() for part in self.parts],
            "commits": list(self.commits),
        }


@dataclass(frozen=True, slots=True)
class Weights:
    """The formula's numbers. A signal is switched off by its neutral value.

    >>> Weights().without("meaning").meaning
    0.0
    """

    topics: float = 2.0
    """Of a topic's rarity against BM25 of the question's words."""
    meaning: float = 0.25
    """Of the embedding against words and topics."""
    paths: float = 0.3
    """Of path feedback against the commit's own fit."""
    half_life: float = 6.0
    """Years after which a commit counts half."""
    output: float = 0.15
    """How strongly a score is divided by all that the person ever committed."""
    trivia: float = 0.75
    """How much of a generated, vendored, configuration-only or bulk commit is discounted."""
    writing: float = 0.6
    """How much of a commit to documentation alone is discounted where that is not asked for."""
    creation: float = 0.3
    """What the first new file adds to a commit's worth: who made a thing knows it."""
    tenure: float = 0.4
    """How strongly the number of months with such commits lifts a score."""
    partners: float = 0.12
    """How strongly the number of people that somebody wrote commits with lifts a score."""
    focus: float = 0.3
    """Of the best commits' fit: what a commit must go beyond where a question says much."""
    reviewing: float = 0.2
    """What reviewing a commit gives, against writing it, where reviews were fetched."""

    def without(self, signal: str) -> Self:
        if signal not in SIGNALS:
            raise BadInput(f"there is no signal {signal!r}: use one of {', '.join(SIGNALS)}")
        return replace(self, **{signal: np.inf if signal == "half_life" else 0.0})


SIGNALS = tuple(field.name for field in fields(Weights))
SEEDS = 100
"""The commits that path feedback learns from."""
PLACES = 20
"""The directories and files that it keeps."""
_NO_GAIN = 1e-6
"""What rounding may leave of a place that holds every commit."""
FEW, MANY = 3.0, 7.0
"""Telling words of a question: up to the first it is broad, from the second on it is narrow."""
LEADERS = 10
"""The commits that say what a good fit is."""
LEFT = 0.01
"""Of a fit that is below the floor: nobody is lost for it."""
VOTERS = 600
"""The commits that vote for people."""


def fit(words: Floats, topics: Floats, meaning: Floats, weights: Weights) -> Floats:
    """How well each commit fits by itself, 0 to 1.

    >>> none = np.zeros(2, np.float32)
    >>> fit(np.array([4, 2], np.float32), none, np.array([0, 1], np.float32), Weights()).tolist()
    [0.75, 0.625]
    """
    said = _scaled(words + np.float32(weights.topics) * topics)
    share = np.float32(weights.meaning if meaning.any() else 0.0)
    result: Floats = (1 - share) * said + share * meaning
    return result


def stretched(count: int, rows: npt.NDArray[np.integer], similarities: Floats) -> Floats:
    """The similarities found, from 0 for the least like to 1; commits not found have 0.

    >>> stretched(4, np.array([2, 0]), np.array([0.9, 0.4], np.float32)).tolist()
    [0.0, 0.0, 1.0, 0.0]
    """
    result = np.zeros(count, np.float32)
    if len(rows):
        low = similarities.min()
        result[rows] = (similarities - low) / max(float(similarities.max() - low), 1e-6)
    return result


def focused(fit: Floats, terms: float, weights: Weights) -> Floats:
    """What of each commit's fit goes beyond the ordinary.

    The more a question says, the closer a commit must be to be about it: else whoever made many
    commits that share a word or two with it comes before the few who did the very thing.

    >>> fits = np.array([1.0, 0.5, 0.25], np.float32)
    >>> focused(fits, terms=2, weights=Weights()).tolist()
    [1.0, 0.5, 0.25]
    >>> [f"{fit:.3f}" for fit in focused(fits, terms=7, weights=Weights(focus=0.5)).tolist()]
    ['0.708', '0.208', '0.002']
    """
    share = weights.focus * min(max((terms - FEW) / (MANY - FEW), 0.0), 1.0)
    if not share or not len(fit):
        return fit
    best = fit[_best(fit, LEADERS)]
    floor = np.float32(share * best.mean()) if len(best) else np.float32(0)
    result: Floats = np.maximum(fit - floor, np.float32(LEFT) * fit)
    return result


@dataclass(frozen=True, slots=True)
class Places:
    """The directories and files that a question turned out to be about, most telling first."""

    nodes: Ints
    gains: Floats
    fits: Floats
    """Per commit, 0 to 1: how much of it lies there."""


def path_feedback(
    seeds: Floats, nodes: Lists, node_commits: Lists, width: Floats, scope: int, most: int = SEEDS
) -> Places:
    """Directories and files that the best commits share and the other commits do not.

    g = P(node | best) ln(P(node | best) / P(node)), the node's part of the Kullback-Leibler
    divergence (Carpineto et al., "An information-theoretic approach to automatic query
    expansion", 2001). `scope` is how many commits P(node) is over, `most` how many are learnt from,
    `width` each commit's, as `width` has it.
    """
    best = _best(seeds, most)
    weight = seeds[best] ** 2
    fits = np.zeros(len(seeds), np.float32)
    if not len(best) or not scope:
        return Places(np.empty(0, np.int32), np.empty(0, np.float32), fits)
    row, found = nodes.gather(best)
    among_best = np.bincount(found, weights=(weight / weight.sum())[row])
    present = np.flatnonzero(among_best > 0).astype(np.int32)
    share = among_best[present]
    gains = share * np.log(share * scope / node_commits.lengths[present])
    order = np.argsort(-gains, kind="stable")[:PLACES]
    order = order[gains[order] > _NO_GAIN]
    kept, gain = present[order], gains[order].astype(np.float32)
    place, commits = node_commits.gather(kept)
    fits += np.bincount(commits, weights=gain[place], minlength=len(fits)).astype(np.float32)
    return Places(kept, gain, _scaled(fits / width))


def width(files: Ints) -> Floats:
    """What a commit's part in a place is divided by: the more files it changes, the less it has.

    >>> width(np.array([0, 2, 14])).tolist()
    [1.0, 1.4142135381698608, 2.0]
    """
    wide: Floats = np.sqrt(np.log2(2 + np.maximum(files, 0))).astype(np.float32)
    return wide


@dataclass(frozen=True, slots=True)
class Credit:
    """Who gets credit for a commit: its people, and how much each role is worth."""

    people: Lists
    worth: Floats
    """Beside people.items."""
    days: Ints
    """Per commit: when."""
    commits: Ints
    """Per person: how many commits in all."""
    partners: Ints
    """Per person: how many others they wrote commits with."""


@dataclass(frozen=True, slots=True)
class Votes:
    """What the voting commits gave to whom: one row per commit and person."""

    commits: Ints
    people: Ints
    given: Floats
    totals: npt.NDArray[np.float64]
    """Per person: the score."""

    def of(self, person: int) -> tuple[Ints, Floats]:
        """The person's commits and what each gave, most first."""
        own = self.people == person
        commits, given = self.commits[own], self.given[own]
        order = np.lexsort((commits, -given))
        return commits[order], given[order]

    def followed_by(self, wide: "Votes") -> "Votes":
        """The same, and after everyone else those who have votes in `wide` alone."""
        late = (self.totals == 0) & (wide.totals > 0)
        if not late.any():
            return self
        rows = late[wide.people]
        least = self.totals[self.totals > 0].min(initial=1.0)
        totals = np.where(late, wide.totals * least / (2 * wide.totals.max()), self.totals)
        return Votes(
            np.concatenate([self.commits, wide.commits[rows]]),
            np.concatenate([self.people, wide.people[rows]]),
            np.concatenate([self.given, wide.given[rows]]),
            totals,
        )

    def best(self, limit: int | None = None) -> Ints:
        """People by score; those with none are left out."""
        scored = np.flatnonzero(self.totals > 0)
        order = np.lexsort((scored, -self.totals[scored]))
        ranked: Ints = scored[order][:limit].astype(np.int32)
        return ranked


def votes(worth: Floats, credit: Credit, weights: Weights, voters: int = VOTERS) -> Votes:
    """Sums what each commit is worth over its people."""
    voting = _best(worth, voters)
    row, at = credit.people.places(voting)
    given = worth[voting][row] * credit.worth[at]
    has_given = given > 0
    row, people, given = row[has_given], credit.people.items[at[has_given]], given[has_given]
    totals = np.bincount(people, weights=given, minlength=len(credit.commits)).astype(np.float64)
    scored = np.flatnonzero(totals > 0)
    months = _months(people, credit.days[voting][row], len(totals))
    totals[scored] /= (credit.commits[scored] + 5.0) ** weights.output
    totals[scored] *= (1.0 + months[scored]) ** weights.tenure
    totals[scored] *= (1.0 + credit.partners[scored]) ** weights.partners
    return Votes(voting[row].astype(np.int32), people, given.astype(np.float32), totals)


def _months(people: Ints, days: Ints, count: int) -> npt.NDArray[np.int64]:
    """Per person, in how many months there was a commit."""
    if not len(days):
        return np.zeros(count, np.int64)
    months = days // 30
    months = months - months.min()
    span = int(months.max()) + 1
    active = np.zeros(count * span, np.bool_)
    active[people.astype(np.int64) * span + months] = True
    return np.bincount(np.flatnonzero(active) // span, minlength=count)


def faded(days: Ints, today: int, half_life: float) -> Floats:
    """What age leaves of each commit.

    >>> faded(np.array([0, 1461]), 1461, half_life=2.0).tolist()
    [0.25, 1.0]
    """
    years = np.maximum(today - days, 0) / np.float32(DAYS_PER_YEAR)
    result: Floats = np.exp2(-years / np.float32(half_life)).astype(np.float32)
    return result


def _best(values: Floats, limit: int) -> npt.NDArray[np.int64]:
    """The rows of the largest values above 0, in the order of rows; of equal ones the first."""
    rows = np.flatnonzero(values > 0)
    if len(rows) <= limit:
        return rows
    found = values[rows]
    least = np.partition(found, -limit)[-limit]
    kept = found > least
    as_good = np.flatnonzero(found == least)
    kept[as_good[: limit - np.count_nonzero(kept)]] = True
    best: npt.NDArray[np.int64] = rows[kept]
    return best


def _scaled(values: Floats) -> Floats:
    top = values.max(initial=0.0)
    return values / top if top > 0 else values
