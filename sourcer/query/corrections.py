"""Typing slips: a word that nothing knows is read as the known word next to it, and that is said.

A place or company is corrected only where one can stand; a word in near_words.txt, never.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from rapidfuzz.distance import OSA

from sourcer.companies import also_word, find
from sourcer.query.lexicons import Match, word_entries, word_set
from sourcer.query.parts import Correction
from sourcer.query.time_words import MONTHS
from sourcer.query.tokens import Kind, Token, fold, tokenise

Matches = Sequence[Mapping[str, Match]]

_PLACE_SLOTS = word_set("place_slot") | word_set("denial")
_COMPANY_SLOTS = word_set("company_slot") | word_set("denial")
_WORD_KINDS = frozenset(
    {"person", "kept_person", "seniority", "activity", "metric", "affiliation", "open", "language"}
)
_SHORTEST = {"place": 5, "company": 6, "repository": 5, "small": 5, "word": 7, "topic": 7}


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
        if token.kind is not Kind.WORD or len(token.norm) < 3 or _is_identifier(token.text):
            continue
        found = None if matches[i] else nearest(token.norm, targets)
        if found and _fits(tokens, i, targets.kinds[found]):
            shown = _shown(found, targets.kinds[found])
            says = f"{token.text!r} is not a word known here: read as {shown!r}"
            yield i, Correction(token.text, shown, (token.start, token.end), says)
        elif found is None and (name := _near_repository(tokens, i, matches, targets)):
            says = f"no repository {token.text!r}: did you mean {name}?"
            yield i, Correction(token.text, name, (token.start, token.end), says, applied=False)


def _shown(word: str, kind: str) -> str:
    """A name as it is written: 'Israel', 'NVIDIA', 'February'."""
    if kind == "place" or word in MONTHS:
        return word.title()
    known = find(word) if kind == "company" else None
    return known.shown if known else word


def _is_identifier(text: str) -> bool:
    """Digits, underscores, dots or capitals inside: written so on purpose."""
    return not (text.isascii() and text.isalpha()) or text[1:] not in (
        text[1:].lower(),
        text[1:].upper(),
    )


def reread(tokens: Sequence[Token], found: Iterable[tuple[int, Correction]]) -> list[Token]:
    """The tokens with the corrected ones under their new norm; text and place stay as typed."""
    fixed = {i: fold(correction.read_as) for i, correction in found if correction.applied}
    return [replace(token, norm=fixed.get(i, token.norm)) for i, token in enumerate(tokens)]


def nearest(word: str, targets: Targets) -> str | None:
    """The one target within a slip of a word; None where two are as near."""
    if word in near_words() or word in targets.kinds or len(word) < min(_SHORTEST.values()):
        return None
    limit = 1 if len(word) < 8 else 2
    near = sorted(
        (distance, -len(target), target)
        for target in targets.by_letter.get(word[0], ())
        if abs(len(target) - len(word)) <= limit
        and len(target) >= _SHORTEST[targets.kinds[target]]
        and (distance := OSA.distance(word, target, score_cutoff=limit)) <= limit
    )  # fmt: skip
    if not near or any(d == near[0][0] and not _alike(t, near[0][2]) for d, _, t in near[1:]):
        return None
    return None if _is_inflected(word, near[0][2]) else near[0][2]


def _alike(one: str, other: str) -> bool:
    """Forms of one word: 'reviews', 'reviewers'."""
    return one[:6] == other[:6]


def _is_inflected(word: str, target: str) -> bool:
    """Another form or spelling of the target rather than a slip: 'delayed', 'optimises'."""
    plural = word in (target + "s", target + "es", target + "d", target + "ed")
    british = re.search(r"is(e|es|ed|er|ers|ing|ations?)$", word) is not None
    other_end = word[:-2] == target[:-2] and word[-2:] in ("ed", "er", "es", "ly", "al", "or")
    other_end = other_end and sorted(word[-2:]) != sorted(target[-2:])
    return plural or british or other_end or word + "s" == target


def _fits(tokens: Sequence[Token], i: int, kind: str) -> bool:
    before = tokens[i - 1].norm if i else ""
    after = tokens[i + 1].norm if i + 1 < len(tokens) else ""
    if kind == "place":
        return (
            before in _PLACE_SLOTS
            or after == "based"
            or (after == "-" and i + 2 < len(tokens) and tokens[i + 2].norm == "based")
        )
    return kind != "company" or before in _COMPANY_SLOTS or after in word_set("correctable_people")


def _near_repository(
    tokens: Sequence[Token], i: int, matches: Matches, targets: Targets
) -> str | None:
    """A repository's name next to a word that stands where a repository would."""
    token = tokens[i]
    led = i > 0 and tokens[i - 1].norm in ("in", "to")
    after = tokens[i + 1].norm if i + 1 < len(tokens) else ""
    stands = led or after in word_set("of_repository") or after == "people"
    plain = set(matches[i]) <= {"topic"} and not (matches[i] and token.text.isupper())
    if not (stands and plain) or token.norm in near_words() or token.norm in ("llm", "llms"):
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
    targets |= {name: "word" for name in MONTHS if len(name) >= 7}
    targets |= dict.fromkeys(word_set("correctable_word"), "small")
    targets |= {
        words: "company"
        for words in companies
        if words.isascii() and words.isalpha() and len(words) >= 6 and not also_word(words)
    }
    targets |= dict.fromkeys(word_set("correctable"), "place")
    return Targets.of(targets | {name: "repository" for name in repositories if name.isalpha()})


@cache
def near_words() -> frozenset[str]:
    """English words within a slip of a target; they are meant as they stand."""
    return frozenset(Path(__file__).with_name("near_words.txt").read_text("utf-8").split())
