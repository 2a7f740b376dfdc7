"""Reads screening.toml, and says what is wrong with it in the words of the person who edited it."""

import re
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path

from sourcer.errors import BadSettings
from sourcer.phrases import Phrases
from sourcer.toml_tables import Table, parsed, text_of

SHIPPED = Path(__file__).with_name("screening.toml")


@dataclass(frozen=True, slots=True)
class Commits:
    """The kinds of commits that a question grows from."""

    topics: frozenset[str]
    path_words: Phrases[None]
    words: Phrases[None]


@dataclass(frozen=True, slots=True)
class Asked:
    """One question as screening.toml has it; the file's head explains each field."""

    id: str
    topics: tuple[str, ...]
    asks: str
    good: tuple[str, ...]
    weak: tuple[str, ...]
    commits: Commits = field(compare=False)


def read(path: Path = SHIPPED, topics: Collection[str] = ()) -> tuple[Asked, ...]:
    """Raises BadSettings with the file, question, key and value that cannot be used.

    `topics`: those that there are; with none given, any will do.

    >>> read()[0].id
    'kda-state-against-paged-kv'
    """
    return parse(text_of(path), path.name, topics)


def parse(
    text: str, name: str = "screening.toml", topics: Collection[str] = ()
) -> tuple[Asked, ...]:
    """
    >>> parse('[[question]]\\nid = "a"\\ntopics = ["moe"]\\nasks = "Why?"\\ngood = []')
    Traceback (most recent call last):
    sourcer.errors.BadSettings: screening.toml: question 'a', good: [] cannot be used; \
it must be a list with at least one text in it
    """
    root = parsed(text, name)
    root.refuse_unknown({"question"})
    asked = tuple(
        _question(entry, f"{name}: question {entry.entries.get('id', number)!r}")
        for number, entry in enumerate(root.list_of_tables("question"), start=1)
    )
    for id_, times in Counter(one.id for one in asked).items():
        if times > 1:
            raise BadSettings(f"{name}: question {id_!r} is there {times} times; ids are unique")
    if topics:
        _check_topics(asked, topics, name)
    return asked


def _question(entry: Table, where: str) -> Asked:
    table = Table(entry.entries, where)
    table.refuse_unknown({"id", "topics", "asks", "good", "weak", "commits"})
    id_ = table.string("id")
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", id_):
        raise table.error("id", id_, "small letters, digits and single hyphens")
    topics = table.filled("topics")
    return Asked(
        id=id_,
        topics=topics,
        asks=table.string("asks").strip(),
        good=table.filled("good"),
        weak=table.filled("weak"),
        commits=_commits(table.within("commits"), topics),
    )


def _commits(table: Table, topics: tuple[str, ...]) -> Commits:
    table.refuse_unknown({"topics", "path_words", "words"})
    return Commits(
        frozenset(table.strings("topics") or topics),
        Phrases((phrase, None) for phrase in table.phrases("path_words")),
        Phrases((phrase, None) for phrase in table.phrases("words")),
    )


def _check_topics(asked: tuple[Asked, ...], topics: Collection[str], name: str) -> None:
    for one in asked:
        for topic in (*one.topics, *sorted(one.commits.topics)):
            if topic not in topics:
                raise BadSettings(
                    f"{name}: question {one.id!r}, topics: there is no topic {topic!r}"
                )
