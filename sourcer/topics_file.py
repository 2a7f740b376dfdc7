"""Reads topics.toml, and says what is wrong with it in the words of the person who edited it."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sourcer.errors import BadSettings
from sourcer.phrases import words

SHIPPED = Path(__file__).with_name("topics.toml")
TEXTS = ("parents", "symbols", "messages")
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
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadSettings(f"{path} cannot be read: {error}") from error
    return parse(text, path.name)


def parse(text: str, name: str = "topics.toml") -> TopicsFile:
    """
    >>> parse('[topics.moe]\\nname = "MoE"\\ndefinition = "Experts"\\nparents = ["kernel"]')
    Traceback (most recent call last):
    sourcer.errors.BadSettings: topics.toml: topic 'moe', parents: there is no topic 'kernel'
    """
    try:
        tables: dict[str, object] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadSettings(f"{name} is not TOML: {error}") from error
    root = _Table(tables, name)
    root.refuse_unknown({"topics", "path_share", "sweeps"})
    topics = tuple(
        _topic(id_, _Table(entry, f"{name}: topic {id_!r}"))
        for id_, entry in root.tables("topics").items()
    )
    _check_parents(topics, name)
    return TopicsFile(topics, root.share("path_share") or 0.45, root.phrases("sweeps"))


def _topic(id_: str, table: "_Table") -> Topic:
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


def _word_in_context(table: "_Table") -> WordInContext:
    table.refuse_unknown({"word", "near", "not_near"})
    word = WordInContext(table.string("word"), table.phrases("near"), table.phrases("not_near"))
    _check_phrase(table, "word", word.word)
    if not word.near and not word.not_near:
        raise table.error(
            "word", word.word, "followed by near or not_near; without them it belongs in words"
        )
    return word


def _check_phrase(table: "_Table", key: str, phrase: str) -> None:
    count = len(words(phrase))
    if not count or "*" in phrase[:-1] or (phrase.endswith("*") and count > 1):
        raise table.error(key, phrase, "a word or words; a single word may end in *")


def _check_regex(table: "_Table", pattern: str) -> None:
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


@dataclass(frozen=True, slots=True)
class _Table:
    """A TOML table that knows where it stands, so that every complaint can say so."""

    entries: Mapping[str, object]
    where: str

    def error(self, key: str, value: object, wanted: str) -> BadSettings:
        return BadSettings(f"{self.where}, {key}: {value!r} cannot be used; it must be {wanted}")

    def refuse_unknown(self, known: set[str]) -> None:
        unknown = self.entries.keys() - known
        if unknown:
            raise BadSettings(
                f"{self.where}: unknown key {min(unknown)!r}; there are: {', '.join(sorted(known))}"
            )

    def string(self, key: str) -> str:
        value = self.entries.get(key)
        if not isinstance(value, str) or not value.strip():
            raise self.error(key, value, "text in quotes")
        return value

    def strings(self, key: str) -> tuple[str, ...]:
        value = self.entries.get(key, [])
        if not isinstance(value, list):
            raise self.error(key, value, "a list of texts in quotes")
        for item in value:
            if not isinstance(item, str) or not item.strip():
                raise self.error(key, item, "text in quotes")
        return tuple(value)

    def share(self, key: str) -> float | None:
        value = self.entries.get(key)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 1:
            raise self.error(key, value, "over 0 and at most 1")
        return float(value)

    def phrases(self, key: str) -> tuple[str, ...]:
        phrases = self.strings(key)
        for phrase in phrases:
            _check_phrase(self, key, phrase)
        return phrases

    def tables(self, key: str) -> Mapping[str, Mapping[str, object]]:
        value = self.entries.get(key)
        if not isinstance(value, dict) or not value:
            raise self.error(key, value, "a table")
        for name, entry in value.items():
            if not isinstance(entry, dict):
                raise self.error(f"{key}.{name}", entry, "a table")
        return value

    def tables_or_none(self, key: str) -> Mapping[str, object]:
        value = self.entries.get(key, {})
        if not isinstance(value, dict):
            raise self.error(key, value, "a table of lists, one for each repository or 'any'")
        return value

    def within(self, key: str) -> "_Table":
        return _Table(self.tables_or_none(key), f"{self.where}, {key}")

    def list_of_tables(self, key: str) -> tuple["_Table", ...]:
        value = self.entries.get(key, [])
        if not isinstance(value, list):
            raise self.error(key, value, "a list of { word = ..., near = [...] }")
        for item in value:
            if not isinstance(item, dict):
                raise self.error(key, item, "{ word = ..., near = [...], not_near = [...] }")
        return tuple(_Table(item, f"{self.where}, {key}") for item in value)
