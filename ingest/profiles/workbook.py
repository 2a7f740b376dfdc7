"""The rows of an Excel workbook, read as a stream and within bounds."""

import warnings
import zipfile
from collections.abc import Iterator
from datetime import date
from io import BytesIO

from openpyxl import Workbook, load_workbook
from openpyxl.worksheet.worksheet import Worksheet

from ingest.profiles.delimited import WIDEST, Row
from sourcer.errors import BadInput

LARGEST = 400_000_000
"""Bytes that a workbook or archive may have when unpacked."""
STEEPEST = 250
"""How much smaller packing may make it; honest sheets reach about 20."""
MOST_ROWS = 1_100_000


def unpacked(raw: bytes) -> zipfile.ZipFile:
    """An archive that is not too large to be opened. Raises BadInput for a bomb."""
    try:
        archive = zipfile.ZipFile(BytesIO(raw))
    except zipfile.BadZipFile as error:
        raise BadInput(f"a damaged archive: {error}") from error
    size = sum(entry.file_size for entry in archive.infolist())
    if size > LARGEST or size > max(STEEPEST * len(raw), 10_000_000):
        raise BadInput(f"the archive would unpack {len(raw):,} bytes to {size:,}: refused")
    return archive


def rows(raw: bytes) -> Iterator[Row]:
    """The rows of the first sheet that has any, as text; dates as 2026-05-01."""
    unpacked(raw).close()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # styles and extensions that we do not read
        book = _opened(raw)
        try:
            for sheet in book.worksheets:
                found = _sheet(sheet)
                first = next(found, None)
                if first is not None:
                    yield first
                    yield from found
                    return
        finally:
            book.close()


def _opened(raw: bytes) -> Workbook:
    try:
        return load_workbook(BytesIO(raw), read_only=True, data_only=True, keep_links=False)
    except (KeyError, ValueError, OSError, zipfile.BadZipFile, SyntaxError) as error:
        raise BadInput("not a workbook that can be read; save it as .xlsx or .csv") from error


def _sheet(sheet: Worksheet) -> Iterator[Row]:
    for number, cells in enumerate(sheet.iter_rows(values_only=True, max_col=WIDEST), start=1):
        if number > MOST_ROWS:
            raise BadInput(f"more than {MOST_ROWS:,} rows")
        row = Row(number, tuple(map(_text, cells)))
        if not row.is_empty:
            yield row


def _text(value: object) -> str:
    """
    >>> _text(date(2026, 5, 1)), _text(7.0), _text(None), _text(True)
    ('2026-05-01', '7', '', 'yes')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return value.isoformat()[:10] if isinstance(value, date) else str(value)
