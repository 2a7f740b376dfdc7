"""Words and what they may mean: one trie over every kind, matched longest first.

>>> lexicon = Lexicon([Entry("or", "or", "or"), Entry("or_above", "or_above", "or above")])
>>> [(m.kind, m.last) for m in lexicon.at(tokenise("senior or above"), 1)]
[('or', 2), ('or_above', 3)]
"""

import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from sourcer.query.tokens import Token, fold, tokenise

GLUE = frozenset("-–‐‑")
"""Hyphens inside a word do not keep it from matching."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One way to say one thing."""

    kind: str
    value: str
    words: str


@dataclass(frozen=True, slots=True)
class Match:
    """An entry found at tokens [first, last)."""

    kind: str
    value: str
    first: int
    last: int


@dataclass(slots=True)
class _Node:
    ways: dict[str, "_Node"] = field(default_factory=dict)
    ends: dict[str, str] = field(default_factory=dict)


class Lexicon:
    """Every entry, ready to be matched; of two with equal words and kind the first holds."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._root = _Node()
        for entry in entries:
            self._add(entry)

    def _add(self, entry: Entry) -> None:
        node = self._root
        for token in tokenise(entry.words):
            if token.text not in GLUE:
                node = node.ways.setdefault(token.norm, _Node())
        if node is not self._root:
            node.ends.setdefault(entry.kind, entry.value)

    def at(self, tokens: Sequence[Token], first: int) -> list[Match]:
        """The longest match of each kind that begins at a token."""
        return list({match.kind: match for match in self._walk(tokens, first)}.values())

    def _walk(self, tokens: Sequence[Token], first: int) -> Iterator[Match]:
        node, last = self._root, first
        while last < len(tokens):
            if tokens[last].text in GLUE and last > first:
                last += 1
                continue
            following = node.ways.get(tokens[last].norm)
            if following is None:
                return
            node, last = following, last + 1
            for kind, value in node.ends.items():
                yield Match(kind, value, first, last)

    def knows(self, words: str) -> bool:
        """Whether some entry is exactly these words."""
        tokens = tokenise(words)
        return any(match.last == len(tokens) for match in self.at(tokens, 0))


@cache
def word_entries() -> tuple[Entry, ...]:
    """The entries of words.toml.

    >>> Entry("seniority", "senior", "sr") in word_entries()
    True
    """
    return tuple(_entries("words.toml"))


def _entries(file: str) -> Iterator[Entry]:
    tables = tomllib.loads(Path(__file__).with_name(file).read_text("utf-8"))
    for kind, table in tables.items():
        for value, texts in table.items():
            yield from (Entry(kind, value, words) for words in texts)


@cache
def word_set(name: str) -> frozenset[str]:
    """A set of word_sets.toml, folded.

    >>> "nvidia" in word_set("vendor")
    True
    """
    return frozenset(
        fold(entry.words) for entry in _entries("word_sets.toml") if entry.kind == name
    )
