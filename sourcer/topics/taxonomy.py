"""Tags commits and questions with topics; topics.toml says what there is to find."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from sourcer.phrases import Hit, Phrases, spans, words
from sourcer.topics.file import SHIPPED, Topic, read
from sourcer.topics.rules import PathRules, SymbolRules

SHOWN = 3
"""How many paths or symbols a tag cites: enough to judge it by, few enough to store."""

AROUND = 4
"""Words between a phrase and what is said of it."""

Span = tuple[int, int]
_NEXT_ITEM = re.compile(
    r"[,;、]|\b(?:or|oder|plus|(?:and|und)(?! (?:its|their|ihr|ihre|ihrem|sein|seine|seinem)\b))\b",
    re.IGNORECASE,
)
BRACKETS = re.compile(r"\[([^\]]+)\]")
PREFIX = re.compile(r"^(?:\[[^\]]*\]\s*)*([\w /.-]{1,30}?)(?:\(([^)]*)\))?!?:\s")


@dataclass(frozen=True, slots=True)
class Tag:
    """A commit is about `topic`, because of what `matched`."""

    topic: str
    matched: tuple[str, ...]
    """Each "subject: …", "path: …" or "symbol: …"."""
    weight: float
    """1 when the subject names the topic, else the share of paths or symbols that belong to it."""


@dataclass(frozen=True, slots=True)
class _Use:
    """One topic's use of a phrase, with the words that it needs and refuses around it."""

    topic: str
    near: Phrases[None] | None
    not_near: Phrases[None] | None

    def fits(self, text: list[str]) -> bool:
        return (self.near is None or self.near.found_in(text)) and not (
            self.not_near is not None and self.not_near.found_in(text)
        )


def _is_said_of(
    hit: Hit[_Use], near: Phrases[None], text: str, said: list[str], places: Sequence[Span]
) -> bool:
    """Whether one of the words is a few words from the phrase, with no other item between."""
    for other in near.find(said):
        (_, end), (start, _) = sorted(
            (places[one.start][0], places[one.stop - 1][1]) for one in (hit, other)
        )
        between = text[end:start]
        if len(between.split()) <= AROUND and not _NEXT_ITEM.search(between):
            return True
    return False


