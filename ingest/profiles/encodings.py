"""Bytes of a file -> text: by its mark, as UTF-8, or by what its high bytes look like."""

import codecs
import re
from itertools import islice

import charset_normalizer

from sourcer.errors import BadInput

MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
GUESSED = ["cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "shift_jis", "euc_kr", "big5"]
HIGH = re.compile(rb"[\x80-\xff]+")
HAN = re.compile(rb"[\xb0-\xf7][\xa1-\xfe]")
RUNS = 4000
PAIRED = 0.9
WESTERN = frozenset("ŠšŽžŒœŸ‚„…†‡–—‘’“”•€™\u00a0©®°·«»¡¿ºª" + "".join(map(chr, range(0xC0, 0x100))))


def decode(raw: bytes, encoding: str | None = None) -> str:
    """The text of a file; its line ends all become one newline.

    >>> decode("Jürgen\\r\\n".encode("cp1252")), decode("Łódź".encode("utf-16"))
    ('Jürgen\\n', 'Łódź')
    >>> decode("姓名,公司\\r\\n沈万言,华为\\r\\n".encode("gb18030"))
    '姓名,公司\\n沈万言,华为\\n'
    """
    try:
        text = raw.decode(encoding or detected(raw))
    except (UnicodeDecodeError, LookupError) as error:
        raise BadInput(f"the text cannot be read as {encoding}: name another --encoding") from error
    return text.replace("\r\n", "\n").replace("\r", "\n")


def detected(raw: bytes) -> str:
    """The encoding of a text, which always decodes it.

    >>> detected("Zoë".encode()), detected("Zoë".encode("latin-1")), detected(b"\\0Z\\0o\\0e")
    ('utf-8', 'cp1252', 'utf-16-be')
    """
    marked = next((name for mark, name in MARKS if raw.startswith(mark)), None)
    if marked and _decodes(raw, marked):
        return marked
    guesses = (_without_mark, lambda _: "utf-8", _paired, _western, _guessed, lambda _: "cp1252")
    names = (guess(raw) for guess in guesses)
    return next((name for name in names if name and _decodes(raw, name)), "latin-1")


def _decodes(raw: bytes, encoding: str) -> bool:
    try:
        raw.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        return False
    return True


def _without_mark(raw: bytes) -> str | None:
    """UTF-16 whose mark was lost: every other byte of its ASCII is zero."""
    head = raw[:2000]
    if head[1::2].count(0) * 2 > len(head[1::2]):
        return "utf-16-le"
    return "utf-16-be" if head[::2].count(0) * 2 > len(head[::2]) else None


def _runs(raw: bytes) -> list[bytes]:
    return [run[0] for run in islice(HIGH.finditer(raw), RUNS)]


def _paired(raw: bytes) -> str | None:
    """Chinese or Korean: high bytes come in pairs, where those of Latin letters stand alone.

    Cyrillic stays above 0xC0; Hangul begins each pair below 0xC9, Chinese all over.
    """
    runs = _runs(raw)
    size = sum(map(len, runs))
    pairs = [pair for run in runs if len(run) % 2 == 0 for pair in HAN.findall(run)]
    upper = sum(byte >= 0xC0 for run in runs for byte in run)
    if not size or 2 * len(pairs) < PAIRED * size or upper > PAIRED * size:
        return None
    hangul = sum(pair[0] < 0xC9 for pair in pairs)
    return "euc_kr" if hangul > 0.95 * len(pairs) and len(pairs) > 5 else "gb18030"


def _western(raw: bytes) -> str | None:
    """Letters of Western Europe, or else of Central: never many together, and no signs."""
    runs = _runs(raw)
    if any(len(run) > 3 for run in runs):
        return None
    high = b"".join(runs)
    if WESTERN.issuperset(high.decode("cp1252", "replace")):
        return "cp1252"
    return "cp1250" if all(map(str.isalpha, high.decode("cp1250", "replace"))) else None


def _guessed(raw: bytes) -> str | None:
    best = charset_normalizer.from_bytes(raw[:100_000], cp_isolation=GUESSED).best()
    return best.encoding if best else None
