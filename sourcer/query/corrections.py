"""Typing slips: a word that nothing knows is read as the known word next to it, and that is said.

A place or company is corrected only where one can stand; a word in near_words.txt, never.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from rapidfuzz.distance import OSA

from sourcer.companies import find
from sourcer.query.lexicons import Match, word_entries, word_set
from sourcer.query.parts import Correction
from sourcer.query.tokens import Kind, Token, tokenise

Matches = Sequence[Mapping[str, Match]]

_PLACE_SLOTS = frozenset(
    [
        "in",
        "from",
        "near",
        "based",
        "outside",
        "or",
        "and",
        ",",
        "/",
        "of",
        "to",
        "the",
        "within",
        "aus",
        "bei",
        "im",
    ]
)
_COMPANY_SLOTS = frozenset(
    ["at", "from", "ex", "-", "for", "or", "and", ",", "@", "bei", "formerly", "previously"]
)
_WORD_KINDS = frozenset(
    {"person", "kept_person", "seniority", "activity", "metric", "affiliation", "open", "language"}
)
_SHORTEST = {"place": 5, "company": 6, "repository": 5, "word": 7, "topic": 7}


@dataclass(frozen=True, slots=True)
class Targets:
    """What a slip may be read as: word -> what it is, and the words by their first letter."""

    kinds: Mapping[str, str]
    by_letter: Mapping[str, Sequence[str]]
    repositories: Sequence[str]

    @classmethod
    def of(cls, kinds: Mapping[str, str]) -> "Targets":
        by_letter: dict[str, list[str]] = defaultdict(list)
        for word in kinds:
            by_letter[word[0]].append(word)
        names = [word for word, kind in kinds.items() if kind == "repository" and len(word) >= 4]
        return cls(kinds, by_letter, names)


def corrections(
    tokens: Sequence[Token], matches: Matches, targets: Targets
) -> Iterator[tuple[int, Correction]]:
    """Each token to be read otherwise, or that resembles a repository, with what is said of it."""
    for i, token in enumerate(tokens):
        if token.kind is not Kind.WORD or not token.norm.isascii() or len(token.norm) < 3:
            continue
        found = None if matches[i] else _nearest(token.norm, targets)
        if found and _fits(tokens, i, targets.kinds[found]):
            says = f"no word {token.text!r} is known: read as {found!r}"
            yield i, Correction(token.text, found, (token.start, token.end), says)
        elif found is None and (name := _near_repository(token, matches[i], targets)):
            says = f"no repository {token.text!r}: did you mean {name}?"
            yield i, Correction(token.text, name, (token.start, token.end), says, applied=False)


def reread(tokens: Sequence[Token], found: Iterable[tuple[int, Correction]]) -> list[Token]:
    """The tokens with the corrected ones under their new norm; text and place stay as typed."""
    fixed = {i: correction.read_as for i, correction in found if correction.applied}
    return [replace(token, norm=fixed.get(i, token.norm)) for i, token in enumerate(tokens)]


def _nearest(word: str, targets: Targets) -> str | None:
    """The one target within a slip of a word; None where two are as near."""
    if word in near_words() or word in targets.kinds or len(word) < min(_SHORTEST.values()):
        return None
    limit = 1 if len(word) < 8 else 2
    near = sorted(
        (distance, target)
        for target in targets.by_letter.get(word[0], ())
        if abs(len(target) - len(word)) <= limit
        and len(target) >= _SHORTEST[targets.kinds[target]]
        and (distance := OSA.distance(word, target, score_cutoff=limit)) <= limit
    )  # fmt: skip
    if not near or (
        len(near) > 1 and near[0][0] == near[1][0] and not _alike(near[0][1], near[1][1])
    ):
        return None
    return None if _is_inflected(word, near[0][1]) else near[0][1]


def _alike(one: str, other: str) -> bool:
    """Forms of one word: 'reviewer', 'reviewers'."""
    return one.rstrip("s") == other.rstrip("s")


def _is_inflected(word: str, target: str) -> bool:
    return (
        word in (target + "s", target + "es", target + "d", target + "ed") or word + "s" == target
    )


def _fits(tokens: Sequence[Token], i: int, kind: str) -> bool:
    before = tokens[i - 1].norm if i else ""
    after = tokens[i + 1].norm if i + 1 < len(tokens) else ""
    if kind == "place":
        return (
            before in _PLACE_SLOTS
            or after == "based"
            or (after == "-" and i + 2 < len(tokens) and tokens[i + 2].norm == "based")
        )
    return kind != "company" or before in _COMPANY_SLOTS


def _near_repository(token: Token, matches: Mapping[str, Match], targets: Targets) -> str | None:
    if (
        (matches and token.text.isupper())
        or not set(matches) <= {"topic"}
        or token.norm in near_words()
    ):
        return None
    near = (
        name for name in targets.repositories if OSA.distance(token.norm, name, score_cutoff=1) == 1
    )
    return next(near, None)


def correctable(
    repositories: Iterable[str], topics: Iterable[str], companies: Mapping[str, str]
) -> Targets:
    """Every word that a slip may be read as.

    >>> correctable(["sglang"], ["speculative decoding"], {}).kinds["speculative"]
    'topic'
    """
    targets = {
        token.norm: "topic" for words in topics for token in tokenise(words) if len(token.norm) >= 7
    }
    targets |= {
        token.norm: "word"
        for entry in word_entries()
        if entry.kind in _WORD_KINDS
        for token in tokenise(entry.words)
        if token.norm.isascii() and len(token.norm) >= 7
    }
    targets |= {
        words: "company"
        for words, name in companies.items()
        if words.isascii() and words.isalpha() and len(words) >= 6 and not _is_word(name)
    }
    targets |= dict.fromkeys(word_set("correctable"), "place")
    return Targets.of(targets | {name: "repository" for name in repositories if name.isalpha()})


def _is_word(company: str) -> bool:
    known = find(company)
    return known is not None and known.is_word


@cache
def near_words() -> frozenset[str]:
    """English words within a slip of a target; they are meant as they stand."""
    return frozenset(Path(__file__).with_name("near_words.txt").read_text("utf-8").split())
