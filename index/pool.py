"""A question -> its pool: every word decided for every contributor, in the order of the words."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from index.columns import ROLES
from index.members import Members
from index.scope import Scope
from index.search import Searcher
from sourcer import boolean, track_record
from sourcer.attributes import Attributes
from sourcer.commits import Role
from sourcer.lanes import NO_LANE, grouped
from sourcer.lanes.file import Lane
from sourcer.pool import Pool
from sourcer.pool.funnel import Mask, Standing, Standings, Step, Word, funnel
from sourcer.pool.report import CAPABLE, Counted, Report, figures
from sourcer.query import Filter, Mode, Query, Topic
from sourcer.shortlist import Entry
from sourcer.topics import Taxonomy

ON_COMMITS = frozenset({"repo", "window", "path", "language", "phrase", "pull"})
NOT_WORDS = frozenset({"limit", "similar_to", "bot", "activity"})
"""Fields that drop nobody: they say how to list, or whose credit counts."""
PLACES = frozenset({"country", "admin1", "city", "region", "location"})
_HOW = {
    "repo": "a commit written or co-written in the repository",
    "window": "a commit in that time, by author date",
    "path": "a commit that changes such a path, renames followed",
    "language": "a commit that changes a file of that language",
    "phrase": "a commit whose subject has the words",
    "commits": "commits counted in the question's repositories and time",
    "merged_prs": "commits that name a pull request, counted in the question's repositories",
    "reviews": "reviews in the history; unknown where none were fetched",
    "company": "declared now, else seen last as the domain of commit emails",
    "past_company": "declared or seen before; that somebody never was there cannot be known",
    "seniority": "read from a declared title; by artifacts where no title decides and the track "
    "record shows senior work",
    "timezone": "by the clocks of most commits in two years: a weak hint, not where they live;"
    " unknown where these are few or scattered",
    "hireable": "declared: GitHub's hireable flag, an imported status, or the biography",
} | dict.fromkeys(sorted(PLACES), "read from the declared location; unknown where none is")


@dataclass(frozen=True, slots=True)
class _Part:
    """One word of the question: either a filter, or topics of which any will do."""

    says: str
    at: int
    wanted: Filter | None = None
    topics: tuple[Topic, ...] = ()


@dataclass(frozen=True, slots=True)
class LaneOfEntries:
    """The people of one lane (None: none leads to them) by id, best first, each with why."""

    lane: Lane | None
    people: tuple[tuple[str, str], ...]

    def json(self) -> dict[str, object]:
        return {
            "lane": self.lane.id if self.lane else None,
            "name": self.lane.name if self.lane else NO_LANE,
            "says": self.lane.says if self.lane else "",
            "people": [{"person_id": id_, "why": why} for id_, why in self.people],
        }


class Pools:
    """Counts pools over one open snapshot."""

    def __init__(self, searcher: Searcher, lanes: Sequence[Lane] | None = None) -> None:
        self._searcher = searcher
        self._columns = searcher.index.columns
        self._details = searcher.details
        self.facts = searcher.facts if lanes is None else searcher.facts.placed_by(lanes)
        self._lanes = lanes
        self._members = Members(self._columns, self._details, self.facts)
        self._pair_commit = np.repeat(
            np.arange(len(self._columns.day), dtype=np.int32), self._columns.people.lengths
        )

    def of(self, query: Query) -> Pool:
        """The funnel of a question, and everyone who is left in it."""
        scope = self._searcher.scopes.of(query)
        counts = self._counting(query, scope)
        words = list(self.words(query))
        steps, standings = funnel(self._contributors, words)
        return Pool(
            question=query.text,
            snapshot=self._searcher.snapshot,
            steps=steps,
            members=tuple(self._members.of(standings, words, counts)),
            notes=(*scope.notes, *_notes(query, self._searcher.taxonomy)),
        )

    def by_lane(self, query: Query) -> tuple[tuple[str, tuple[Step, ...]], ...]:
        """The same funnel for the contributors of each sourcing lane, in the lanes' order."""
        words = list(self.words(query))
        people = np.flatnonzero(self._contributors).tolist()
        groups = grouped(people, self.facts.lane, self._lanes)
        return tuple(
            (group.lane.name if group.lane else NO_LANE, self._funnel_of(group.people, words))
            for group in groups
        )

    def by_lanes(self, entries: Sequence[Entry]) -> tuple[LaneOfEntries, ...]:
        """A page of a shortlist by sourcing lane, each person with why they stand there."""
        groups = self.facts.grouped(entries)
        return tuple(
            LaneOfEntries(group.lane, tuple((e.person.id, self._why(e)) for e in group.people))
            for group in groups
        )

    def _why(self, entry: Entry) -> str:
        person = self._details.person(entry.person.id)
        placed = None if person is None else self.facts.lane(person)
        return placed.why if placed else "no lane leads to them"

    def _funnel_of(self, people: Sequence[int], words: Sequence[Word]) -> tuple[Step, ...]:
        chosen = np.zeros(len(self._columns.person_commits), np.bool_)
        chosen[list(people)] = True
        return funnel(chosen, words)[0]

    def report(self, query: Query, titles: str | None = None) -> Report:
        """Titles against artifacts; `titles` is a boolean search, by default the words of the
        question's topics and the names of the repositories."""
        search = boolean.parse(titles if titles is not None else self._titles(query))
        artifacts = self._standings(_only(query, lambda part: part.field in ON_COMMITS))
        counted = Counted(
            contributors=self._contributors,
            profiled=self._declares(lambda known: bool(known.profile.fields)),
            skilled=self._declares(lambda known: search.matches(known.profile, boolean.SKILLS)),
            titled=self._declares(lambda known: search.matches(known.profile, boolean.TITLES)),
            in_kernels=self._contributors & (self.facts.kernel_commits > 0),
            kernel_capable=self._contributors & (self.facts.kernel_commits >= CAPABLE),
            artifacts=artifacts < Standing.DROPPED,
            pool=self._standings(query) < Standing.DROPPED,
            anywhere=self._standings(_only(query, lambda part: part.field not in PLACES))
            < Standing.DROPPED,
        )
        return Report(query.text, search.text, self._searcher.snapshot, figures(counted))

    @property
    def _contributors(self) -> Mask:
        found: Mask = self._columns.person_commits > 0
        found[list(self._searcher.hidden)] = False
        return found

    def _standings(self, query: Query) -> Standings:
        return funnel(self._contributors, list(self.words(query)))[1]

    def _declares(self, says: Callable[[Attributes], bool]) -> Mask:
        found = np.zeros(len(self._columns.person_commits), np.bool_)
        for person, known in self._details.attributes.items():
            found[person] = says(known)
        return found & self._contributors

    def _titles(self, query: Query) -> str:
        repos = [repo.name.rpartition("/")[2] for repo in self._details.repos.values()]
        topics = [self._searcher.taxonomy[id_] for id_ in self._asked(query)]
        named = [word for topic in topics for word in topic.words[:3] if "*" not in word]
        return boolean.any_of(dict.fromkeys((*repos, *named, "inference engineer")))

    def words(self, query: Query) -> Iterator[Word]:
        """Each word of the question; conditions on commits hold of one and the same commit."""
        whole = self._searcher.scopes.of(query)
        filters: tuple[Filter, ...] = ()
        topics: tuple[Topic, ...] = ()
        for part in self._parts(query):
            if part.wanted is not None and part.wanted.field not in ON_COMMITS:
                yield self._person_word(part.says, part.wanted, whole)
                continue
            filters += () if part.wanted is None else (part.wanted,)
            topics += part.topics
            so_far = replace(query, filters=filters, topics=topics)
            yield self._commit_word(part, so_far, whole)

    def _commit_word(self, part: _Part, so_far: Query, whole: Scope) -> Word:
        scope = self._searcher.scopes.of(so_far)
        yes = self._with(self._counting(so_far, scope), whole)
        if part.wanted is not None and part.wanted.field == "repo":
            yes &= self._judged(part.wanted, whole)[0]
        field = part.wanted.field if part.wanted else "topic"
        how = _HOW.get(
            field, "a commit about any of the topics or narrower ones, by its subject or its paths"
        )
        return Word(part.says, field, how, yes, np.zeros_like(yes))

    def _person_word(self, says: str, wanted: Filter, whole: Scope) -> Word:
        yes, unknown = self._judged(wanted, whole)
        by_artifacts = None
        if wanted.field == "seniority":
            by_artifacts = np.zeros_like(unknown)
            for person in np.flatnonzero(unknown):
                record = self.facts.record(int(person))
                by_artifacts[person] = track_record.meets(wanted, record) is not None
        how = _HOW.get(wanted.field, "declared, or counted in the history")
        return Word(says, wanted.field, how, yes, unknown, by_artifacts)

    def _judged(self, wanted: Filter, scope: Scope) -> tuple[Mask, Mask]:
        people = np.arange(len(self._columns.person_commits), dtype=np.int32)
        verdicts = self._searcher.filters.judge(Query("", filters=(_plain(wanted),)), scope, people)
        yes, unknown = np.zeros(len(people), np.bool_), np.zeros(len(people), np.bool_)
        undecided = verdicts.unknown.any
        yes[verdicts.kept] = ~undecided
        unknown[verdicts.kept] = undecided
        return yes, unknown

    def _counting(self, query: Query, scope: Scope) -> Mask:
        """The commits that count for a question: its conditions and any of its topics."""
        counts = (
            np.ones(len(self._columns.day), np.bool_) if scope.allowed is None else scope.allowed
        )
        asked = self._asked(query)
        return counts & self._searcher.families.commits(asked) if asked else counts

    def _with(self, commits: Mask, scope: Scope) -> Mask:
        """The people who have such a commit, in a role that gets credit."""
        codes = [ROLES.index(role) for role in scope.roles] or [ROLES.index(Role.AUTHOR)]
        chosen = np.isin(self._columns.roles, codes) & commits[self._pair_commit]
        people = self._columns.people.items[chosen]
        return np.bincount(people, minlength=len(self._columns.person_commits)) > 0

    def _asked(self, query: Query) -> tuple[str, ...]:
        held = self._details.topic_ordinals
        return tuple(topic for topic in query.wanted if topic in held)

    def _parts(self, query: Query) -> Sequence[_Part]:
        """In the order of the question; what was added by hand comes last."""
        wanted = [t for t in query.topics if not t.negated and t.id in self._details.topic_ordinals]
        parts = [self._topics(query, wanted)] if wanted else []
        parts += [self._topics(query, [topic]) for topic in query.topics if topic.negated]
        parts += [
            _Part(_said(query, one), _at(query, one), wanted=one)
            for one in query.filters
            if one.mode is Mode.MUST and one.field not in NOT_WORDS
        ]
        return sorted(parts, key=lambda part: part.at)

    def _topics(self, query: Query, topics: Sequence[Topic]) -> _Part:
        names = [self._searcher.taxonomy[topic.id].name for topic in topics]
        says = f"{'not ' if topics[0].negated else ''}{' or '.join(dict.fromkeys(names))}"
        return _Part(says, min(_at(query, topic) for topic in topics), topics=tuple(topics))


