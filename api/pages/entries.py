"""People of an answer as the list shows them."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import islice
from urllib.parse import quote

from api.blinding import NOBODY, Veil
from api.pages.asking import Asked
from api.pages.pictures import Bar, Spark, bars, spark
from api.pages.words import Words
from index.search import Searcher
from sourcer.commits import Role
from sourcer.evidence import Cited
from sourcer.people import Declared
from sourcer.ranking import Score
from sourcer.shortlist import Entry, Shown
from sourcer.store.person import CommitRow

SHA = 9
TOPICS = 4
EPOCH = datetime.fromtimestamp(0).year


@dataclass(frozen=True, slots=True)
class Fact:
    """A declared field, and in one sentence where it comes from."""

    name: str
    value: str
    source: str
    is_hint: bool
    """Seen, not declared: such as an employer by email domain."""


@dataclass(frozen=True, slots=True)
class CommitView:
    sha: str
    subject: str
    repo: str
    day: str
    role: str
    is_author: bool
    href: str
    """On the forge; empty for a local repository."""
    pull: str = ""


@dataclass(frozen=True, slots=True)
class Node:
    """A score and what it is made of."""

    percent: int
    says: str
    parts: "tuple[Node, ...]"
    commits: tuple[CommitView, ...]


@dataclass(frozen=True, slots=True)
class EntryView:
    id: str
    place: int
    name: str
    href: str
    logins: tuple[str, ...]
    percent: int
    facts: tuple[Fact, ...]
    held: tuple[str, ...]
    why: str
    bars: tuple[Bar, ...]
    spark: Spark
    commits: tuple[CommitView, ...]
    unknown: tuple[str, ...]
    notes: tuple[str, ...]
    lists: tuple[str, ...]


@dataclass(frozen=True)
class Showing:
    """Turns an answer's entries into views."""

    searcher: Searcher
    words: Words
    asked: Asked
    veil: Veil = NOBODY
    topics: Collection[str] = ()
    """Ids of the question's topics: their bars come first."""

    def entry(self, entry: Entry, place: int, lists: tuple[str, ...] = ()) -> EntryView:
        person = self.veil.person(entry.person)
        is_linked = not self.veil.covers(person.id)
        ordinal = self.searcher.details.person(person.id) or 0
        return EntryView(
            id=person.id,
            place=place,
            name=person.name,
            href=self.asked.link(f"/people/{quote(person.id)}"),
            logins=person.logins,
            percent=round(100 * entry.score),
            facts=facts(person, self.words),
            held=held(person, self.words),
            why=entry.why.says,
            bars=bars(self._topics(ordinal)),
            spark=spark(self.searcher.activity.timeline(ordinal)),
            commits=tuple(commit(one, self.words, is_linked=is_linked) for one in entry.evidence),
            unknown=unknown_names(entry.unknown, self.words),
            notes=entry.notes,
            lists=lists,
        )

    def _topics(self, person: int) -> dict[str, int]:
        """Commits by topic: those asked for, each with the narrower ones, then the rest."""
        counts = self.searcher.activity.topics(person, self._families)
        names = self.searcher.details.topics
        return {short(names[one][1]): count for one, count in islice(counts.items(), TOPICS)}

    @cached_property
    def _families(self) -> dict[int, tuple[int, ...]]:
        """Of the question's topics, by their ordinals."""
        held, ordinals = self.searcher.details.topic_ordinals, self.searcher.families.ordinals
        return {held[topic]: ordinals((topic,)) for topic in self.topics if topic in held}

    def tree(self, score: Score, cited: Mapping[str, Cited], *, is_linked: bool = True) -> Node:
        """The score with the commits that each part rests on."""
        return Node(
            percent=round(100 * score.value),
            says=score.says,
            parts=tuple(self.tree(part, cited, is_linked=is_linked) for part in score.parts),
            commits=tuple(
                commit(cited[key], self.words, is_linked=is_linked)
                for key in score.commits
                if key in cited
            ),
        )


def facts(person: Shown, words: Words) -> tuple[Fact, ...]:
    """Place, employer, title and openness; what is not known is not listed."""
    fields = ("title", "employer", "location", "open_to_offers")
    declared = ((name, getattr(person, name)) for name in fields)
    return tuple(fact(name, value, words) for name, value in declared if value is not None)


def fact(name: str, declared: Declared, words: Words) -> Fact:
    value = str(declared.value)
    if name == "open_to_offers":
        is_open = value.startswith("open")
        value = words("person.open" if is_open else "person.not-open")
    return Fact(name, value, provenance(declared, words), declared.method == "email domain")


def provenance(declared: Declared, words: Words) -> str:
    """Where a field comes from, in one sentence."""
    known = declared.fetched_at.year > EPOCH
    when = words.day(declared.fetched_at) if known else words("person.undated")
    return words(
        "person.source", source=declared.source, method=words.told(declared.method), day=when
    )


def held(person: Shown, words: Words) -> tuple[str, ...]:
    """Roles that projects themselves say the person holds, each repository and role once."""
    pairs = dict.fromkeys((one.role, one.repo) for one in person.roles_held)
    return tuple(words("person.holds", role=words.told(role), repo=repo) for role, repo in pairs)


def commit(one: Cited | CommitRow, words: Words, *, is_linked: bool = True) -> CommitView:
    return CommitView(
        sha=one.sha[:SHA],
        subject=one.subject,
        repo=one.repo,
        day=words.day(one.date),
        role=words(f"role.{one.role}"),
        is_author=one.role == Role.AUTHOR,
        href=safe_href(one.url) if is_linked else "",
        pull="" if one.pull is None else f"#{one.pull}",
    )


def unknown_names(names: tuple[str, ...], words: Words) -> tuple[str, ...]:
    return tuple(
        words(f"field.{name}") if words.has(f"field.{name}") else name.replace("_", " ")
        for name in dict.fromkeys(names)
    )


def short(topic: str) -> str:
    """A topic's name without what explains it.

    >>> short("KV transfer (NIXL, Mooncake, RDMA, NVLink)")
    'KV transfer'
    """
    return topic.partition(" (")[0]


def safe_href(url: str | None) -> str:
    """Only web addresses become links.

    >>> safe_href("javascript:alert(1)"), safe_href("https://github.com/a/b/commit/9f")
    ('', 'https://github.com/a/b/commit/9f')
    """
    return url if url and url.startswith(("https://", "http://")) else ""
