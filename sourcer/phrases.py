"""Finds known phrases in a text: whole words, longest first, spelling of gaps ignored.

A phrase is matched word by word, so that `fused moe`, `fused_moe`, `Fused-MoE` and `FusedMoE`
are one phrase. Plurals match singulars. A phrase of one word may end in `*` (`qwen*`).
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, TypeVar

Meaning = TypeVar("Meaning")
WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Hit(Generic[Meaning]):
    """`words[start:stop]` is a known phrase that means each of `meanings`."""

    start: int
    stop: int
    meanings: tuple[Meaning, ...]


def words(text: str) -> list[str]:
    """The words of a text, lower case and singular.

    >>> words("[P/D] Add CUDA graphs for torch.compile'd GLM-4.5")
    ['p', 'd', 'add', 'cuda', 'graph', 'for', 'torch', 'compile', 'd', 'glm', '4', '5']
    """
    return [*map(_normal, WORD.findall(text))]


def spans(text: str) -> list[tuple[int, int]]:
    """Where each of `words(text)` stands.

    >>> spans("FP8 MoE")
    [(0, 3), (4, 7)]
    """
    return [match.span() for match in WORD.finditer(text)]


def singular(word: str) -> str:
    """Drops a plural's s; wrong for some words, but wrong in text and phrase alike.

    >>> [singular(word) for word in ("graphs", "cutlass", "vs")]
    ['graph', 'cutlass', 'vs']
    """
    return word[:-1] if len(word) > 3 and word[-1] == "s" and word[-2] != "s" else word


@lru_cache(maxsize=1 << 16)
def _normal(word: str) -> str:
    return singular(word.lower())


class Phrases(Generic[Meaning]):
    """A set of phrases with what each means; one phrase may mean several things.

    >>> areas = Phrases([("moe", "moe"), ("fused moe", "fused"), ("qwen*", "qwen")])
    >>> [hit.meanings for hit in areas.find(words("FusedMoE and plain MoE for Qwen3"))]
    [('fused',), ('moe',), ('qwen',)]
    """

    def __init__(self, phrases: Iterable[tuple[str, Meaning]]) -> None:
        self._meanings: dict[tuple[str, ...], tuple[Meaning, ...]] = {}
        self._starts: dict[str, tuple[Meaning, ...]] = {}
        for phrase, meaning in phrases:
            if phrase.endswith("*"):
                start = phrase[:-1].lower()
                self._starts[start] = (*self._starts.get(start, ()), meaning)
            else:
                for spelling in _spellings(phrase):
                    self._meanings[spelling] = (*self._meanings.get(spelling, ()), meaning)
        self._lengths: dict[str, tuple[int, ...]] = {}
        """How many words the phrases have that start with this word, longest first."""
        for spelling in sorted(self._meanings, key=len, reverse=True):
            lengths = self._lengths.get(spelling[0], ())
            if len(spelling) not in lengths:
                self._lengths[spelling[0]] = (*lengths, len(spelling))
        self._unstarred: set[str] = set()
        """Words already compared with every `word*`."""

    def find(
        self, text: list[str], accept: Callable[[Meaning], bool] | None = None
    ) -> Iterator[Hit[Meaning]]:
        """Phrases in `words(...)`, left to right, none overlapping; the longest accepted wins."""
        self._unstar(text)
        stop, lengths_of = 0, self._lengths
        for at, word in enumerate(text):
            if word in lengths_of and at >= stop:
                hit = self._longest(text, at, lengths_of[word], accept)
                if hit is not None:
                    stop = hit.stop
                    yield hit

    def find_all(self, text: list[str]) -> Iterator[Hit[Meaning]]:
        """Phrases within phrases too.

        >>> areas = Phrases([("moe", 1), ("fused moe", 2)])
        >>> [hit.meanings for hit in areas.find_all(["fused", "moe"])]
        [(2,), (1,)]
        """
        self._unstar(text)
        for at, word in enumerate(text):
            for length in self._lengths.get(word, ()):
                meanings = self._meanings.get(tuple(text[at : at + length]), ())
                if meanings and at + length <= len(text):
                    yield Hit(at, at + length, meanings)

    def found_in(self, text: list[str]) -> bool:
        if not self._starts and self._lengths.keys().isdisjoint(text):
            return False
        return any(True for _ in self.find(text))

    def _longest(
        self,
        text: list[str],
        at: int,
        lengths: tuple[int, ...],
        accept: Callable[[Meaning], bool] | None,
    ) -> Hit[Meaning] | None:
        for length in lengths:
            phrase = tuple(text[at : at + length])
            if len(phrase) < length:
                continue
            meanings = self._meanings.get(phrase, ())
            accepted = meanings if accept is None else tuple(filter(accept, meanings))
            if accepted:
                return Hit(at, at + length, accepted)
        return None

    def _unstar(self, text: list[str]) -> None:
        """Turns each `word*` that a text has into that very word, so that looking up is enough."""
        if not self._starts or self._unstarred.issuperset(text):
            return
        for word in set(text) - self._unstarred:
            starts = (self._starts.get(word[:length], ()) for length in range(1, len(word) + 1))
            meanings = tuple(meaning for those in starts for meaning in those)
            if meanings:
                self._meanings[(word,)] = (*self._meanings.get((word,), ()), *meanings)
                lengths = self._lengths.get(word, ())
                self._lengths[word] = lengths if 1 in lengths else (*lengths, 1)
            self._unstarred.add(word)


def _spellings(phrase: str) -> set[tuple[str, ...]]:
    """The words apart, and written as one: `kv cache` and `kvcache`."""
    apart = tuple(words(phrase))
    return {apart, (singular("".join(WORD.findall(phrase)).lower()),)}
