"""Reads topics.toml, and says what is wrong with it in the words of the person who edited it."""

import re
from dataclasses import dataclass
from pathlib import Path

from sourcer.errors import BadSettings
from sourcer.toml_tables import Table, check_phrase, parsed, text_of

SHIPPED = Path(__file__).with_name("topics.toml")
TEXTS = ("parents", "asked_as", "symbols", "messages")
PHRASES = ("words", "not_near", "labels", "path_words", "not_path_words")
KEYS = {"name", "definition", "words_in_context", "paths", "path_share", *TEXTS, *PHRASES}
ANYWHERE = "any"


@dataclass(frozen=True, slots=True)
class WordInContext:
    """A word that means the topic only near one of some words, and never near some others."""

    word: str
    near: tuple[str, ...] = ()
    not_near: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Topic:
    """One area of work, as topics.toml describes it; the file's head explains each field."""

    id: str
    name: str
    definition: str
    parents: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    asked_as: tuple[str, ...] = ()
    words_in_context: tuple[WordInContext, ...] = ()
    not_near: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    path_words: tuple[str, ...] = ()
    not_path_words: tuple[str, ...] = ()
    paths: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Path patterns for each repository's short name; "any" stands for every repository."""
    symbols: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()
    path_share: float | None = None
    """How much of a commit must be the topic's; None: what the file asks for."""


@dataclass(frozen=True, slots=True)
class TopicsFile:
    topics: tuple[Topic, ...]
    path_share: float
    """A commit is tagged by paths when at least this share of its paths belongs to the topic."""
    sweeps: tuple[str, ...] = ()
    """Words in the subjects of commits whose paths say nothing."""


def read(path: Path = SHIPPED) -> TopicsFile:
    """Raises BadSettings with the file, topic, key and value that cannot be used.

    >>> read().topics[0].id
    'moe'
    """
    return parse(text_of(path), path.name)


def parse(text: str, name: str = "topics.toml") -> TopicsFile:
    """
    >>> parse('[topics.moe]\\nname = "MoE"\\ndefinition = "Experts"\\nparents = ["kernel"]')
    Traceback (most recent call last):
    sourcer.errors.BadSettings: topics.toml: topic 'moe', parents: there is no topic 'kernel'
    """
    root = parsed(text, name)
    root.refuse_unknown({"topics", "path_share", "sweeps"})
    topics = tuple(
        _topic(id_, Table(entry, f"{name}: topic {id_!r}"))
        for id_, entry in root.tables("topics").items()
    )
    _check_parents(topics, name)
    return TopicsFile(topics, root.share("path_share") or 0.45, root.phrases("sweeps"))


def _topic(id_: str, table: Table) -> Topic:
    table.refuse_unknown(KEYS)
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", id_):
        raise table.error(
            "the id", id_, "small letters, digits and single hyphens, as in 'fused-moe'"
        )
    lists = {key: table.strings(key) for key in TEXTS} | {
        key: table.phrases(key) for key in PHRASES
    }
    for pattern in lists["messages"]:
        _check_regex(table, pattern)
    return Topic(
        id=id_,
        name=table.string("name"),
        definition=table.string("definition"),
        words_in_context=tuple(
            _word_in_context(entry) for entry in table.list_of_tables("words_in_context")
        ),
        paths=tuple(
            (repo, table.within("paths").strings(repo)) for repo in table.tables_or_none("paths")
        ),
        path_share=table.share("path_share"),
        **lists,
    )


def _word_in_context(table: Table) -> WordInContext:
    table.refuse_unknown({"word", "near", "not_near"})
    word = WordInContext(table.string("word"), table.phrases("near"), table.phrases("not_near"))
    check_phrase(table, "word", word.word)
    if not word.near and not word.not_near:
        raise table.error(
            "word", word.word, "followed by near or not_near; without them it belongs in words"
        )
    return word


def _check_regex(table: Table, pattern: str) -> None:
    try:
        re.compile(pattern)
    except re.error as error:
        raise table.error("messages", pattern, f"a regular expression ({error})") from error


def _check_parents(topics: tuple[Topic, ...], name: str) -> None:
    parents = {topic.id: topic.parents for topic in topics}
    for topic in topics:
        for parent in topic.parents:
            if parent not in parents:
                raise BadSettings(
                    f"{name}: topic {topic.id!r}, parents: there is no topic {parent!r}"
                )
        above, waiting = set[str](), list(topic.parents)
        while waiting:
            next_ = waiting.pop()
            if next_ == topic.id:
                raise BadSettings(f"{name}: topic {topic.id!r}, parents: it is its own ancestor")
            if next_ not in above:
                above.add(next_)
                waiting.extend(parents.get(next_, ()))
