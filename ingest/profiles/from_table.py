"""Any table of people, through a mapping: exports of applicant-tracking systems and recruiters."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from ingest.profiles import dates, mappings
from ingest.profiles.accounts import github_in, github_login, linkedin_url
from ingest.profiles.delimited import Row
from ingest.profiles.mappings import Mapping
from ingest.profiles.records import (
    EMAIL,
    MANY,
    Origin,
    Outcome,
    Record,
    Unread,
    declared,
    digest,
    lines,
)
from sourcer.errors import BadInput

HEADER_WITHIN = 20
YES = {"yes", "y", "true", "1", "open", "ja", "oui", "是"}
NO = {"no", "n", "false", "0", "closed", "nein", "non", "否"}
PLAIN = ("company", "title", "location", "bio", "blog")


def header(rows: Iterable[Row | Unread]) -> Row:
    """The row that names the columns: the one of the first twenty that says most known names."""
    first = [row for row in islice(rows, HEADER_WITHIN) if isinstance(row, Row)]
    best = max(first, key=lambda row: (mappings.recognised(row.cells), -row.line), default=None)
    if best is None:
        raise BadInput("the table has no rows")
    return best if mappings.recognised(best.cells) else _widest(first)


def _widest(first: list[Row]) -> Row:
    return max(first, key=lambda row: (sum(map(bool, row.cells)), -row.line))


def records(
    rows: Iterable[Row | Unread], head: Row, mapping: Mapping, origin: Origin
) -> Iterator[Outcome]:
    """A record for every row below the header that names somebody."""
    if not set(mapping.columns) & set(mappings.NAMING):
        raise BadInput(
            f"no column names a person; the columns are {', '.join(head.cells)}. "
            "Say which one does: --map name=Column"
        )
    index, width = mapping.index(), len(head.cells)
    for row in rows:
        if isinstance(row, Unread):
            yield row
        elif row.line > head.line:
            yield _record(row, index, width, f"table:{mapping.name}", origin)


def fitted(cells: Sequence[str], width: int) -> tuple[str, ...] | str:
    """The cells of a row of the header's width, or why it has none.

    >>> fitted(["a", "b", ""], 2), fitted(["a"], 2)
    (('a', 'b'), 'it has 1 cell where the header has 2')
    """
    if len(cells) < width or any(cell.strip() for cell in cells[width:]):
        counted = "1 cell" if len(cells) == 1 else f"{len(cells)} cells"
        return f"it has {counted} where the header has {width}"
    return tuple(cells[:width])


def _record(row: Row, index: dict[str, int], width: int, source: str, origin: Origin) -> Outcome:
    cells = fitted(row.cells, width)
    if isinstance(cells, str):
        return Unread(row.line, cells)
    said = {field: cells[at].strip() for field, at in index.items()}
    login = github_login(said.get("github", "")) or github_in(said.get("blog", ""))
    emails = origin.email_keys(EMAIL.findall(said.get("email", "")))
    fields = _fields(said)
    if not (fields.get("name") or login or emails or fields.get("linkedin")):
        return Unread(row.line, "it names nobody: no name, GitHub login, email or LinkedIn address")
    key = _id(said.get("id", "")) or fields.get("linkedin") or login or next(iter(emails), "")
    key = key or digest(fields["name"], fields.get("company", ""))
    at = dates.moment(said.get("as_of", "")) or origin.at
    return Record(source, key, min(at, origin.at), fields, login, None, emails, "imported")


def _fields(said: dict[str, str]) -> dict[str, str]:
    name = said.get("name") or f"{said.get('first_name', '')} {said.get('last_name', '')}"
    kept = {field: said[field] for field in PLAIN if field in said}
    many = {
        field: lines(said[field].replace(";", "\n").split("\n"))
        for field in sorted(MANY & said.keys())
    }
    links = {"linkedin": linkedin_url(said.get("linkedin", ""))}
    return declared(name=name, status=_status(said), **kept, **many, **links)


def _id(text: str) -> str:
    """A candidate's id; an email that serves as one is hashed away."""
    return digest(text) if EMAIL.search(text) else text


def _status(said: dict[str, str]) -> str:
    """Openness in words; a bare yes or no of a column for it becomes one.

    >>> _status({"status": "Yes"}), _status({"status": "Open in autumn"})
    ('open', 'Open in autumn')
    >>> _status({"status": "yes", "do_not_contact": "TRUE"})
    'do not contact'
    """
    if said.get("do_not_contact", "").lower() in YES:
        return "do not contact"
    text = said.get("status", "")
    plain = text.lower()
    return "open" if plain in YES else "not open" if plain in NO else text
