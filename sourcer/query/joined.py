"""Whether a question that names several topics wants people with all of them, or with any."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby, pairwise

from sourcer.query.parts import Query, Span

_FILLER = r"(?:\s*(?:the|in|on|with|of|for|about|some|experience|knowledge|work|code|,)\b)*\s*"
_AND = re.compile(
    rf"\W*(?:and also|and|as well as|along with|plus|und|sowie|&|\+|和|与|以及|及)\W*{_FILLER}",
    re.IGNORECASE,
)
_OR = re.compile(rf"\W*(?:and/or|or|oder|或者?)\W*{_FILLER}", re.IGNORECASE)
_COMMA = re.compile(r"\s*[,、/]\s*")
_BOTH = re.compile(r"\b(?:both|sowohl)\b|同时", re.IGNORECASE)


class Joint(StrEnum):
    """What a list wants of one person: any part, rather all of them, or certainly all."""

    OR = "or"
    AND = "and"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class Joined:
    """Topics that a question lists, those of one phrase together."""

    parts: tuple[tuple[str, ...], ...]
    by: Joint


def joined(query: Query) -> Joined | None:
    """The topics between which a question says "and" or "or"; None: it says neither.

    "Or" anywhere in a list makes any part do.

    >>> from sourcer.query.parts import Topic
    >>> def asked(text: str, **topics: tuple[int, int]) -> Joined | None:
    ...     return joined(Query(text, tuple(Topic(id, span=at) for id, at in topics.items())))
    >>> asked("both MoE and LoRA", moe=(5, 8), lora=(13, 17))
    Joined(parts=(('moe',), ('lora',)), by=<Joint.BOTH: 'both'>)
    >>> asked("MoE, LoRA or EPLB", moe=(0, 3), lora=(5, 9), eplb=(13, 17)).by
    <Joint.OR: 'or'>
    >>> asked("MoE for LoRA", moe=(0, 3), lora=(8, 12)) is None
    True
    """
    phrases = list(_phrases(query))
    spans = [span for span, _ in phrases]
    between = [query.text[a[1] : b[0]] for a, b in pairwise(spans)]
    parts = tuple(ids for _, ids in phrases)
    if not between or not all(map(_lists, between)):
        return None
    if any(_OR.fullmatch(words) for words in between):
        return Joined(parts, Joint.OR)
    if _BOTH.search(query.text):
        return Joined(parts, Joint.BOTH)
    return Joined(parts, Joint.AND) if any(map(_AND.fullmatch, between)) else None


def _phrases(query: Query) -> Iterator[tuple[Span, tuple[str, ...]]]:
    """The phrases that name topics, in order."""
    named = [(topic.span, topic) for topic in query.topics if topic.span and not topic.negated]
    named.sort(key=lambda pair: pair[0])
    for span, same in groupby(named, key=lambda pair: pair[0]):
        yield span, tuple(topic.id for _, topic in same)


def _lists(words: str) -> bool:
    return any(form.fullmatch(words) for form in (_AND, _OR, _COMMA))
