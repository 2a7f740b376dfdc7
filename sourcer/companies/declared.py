"""The employers that a person's own text names: a company field, a line of a biography."""

import re
from functools import cache

from sourcer.companies.catalogue import Company, catalogue, find, names
from sourcer.places import normalise

PAST = re.compile(
    r"\b(?:ex|formerly|former|previously|prev|past|before|was|alum(?:ni|nus|na)?(?: of)?)\b"
    r"[\s:@.-]*",
    re.I,
)
NOW = re.compile(r"\b(?:now|currently|current|today|present(?:ly)?)\b[\s:@.-]*", re.I)
PARTS = re.compile(
    r"[,;|/·•+&()\[\]\n]|\s[-–—]\s|->|→|\band\b|(?=@)|(?=\bex-)|(?=\bnow\b)|(?=\bformerly\b)", re.I
)
ACQUIRED = re.compile(r"\b(?:acquired by|now part of|part of|a part of)\b", re.I)
NO_EMPLOYER = re.compile(
    r"summer of code|looking for|open to work|seeking|interviewing|\bnot at\b|self[- ]employed"
    r"|freelance",
    re.I,
)
NO_LATIN = re.compile(r"[^\x00-\u024f]{2,}")
LONGEST = 7


def read(text: str) -> tuple[Company, ...]:
    """The known companies that someone says they work at now, in the order named.

    >>> [company.name for company in read("ex-Meta, now @inferact")]
    ['inferact']
    >>> [company.name for company in read("@facebook @pytorch")]
    ['meta']
    >>> [company.name for company in read("UC Berkeley / Sky Computing Lab")], read("Student")
    (['uc berkeley', 'sky computing lab'], ())

    A company that was taken over stands for the one that took it over:

    >>> [company.name for company in read("Neural Magic (Acquired by Red Hat)")]
    ['red hat']
    """
    now = [company.today for is_past, company in mentions(text) if not is_past]
    return tuple(dict.fromkeys(now))


def read_past(text: str) -> tuple[Company, ...]:
    """The known companies that someone says they left, under the names they had.

    >>> [company.name for company in read_past("ex-Google, prev. @neuralmagic, now NVIDIA")]
    ['google', 'neural magic']
    """
    return tuple(dict.fromkeys(company for is_past, company in mentions(text) if is_past))


def mentions(text: str) -> list[tuple[bool, Company]]:
    """Each company named, and whether as one that was left."""
    if whole := find(text):
        return [(False, whole)]
    found, past, is_cue = [], False, False
    for part in (part.strip() for part in PARTS.split(text)):
        if not part.strip("@"):
            continue
        if cue := PAST.match(part):
            past = True
        elif NOW.match(part) or not (is_cue or carries_on(part)):
            past = False
        is_cue = cue is not None and cue.end() == len(part)
        found += [(past, company) for company in named_in(part)]
    return found


def carries_on(part: str) -> bool:
    """A bare name goes on a list that "ex-" began; a handle or a role starts afresh."""
    return not part.startswith("@") and find(part) is not None


def named_in(part: str) -> list[Company]:
    if NO_EMPLOYER.search(part):
        return []
    plain = PAST.sub("", NOW.sub("", ACQUIRED.sub("", part))).strip(" @.")
    if whole := find(plain):
        return [whole]
    return scanned(normalise(plain).split()) or in_other_scripts(plain)


def scanned(words: list[str]) -> list[Company]:
    """
    >>> [company.name for company in scanned("engineer at red hat ai".split())]
    ['red hat']
    """
    found, at = [], 0
    while at < len(words):
        sizes = range(min(LONGEST, len(words) - at), 0, -1)
        size = next((n for n in sizes if " ".join(words[at : at + n]) in names()), 0)
        if size:
            found.append(catalogue()[names()[" ".join(words[at : at + size])]])
        at += size or 1
    return found


def in_other_scripts(text: str) -> list[Company]:
    """Names in scripts that put no spaces between words.

    >>> [company.name for company in in_other_scripts("华为技术有限公司")]
    ['huawei']
    """
    found = (name for name in unspaced() if name in text)
    longest = max(found, key=len, default=None)
    return [catalogue()[names()[longest]]] if longest else []


@cache
def unspaced() -> tuple[str, ...]:
    return tuple(name for name in names() if NO_LATIN.fullmatch(name))
