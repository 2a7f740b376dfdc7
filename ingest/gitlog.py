r"""The text of git log -> Commits. Pure: takes blocks of bytes, knows no repository.

>>> log = ("\0-\0" "1f" "\0" "" "\0Ada\0a@x\0" "86400 +0100" "\0Ada\0a@x\0" "86400 +0100"
...        "\0Add it (#7)\0" "\0\n:000000 100644 0 5 A\0src/a.py\0")
>>> [commit] = commits([log.encode()], mark="-")
>>> commit.pull, commit.authored_at.isoformat(), commit.changes[0].path
(7, '1970-01-02T01:00:00+01:00', 'src/a.py')
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone
from functools import lru_cache

from ingest.patch import Entry, Patch
from ingest.trailers import pull_number, read_message
from sourcer.commits import Commit, Depth, FileChange, Signature

FIELDS = ("%H", "%P", "%an", "%ae", "%ad", "%cn", "%ce", "%cd", "%s", "%b")
LATEST = 4133980799
"""The last second of 2100, UTC."""
WIDEST_ZONE = 14 * 60
TREE = b"040000"
LONG = 4 << 20
"""A commit whose text is longer is read in parts, so that memory stays bounded."""


def arguments(depth: Depth, mark: str, *, trees: bool = False) -> list[str]:
    """What git log is asked, for `commits` to understand its answer.

    No pattern of git's own (diff=python) finds the functions for hunk headers: that makes the log
    a third slower. So a method is known by its class, as git's plain rule has it.

    With `trees`, changed directories are listed too, so that a missing one is noticed.

    `mark` stands before each commit and must not be foreseeable by who writes file contents.
    Merges list no changes, so nobody is credited with what others wrote.
    """
    return [
        *("-c", "log.showRoot=true", "-c", "diff.context=0", "-c", "core.quotePath=false"),
        *("log", "--no-walk=unsorted", "--stdin", "-z", "--raw", "--no-abbrev", "--no-color"),
        *("--diff-merges=off", "--no-ext-diff", "--no-textconv", "--date=raw"),
        *("--encoding=UTF-8", f"--format=tformat:%x00{mark}%x00" + "%x00".join(FIELDS)),
        *(("-p", "-M") if depth is Depth.LINES else ("-M100%",)),
        *(("-t",) if trees else ()),
    ]


def commits(
    blocks: Iterable[bytes], mark: str, missing: frozenset[bytes] = frozenset()
) -> Iterator[Commit]:
    """Commits in the order of the log.

    Counts that rest on a `missing` blob are None; changes below a missing tree are left out.
    """
    reading: _Reading | None = None
    for starts, piece in _pieces(blocks, b"\0" + mark.encode() + b"\0"):
        if starts:
            if reading:
                yield reading.commit()
            reading = _Reading.start(piece, missing)
        elif reading:
            reading.patch.feed(piece)
    if reading:
        yield reading.commit()


def _pieces(blocks: Iterable[bytes], mark: bytes) -> Iterator[tuple[bool, bytes]]:
    """Cuts the log at its marks, and a very long commit between two hunks as well."""
    rest, starts = b"", False
    for block in blocks:
        first, *later = (rest + block).split(mark)
        for following in later:
            if starts or first:
                yield starts, first
            first, starts = following, True
        rest = first
        cut = _cut(rest, starts) if len(rest) > LONG else 0
        if cut:
            yield starts, rest[:cut]
            rest, starts = rest[cut:], False
    if starts or rest:
        yield starts, rest


def _cut(text: bytes, starts: bool) -> int:
    patch = text.find(b"\0\0diff --git ") if starts else 0
    if patch < 0:
        return 0
    hunk = max(text.rfind(b"\n@@ -"), text.rfind(b"\ndiff --git "))
    return hunk if hunk > patch + 2 else max(text.rfind(b"\n"), 0)


@dataclass(slots=True)
class _Reading:
    """The commit being read."""

    head: list[bytes]
    entries: list[Entry]
    patch: Patch = field(init=False)

    @classmethod
    def start(cls, piece: bytes, missing: frozenset[bytes]) -> "_Reading":
        *head, rest = piece.split(b"\0", len(FIELDS))
        raw, split, diff = rest.partition(b"\0\0")
        reading = cls(head, _entries(raw, missing))
        reading.patch = Patch(reading.entries, missing)
        if split:
            reading.patch.feed(b"\n" + diff)
        return reading

    def commit(self) -> Commit:
        sha, parents, name, email, authored, other, other_email, committed, subject, body = (
            prose(part) for part in self.head
        )
        message = read_message(body)
        return Commit(
            sha=sha,
            parents=tuple(parents.split()),
            author=Signature(name, email),
            committer=Signature(other, other_email),
            authored_at=moment(authored),
            committed_at=moment(committed),
            subject=subject,
            body=message.body,
            pull=pull_number(subject),
            reverts=message.reverts,
            trailers=message.trailers,
            malformed_trailers=message.malformed,
            changes=tuple(_change(entry) for entry in self.entries),
        )


def _entries(raw: bytes, missing: frozenset[bytes]) -> list[Entry]:
    entries, unknown = [], []
    tokens = iter(raw.lstrip(b"\n").split(b"\0"))
    for token in tokens:
        if not token.startswith(b":"):
            continue
        old_mode, new_mode, old, new, status = token[1:].split(b" ")
        path, letter = next(tokens, b""), status[:1]
        if TREE not in (old_mode, new_mode):
            old_path = path if letter in b"RC" else b""
            entries.append(
                Entry(letter, next(tokens, b"") if old_path else path, old_path, old, new)
            )
        elif not missing.isdisjoint((old, new)):
            unknown.append(path + b"/")
    if not unknown:
        return entries
    return [entry for entry in entries if not entry.path.startswith(tuple(unknown))]


def _change(entry: Entry) -> FileChange:
    path, status = path_name(entry.path), entry.status.decode()
    old_path = path_name(entry.old_path) if entry.old_path else None
    if entry.tally is None:
        return FileChange(path, status, old_path)
    tally = entry.tally
    return FileChange(
        path,
        status,
        old_path,
        tally.added,
        tally.deleted,
        tally.binary,
        tuple(tally.functions),
        tally.identifiers() if tally.text else (),
    )


def prose(raw: bytes) -> str:
    """A message or name in UTF-8, or in Latin-1 when it cannot be that.

    >>> prose("é".encode()), prose("é".encode("latin-1"))
    ('é', 'é')
    """
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def path_name(raw: bytes) -> str:
    r"""A path, its bytes that are no UTF-8 escaped, so that it stays unlike any other.

    >>> path_name(b"caf\xe9.py")
    'caf\\xe9.py'
    """
    return raw.decode("utf-8", "backslashreplace")


def moment(raw: str) -> datetime:
    """git's raw date, with its zone; nonsense zones are UTC, dates stay in 1970 to 2100.

    >>> moment("0 +0530").isoformat(), moment("99999999999 +9999").isoformat()
    ('1970-01-01T05:30:00+05:30', '2100-12-31T23:59:59+00:00')
    """
    seconds, _, zone = raw.partition(" ")
    at = min(int(seconds), LATEST) if seconds.isdecimal() else 0
    return datetime.fromtimestamp(at, _zone(zone))


@lru_cache(maxsize=512)
def _zone(raw: str) -> timezone:
    if not re.fullmatch(r"[+-]\d{4}", raw):
        return UTC
    minutes = int(raw[1:3]) * 60 + int(raw[3:])
    if minutes > WIDEST_ZONE:
        return UTC
    return timezone(timedelta(minutes=-minutes if raw[0] == "-" else minutes))
