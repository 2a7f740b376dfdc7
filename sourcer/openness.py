"""Openness to offers, from plain statements alone: nothing is read between the lines."""

import re
from collections.abc import Iterator
from enum import StrEnum

from sourcer.people import Declared, Profile


class Openness(StrEnum):
    OPEN = "open"
    CLOSED = "not open"
    NO_CONTACT = "do not contact"
    """Asks recruiters to stay away: the person is suppressed."""


RECRUITERS = (
    r"(?:recruit(?:er|ing|ment|ers)|head[- ]?hunt(?:er|ers|ing)|talent (?:scouts?|agents?))"
)
POSITIONS = r"(?:work|opportunit(?:y|ies)|offers|roles?|jobs?|positions?)"


def _any_of(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.I)


NO_CONTACT = _any_of(
    rf"\bno\s+(?:more\s+|unsolicited\s+|cold\s+)?{RECRUITERS}\b",
    rf"\b{RECRUITERS}\b[\s,:;.!-]*(?:please\s+)?(?:do not|don'?t|stop|stay away|go away)",
    rf"\b{RECRUITERS}\b[^.!?\n]{{0,20}}\bwill be (?:ignored|blocked)",
    rf"\b(?:do not|don'?t|please stop)\b[^.!?\n]{{0,30}}\b{RECRUITERS}\b",
    rf"\bnot (?:interested in|for|open to) {RECRUITERS}\b",
    r"\bdo[ -]not[ -]contact\b",
    r"\bdo not (?:email|message|dm)\b",
    r"\bno cold (?:emails?|outreach|messages)\b",
    r"\bopted out\b",
    r"不接受猎头|猎头勿扰",
)
CLOSED = _any_of(
    r"\bnot (?:currently |actively )?(?:open|looking|interested|available|on the market|seeking)\b",
    r"\bhappy where i am\b",
)
OPEN = _any_of(
    rf"\bopen (?:to|for) (?:\w+ ){{0,2}}?(?:{POSITIONS}|talk(?:ing)?)\b",
    rf"\b(?:looking for|seeking) (?:a |an |my |new |next )*{POSITIONS}\b",
    r"\bavailable for hire\b",
    r"\bhire me\b",
    r"#opentowork",
    r"^open$",
)


def read(text: str) -> Openness | None:
    """What a bio, a status or a headline says of offers; None where it says nothing.

    >>> [str(read(text)) for text in ("Open to work.", "Not looking", "No recruiters, please.")]
    ['open', 'not open', 'do not contact']
    >>> [str(read(text)) for text in ("recruiters: please don't", "I love open source", "open")]
    ['do not contact', 'None', 'open']
    >>> read("Building tools for recruiters"), read("I am not a recruiter")
    (None, None)
    """
    if NO_CONTACT.search(text):
        return Openness.NO_CONTACT
    if CLOSED.search(text):
        return Openness.CLOSED
    return Openness.OPEN if OPEN.search(text) else None


def of_profile(profile: Profile) -> tuple[Openness, Declared] | None:
    """Whether somebody is open to offers, and the statement that says so.

    A request to stay away goes before all. Then the newest status that a recruiter recorded, then
    what the bio says, then GitHub's box: an empty box says nothing.

    >>> from datetime import datetime
    >>> box = Declared("true", "github", datetime(2026, 6, 20), "declared")
    >>> said = Declared("not open", "table:ats", datetime(2026, 6, 1), "imported")
    >>> profile = Profile("p1").with_field("hireable", box).with_field("status", said)
    >>> answer, because = of_profile(profile)
    >>> str(answer), because.source
    ('not open', 'table:ats')
    """
    found = list(_statements(profile))
    asks = (each for each in found if each[0] is Openness.NO_CONTACT)
    return next(asks, next(iter(found), None))


def _statements(profile: Profile) -> Iterator[tuple[Openness, Declared]]:
    for field in ("status", "bio", "title"):
        for declared in profile.all(field):
            if said := read(declared.value):
                yield said, declared
    for declared in profile.all("hireable"):
        if declared.value == "true":
            yield Openness.OPEN, declared
