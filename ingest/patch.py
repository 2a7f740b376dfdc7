"""The diff part of git log -p -U0: lines counted, functions touched, identifiers brought in."""

import re
from dataclasses import dataclass, field
from functools import lru_cache

CODE = frozenset(
    b"c cc cpp cu cuh cxx go h hip hpp inc java jl js jsx kt m mm metal mojo pl proto py pyi pyx rb"
    b" rs scala sh swift ts tsx".split()
)
TEXT_READ = 2048
"""Bytes of added lines per file in which identifiers are looked for."""
MOST_IDENTIFIERS = 32
MOST_FUNCTIONS = 64
HUNK = re.compile(rb"\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@ ?([^\n]*)")
DEFINITION = re.compile(
    rb"\b(?:def|class|fn|func|function|struct|enum|trait|interface|namespace|impl|mod|module)\s+"
    rb"([A-Za-z_]\w*)"
)
CALLED = re.compile(rb"([A-Za-z_]\w*)\s*(?:<[^()]*>)?\(")
IDENTIFIER = re.compile(rb"[A-Za-z_][A-Za-z0-9_]{3,63}")
NEEDS_QUOTES = re.compile(rb'[\0-\x1f"\\\x7f]')


@dataclass(slots=True)
class Tally:
    """What the diff of one file adds up to."""

    added: int | None = 0
    deleted: int | None = 0
    binary: bool = False
    functions: dict[str, None] = field(default_factory=dict)
    text: bytes = b""

    def identifiers(self, path: bytes) -> tuple[str, ...]:
        """Names shaped like code (snake_case, camelCase) in the first added lines of a source.

        >>> Tally(text=b"+def moe_align(topk_ids):\\n+    # the experts").identifiers(b"a.py")
        ('moe_align', 'topk_ids')
        """
        if not self.text or path.rpartition(b".")[2] not in CODE:
            return ()
        words = dict.fromkeys(IDENTIFIER.findall(self.text))
        shaped = [word for word in words if b"_" in word or not word[1:].islower()]
        return tuple(word.decode("ascii") for word in shaped[:MOST_IDENTIFIERS])


@dataclass(slots=True)
class Entry:
    """One line of --raw, and the tally of its diff where diffs are read."""

    status: bytes
    path: bytes
    old_path: bytes
    old: bytes
    new: bytes
    tally: Tally | None = None

    def heads(self, diff: bytes) -> bool:
        """Whether `diff`, without its "diff --git ", is this entry's."""
        old = self.old_path or self.path
        if NEEDS_QUOTES.search(old) or NEEDS_QUOTES.search(self.path):
            return b'"' in diff.partition(b"\n")[0]
        return diff.startswith(b"a/" + old + b" b/" + self.path + b"\n")


class Patch:
    """Reads the diffs of one commit into its entries, in pieces cut between hunks.

    A diff is matched to its entry by name: git prints none for contents that are the same,
    as two missing blobs are to it, and two for a change of type.
    """

    def __init__(self, entries: list[Entry], missing: frozenset[bytes]) -> None:
        self._missing = missing
        self._entries = entries
        self._ahead = iter(entries)
        self._entry: Entry | None = None
        self._tally = Tally()
        self._started = False

    def feed(self, piece: bytes) -> None:
        """`piece` starts with the newline before "diff --git" or before a hunk."""
        if not self._started:
            self._start()
        continued, *diffs = piece.split(b"\ndiff --git ")
        _read_hunks(self._tally, continued)
        for diff in diffs:
            self._move_to(diff)
            _read_hunks(self._tally, diff)

    def _start(self) -> None:
        self._started = True
        for entry in self._entries:
            known = not self._missing or self._missing.isdisjoint((entry.old, entry.new))
            entry.tally = Tally() if known else Tally(None, None)

    def _move_to(self, diff: bytes) -> None:
        if self._entry and self._entry.status == b"T" and self._entry.heads(diff):
            return
        for entry in self._ahead:
            if entry.heads(diff) and entry.tally:
                self._entry, self._tally = entry, entry.tally
                return
        self._entry, self._tally = None, Tally()


def _read_hunks(tally: Tally, diff: bytes) -> None:
    if tally.added is None or tally.deleted is None:
        return
    head, *hunks = diff.split(b"\n@@ -")
    if not hunks:
        tally.binary = tally.binary or b"\nBinary files " in head
        return
    added = deleted = 0
    for hunk in hunks:
        match = HUNK.match(hunk)
        if not match:
            continue
        fewer, more, function = match.groups()
        deleted += int(fewer) if fewer else fewer is None
        added += int(more) if more else more is None
        if function and len(tally.functions) < MOST_FUNCTIONS and (name := _function(function)):
            tally.functions[name] = None
        if len(tally.text) < TEXT_READ and more != b"0":
            start = hunk.find(b"\n+", match.end() - 1)
            tally.text += hunk[start : start + TEXT_READ - len(tally.text)]
    tally.added += added
    tally.deleted += deleted


@lru_cache(maxsize=8192)
def _function(header: bytes) -> str | None:
    """The function or class that a hunk header names.

    >>> _function(b"async def step(self):"), _function(b"__global__ void moe_sum(float* out,")
    ('step', 'moe_sum')
    >>> _function(b"import torch")
    """
    found = DEFINITION.search(header) or CALLED.search(header)
    return found[1].decode("ascii") if found else None