@dataclass(frozen=True)
class Taxonomy:
    """All topics. Made by `load`; finds what a commit or a question is about.

    >>> taxonomy = load()
    >>> [tag.topic for tag in taxonomy.tag("Count the load per layer", ["vllm/eplb/a.py"])]
    ['eplb']
    >>> taxonomy.find("who knows expert parallelism")
    [('expert-parallelism', (10, 28))]
    """

    topics: tuple[Topic, ...]
    path_share: float = 0.45
    sweeps: tuple[str, ...] = ()

    def __getitem__(self, topic: str) -> Topic:
        return self._by_id[topic]

    def tag(
        self,
        subject: str,
        paths: Sequence[str] = (),
        symbols: Sequence[str] = (),
        repo: str = "",
    ) -> tuple[Tag, ...]:
        """What a commit is about, surest first. `repo` is `owner/name` or `name`."""
        evidence: dict[str, list[str]] = defaultdict(list)
        weights: dict[str, float] = {}
        text = words(subject)
        for topic, phrase in self._named(subject, text):
            evidence[topic].append(f"subject: {phrase}")
            weights[topic] = 1.0
        sweeps = self._sweeps.found_in(text)
        for kind, names, topics_of in (
            ("path", () if sweeps else paths, self._path_rules(repo).topics),
            ("symbol", symbols, self._symbol_rules.topics),
        ):
            for topic, share, cited in self._shares(names, topics_of):
                evidence[topic].extend(f"{kind}: {name}" for name in cited)
                weights[topic] = max(share, weights.get(topic, 0.0))
        return tuple(
            Tag(topic, tuple(dict.fromkeys(evidence[topic])), weights[topic])
            for topic in sorted(weights, key=weights.__getitem__, reverse=True)
        )

    def find(self, text: str) -> list[tuple[str, tuple[int, int]]]:
        """The topics that a question names, with the characters that name each.

        >>> load().find("谁做过推测解码")
        [('speculative-decoding', (3, 7))]
        >>> [topic for topic, _ in load().find("KDA and its prefix caching")]
        ['kda', 'hybrid-prefix-caching']
        >>> [topic for topic, _ in load().find("KDA and prefix caching")]
        ['kda', 'prefix-caching', 'hybrid-prefix-caching']
        """
        places, said = spans(text), words(text)
        found = (
            (use.topic, (places[hit.start][0], places[hit.stop - 1][1]))
            for hit in self._phrases.find(said, lambda use: use.fits(said))
            for use in self._meant(hit, text, said, places)
        )
        return list(dict.fromkeys((*found, *self._abroad(text))))

    def _meant(
        self, hit: Hit[_Use], text: str, said: list[str], places: Sequence[Span]
    ) -> Iterable[_Use]:
        """Without the topics that are wider than another that the same phrase names, if what makes
        the phrase mean that is said of the phrase and not of another in the same list."""
        wider = {
            over
            for use in hit.meanings
            if use.near is None or _is_said_of(hit, use.near, text, said, places)
            for over in self.ancestors(use.topic)
        }
        return (use for use in hit.meanings if use.topic not in wider)

    def _abroad(self, text: str) -> Iterator[tuple[str, tuple[int, int]]]:
        """By what other languages call a topic, the longest first."""
        for hit in re.finditer("|".join(self._names_abroad) or "(?!)", text, re.IGNORECASE):
            yield self._names_abroad[re.escape(hit[0].casefold())], hit.span()

    def ancestors(self, topic: str) -> tuple[str, ...]:
        """Nearest first.

        >>> load().ancestors("deepep")
        ('expert-parallelism', 'moe', 'distributed')
        """
        found: dict[str, None] = {}
        waiting = list(self[topic].parents)
        while waiting:
            parent = waiting.pop(0)
            found.setdefault(parent)
            waiting.extend(self[parent].parents)
        return tuple(found)

    @cached_property
    def united(self) -> Mapping[str, frozenset[str]]:
        """Topics with those beside whose names a phrase means them and not what is wider.

        >>> sorted(load().united["hybrid-prefix-caching"] & {"kda", "mamba", "lora"})
        ['kda', 'mamba']
        """
        return {
            topic.id: frozenset(
                beside
                for word in topic.words_in_context
                if any(wide in self.ancestors(topic.id) for wide, _ in self.find(word.word))
                for near in word.near
                for beside, _ in self.find(near)
            )
            for topic in self.topics
        }

    def family(self, topic: str) -> tuple[str, ...]:
        """The topic and all below it: a commit about any of them is about the topic.

        >>> load().family("kda")
        ('kda',)
        """
        return (topic, *self._below.get(topic, ()))

    @cached_property
    def _below(self) -> Mapping[str, Sequence[str]]:
        below: dict[str, list[str]] = defaultdict(list)
        for topic in self.topics:
            for over in self.ancestors(topic.id):
                below[over].append(topic.id)
        return below

    @cached_property
    def _by_id(self) -> dict[str, Topic]:
        return {topic.id: topic for topic in self.topics}

    @cached_property
    def _phrases(self) -> Phrases[_Use]:
        return Phrases(use for topic in self.topics for use in _uses(topic))

    @cached_property
    def _names_abroad(self) -> Mapping[str, str]:
        """As patterns."""
        names = [(name, topic.id) for topic in self.topics for name in topic.asked_as]
        longest = sorted(names, key=lambda pair: -len(pair[0]))
        return {re.escape(name.casefold()): topic for name, topic in longest}

    @cached_property
    def _sweeps(self) -> Phrases[None]:
        return Phrases((word, None) for word in self.sweeps)

    @cached_property
    def _labels(self) -> dict[tuple[str, ...], list[str]]:
        labels: dict[tuple[str, ...], list[str]] = defaultdict(list)
        for topic in self.topics:
            for label in topic.labels:
                labels[tuple(words(label))].append(topic.id)
        return labels

    @cached_property
    def _messages(self) -> list[tuple[re.Pattern[str], str]]:
        return [
            (re.compile(pattern, re.IGNORECASE), topic.id)
            for topic in self.topics
            for pattern in topic.messages
        ]

    @cached_property
    def _symbol_rules(self) -> SymbolRules:
        return SymbolRules(self.topics)

    @cached_property
    def _path_rules_of(self) -> dict[str, PathRules]:
        return {}

    def _path_rules(self, repo: str) -> PathRules:
        short = repo.rpartition("/")[2].lower()
        if short not in self._path_rules_of:
            self._path_rules_of[short] = PathRules(self.topics, short)
        return self._path_rules_of[short]

    def _named(self, subject: str, text: list[str]) -> Iterator[tuple[str, str]]:
        for hit in self._phrases.find(text, lambda use: use.fits(text)):
            for use in hit.meanings:
                yield use.topic, " ".join(text[hit.start : hit.stop])
        for label in _labels_of(subject):
            for topic in self._labels.get(tuple(words(label)), ()):
                yield topic, label
        for pattern, topic in self._messages:
            match = pattern.search(subject)
            if match:
                yield topic, match.group()

    def _shares(
        self, names: Sequence[str], topics_of: Callable[[str], tuple[str, ...]]
    ) -> Iterator[tuple[str, float, list[str]]]:
        cited: dict[str, list[str]] = defaultdict(list)
        for name in names:
            for topic in topics_of(name):
                cited[topic].append(name)
        for topic, those in cited.items():
            share = len(those) / len(names)
            if share >= (self[topic].path_share or self.path_share):
                yield topic, share, those[:SHOWN]


def load(path: Path = SHIPPED) -> Taxonomy:
    """Reads and checks the taxonomy; BadSettings names the topic, key and value at fault."""
    file = read(path)
    return Taxonomy(file.topics, file.path_share, file.sweeps)


def _uses(topic: Topic) -> Iterator[tuple[str, _Use]]:
    plain = _Use(topic.id, None, _any_of(topic.not_near))
    for word in topic.words:
        yield word, plain
    for use in topic.words_in_context:
        not_near = (*topic.not_near, *use.not_near)
        yield use.word, _Use(topic.id, _any_of(use.near), _any_of(not_near))


def _any_of(phrases: Sequence[str]) -> Phrases[None] | None:
    return Phrases((phrase, None) for phrase in phrases) if phrases else None


def _labels_of(subject: str) -> Iterator[str]:
    """What the author filed the commit under.

    >>> list(_labels_of("[CI/Build][Docs] Bump"))
    ['CI/Build', 'CI', 'Build', 'Docs']
    >>> list(_labels_of("feat(router): add"))
    ['feat', 'router']
    """
    if "[" not in subject and ":" not in subject:
        return
    prefix = PREFIX.match(subject)
    for label in (*BRACKETS.findall(subject), *(prefix.groups() if prefix else ())):
        if label:
            yield label
            parts = re.split(r"[/,&+]", label)
            yield from (part.strip() for part in parts if len(parts) > 1)
