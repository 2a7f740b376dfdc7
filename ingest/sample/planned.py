"""A commit before it is written: who, when, what it says and what it does to the tree."""

from dataclasses import dataclass, field
from datetime import datetime

from sourcer.commits import Signature


@dataclass(frozen=True, slots=True)
class Touch:
    """Changes a line or two of a file, creating it first if need be."""

    path: str
    names: tuple[str, ...] = ()
    """Functions and classes that a new file defines."""


@dataclass(frozen=True, slots=True)
class Rename:
    """Renames every file that begins with `old`."""

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Reformat:
    """Changes the layout of every file that begins with `under`, and nothing else."""

    under: str


@dataclass(frozen=True, slots=True)
class Put:
    """Writes given bytes at a path, with git's file mode (120000 is a link, 160000 a submodule)."""

    path: str
    content: bytes
    mode: str = "100644"


@dataclass(frozen=True, slots=True)
class Drop:
    """Deletes a file."""

    path: str


@dataclass(frozen=True, slots=True)
class Restate:
    """Brings a file as changed on a side branch into the commit that merges it."""

    path: str


Edit = Restate | Touch | Rename | Reformat | Put | Drop


@dataclass(frozen=True, slots=True)
class Planned:
    """One commit to be. `{sha:KEY}` in the body stands for the sha of the commit with that key."""

    when: datetime
    author: Signature
    subject: str
    edits: tuple[Edit, ...] = ()
    body: str = ""
    trailers: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    """Slugs of those who wrote it: the author, then the co-authors."""
    theme: str = ""
    case: str = ""
    """The kind of odd thing that this commit is here to show."""
    key: str = ""
    undoes: str = ""
    """Key of the commit whose changes are taken back."""
    onto: str | None = None
    """Key of the parent if it is not the newest commit of main; "" begins a history of its own."""
    merges: tuple[str, ...] = ()
    encoding: str = "utf-8"
    zone: str = ""
    """Overrides the author's zone with git's own notation."""
    committer: Signature | None = field(default=None)