def _only(query: Query, keep: Callable[[Filter], bool]) -> Query:
    return replace(query, filters=tuple(part for part in query.filters if keep(part)))


def _plain(wanted: Filter) -> Filter:
    return replace(wanted, span=None)


def _at(query: Query, part: Filter | Topic) -> int:
    return len(query.text) if part.span is None else part.span[0]


def _said(query: Query, part: Filter) -> str:
    """The question's own words, else the filter's.

    >>> us = Filter("country", "=", "US", span=(3, 9))
    >>> _said(Query("in the US", filters=(us,)), us), _said(Query(""), Filter("commits", ">=", 5))
    ('the US', 'commits >= 5')
    """
    if part.span is not None and (text := query.text[slice(*part.span)].strip(" ,.;")):
        return f"not {text}" if part.negated and "not" not in text.lower().split() else text
    sign = "not " if part.negated else ""
    return f"{sign}{part.field.replace('_', ' ')} {part.op} {part.value}"


def _notes(query: Query, taxonomy: Taxonomy) -> Iterator[str]:
    """What a reader of the numbers should know."""
    for part in query.filters:
        if part.mode is Mode.SHOULD:
            yield f"{_said(query, part)!r} is a wish: it ranks, and drops nobody"
    if rest := _beside_topics(query.searched, taxonomy):
        yield f"{rest!r} is searched by meaning: it ranks, and drops nobody"


def _beside_topics(semantic: str, taxonomy: Taxonomy) -> str:
    """What is searched by meaning and is no topic that the funnel counts.

    >>> from sourcer.topics import load
    >>> _beside_topics("MoE, expert parallelism, or PD disaggregation", load())
    ''
    >>> _beside_topics("MoE for the curious", load())
    'for the curious'
    """
    rest = semantic
    for _, (start, end) in sorted(taxonomy.find(semantic), key=lambda hit: -hit[1][0]):
        rest = rest[:start] + rest[end:]
    words = re.sub(r"[\s,;]+", " ", rest).strip()
    return "" if set(words.lower().split()) <= {"and", "or", "in", "on", "of", "the"} else words
