"""Judged questions -> how well they are answered, per signal and with honest intervals."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean

import numpy as np

from index.search import Searcher
from sourcer.errors import BadInput, NoSuchRepository
from sourcer.query import Filter, Query
from sourcer.ranking import SIGNALS, Weights

CUTOFF, PRECISION_AT = 10, 5
RESAMPLES = 10_000
Reader = Callable[[str], Query]
"""Turns a judged question into a query; the parser, or one that keeps every word."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A question with the logins of the people who answer it."""

    qid: str
    repo: str
    query: str
    relevant: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Measured:
    """One question's figures, each 0 to 1."""

    qid: str
    ndcg: float
    recall: float
    reciprocal_rank: float
    precision: float


@dataclass(frozen=True, slots=True)
class Report:
    """One variant over a set of questions."""

    variant: str
    measured: tuple[Measured, ...]
    unresolved: tuple[str, ...]
    """Logins of the truth that no person of the snapshot has; nobody can rank them."""

    def mean(self, figure: str) -> float:
        return fmean(getattr(one, figure) for one in self.measured) if self.measured else 0.0

    def json(self) -> dict[str, object]:
        """Means, and the nDCG of each question; of unresolved logins only how many there are."""
        return {
            "variant": self.variant,
            "questions": len(self.measured),
            "unresolved": len(self.unresolved),
            "mean": {figure: round(self.mean(figure), 4) for figure in FIGURES},
            "per_question": {one.qid: one.ndcg for one in self.measured},
        }


FIGURES = ("ndcg", "recall", "reciprocal_rank", "precision")


@dataclass(frozen=True, slots=True)
class Difference:
    """How much better one variant is than another, in nDCG, with a 95 % interval."""

    variant: str
    against: str
    mean: float
    low: float
    high: float

    @property
    def says(self) -> str:
        """
        >>> Difference("without paths", "all", -0.024, -0.043, -0.006).says
        'without paths against all: -0.024 (-0.043 to -0.006)'
        """
        return (
            f"{self.variant} against {self.against}: "
            f"{self.mean:+.3f} ({self.low:+.3f} to {self.high:+.3f})"
        )


def read_judged(file: Path) -> list[Judged]:
    """One JSON object a line. Raises BadInput with the line that is wrong."""
    return [
        _judged(line, f"{file}:{number}")
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1)
        if line.strip()
    ]


def _judged(line: str, where: str) -> Judged:
    try:
        row = json.loads(line)
        return Judged(row["qid"], row["repo"], row["query"], tuple(row["relevant"]))
    except (ValueError, KeyError, TypeError) as error:
        raise BadInput(
            f'{where}: expected {{"qid", "repo", "query", "relevant": [logins]}}: {error!r}'
        ) from error


def evaluate(
    searcher: Searcher,
    judged: Sequence[Judged],
    read: Reader,
    weights: Weights | None = None,
    *,
    repo: str | None = None,
    variant: str = "all signals",
    until: int | None = None,
) -> Report:
    """Ranks for every question, within its repository. Roles that projects name are no signal.

    `repo` overrides the questions' own; `until` hides all commits after a day since 1970.
    """
    weights = weights or Weights()
    measured, unresolved = [], set()
    for one in judged:
        truth = [searcher.details.person(login) for login in one.relevant]
        unresolved |= {login for login, p in zip(one.relevant, truth, strict=True) if p is None}
        query = _within(searcher, read(one.query), repo or one.repo)
        ranked = searcher.standing(query, weights, until).kept.tolist()
        found = {person for person in truth if person is not None}
        measured.append(measure(one.qid, ranked, found, len(one.relevant)))
    return Report(variant, tuple(measured), tuple(sorted(unresolved)))


