"""The diff part of git log -p -U0: lines counted, functions touched, identifiers brought in."""

import re
from dataclasses import dataclass, field
from functools import lru_cache
from string import ascii_letters, digits

CODE = frozenset(
    b"c cc cpp cu cuh cxx go h hip hpp inc java jl js jsx kt m mm metal mojo pl proto py pyi pyx rb"
    b" rs scala sh swift ts tsx".split()
)
TEXT_READ = 1024
"""Bytes of a file's diff, from its first hunk, in which identifiers are looked for."""
MOST_IDENTIFIERS = 24
MOST_FUNCTIONS = 64
HUNK = re.compile(rb"\n@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@ ?([^\n]*)")
ADDED = re.compile(rb"\n\+([^\n]*)")
DEFINITION = re.compile(
    rb"\b(?:def|class|fn|func|function|struct|enum|trait|interface|namespace|impl|mod|module)\s+"
    rb"([A-Za-z_]\w*)"
)
CALLED = re.compile(rb"([A-Za-z_]\w*)\s*(?:<[^()]*>)?\(")
WORD = f"{ascii_letters}{digits}_".encode()
SPACED = bytes(byte if byte in WORD else ord(" ") for byte in range(256))
"""Turns all that no identifier has into spaces: many times faster than an expression."""
USUAL = range(4, 65)
NINE = ord("9")
LONGEST_HEADER = 1 << 14
NEEDS_QUOTES = re.compile(rb'[\0-\x1f"\\\x7f]')


@dataclass(slots=True)
class Tally:
    """What the diff of one file adds up to."""

    added: int | None = 0
    deleted: int | None = 0
    binary: bool = False
    functions: dict[str, None] = field(default_factory=dict)
    text: bytes = b""

    def identifiers(self) -> tuple[str, ...]:
        """Names shaped like code (snake_case, camelCase) in the first added lines.

        >>> Tally(text=b"def moe_align(topk_ids):\\n    # the experts").identifiers()
        ('moe_align', 'topk_ids')
        """
        words = dict.fromkeys(self.text.translate(SPACED).split())
        shaped = [
            word
            for word in words
            if len(word) in USUAL and (b"_" in word or not word[1:].islower()) and word[0] > NINE
        ]
        return tuple(b" ".join(shaped[:MOST_IDENTIFIERS]).decode("ascii").split())


@dataclass(slots=True)
class Entry:
    """One line of --raw, and the tally of its diff where diffs are read."""

    status: bytes
    path: bytes
    old_path: bytes
    old: bytes
    new: bytes
    tally: Tally | None = None

    @property
    def is_code(self) -> bool:
        return self.path.rpartition(b".")[2] in CODE

    def heads(self, diff: bytes) -> bool:
        """Whether `diff`, without its "diff --git ", is this entry's."""
        old = self.old_path or self.path
        if diff.startswith(b"a/" + old + b" b/" + self.path + b"\n"):
            return True
        quoted = NEEDS_QUOTES.search(old) or NEEDS_QUOTES.search(self.path)
        return quoted is not None and b'"' in diff.partition(b"\n")[0]


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
        if continued:
            self._read(continued)
        for diff in diffs:
            self._move_to(diff)
            self._read(diff)

    def _read(self, diff: bytes) -> None:
        _read_hunks(self._tally, diff, self._entry is not None and self._entry.is_code)

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


def _read_hunks(tally: Tally, diff: bytes, is_code: bool) -> None:
    if tally.added is None or tally.deleted is None:
        return
    hunks = HUNK.findall(diff)
    if not hunks:
        tally.binary = tally.binary or b"\nBinary files " in diff[:LONGEST_HEADER]
        return
    tally.deleted += sum([int(fewer or 1) for fewer, _, _ in hunks])
    tally.added += sum([int(more or 1) for _, more, _ in hunks])
    headers = dict.fromkeys([header for _, _, header in hunks if header])
    for header in headers:
        if len(tally.functions) < MOST_FUNCTIONS and (name := _function(header)):
            tally.functions[name] = None
    if is_code and not tally.text:
        tally.text = _first_added(diff)


def _first_added(diff: bytes) -> bytes:
    """The first added lines; a line that the limit cuts is left out."""
    start = diff.find(b"\n@@ -")
    end = start + TEXT_READ
    if end < len(diff):
        end = diff.rfind(b"\n", start, end)
    return b"\n".join(ADDED.findall(diff, start, end))


@lru_cache(maxsize=8192)
def _function(header: bytes) -> str | None:
    """The function or class that a hunk header names.

    >>> _function(b"async def step(self):"), _function(b"__global__ void moe_sum(float* out,")
    ('step', 'moe_sum')
    >>> _function(b"import torch")
    """
    found = DEFINITION.search(header) or CALLED.search(header)
    return found[1].decode("ascii") if found else None
