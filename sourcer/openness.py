"""Openness to offers, from plain statements alone: nothing is read between the lines."""

import re
from enum import StrEnum


class Openness(StrEnum):
    OPEN = "open"
    CLOSED = "not open"
    NO_CONTACT = "do not contact"
    """Asks recruiters to stay away: the person is suppressed."""


RECRUITERS = r"(?:recruit(?:er|ing|ment|ers)|head[- ]?hunt(?:er|ers|ing)|talent (?:scouts?|agents?))"
NO_CONTACT = re.compile(
    rf"\bno\s+(?:more\s+|unsolicited\s+|cold\s+)?{RECRUITERS}\b"
    rf"|\b{RECRUITERS}\b[\s,:;.!-]*(?:please\s+)?(?:do not|don'?t|stop|stay away|go away|will be (?:ignored|blocked))"
    rf"|\b(?:do not|don'?t|please stop|not (?:interested in|for|open to))\b[^.!?\n]{{0,30}}\b{RECRUITERS}\b"
    r"|\bdo[ -]not[ -]contact\b|\bdo not (?:email|message|dm)\b|\bno cold (?:emails?|outreach|messages)\b"
    r"|\bopted out\b|不接受猎头|猎头勿扰",
    re.I,
)
CLOSED = re.compile(
    r"\bnot (?:currently |actively )?(?:open|looking|interested|available|on the market)\b"
    r"|\bhappy where i am\b|\bnot seeking\b",
    re.I,
)
OPEN = re.compile(
    r"\bopen (?:to|for) (?:\w+ ){0,2}?(?:work|opportunit(?:y|ies)|offers|roles?|talk(?:ing)?|jobs?|positions?)\b"
    r"|\b(?:actively |currently )?looking for (?:a |an |my |new |next )*(?:job|role|position|opportunit(?:y|ies)|work)\b"
    r"|\bseeking (?:a |an |new |next )*(?:job|role|position|opportunit(?:y|ies))\b"
    r"|\bavailable for hire\b|\bhire me\b|#opentowork|^open$",
    re.I,
)


def read(text: str) -> Openness | None:
    """What a bio, a status or a headline says of offers; None where it says nothing.

    >>> [str(read(text)) for text in ("Open to work.", "Not looking, happy", "No recruiters, please.")]
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
