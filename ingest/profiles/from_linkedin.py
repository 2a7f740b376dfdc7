"""LinkedIn's own data export: who somebody is connected with, and who somebody is.

The files come in one ZIP; Connections.csv is useful alone, Positions.csv, Skills.csv and
Education.csv only beside the Profile.csv of the person whose they are. Birth dates, addresses and
messages are never read.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from pathlib import PurePath
from zipfile import ZipFile

from ingest.profiles import dates, delimited
from ingest.profiles.accounts import github_in, linkedin_url
from ingest.profiles.delimited import Row
from ingest.profiles.encodings import decode
from ingest.profiles.from_table import fitted
from ingest.profiles.records import Origin, Outcome, Record, Unread, declared, digest, lines
from sourcer.errors import BadInput

SOURCE = "linkedin"
CONNECTIONS = ("First Name", "Last Name", "Company", "Position", "Connected On")
PROFILE = ("First Name", "Last Name", "Headline")
PERSONAL = ("Profile.csv", "Positions.csv", "Skills.csv", "Education.csv", "Email Addresses.csv")
PARTS = {
    "Positions.csv": ("Company Name", "Title", "Started On"),
    "Education.csv": ("School Name", "Degree Name"),
}
PREAMBLE = 20
Cells = Mapping[str, str]


def is_connections(text: str) -> bool:
    return _header(text, CONNECTIONS) is not None


def is_part(text: str) -> bool:
    """One of the files that describe the owner of the export."""
    return any(_header(text, columns) for columns in (PROFILE, *PARTS.values()))


def in_archive(archive: ZipFile) -> dict[str, str]:
    """The files of an export that are read, by their plain names."""
    wanted = {"Connections.csv", *PERSONAL}
    names = {PurePath(entry.filename).name: entry for entry in archive.infolist()}
    return {name: decode(archive.read(names[name])) for name in sorted(wanted & names.keys())}


def export(files: Mapping[str, str], origin: Origin) -> Iterator[Outcome]:
    """All that an export says: its owner, and the owner's connections."""
    if "Profile.csv" in files:
        yield owner(files, origin)
    elif "Connections.csv" not in files:
        raise BadInput("Profile.csv is missing beside these files: it says whose they are")
    if "Connections.csv" in files:
        yield from connections(files["Connections.csv"], origin)


def connections(text: str, origin: Origin) -> Iterator[Outcome]:
    """A record for each row below the preamble; connections without an address stay unread.

    The day of connecting says nothing of how old the row is, so `origin` does.
    """
    for line, cells in _table(text, CONNECTIONS):
        yield Unread(line, cells) if isinstance(cells, str) else _connection(line, cells, origin)


def _connection(line: int, cells: Cells, origin: Origin) -> Outcome:
    url = linkedin_url(cells.get("URL", ""))
    fields = declared(
        name=f"{cells['First Name']} {cells['Last Name']}",
        company=cells["Company"],
        title=cells["Position"],
        linkedin=url,
    )
    if "name" not in fields:
        return Unread(line, "it names nobody: LinkedIn leaves the row of a closed account empty")
    key = url or digest(fields["name"], cells["Connected On"])
    emails = origin.email_keys([cells.get("Email Address", "")])
    return Record(SOURCE, key, origin.at, fields, email_keys=emails, method="imported")


def owner(files: Mapping[str, str], origin: Origin) -> Outcome:
    """The person that an export is about."""
    profile = next(iter(_good(files["Profile.csv"], PROFILE)), None)
    if profile is None:
        return Unread(2, "Profile.csv has no row that can be read")
    jobs = _jobs(files.get("Positions.csv", ""))
    now = next((job for job in jobs if not job.get("Finished On")), {})
    sites = " ".join((profile.get("Websites", ""), profile.get("Twitter Handles", "")))
    fields = declared(
        name=f"{profile['First Name']} {profile['Last Name']}",
        title=now.get("Title") or profile["Headline"],
        company=now.get("Company Name"),
        location=profile.get("Geo Location") or now.get("Location"),
        bio=profile.get("Summary"),
        linkedin=linkedin_url(sites),
        past_company=lines(job["Company Name"] for job in jobs if job.get("Finished On")),
        school=lines(
            row["School Name"] for row in _good(files.get("Education.csv", ""), ("School Name",))
        ),
        skills=lines(row["Name"] for row in _good(files.get("Skills.csv", ""), ("Name",))),
    )
    key = digest("owner", fields.get("name", ""))
    return Record(
        SOURCE, key, origin.at, fields, github_in(sites), None, _emails(files, origin), "imported"
    )


def _jobs(text: str) -> list[Cells]:
    """Positions, the one begun last first."""
    rows = _good(text, PARTS["Positions.csv"])
    return sorted(rows, key=lambda job: dates.read(job["Started On"]) or date.min, reverse=True)


def _emails(files: Mapping[str, str], origin: Origin) -> tuple[str, ...]:
    rows = _good(files.get("Email Addresses.csv", ""), ("Email Address",))
    return origin.email_keys(row["Email Address"] for row in rows)


def _good(text: str, columns: Iterable[str]) -> list[Cells]:
    return [cells for _, cells in _table(text, tuple(columns)) if not isinstance(cells, str)]


def _table(text: str, columns: tuple[str, ...]) -> Iterator[tuple[int, Cells | str]]:
    """The rows below the header that has these columns: their cells by column, or the reason."""
    head = _header(text, columns)
    if head is None:
        return
    below = text.split("\n")[head.line :]
    for row in delimited.rows("\n".join(below), ","):
        if isinstance(row, Unread):
            yield row.line + head.line, row.reason
            continue
        cells = fitted(row.cells, len(head.cells))
        named = cells if isinstance(cells, str) else dict(zip(head.cells, cells, strict=True))
        yield row.line + head.line, named


def _header(text: str, columns: tuple[str, ...]) -> Row | None:
    """The header, which in Connections.csv comes after notes of some lines."""
    for number, line in enumerate(text.split("\n", PREAMBLE)[:PREAMBLE], start=1):
        cells = tuple(cell.strip() for cell in line.replace('"', "").split(","))
        if set(columns) <= set(cells):
            return Row(number, cells)
    return None
