"""Who a project's pages say its logins are: beside a name, or beside a commit of theirs."""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from ingest.owners import MENTION, Version, contents
from sourcer.resolution import Introduction

PAGE = (
    r"(?i)^(?:(?:\.github|docs(?:/[^/]+)*)/)?"
    r"(?:maintainers?|committers?|contributors?)(?:\.(?:md|rst|txt))?$"
)
COMMIT = re.compile(r"github\.com/[\w.-]+/[\w.-]+/commit/([0-9a-f]{7,40})\b")
AFTER = re.compile(r"\s*\(([^()@\d]+)\)")
LONGEST_NAME = 60


def standing(pages: Iterable[Version]) -> list[Version]:
    """The last version of each page that introduces people, unless it is gone."""
    last = {page.path: page for page in pages if re.match(PAGE, page.path)}
    return [page for page in last.values() if not page.gone]


def introductions(pages: Sequence[Version], mirror: Path) -> list[Introduction]:
    """What pages say, each once."""
    found: dict[Introduction, None] = {}
    for text in contents(pages, mirror):
        found |= dict.fromkeys(read_introductions(text or ""))
    return list(found)


def read_introductions(text: str) -> Iterator[Introduction]:
    """Logins with a name or a commit on the same line, by the ways in which pages write them.

    >>> list(read_introductions("[@qui](https://github.com/qui) (Mira Lund), @bo (Bo Berg)"))
    [Introduction(login='qui', name='Mira Lund', sha=''), \
Introduction(login='bo', name='Bo Berg', sha='')]
    >>> list(read_introductions("| Mira Lund | [@qui](https://github.com/qui) | 2026/05 |"))
    [Introduction(login='qui', name='Mira Lund', sha='')]
    >>> list(read_introductions("- [Mira Lund](https://github.com/qui): kernels"))
    [Introduction(login='qui', name='Mira Lund', sha='')]
    >>> page = "| 7 | @qui | [9f1c2e7](https://github.com/acme/engine/commit/9f1c2e7ab) |"
    >>> list(read_introductions(page))
    [Introduction(login='qui', name='', sha='9f1c2e7ab')]
    """
    for line in text.splitlines():
        mentions, commits = list(MENTION.finditer(line)), COMMIT.findall(line)
        alone = len(mentions) == 1
        for mention in mentions:
            name = _name(line, mention, alone)
            sha = commits[0] if alone and len(commits) == 1 else ""
            if name or sha:
                yield Introduction(mention[1] or mention[2], name, sha)


def _name(line: str, mention: re.Match[str], alone: bool) -> str:
    """The link's own words, what stands in brackets after it, or the table's cell before it."""
    label = mention[0][1:].partition("]")[0] if mention[0].startswith("[") else ""
    if label and not label.startswith("@"):
        return _plausible(label)
    if after := AFTER.match(line, mention.end()):
        return _plausible(after[1])
    cells = line[: mention.start()].split("|")
    return _plausible(cells[-2]) if alone and len(cells) > 2 and not cells[-1].strip() else ""


def _plausible(text: str) -> str:
    name = text.strip(" *_`")
    return name if len(name) <= LONGEST_NAME and any(map(str.isalpha, name)) else ""
