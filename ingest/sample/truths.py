"""What is true of the sample, counted from the plan and not from the repositories."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache

from ingest.sample.cast import SEED_THEMES, Job, Person, table
from ingest.sample.crowd import everyone
from ingest.sample.github import reviewed
from ingest.sample.history import history
from ingest.sample.planned import Planned
from ingest.sample.robots import BOTS, TUNER
from ingest.sample.themes import REPOS
from sourcer.commits import Signature

SEED_QUESTION = (
    "US engineers who have merged commits to vLLM or SGLang touching MoE, expert parallelism, "
    "or PD disaggregation, senior or above, open to talking"
)
SENIOR = frozenset(
    ("senior", "staff", "principal", "distinguished", "lead", "manager", "director", "founder")
)


@dataclass(frozen=True, slots=True)
class KnownPerson:
    """All that is true of one made-up person. None means that nothing was declared."""

    slug: str
    name: str
    logins: tuple[str, ...]
    """The present one first."""
    github_id: int
    signatures: tuple[Signature, ...]
    country: str | None
    level: str | None
    open: str | None
    employers: tuple[Job, ...]
    topics: Mapping[str, Mapping[str, int]]
    """Per repository and topic, the commits written as author or co-author."""
    first: date | None
    last: date | None
    note: str
    reviewed: Mapping[str, int]
    """Per repository, the pull requests of others that GitHub says they reviewed."""

    def wrote(self, topics: Iterable[str], repo: str | None = None) -> int:
        """Commits on any of the topics, in one repository or in both."""
        kinds = set(topics)
        return sum(
            count
            for name, counts in self.topics.items()
            for topic, count in counts.items()
            if topic in kinds and repo in (None, name)
        )


@dataclass(frozen=True, slots=True)
class SeedTruth:
    """The seed question's right answer, by slug.

    Words: commits, topic, location, seniority, openness, suppressed.
    """

    question: str
    matches: frozenset[str]
    fails: Mapping[str, tuple[str, ...]]
    """For everybody else for whom some word is false: these words."""
    unknown: Mapping[str, tuple[str, ...]]
    """For those for whom no word is false: the words that the data leave open."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A question with the logins that a good ranking puts first."""

    qid: str
    repo: str
    query: str
    relevant: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """Where a kind of commit is to be found."""

    repo: str
    subject: str


@dataclass(frozen=True, slots=True)
class Truth:
    """What is true of the sample."""

    people: Mapping[str, KnownPerson]
    bots: tuple[Signature, ...]
    seed: SeedTruth
    judged: tuple[Judged, ...]
    cases: Mapping[str, tuple[Case, ...]]


@cache
def truth() -> Truth:
    """
    >>> sorted(truth().seed.matches)[:3]
    ['arvida-kestrelin', 'dorian-vexley', 'hollis-greymantle']
    >>> truth().seed.fails["matthis-ehrenwald"], truth().seed.unknown["ruark-pemberlin"]
    (('location',), ('openness',))
    """
    people = {person.slug: _known(person) for person in everyone()}
    return Truth(
        people=people,
        bots=(*BOTS.values(), TUNER),
        seed=_seed(people),
        judged=tuple(_judged(row, people.values()) for row in table("questions.toml")["question"]),
        cases=_cases(),
    )


def _known(person: Person) -> KnownPerson:
    mine = _written().get(person.slug, ())
    return KnownPerson(
        slug=person.slug,
        name=person.name,
        logins=(person.login, *person.old_logins),
        github_id=person.id,
        signatures=person.signatures(),
        country=person.country,
        level=person.level,
        open=person.open,
        employers=person.worked,
        topics={
            repo: Counter(plan.theme for where, plan in mine if where == repo and plan.theme)
            for repo in REPOS
            if any(where == repo for where, _ in mine)
        },
        first=min((plan.when.date() for _, plan in mine), default=None),
        last=max((plan.when.date() for _, plan in mine), default=None),
        note=person.note,
        reviewed={
            repo: count
            for repo in REPOS
            if (count := sum(each.slug == person.slug for each in reviewed(repo)))
        },
    )


@cache
def _written() -> dict[str, list[tuple[str, Planned]]]:
    """Per person the commits written; who merges a branch wrote nothing by that."""
    written: dict[str, list[tuple[str, Planned]]] = {}
    for repo in REPOS:
        for plan in history(repo):
            for slug in () if plan.merges else plan.people:
                written.setdefault(slug, []).append((repo, plan))
    return written


def _seed(people: Mapping[str, KnownPerson]) -> SeedTruth:
    suppressed = {person.slug for person in everyone() if person.fails == "suppressed"}
    words = {slug: _words(person) for slug, person in people.items()}
    for slug in suppressed:
        words[slug]["suppressed"] = False
    fails = {
        slug: tuple(w for w, holds in said.items() if holds is False)
        for slug, said in words.items()
    }
    fails = {slug: failing for slug, failing in fails.items() if failing}
    unknown = {
        slug: tuple(w for w, holds in said.items() if holds is None) for slug, said in words.items()
    }
    unknown = {slug: open_ for slug, open_ in unknown.items() if open_ and slug not in fails}
    return SeedTruth(
        SEED_QUESTION, frozenset(people.keys() - fails.keys() - unknown.keys()), fails, unknown
    )


def _words(person: KnownPerson) -> dict[str, bool | None]:
    """Whether each word of the seed question holds; None where nothing was declared."""
    if not person.topics:
        return {"commits": False}
    return {
        "topic": person.wrote(SEED_THEMES) > 0,
        "location": None if person.country is None else person.country == "US",
        "seniority": None if person.level is None else person.level in SENIOR,
        "openness": None if person.open is None else person.open == "yes",
    }


def _judged(row: Mapping[str, str], people: Iterable[KnownPerson]) -> Judged:
    """Those who wrote at least a third of what the busiest one wrote; four at most."""
    counts = sorted(
        ((person.wrote(row["themes"], row["repo"]), person.logins[0]) for person in people),
        reverse=True,
    )
    best = [login for count, login in counts[:4] if count * 3 >= counts[0][0]]
    return Judged(row["qid"], row["repo"], row["query"], tuple(best))


def _cases() -> dict[str, tuple[Case, ...]]:
    found: dict[str, tuple[Case, ...]] = {}
    for repo in REPOS:
        for plan in history(repo):
            if plan.case:
                found[plan.case] = (*found.get(plan.case, ()), Case(repo, plan.subject))
    return found
