"""A file that a recruiter holds -> records on disk. The format is told by what is in the file."""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Mapping as Table
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from itertools import islice
from pathlib import Path

from ingest.profiles import (
    delimited,
    from_artifacts,
    from_json_resume,
    from_linkedin,
    from_people_data_labs,
    from_table,
    github_users,
    json_values,
    mappings,
    records,
    workbook,
)
from ingest.profiles.delimited import Row
from ingest.profiles.encodings import decode
from ingest.profiles.json_values import Object
from ingest.profiles.mappings import Mapping
from ingest.profiles.records import Origin, Outcome, Record, Unread
from sourcer.errors import BadInput

LARGEST = 500_000_000
MAPPINGS = "mappings"


class Kind(StrEnum):
    """The formats that are read."""

    GITHUB = "github"
    LINKEDIN = "linkedin"
    JSON_RESUME = "json-resume"
    PEOPLE_DATA_LABS = "people-data-labs"
    ARTIFACTS = "artifacts"
    OPENALEX = "openalex"
    TABLE = "table"


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import kept, and what it could not read."""

    file: str
    kind: Kind
    records: int
    unread: tuple[Unread, ...] = ()
    duplicates: int = 0
    mapping: Mapping | None = None
    already: str | None = None
    """When the same file was imported before, in the same way: then nothing was done."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A file whose format is known, taken apart as far as that needs."""

    kind: Kind
    rows: tuple[Row | Unread, ...] = ()
    head: Row | None = None
    text: str = ""
    parts: Table[str, str] | None = None

    def outcomes(self, mapping: Mapping | None, origin: Origin) -> Iterable[Outcome]:
        if mapping is not None and self.head is not None:
            return from_table.records(self.rows, self.head, mapping, origin)
        if self.kind is Kind.LINKEDIN:
            return _linkedin(self, origin)
        return _objects(self.text, self.kind, origin)


def import_file(
    file: Path,
    into: Path,
    salt: bytes,
    *,
    mapping: Mapping | None = None,
    kind: str | None = None,
    encoding: str | None = None,
    at: datetime | None = None,
) -> Imported:
    """Reads a file and keeps its records in `into`. A table without a mapping takes the saved one
    for such a header, or else the guessed one, which is saved.

    The records speak as of `at`: by default the day on which the file was last written. Importing
    the same file again does nothing; with another mapping, it replaces what was kept.
    """
    raw = _bytes(file)
    opened = _opened(raw, file, kind, encoding)
    if opened.head is not None:
        mapping = mapping or _mapping(opened.head, file, into / MAPPINGS)
    digest = hashlib.sha256(raw).hexdigest()[:16]
    name = f"{opened.kind}-{digest}"
    done = _done(into / f"{name}.parquet", mapping)
    if done:
        return Imported(file.name, opened.kind, int(done["records"]), (), 0, mapping, done["at"])
    origin = Origin(at or _written(file), salt)
    kept, unread, duplicates = _sorted(opened.outcomes(mapping, origin))
    if not kept:
        first = f": line {unread[0].line}: {unread[0].reason}" if unread else ""
        raise BadInput(f"{file.name} holds no record that can be read{first}")
    if mapping is not None:
        mappings.save(mapping, into / MAPPINGS)
    told = _told(file, opened.kind, mapping, len(kept), len(unread))
    records.save(kept, into, name, told)
    for other in set(into.glob(f"*-{digest}.parquet")) - {into / f"{name}.parquet"}:
        other.unlink()  # the same file, read as another format
    return Imported(file.name, opened.kind, len(kept), unread, duplicates, mapping)


@dataclass(frozen=True, slots=True)
class Look:
    """The format of a file and, of a table, its first rows."""

    kind: Kind
    rows: tuple[tuple[str, ...], ...]


def looked_at(file: Path, rows: int = 5) -> Look:
    """What a file seems to be, before anything of it is kept."""
    opened = _opened(_bytes(file), file, None, None)
    held = () if opened.head is None else opened.rows
    first = islice((row.cells for row in held if isinstance(row, Row)), rows)
    return Look(opened.kind, tuple(first))


def mapping_of(
    file: Path, into: Path, kind: str | None = None, encoding: str | None = None
) -> Mapping | None:
    """The mapping that a table would be read with: the saved one, or a guess. None: no table."""
    head = _opened(_bytes(file), file, kind, encoding).head
    return _mapping(head, file, into / MAPPINGS) if head else None


def is_confirmed(mapping: Mapping, into: Path) -> bool:
    """Whether a table with such a header was read in this way before."""
    return mappings.saved(into / MAPPINGS, mapping.header) == mapping


def _mapping(head: Row, file: Path, folder: Path) -> Mapping:
    name = mappings.free_name(folder, file.stem, head.cells)
    return mappings.saved(folder, head.cells) or mappings.guessed(name, head.cells)


def _bytes(file: Path) -> bytes:
    try:
        size = file.stat().st_size
        if size > LARGEST:
            raise BadInput(f"{file} has {size:,} bytes; split it, at most {LARGEST:,} are read")
        raw = file.read_bytes()
    except OSError as error:
        raise BadInput(f"{file} cannot be read: {error.strerror}") from error
    if not raw.strip():
        raise BadInput(f"{file} is empty")
    return raw


def _written(file: Path) -> datetime:
    """When the export was made, as far as the file system knows; never in the future."""
    now = datetime.now(UTC)
    return min(datetime.fromtimestamp(file.stat().st_mtime, UTC), now)


