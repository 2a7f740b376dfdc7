"""The rows of a delimited text, good and bad. A broken row costs itself alone, never the rest."""

import csv
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from ingest.profiles.records import Unread

DELIMITERS = ",;\t|"
LONGEST = 200
"""A quoted text may go on for so many lines; then its quote was never meant to be one."""
WIDEST = 500


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of one row, and the line that it begins in."""

    line: int
    cells: tuple[str, ...]

    @property
    def is_empty(self) -> bool:
        return not any(cell.strip() for cell in self.cells)


def rows(text: str, delimiter: str | None = None) -> Iterator[Row | Unread]:
    """Every row that is not empty; widths are not compared here.

    >>> for row in rows('name,note\\nada,"two\\nlines"\\n\\nbo,x'): print(row)
    Row(line=1, cells=('name', 'note'))
    Row(line=2, cells=('ada', 'two\\nlines'))
    Row(line=5, cells=('bo', 'x'))
    """
    written = text.split("\n")
    start = 0
    if written[0].lower().startswith("sep=") and len(written[0].strip()) == 5:
        delimiter, start = written[0][4], 1  # as Excel marks its delimiter
    yield from _rows(written, start, delimiter or sniffed(written[start : start + 100]))


def _rows(written: list[str], start: int, delimiter: str) -> Iterator[Row | Unread]:
    at, width = start, 0
    while at < len(written):
        row, size = _row(written, at, delimiter, width)
        if isinstance(row, Unread) or not row.is_empty:
            yield row
        if isinstance(row, Row):
            width = max(width, len(row.cells)) if width == 0 or size == 1 else width
        at += size


def _row(written: list[str], at: int, delimiter: str, width: int) -> tuple[Row | Unread, int]:
    """The row that begins in a line, and how many lines it takes."""
    size = _size(written, at, delimiter)
    if size is None:
        return Unread(at + 1, "a quote is opened and never closed"), 1
    try:
        cells = next(csv.reader(["\n".join(written[at : at + size])], delimiter=delimiter), [])
    except csv.Error as error:
        return Unread(at + 1, f"not delimited text: {error}"), 1
    if size > 1 and width > 1 and len(cells) != width:
        return Unread(at + 1, "a quote is opened and closed in another row"), 1
    return Row(at + 1, tuple(cells)), size


def _size(written: list[str], at: int, delimiter: str) -> int | None:
    """How many lines it takes until every quote is closed; None when none is enough."""
    if written[at].count('"') % 2 == 0:
        return 1
    text = written[at]
    if not _is_open(text, delimiter):
        return 1
    for size in range(2, min(LONGEST, len(written) - at) + 1):
        text += "\n" + written[at + size - 1]
        if written[at + size - 1].count('"') % 2 and not _is_open(text, delimiter):
            return size
    return None


def _is_open(text: str, delimiter: str) -> bool:
    """Whether a text ends inside a quoted cell; a quote amid a bare cell is a character.

    >>> [_is_open(text, ",") for text in ('a,"b', 'a,5" disk', 'a,"b""c",d')]
    [True, False, False]
    """
    quoted, begins = False, True
    for letter in text:
        if letter == '"' and (quoted or begins):
            quoted = not quoted
            begins = True  # doubled: the next quote opens again
        else:
            begins = not quoted and letter in (delimiter, "\n")
    return quoted


def sniffed(written: list[str]) -> str:
    """The delimiter that cuts most lines into the same number of cells, and the most cells.

    >>> sniffed(["name;title", "Lund, Mira;Engineer", "Berg, Jo;Lead"])
    ';'
    """
    kept = [line for line in written if line.strip()]
    return max(DELIMITERS, key=lambda delimiter: _agreement(kept, delimiter))


def _agreement(written: list[str], delimiter: str) -> int:
    cut = csv.reader(iter(written), delimiter=delimiter)
    try:
        widths = Counter(len(cells) for cells in islice(cut, 60))
    except csv.Error:
        return 0
    return max(((width - 1) * count for width, count in widths.items()), default=0)
