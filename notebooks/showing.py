"""How the notebooks show what they found: tables that are escaped, and charts that stand alone."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from IPython.display import SVG


def data_directory() -> Path:
    """SOURCER_DATA, or the data directory of this checkout, where `make demo` puts the sample."""
    return Path(os.environ.get("SOURCER_DATA", Path(__file__).parent.parent / "data"))


@dataclass(frozen=True)
class Table:
    """Rows with a header; numbers stand to the right."""

    header: Sequence[str]
    rows: Sequence[Sequence[object]]

    def _repr_html_(self) -> str:
        head = "".join(f"<th style='text-align:left'>{escape(name)}</th>" for name in self.header)
        body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in self.rows)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

    def __repr__(self) -> str:
        rows = [list(self.header), *([_text(value) for value in row] for row in self.rows)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)
        return "\n".join(lines)


def table(header: str, rows: Iterable[Sequence[object]]) -> Table:
    """
    >>> table("who, commits", [("Ada", 1200)])
    who  commits
    Ada  1,200
    """
    return Table([name.strip() for name in header.split(",")], list(rows))


def chart(svg: str) -> SVG:
    return SVG(data=svg)


def _cell(value: object) -> str:
    side = "right" if isinstance(value, int | float) else "left"
    space = "normal" if isinstance(value, str) else "nowrap"
    return f"<td style='text-align:{side};white-space:{space}'>{escape(_text(value))}</td>"


def _text(value: object) -> str:
    if isinstance(value, bool) or value is None:
        return "" if value is None else "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.3f}"
    return f"{value:,}" if isinstance(value, int) else str(value)
