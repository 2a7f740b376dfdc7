"""Encodings, delimiters and broken rows: what can be read is kept, the rest is named."""

import random

import pytest

from ingest.profiles.delimited import Row, rows
from ingest.profiles.encodings import decode
from ingest.profiles.records import Unread
from sourcer.errors import BadInput

HEADER = "name,company,title\n"


def cells(text: str) -> list[tuple[str, ...]]:
    return [row.cells for row in rows(text) if isinstance(row, Row)]


def unread(text: str) -> list[Unread]:
    return [row for row in rows(text) if isinstance(row, Unread)]


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("utf-8", "Zoë Œdipe, 沈万言\n"),
        ("utf-8-sig", "Zoë Œdipe\n"),
        ("utf-16", "Zoë Œdipe\n"),
        ("utf-16-le", "name,company\nZoë,X\n"),
        ("utf-32", "Zoë\n"),
        ("cp1252", "Jürgen Großmeißel, “Größe” – Zürich\n"),
        ("latin-1", "Frédérique Ñuñez\n"),
        ("cp1250", "Łukasz Wałęsawicz, Gdańsk\n"),
        ("cp1251", "Иван Петровский, Москва\n"),
        ("gb18030", "沈万言,华为,高级工程师\n徐文岚,阿里巴巴,北京\n"),
        ("euc_kr", "김철수한,서울특별시\n박영희선,부산\n"),
        ("shift_jis", "田中太郎衛門,東京大学\n鈴木花子,大阪\n"),
        ("big5", "陳大文華,台灣\n林小明,臺北\n"),
    ],
)
def test_the_encoding_is_told_by_the_bytes(encoding: str, text: str) -> None:
    assert decode(text.encode(encoding)) == text


def test_an_encoding_that_does_not_fit_is_said_to_be_wrong() -> None:
    with pytest.raises(BadInput, match="another --encoding"):
        decode("Zoë".encode("latin-1"), "utf-8")


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiters_are_found(delimiter: str) -> None:
    text = f"name{delimiter}company\nLund{delimiter}ACME\nBerg{delimiter}Initech\n"
    assert cells(text) == [("name", "company"), ("Lund", "ACME"), ("Berg", "Initech")]


def test_excels_own_delimiter_line_is_obeyed() -> None:
    assert cells("sep=|\na,b|c\n") == [("a,b", "c")]


def test_quoted_newlines_belong_to_their_cell_and_lines_are_counted_on() -> None:
    found = list(rows(HEADER + 'Ada,"ACME\nLondon",Lead\nBo,X,Y\n'))
    assert found[1:] == [Row(2, ("Ada", "ACME\nLondon", "Lead")), Row(4, ("Bo", "X", "Y"))]


def test_a_quote_amid_a_bare_cell_is_a_character() -> None:
    assert cells('a,5" disk\nb,6" disk\n') == [("a", '5" disk'), ("b", '6" disk')]


def test_a_quote_that_is_never_closed_costs_its_own_row_alone() -> None:
    text = HEADER + 'Ada,"ACME,Lead\n' + "".join(f"Person {n},X,Y\n" for n in range(500))
    assert unread(text) == [Unread(2, "a quote is opened and never closed")]
    assert len(cells(text)) == 501


def test_a_quote_that_is_closed_by_a_later_row_costs_its_own_row_alone() -> None:
    text = HEADER + 'Ada,"ACME,Lead\nBo,"Initech, Ltd",Lead\nCy,X,Y\n'
    assert [row.line for row in unread(text)] == [2]
    assert cells(text)[1:] == [("Bo", "Initech, Ltd", "Lead"), ("Cy", "X", "Y")]


def test_no_text_is_too_odd_to_be_read() -> None:
    dice = random.Random(11)
    for _ in range(300):
        text = "".join(dice.choice('ab,;"\n \t|\\\0é') for _ in range(60))
        lines = [row.line for row in rows(text)]
        assert lines == sorted(set(lines))
