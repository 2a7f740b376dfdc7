"""Interview questions that a person's own commits suggest, with what a good answer contains.

>>> from datetime import datetime
>>> from sourcer.commits import Role
>>> own = Cited(7, "acme/engine", "9f1c2e4a77", "[KV] Match prefixes at hash block size (#412)",
...     datetime(2026, 3, 5), Role.AUTHOR, ("engine/kv_cache_coordinator.py",), 4,
...     ("hybrid-prefix-caching",), 0.8, pull=412)
>>> first = questions("hybrid-prefix-caching", [own])[0]
>>> first.id
'state-block-size-and-match-granularity'
>>> first.opening
'In acme/engine#412 (March 2026) you wrote “[KV] Match prefixes at hash block size”, in \
engine/kv_cache_coordinator.py and 3 other files.'
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from sourcer.commits import Role
from sourcer.errors import BadInput
from sourcer.evidence import Cited, tellingness
from sourcer.phrases import words
from sourcer.screening.file import Asked, read
from sourcer.settings import Settings
from sourcer.substance import KINDS, kind_of
from sourcer.topics import Taxonomy
from sourcer.topics import load as load_topics

MOST_CITED = 3
BY_WORDS, BY_PATH, BY_TOPIC = 3.0, 2.0, 1.0
"""What it counts for that a commit's subject, its paths or its topics call for a question."""
_DID = {
    Role.AUTHOR: "wrote",
    Role.CO_AUTHOR: "co-wrote",
    Role.REVIEWER: "reviewed",
    Role.SIGNER: "signed off",
}
_PULL = re.compile(r"\s*\(#\d+\)")
_MARKDOWN = re.compile(r"([\\`*_\[\]<>|#])")


@dataclass(frozen=True, slots=True)
class Question:
    """A question for one person; without commits it is the topic's alone."""

    id: str
    asks: str
    good: tuple[str, ...]
    """What an answer contains when somebody has done it."""
    weak: tuple[str, ...]
    """What an answer sounds like when somebody has only read of it."""
    commits: tuple[Cited, ...] = ()
    """The person's own, the most fitting first."""

    @property
    def opening(self) -> str:
        """One sentence that ties the question to the person's work; empty without commits."""
        if not self.commits:
            return ""
        first, *others = self.commits
        also = f" See also {' and '.join(map(_reference, others))}." if others else ""
        return f"{_did(first)}.{also}"

    @property
    def says(self) -> str:
        """The question as it is put."""
        return f"{self.opening} {self.asks}".strip()

    def json(self) -> dict[str, object]:
        return {
            "id": self.id,
            "question": self.says,
            "asks": self.asks,
            "good": list(self.good),
            "weak": list(self.weak),
            "commits": [one.json() for one in self.commits],
        }


@dataclass(frozen=True)
class Screening:
    """All questions, and the topics that they are asked for."""

    asked: tuple[Asked, ...]
    taxonomy: Taxonomy

    @cached_property
    def _by_topic(self) -> Mapping[str, tuple[Asked, ...]]:
        ids = [topic.id for topic in self.taxonomy.topics]
        return {id_: tuple(one for one in self.asked if id_ in one.topics) for id_ in ids}

    def of(self, topic: str) -> tuple[Asked, ...]:
        """The topic's own questions, else its parents'. Raises BadInput for an unknown topic.

        >>> [one.id for one in load().of("qwen")]
        ['new-model-correctness', 'weight-mapping']
        """
        if topic not in self._by_topic:
            known = ", ".join(self._by_topic)
            raise BadInput(f"there is no topic {topic!r}; there are: {known}")
        own = self._by_topic[topic]
        if own:
            return own
        above = (self.of(parent) for parent in self.taxonomy[topic].parents)
        return tuple(dict.fromkeys(one for questions_ in above for one in questions_))


def chosen(settings: Settings, taxonomy: Taxonomy) -> Screening:
    """The questions that the installation is set to; those built in are asked where its topics
    are theirs. Raises BadSettings where its own file cannot be used."""
    if not settings.screening:
        return Screening(read(), taxonomy)
    return Screening(
        read(Path(settings.screening), {topic.id for topic in taxonomy.topics}), taxonomy
    )


@cache
def load() -> Screening:
    """The questions as shipped. Raises BadSettings where screening.toml cannot be used."""
    taxonomy = load_topics()
    return Screening(read(topics={topic.id for topic in taxonomy.topics}), taxonomy)