def _opened(raw: bytes, file: Path, kind: str | None, encoding: str | None) -> Opened:
    if kind is not None and kind not in set(Kind):
        raise BadInput(f"no format is called {kind!r}; there are {', '.join(Kind)}")
    if raw.startswith(b"PK\3\4"):
        return _archive(raw, file)
    text = decode(raw, encoding)
    found = Kind(kind) if kind else recognised(text)
    if found is Kind.TABLE:
        return _table(delimited.rows(text))
    if found is Kind.LINKEDIN:
        is_alone = from_linkedin.is_connections(text)
        parts = {"Connections.csv": text} if is_alone else _beside(file, encoding)
        return Opened(found, parts=parts)
    return Opened(found, text=text)


def recognised(text: str) -> Kind:
    """The format of a text, by its content.

    >>> str(recognised('{"login": "ada", "id": 7}')), str(recognised("name,email\\nAda,a@b.org"))
    ('github', 'table')
    """
    if text.lstrip()[:1] in ("{", "["):
        return _of_objects(text)
    is_linkedin = from_linkedin.is_connections(text) or from_linkedin.is_part(text)
    return Kind.LINKEDIN if is_linkedin else Kind.TABLE


SHAPES: tuple[tuple[Callable[[Object], bool], Kind], ...] = (
    (github_users.is_user, Kind.GITHUB),
    (from_artifacts.is_work, Kind.OPENALEX),
    (from_artifacts.is_artifact, Kind.ARTIFACTS),
    (from_json_resume.is_resume, Kind.JSON_RESUME),
    (from_people_data_labs.is_person, Kind.PEOPLE_DATA_LABS),
)


def _of_objects(text: str) -> Kind:
    """The first object of a known shape decides; a broken first line must not."""
    for found in json_values.rows(text):
        if not isinstance(found, Unread):
            for is_such, kind in SHAPES:
                if is_such(found[1]):
                    return kind
    raise BadInput(
        "JSON of no known shape; expected GitHub users, JSON Resume, People Data Labs persons, "
        "artifacts (kind, title, url, date, people) or OpenAlex works"
    )


def _archive(raw: bytes, file: Path) -> Opened:
    with workbook.unpacked(raw) as archive:
        names = archive.namelist()
        if "xl/workbook.xml" in names:
            return _table(workbook.rows(raw))
        parts = from_linkedin.in_archive(archive)
    if not parts:
        raise BadInput(f"{file.name} is neither a workbook nor LinkedIn's export")
    return Opened(Kind.LINKEDIN, parts=parts)


def _beside(file: Path, encoding: str | None) -> dict[str, str]:
    """The files of an unpacked export that describe its owner, whichever of them was named."""
    there = [file.parent / name for name in from_linkedin.PERSONAL]
    return {each.name: decode(each.read_bytes(), encoding) for each in there if each.is_file()}


def _table(rows: Iterable[Row | Unread]) -> Opened:
    held = tuple(rows)
    return Opened(Kind.TABLE, held, from_table.header(held))


def _linkedin(opened: Opened, origin: Origin) -> Iterator[Outcome]:
    return from_linkedin.export(opened.parts or {}, origin)


def _objects(text: str, kind: Kind, origin: Origin) -> Iterator[Outcome]:
    for found in json_values.rows(text):
        if isinstance(found, Unread):
            yield found
        else:
            yield from _of_kind(kind, *found, origin)


def _of_kind(kind: Kind, line: int, row: Object, origin: Origin) -> Iterator[Outcome]:
    if kind is Kind.ARTIFACTS:
        yield from from_artifacts.outcomes(line, row, origin)
    elif kind is Kind.OPENALEX:
        yield from from_artifacts.work(line, row, origin)
    elif kind is Kind.JSON_RESUME:
        yield from_json_resume.outcome(line, row, origin)
    elif kind is Kind.PEOPLE_DATA_LABS:
        yield from_people_data_labs.outcome(line, row, origin)
    elif github_users.is_user(row):
        yield github_users.record(row, origin.at)
    else:
        yield Unread(line, "no GitHub user: login and numeric id are missing")


def _sorted(outcomes: Iterable[Outcome]) -> tuple[list[Record], tuple[Unread, ...], int]:
    """Records, each key once, the newest and then the last of it; what is unread; how many more."""
    kept: dict[tuple[str, str], Record] = {}
    unread: list[Unread] = []
    seen = 0
    for outcome in outcomes:
        if isinstance(outcome, Unread):
            unread.append(outcome)
            continue
        seen += 1
        held = kept.get((outcome.source, outcome.key))
        if held is None or held.fetched_at <= outcome.fetched_at:
            kept[outcome.source, outcome.key] = outcome
    return list(kept.values()), tuple(unread), seen - len(kept)


def _done(file: Path, mapping: Mapping | None) -> dict[str, str]:
    told = records.about(file) if file.exists() else {}
    return told if told.get("mapping") == _mapping_says(mapping) else {}


def _mapping_says(mapping: Mapping | None) -> str:
    return f"{mapping.name}: {mapping.says()}" if mapping else ""


def _told(
    file: Path, kind: Kind, mapping: Mapping | None, kept: int, unread: int
) -> dict[str, str]:
    return {
        "file": file.name,
        "kind": str(kind),
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "mapping": _mapping_says(mapping),
        "records": str(kept),
        "unread": str(unread),
    }