def _within(searcher: Searcher, query: Query, repo: str) -> Query:
    """The query in one repository, whatever repositories its words name."""
    if not searcher.details.repos_named(repo):
        held = ", ".join(shown.name for shown in searcher.details.repos.values())
        raise NoSuchRepository(f"no repository {repo!r} in the snapshot; there are: {held}")
    others = tuple(wanted for wanted in query.filters if wanted.field != "repo")
    return replace(query, filters=(*others, Filter("repo", "=", repo)))


def measure(qid: str, ranked: Sequence[int], relevant: set[int], wanted: int) -> Measured:
    """Figures of one ranking. `wanted` counts the relevant people who were not resolved too.

    >>> measure("q", [7, 3, 5], {3, 9}, 2)
    Measured(qid='q', ndcg=0.3869, recall=0.5, reciprocal_rank=0.5, precision=0.2)
    """
    hits = np.array([person in relevant for person in ranked[:CUTOFF]], np.float64)
    discounts = 1 / np.log2(np.arange(2, CUTOFF + 2))
    ideal = discounts[: min(wanted, CUTOFF)].sum()
    first = next((rank for rank, person in enumerate(ranked, 1) if person in relevant), None)
    return Measured(
        qid,
        ndcg=round(float((hits * discounts[: len(hits)]).sum() / ideal), 4) if ideal else 0.0,
        recall=round(float(hits.sum()) / wanted, 4) if wanted else 0.0,
        reciprocal_rank=round(1 / first, 4) if first else 0.0,
        precision=round(float(hits[:PRECISION_AT].sum()) / PRECISION_AT, 4),
    )


def ablate(
    searcher: Searcher,
    judged: Sequence[Judged],
    read: Reader,
    *,
    repo: str | None = None,
    until: int | None = None,
    without: Sequence[str] = SIGNALS,
) -> list[Report]:
    """All signals, then each of some switched off in turn."""
    variants = {"all signals": Weights()}
    for signal in without:
        variants[f"without {signal.replace('_', ' ')}"] = Weights().without(signal)
    return [
        evaluate(searcher, judged, read, weights, repo=repo, variant=name, until=until)
        for name, weights in variants.items()
    ]


def compare(variant: Report, against: Report, seed: int = 1) -> Difference:
    """Paired bootstrap over questions (Efron & Tibshirani, 1993)."""
    gaps = np.array(
        [a.ndcg - b.ndcg for a, b in zip(variant.measured, against.measured, strict=True)]
    )
    if not len(gaps):
        return Difference(variant.variant, against.variant, 0.0, 0.0, 0.0)
    drawn = np.random.default_rng(seed).integers(0, len(gaps), (RESAMPLES, len(gaps)))
    low, high = np.quantile(gaps[drawn].mean(axis=1), (0.025, 0.975))
    return Difference(variant.variant, against.variant, float(gaps.mean()), float(low), float(high))


def named_only_after(
    searcher: Searcher, judged: Iterable[Judged], day: datetime
) -> Iterator[Judged]:
    """The questions with only those people whom the project named after a day: the test of
    whether a ranking made from the history before that day foresees them."""
    before = {
        person
        for person, holdings in searcher.details.holdings.items()
        if any(held.since is None or held.since <= day for held in holdings)
    }
    for one in judged:
        later = tuple(
            login for login in one.relevant if searcher.details.person(login) not in before
        )
        if later:
            yield replace(one, relevant=later)


def write_run(
    reports: Sequence[Report], folder: Path, name: str, facts: Mapping[str, object]
) -> Path:
    """Keeps a run as dated JSON; no login or name is in it."""
    folder.mkdir(parents=True, exist_ok=True)
    now = datetime.now(UTC)
    file = folder / f"{now:%Y-%m-%dT%H%M%SZ}-{name}.json"
    differences = [compare(report, reports[0]) for report in reports[1:]]
    run = {
        "at": now.isoformat(timespec="seconds"),
        **facts,
        "weights": asdict(Weights()),
        "reports": [report.json() for report in reports],
        "differences": [asdict(difference) for difference in differences],
    }
    file.write_text(json.dumps(run, indent=1) + "\n", "utf-8")
    return file