def questions(
    topic: str, commits: Sequence[Cited], screening: Screening | None = None, limit: int = 6
) -> tuple[Question, ...]:
    """The topic's questions: first those that the person's own commits suggest, then the others.

    Each cites the commits that it grew from; a commit opens a second question only when no other
    commit fits that one.
    """
    grown = [(one, _fitting(one, commits)) for one in (screening or load()).of(topic)]
    grown.sort(key=lambda pair: -max((fit for fit, _ in pair[1]), default=0.0))
    used: set[int] = set()
    made = []
    for one, fitting in grown[:limit]:
        fresh_first = sorted(fitting, key=lambda pair: (pair[1].commit in used, -pair[0]))
        cited = tuple(commit for _, commit in fresh_first[:MOST_CITED])
        used.update(commit.commit for commit in cited[:1])
        made.append(Question(one.id, one.asks, one.good, one.weak, cited))
    return tuple(made)


def as_markdown(name: str, topic: str, asked: Sequence[Question]) -> str:
    """A page for the interviewer; commits are links where their repository has an address.

    >>> print(as_markdown("Ada Wren", "MoE", [Question("a", "Why?", ("Because.",), ("So.",))]))
    # Screening: Ada Wren, MoE
    <BLANKLINE>
    ## 1. Why?
    <BLANKLINE>
    A good answer:
    <BLANKLINE>
    - Because.
    <BLANKLINE>
    A weak answer:
    <BLANKLINE>
    - So.
    <BLANKLINE>
    """
    head = f"# Screening: {_plain(name)}, {_plain(topic)}\n\n"
    return head + "\n".join(_section(number, one) for number, one in enumerate(asked, start=1))


def _section(number: int, one: Question) -> str:
    parts = [f"## {number}. {_plain(one.asks)}"]
    if one.commits:
        parts.append(_plain(f"{_did(one.commits[0])}."))
        parts.append("\n".join(_cited(commit) for commit in one.commits))
    for title, texts in (("A good answer:", one.good), ("A weak answer:", one.weak)):
        parts += [title, "\n".join(f"- {_plain(text)}" for text in texts)]
    return "\n\n".join(parts) + "\n"


def _cited(one: Cited) -> str:
    reference = _plain(_reference(one))
    linked = f"[{reference}]({one.url})" if one.url else reference
    return f"- {linked}: {_plain(_title(one))} ({one.date:%Y-%m-%d}, {one.role})"


def _fitting(asked: Asked, commits: Sequence[Cited]) -> list[tuple[float, Cited]]:
    """The commits that suggest a question and how much they do, the strongest first."""
    scored = ((_calls(asked, one), one) for one in commits)
    most = max((tellingness(one) for one in commits), default=0.0) or 1.0
    found = [(calls * (0.5 + tellingness(one) / most / 2), one) for calls, one in scored if calls]
    return sorted(found, key=lambda pair: (-pair[0], pair[1].commit))


def _calls(asked: Asked, one: Cited) -> float:
    grows = asked.commits
    by_words = BY_WORDS * grows.words.found_in(words(one.subject))
    by_path = BY_PATH * any(grows.path_words.found_in(words(path)) for path in one.paths)
    by_topic = BY_TOPIC * (not grows.topics.isdisjoint(one.topics))
    return by_words + by_path + by_topic


def _did(one: Cited) -> str:
    where = f", in {_place(one)}" if one.paths else ""
    return f"In {_reference(one)} ({one.date:%B %Y}) you {_DID[one.role]} “{_title(one)}”{where}"


def _place(one: Cited) -> str:
    others = max(one.files, len(one.paths)) - 1
    more = (
        "" if others < 1 else " and 1 other file" if others == 1 else f" and {others} other files"
    )
    weightiest = min(one.paths, key=lambda path: KINDS.index(kind_of(path)))
    return f"{weightiest}{more}"


def _reference(one: Cited) -> str:
    return f"{one.repo}#{one.pull}" if one.pull else f"{one.repo}@{one.sha[:9]}"


def _title(one: Cited) -> str:
    return _PULL.sub("", one.subject).strip()


def _plain(text: str) -> str:
    """A stranger's text made harmless in Markdown.

    >>> print(_plain("a_b <script> [x]"))
    a\\_b \\<script\\> \\[x\\]
    """
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()))
