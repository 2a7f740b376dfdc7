"""A question in its one canonical form: what the parser fills, the chips edit and a search stores.

>>> q = Query("moe in Poland", filters=(Filter("country", "=", "PL", span=(7, 13)),))
>>> q.without(q.filters[0]).filters
()
"""

import json
import re
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Self

from sourcer.errors import BadInput
from sourcer.query.fields import Value, check_filter

Span = tuple[int, int]
"""Start and end offsets into the question, end exclusive."""


class Mode(StrEnum):
    """How hard a part binds: results obey `must` where data decide; `should` only ranks."""

    MUST = "must"
    SHOULD = "should"


@dataclass(frozen=True, slots=True)
class Filter:
    """One condition on people or on the commits that count.

    >>> Filter("commits", ">=", 20).json()
    {'field': 'commits', 'op': '>=', 'value': 20, 'negated': False, 'mode': 'must', 'span': None}
    >>> Filter("commits", ">=", "many")
    Traceback (most recent call last):
    sourcer.errors.BadInput: filter commits: value 'many' is not a whole number, 0 or more
    """

    field: str
    op: str
    value: Value
    negated: bool = False
    mode: Mode = Mode.MUST
    span: Span | None = None
    """None for a filter that was added by hand."""

    def __post_init__(self) -> None:
        check_filter(self.field, self.op, self.value)

    def json(self) -> dict[str, object]:
        value = list(self.value) if isinstance(self.value, tuple) else self.value
        return {"field": self.field, "op": self.op, "value": value, **_scope_json(self)}


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic the question names; several topics mean any of them."""

    id: str
    negated: bool = False
    mode: Mode = Mode.MUST
    span: Span | None = None

    def json(self) -> dict[str, object]:
        return {"id": self.id, **_scope_json(self)}


@dataclass(frozen=True, slots=True)
class Correction:
    """A word read as another: `found` stands in the question, `read_as` is what was meant.

    A near miss that was not acted on has `applied` False: it is only a suggestion.
    """

    found: str
    read_as: str
    span: Span
    says: str
    applied: bool = True

    def json(self) -> dict[str, object]:
        return {
            "found": self.found,
            "read_as": self.read_as,
            "span": list(self.span),
            "says": self.says,
            "applied": self.applied,
        }


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """Words with several readings; `read_as` is None where none of them was taken."""

    text: str
    span: Span
    readings: tuple[str, ...]
    read_as: str | None = None

    def json(self) -> dict[str, object]:
        return {
            "text": self.text,
            "span": list(self.span),
            "readings": list(self.readings),
            "read_as": self.read_as,
        }


@dataclass(frozen=True, slots=True)
class Leftover:
    """Words that became no filter, with the reason a reader is owed."""

    text: str
    span: Span
    why: str

    def json(self) -> dict[str, object]:
        return {"text": self.text, "span": list(self.span), "why": self.why}


@dataclass(frozen=True, slots=True)
class Refusal:
    """A trait that is never filtered on, with why and what to ask instead."""

    trait: str
    span: Span
    why: str

    def json(self) -> dict[str, object]:
        return {"trait": self.trait, "span": list(self.span), "why": self.why}


@dataclass(frozen=True, slots=True)
class Query:
    """What was understood of a question, and what was not."""

    text: str
    topics: tuple[Topic, ...] = ()
    filters: tuple[Filter, ...] = ()
    semantic: str = ""
    corrected: tuple[Correction, ...] = ()
    ambiguous: tuple[Ambiguity, ...] = ()
    leftover: tuple[Leftover, ...] = ()
    refused: tuple[Refusal, ...] = ()

    def __post_init__(self) -> None:
        for name in _PARTS:
            for part in getattr(self, name):
                _check_span(name, part.span, len(self.text))

    def json(self) -> dict[str, object]:
        return {
            "text": self.text,
            "topics": [part.json() for part in self.topics],
            "filters": [part.json() for part in self.filters],
            "semantic": self.semantic,
            "corrected": [part.json() for part in self.corrected],
            "ambiguous": [part.json() for part in self.ambiguous],
            "leftover": [part.json() for part in self.leftover],
            "refused": [part.json() for part in self.refused],
        }

    def to_json(self) -> str:
        return json.dumps(self.json(), ensure_ascii=False)

    @property
    def wanted(self) -> tuple[str, ...]:
        """Ids of the topics that are asked for, in the order of the words."""
        return tuple(dict.fromkeys(topic.id for topic in self.topics if not topic.negated))

    @property
    def searched(self) -> str:
        """What is searched by meaning, without the slips that were corrected.

        >>> slip = Correction("kernls", "kernels", (7, 13), "")
        >>> Query("Triton kernls", semantic="Triton kernls", corrected=(slip,)).searched
        'Triton kernels'
        """
        meant = self.semantic
        for slip in self.corrected:
            if slip.applied:
                meant = re.sub(rf"\b{re.escape(slip.found)}\b", slip.read_as, meant)
        return meant

    def without(self, part: Filter) -> Self:
        """The same question with one filter dropped, as a chip's cross does."""
        return replace(self, filters=tuple(f for f in self.filters if f != part))

    def within(self, repo: str) -> Self:
        """The same question of one repository, whatever else it says.

        >>> Query("moe").within("vllm").filters[0].value
        'vllm'
        """
        return replace(self, filters=(*self.filters, Filter("repo", "=", repo)))

    def with_mode(self, part: Filter, mode: Mode) -> Self:
        """The same question with one filter made must or should."""
        changed = replace(part, mode=mode)
        return replace(self, filters=tuple(changed if f == part else f for f in self.filters))


_PARTS = ("topics", "filters", "corrected", "ambiguous", "leftover", "refused")


def _scope_json(part: Filter | Topic) -> dict[str, object]:
    span = None if part.span is None else list(part.span)
    return {"negated": part.negated, "mode": part.mode.value, "span": span}


def _check_span(name: str, span: Span | None, length: int) -> None:
    if span is not None and not 0 <= span[0] <= span[1] <= length:
        raise BadInput(
            f"query {name}: span {list(span)} lies outside the text of {length} characters"
        )
