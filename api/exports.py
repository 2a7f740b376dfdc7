"""People as files for other programs: tables, JSON, and what applicant-tracking systems read.

Each row carries its evidence as links. No format has an email in it; where one has a column for
emails, the column stays empty.
"""

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from openpyxl import Workbook
from openpyxl.cell import Cell, WriteOnlyCell
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
from openpyxl.worksheet._write_only import WriteOnlyWorksheet

from api import tracking
from api.exported import COLUMNS, Exported
from sourcer.errors import BadInput

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
JSON, CSV = "application/json", "text/csv; charset=utf-8"
STARTS_A_FORMULA = (
    "=",
    "+",
    "-",
    "@",
    "\t",
    "\r",
    "|",
    "%",
    "\uff1d",
    "\uff0b",
    "\uff0d",
    "\uff20",
)
LINKEDIN = (
    "First name", "Last name", "Email", "Phone number", "Job title", "Company", "Location",
    "Pipeline stage", "Note", "Note visibility", "Tags",
)  # fmt: skip
"""Nothing else, in this order: https://www.linkedin.com/help/recruiter/answer/a412243"""
LINKEDIN_MOST = 200


@dataclass(frozen=True, slots=True)
class Format:
    """One kind of file."""

    media_type: str
    ending: str
    write: Callable[[Sequence[Exported]], bytes]


def harmless(text: str) -> str:
    """A cell that no spreadsheet takes for a formula.

    >>> harmless('=HYPERLINK("http://evil.example")'), harmless("-1+1|cmd"), harmless("Mira")
    ('\\'=HYPERLINK("http://evil.example")', "'-1+1|cmd", 'Mira')
    """
    text = ILLEGAL_CHARACTERS_RE.sub("", text)
    return f"'{text}" if text.lstrip(" \n").startswith(STARTS_A_FORMULA) else text


def as_csv(people: Sequence[Exported]) -> bytes:
    return _table(COLUMNS, [one.row() for one in people])


def as_linkedin(people: Sequence[Exported]) -> bytes:
    """The layout in which LinkedIn Recruiter takes candidates from a file.

    It wants an email for each: whoever imports it fills that column in. Stages and tags are those
    of the other's own project, so they stay empty too.
    """
    if len(people) > LINKEDIN_MOST:
        raise BadInput(
            f"LinkedIn Recruiter takes {LINKEDIN_MOST} people a file; these are {len(people)}"
        )
    rows = []
    for one in people:
        note = "\n".join(part for part in (one.why, one.linkedin, one.github, *one.links) if part)
        rows.append((*one.names, "", "", one.declared("title"), one.declared("employer"),
                     one.declared("location"), "", note, "PROJECT_MEMBERS", ""))  # fmt: skip
    return _table(LINKEDIN, rows)


def as_xlsx(people: Sequence[Exported]) -> bytes:
    book = Workbook(write_only=True)
    sheet = book.create_sheet("people")
    for row in (COLUMNS, *(one.row() for one in people)):
        sheet.append([_text_cell(sheet, value) for value in row])
    into = io.BytesIO()
    book.save(into)
    return into.getvalue()


def as_json(people: Sequence[Exported]) -> bytes:
    return _json([one.json() for one in people])


def _payloads(of: Callable[[Exported], Mapping[str, object]]) -> Callable[..., bytes]:
    return lambda people: _json([of(one) for one in people])


FORMATS: Mapping[str, Format] = {
    "csv": Format(CSV, "csv", as_csv),
    "xlsx": Format(XLSX, "xlsx", as_xlsx),
    "json": Format(JSON, "json", as_json),
    "linkedin": Format(CSV, "csv", as_linkedin),
    "greenhouse": Format(JSON, "json", _payloads(tracking.greenhouse)),
    "lever": Format(JSON, "json", _payloads(tracking.lever)),
    "ashby": Format(JSON, "json", _payloads(tracking.ashby_file)),
}


def _text_cell(sheet: WriteOnlyWorksheet, value: str) -> Cell:
    """A cell that is text whatever it begins with."""
    cell = WriteOnlyCell(sheet, value=harmless(value)[:32_000])
    cell.data_type = "s"
    return cell


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> bytes:
    """With a mark at the start by which spreadsheets know UTF-8."""
    into = io.StringIO()
    writer = csv.writer(into, lineterminator="\r\n")
    writer.writerow(columns)
    writer.writerows([harmless(value) for value in row] for row in rows)
    return into.getvalue().encode("utf-8-sig")


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=2).encode()
