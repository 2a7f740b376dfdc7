"""Roles that a project itself says people hold: CODEOWNERS, MAINTAINERS and committers pages.

Every version of these files is read, oldest first, so that a role has a beginning and an end.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import TypeAlias

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ingest.borrowed import borrowed
from ingest.codeowners import CodeOwners
from ingest.gitchild import stream
from ingest.gitlog import prose
from sourcer.commits import CrawlFiles, Holding

CODEOWNERS = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS")
"""In the order in which GitHub looks: the first that exists is the one that counts."""
PAGE = r"(?i)^(?:(?:\.github|docs(?:/[^/]+)*)/)?(?:maintainers?|committers?)(?:\.(?:md|rst|txt))?$"
HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*$")
BULLET = re.compile(r"^(\s*)(?:[-*+]|\d+\.)\s+")
MENTION = re.compile(
    r"\[[^\]]*\]\(https?://github\.com/([A-Za-z0-9][A-Za-z0-9-]{0,38})/?\)"
    r"|(?<![\w@/.`])@([A-Za-z0-9][A-Za-z0-9-]{0,38})(?![\w/])"
)
PAST = re.compile(r"emerit|former|alumni|inactive|retired|past ", re.IGNORECASE)
LONGEST_SCOPE = 120

Held: TypeAlias = tuple[str, str, str]
"""login, role, scope"""


@dataclass(frozen=True, slots=True)
class Version:
    """One commit's version of one page."""

    sha: str
    path: str
    at: datetime
    gone: bool

    @property
    def name(self) -> str:
        """What git calls its contents."""
        return f"{self.sha}:{self.path}"


def versions(files: CrawlFiles, page: str = PAGE) -> list[Version]:
    """Every version of CODEOWNERS and of every page whose path `page` matches, oldest first, from
    what was crawled."""
    lost = pq.read_table(files.withdrawn)["sha"] if files.withdrawn else pa.array([], pa.string())
    found: list[Version] = []
    for commits, changes in zip(files.commits, files.changes, strict=True):
        rows = pq.read_table(changes, columns=["sha", "path", "old_path", "status"])
        pages = rows.filter(pc.or_(_named(rows["path"], page), _named(rows["old_path"], page)))
        pages = pages.filter(pc.invert(pc.is_in(pages["sha"], value_set=lost)))
        dates = pq.read_table(commits, columns=["sha", "committed_at"])
        dates = dates.filter(pc.is_in(dates["sha"], value_set=pages["sha"]))
        at = dict(zip(*(column.to_pylist() for column in dates.columns), strict=True))
        for row in reversed(pages.to_pylist()):
            found.extend(_versions(row, at[row["sha"]], page))
    return found


def holdings(pages: Sequence[Version], mirror: Path) -> list[Holding]:
    """Who held which role, from which version until which; ended ones too.

    A version whose contents are missing changes nothing.
    """
    present: dict[str, set[Held]] = {}
    open_: dict[Held, Holding] = {}
    ended: list[Holding] = []
    texts = zip(pages, contents(pages, mirror), strict=True)
    for sha, together in groupby(texts, key=lambda pair: pair[0].sha):
        for version, text in together:
            _turn(present, version, text)
        held, at = _in_force(present), version.at
        ended.extend(replace(open_.pop(lost), until=at) for lost in open_.keys() - held)
        open_ |= {who: Holding(*who, at, sha) for who in sorted(held - open_.keys())}
    return sorted(
        [*ended, *open_.values()], key=lambda held: (held.since, held.login, held.scope, held.role)
    )


def _turn(present: dict[str, set[Held]], version: Version, text: str | None) -> None:
    if version.gone:
        present.pop(version.path, None)
    elif text is not None:
        present[version.path] = set(read_page(version.path, text))


def read_page(path: str, text: str) -> Iterator[Held]:
    """The roles that one version of a page names."""
    if path in CODEOWNERS:
        for rule in CodeOwners.parse(text).in_force():
            yield from ((login, "code owner", rule.pattern) for login in rule.logins)
        return
    role = "committer" if "committer" in path.lower() else "maintainer"
    for login, scope in read_markdown(text):
        yield login, role, scope


def read_markdown(text: str) -> Iterator[tuple[str, str]]:
    r"""Logins with the area that a page gives them; not those it lists as former.

    The area stands after the name, before it, in the bullet above or in the heading.

    >>> page = "## MoE\n- [@ada](https://github.com/ada): kernels\n- EPLB: balance\n  - @bo, @cy"
    >>> list(read_markdown(page))
    [('ada', 'kernels'), ('bo', 'EPLB'), ('cy', 'EPLB')]
    >>> list(read_markdown("## Merge\n@dee (Dee)\nIt says @name (Slack).\n### Emeritus\n@eve"))
    [('dee', 'Merge')]
    """
    heading = above = ""
    for line in text.splitlines():
        if found := HEADING.match(line):
            heading, above = found[1], ""
            continue
        logins = [one or other for one, other in MENTION.findall(line)]
        bullet = BULLET.match(line)
        if bullet and not logins:
            above = _label(line[bullet.end() :])
        elif not line.strip():
            continue
        elif logins and not PAST.search(heading):
            scope = _scope(line, above if bullet and bullet[1] else heading)
            yield from ((login, scope) for login in logins if scope is not None)


def _scope(line: str, otherwise: str) -> str | None:
    """What a line says its people look after; None for prose that merely mentions somebody."""
    first, *_, last = [*MENTION.finditer(line)] * 2
    before = BULLET.sub("", line[: first.start()]).strip(" *_|")
    after = line[last.end() :].strip()
    if before and not line.lstrip().startswith("|"):
        return _label(before) if before.endswith(":") else None
    return _label(after[1:].strip()) if after.startswith(":") else otherwise[:LONGEST_SCOPE]


def _label(text: str) -> str:
    """A bullet's words up to its colon."""
    return text.partition(":")[0].strip(" *_`")[:LONGEST_SCOPE]


def _named(paths: pa.ChunkedArray, page: str) -> pa.ChunkedArray:
    matched = pc.match_substring_regex(paths, page)
    return pc.fill_null(pc.or_(matched, pc.is_in(paths, value_set=pa.array(CODEOWNERS))), False)


def _versions(row: dict[str, str], at: datetime, page: str) -> Iterator[Version]:
    for path, gone in ((row["old_path"], True), (row["path"], row["status"] == "D")):
        if (
            path
            and (row["status"] == "R" or not gone or path == row["path"])
            and is_page(path, page)
        ):
            yield Version(row["sha"], path, at, gone)


def is_page(path: str, page: str = PAGE) -> bool:
    return path in CODEOWNERS or re.match(page, path) is not None


def contents(pages: Sequence[Version], mirror: Path) -> Iterator[str | None]:
    """The text of each version, in one git cat-file; None where there is none."""
    if not pages:
        return
    feed = "".join(f"{version.name}\n" for version in pages).encode()
    with borrowed(mirror) as scratch:
        said = b"".join(stream(scratch, ["cat-file", "--batch"], feed))
    at = 0
    for _ in pages:
        header, _, _ = said[at:].partition(b"\n")
        at += len(header) + 1
        size = header.rpartition(b" ")[2]
        if not size.isdigit():
            yield None
            continue
        yield prose(said[at : at + int(size)])
        at += int(size) + 1


def _in_force(present: dict[str, set[Held]]) -> set[Held]:
    first = next((path for path in CODEOWNERS if path in present), None)
    ignored = set(CODEOWNERS) - {first}
    return {held for path, page in present.items() if path not in ignored for held in page}
