"""The words of a commit history: who signed what, when, and which paths it changed."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path


class Role(StrEnum):
    """What a signature did for a commit; kept apart because each weighs differently."""

    AUTHOR = "author"
    CO_AUTHOR = "co-author"
    SIGNER = "signer"
    REVIEWER = "reviewer"


class Depth(StrEnum):
    """How far a crawl reads: trees alone, or the diffs too."""

    PATHS = "paths"
    LINES = "lines"


@dataclass(frozen=True, slots=True)
class Repo:
    """A repository under the name people use for it.

    >>> Repo("vllm-project/vllm", source="vllm-project/vllm").short
    'vllm'
    """

    name: str
    source: str
    url: str | None = None
    """Where a commit can be looked at, without a trailing slash; None for a local repository."""

    @property
    def short(self) -> str:
        return self.name.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class Signature:
    """A name and email exactly as a commit or trailer carries them (after .mailmap)."""

    name: str
    email: str


@dataclass(frozen=True, slots=True)
class Signed:
    """One signature in one role, as found in a commit's header or trailers."""

    role: Role
    who: Signature


@dataclass(frozen=True, slots=True)
class FileChange:
    """One path of one commit. `added` and `deleted` are None where they cannot be known."""

    path: str
    status: str
    """git's letter: A, M, D, R, C or T."""
    old_path: str | None = None
    added: int | None = None
    deleted: int | None = None
    binary: bool = False
    functions: tuple[str, ...] = ()
    """Functions and classes named by the hunk headers."""
    identifiers: tuple[str, ...] = ()
    """Identifiers that the added lines introduce; at most a few dozen."""


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit as written; nothing in it is interpreted but its trailers."""

    sha: str
    parents: tuple[str, ...]
    author: Signature
    committer: Signature
    authored_at: datetime
    """With the author's own time zone; clamped to years 1970 to 2100 when out of range."""
    committed_at: datetime
    subject: str
    body: str = ""
    pull: int | None = None
    reverts: str | None = None
    trailers: tuple[Signed, ...] = ()
    malformed_trailers: int = 0
    changes: tuple[FileChange, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class CrawlFiles:
    """What a crawl left on disk for a repository: whole Parquet files, oldest batch first.

    Within a batch the newest commit comes first. `withdrawn` lists the commits (column sha) that
    the branch no longer reaches since it was rewritten: readers leave them out.
    """

    head: str | None
    commits: tuple[Path, ...] = ()
    changes: tuple[Path, ...] = ()
    roles: tuple[Path, ...] = ()
    tree: Path | None = None
    """The paths (column path) that exist at the head."""
    withdrawn: Path | None = None


@dataclass(frozen=True, slots=True)
class Holding:
    """A role that a project itself says somebody holds, and for how long its pages said so."""

    login: str
    role: str
    """code owner, maintainer or committer."""
    scope: str
    """A path pattern, or an area in the project's own words."""
    since: datetime
    since_sha: str
    until: datetime | None = None
