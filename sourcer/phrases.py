"""Finds known phrases in a text: whole words, longest first, spelling of gaps ignored.

A phrase is matched word by word, so that `fused moe`, `fused_moe`, `Fused-MoE` and `FusedMoE`
are one phrase. Plurals match singulars. A phrase of one word may end in `*` (`qwen*`).
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

Meaning = TypeVar("Meaning")
_Candidates: TypeAlias = list[tuple[list[str], tuple[Meaning, ...]]]
"""Phrases that start with one word, longest first, each with its meanings."""

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
    return [singular(word.lower()) for word in WORD.findall(text)]


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


class Phrases(Generic[Meaning]):
    """A set of phrases with what each means; one phrase may mean several things.

    >>> areas = Phrases([("moe", "moe"), ("fused moe", "fused"), ("qwen*", "qwen")])
    >>> [hit.meanings for hit in areas.find(words("FusedMoE and plain MoE for Qwen3"))]
    [('fused',), ('moe',), ('qwen',)]
    """

    def __init__(self, phrases: Iterable[tuple[str, Meaning]]) -> None:
        meanings: dict[tuple[str, ...], list[Meaning]] = defaultdict(list)
        self._starts: dict[str, list[Meaning]] = defaultdict(list)
        for phrase, meaning in phrases:
            if phrase.endswith("*"):
                self._starts[phrase[:-1].lower()].append(meaning)
            else:
                for spelling in _spellings(phrase):
                    meanings[spelling].append(meaning)
        self._by_first: dict[str, _Candidates[Meaning]] = defaultdict(list)
        for spelling in sorted(meanings, key=len, reverse=True):
            self._by_first[spelling[0]].append((list(spelling), tuple(meanings[spelling])))
        self._known: dict[str, _Candidates[Meaning]] = {}

    def find(
        self, text: list[str], accept: Callable[[Meaning], bool] | None = None
    ) -> Iterator[Hit[Meaning]]:
        """Phrases in `words(...)`, left to right, none overlapping; the longest accepted wins."""
        at = 0
        while at < len(text):
            candidates = self._starting_with(text[at])
            hit = _longest(candidates, text, at, accept) if candidates else None
            if hit is not None:
                yield hit
            at = hit.stop if hit is not None else at + 1

    def found_in(self, text: list[str]) -> bool:
        if not self._starts and self._by_first.keys().isdisjoint(text):
            return False
        return any(True for _ in self.find(text))

    def _starting_with(self, word: str) -> _Candidates[Meaning]:
        known = self._known.get(word)
        if known is None:
            starred = [m for n in range(1, len(word) + 1) for m in self._starts.get(word[:n], ())]
            known = [
                *self._by_first.get(word, ()),
                *([([word], tuple(starred))] if starred else ()),
            ]
            self._known[word] = known
        return known


def _longest(
    candidates: _Candidates[Meaning],
    text: list[str],
    at: int,
    accept: Callable[[Meaning], bool] | None,
) -> Hit[Meaning] | None:
    for phrase, meanings in candidates:
        stop = at + len(phrase)
        if len(phrase) == 1 or text[at:stop] == phrase:
            accepted = meanings if accept is None else tuple(filter(accept, meanings))
            if accepted:
                return Hit(at, stop, accepted)
    return None


def _spellings(phrase: str) -> set[tuple[str, ...]]:
    """The words apart, and written as one: `kv cache` and `kvcache`."""
    apart = tuple(words(phrase))
    return {apart, (singular("".join(WORD.findall(phrase)).lower()),)}
