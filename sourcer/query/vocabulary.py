"""What is known at the data at hand: the names that a question may use."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from sourcer import companies, topics
from sourcer.query.corrections import Targets, correctable
from sourcer.query.lexicons import Entry, Lexicon, word_entries
from sourcer.query.trait_words import trait_entries

REPOSITORIES: Mapping[str, tuple[str, ...]] = {
    "vllm": ("vllm", "v llm", "vllm-project/vllm"),
    "sglang": ("sglang", "sgl-project/sglang", "sg lang"),
    "vllm-ascend": ("vllm-ascend",),
    "flashinfer": ("flashinfer",),
    "mooncake": ("mooncake",),
    "nixl": ("nixl",),
    "flash-linear-attention": ("flash-linear-attention",),
    "flashmla": ("flashmla",),
}
PRODUCTS = frozenset({"flashinfer", "mooncake", "nixl", "flash-linear-attention", "flashmla"})
"""Also things that one works on: a repository only where a repository can stand."""
TopicFinder = Callable[[str], Sequence[tuple[str, tuple[int, int]]]]
"""A text -> topic ids, each with the characters that name it."""


@dataclass(frozen=True)
class Vocabulary:
    """Names and aliases, compiled once into a lexicon.

    >>> known = Vocabulary(topics={"moe": ("MoE", "mixture of experts")})
    >>> known.lexicon.knows("mixture-of-experts")
    True
    """

    repositories: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: REPOSITORIES)
    """Short name -> ways to say it."""
    topics: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Topic id -> words that people use for it."""
    companies: Mapping[str, str] = field(default_factory=lambda: companies.NAMES)
    """Way to say it -> canonical name."""
    find_topics: TopicFinder | None = None
    """Topics by more than their words, as `Taxonomy.find` does; takes the place of `topics`."""
    lexicon: Lexicon = field(init=False, repr=False, compare=False)
    targets: Targets = field(init=False, repr=False, compare=False)
    """What a typing slip may be read as."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "lexicon", Lexicon(self._entries()))
        said = [words for texts in self.topics.values() for words in texts]
        object.__setattr__(self, "targets", correctable(self.repositories, said, self.companies))

    def _entries(self) -> Iterator[Entry]:
        yield from word_entries()
        yield from trait_entries()
        for name, aliases in self.repositories.items():
            yield from (Entry("repo", name, words) for words in (name, *aliases))
        for topic, texts in self.topics.items():
            yield from (Entry("topic", topic, words) for words in (topic, *texts))
        yield from (Entry("company", name, words) for words, name in self.companies.items())


def vocabulary_of(taxonomy: topics.Taxonomy) -> Vocabulary:
    """The names that a question may use where these topics are known."""
    said = {topic.id: (topic.name, *topic.words) for topic in taxonomy.topics}
    return Vocabulary(topics=said, find_topics=taxonomy.find)


@cache
def default_vocabulary() -> Vocabulary:
    """The names that are known without any data, with the shipped topics."""
    return vocabulary_of(topics.load())
