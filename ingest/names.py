"""Names as people write them, and how far two of them agree."""

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache

from pypinyin import lazy_pinyin

GENERIC = {
    "root", "ubuntu", "user", "username", "admin", "administrator", "unknown", "none", "nobody",
    "yourname", "name", "test", "testuser", "developer", "dev", "git", "githubusername", "author",
    "debian", "vscode", "ec2user", "azureuser", "anonymous", "localhost", "docker", "null",
}  # fmt: skip
UNDECOMPOSED = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ß": "ss", "æ": "ae", "œ": "oe", "ı": "i", "þ": "th", "’": "'"}
)
HAN = r"\u3005\u3400-\u9fff\uf900-\ufaff"
CJK = re.compile(rf"[{HAN}\u3040-\u30ff\uac00-\ud7af]")
ASIDE = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|\"[^\"]*\"|“[^”]*”|（[^（）]*）|【[^】]*】")
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
FINAL = (
    "iang|iong|uang|ang|eng|ing|ong|ian|iao|uan|uai"
    "|ai|ei|ao|ou|an|en|in|un|ia|ie|iu|ua|ui|uo|ue|er|[aeiouv]"
)
SYLLABLE = f"(?:zh|ch|sh|[bpmfdtnlgkhjqxrzcsyw])?(?:{FINAL})"
SHORT = re.compile(f"(?:{SYLLABLE}){{1,2}}")
MIN_LETTERS = 8


class Agreement(IntEnum):
    """How two names stand to each other, from contradiction to equality."""

    DIFFERENT = 0
    SURNAME = 1
    UNKNOWN = 2
    LIKELY = 3
    SAME = 4


@dataclass(frozen=True, slots=True)
class Name:
    """A name taken apart: Latin tokens in the order written, and what is written in CJK."""

    tokens: tuple[str, ...]
    cjk: str
    full: bool
    """A first name and a surname, as opposed to a handle or a first name alone."""
    handle: bool
    """One word that is hardly a first name: made up by its owner."""

    @property
    def joined(self) -> str:
        return "".join(self.tokens)

    @property
    def order_free(self) -> str:
        """Equal for "Lund Mira" and "Mira Lund"."""
        return self.cjk or " ".join(sorted(self.tokens))

    @property
    def generic(self) -> bool:
        return not self.cjk and (not self.tokens or self.joined in GENERIC)

    @property
    def strong(self) -> bool:
        """Long enough that two people of one project hardly share it by chance.

        >>> [read(name).strong for name in ("Mira Lund", "Wei Li", "Bo Wenlang", "沈万言", "李伟")]
        [True, False, True, True, False]
        """
        if not self.full:
            return False
        if self.cjk:
            return len(self.cjk) >= 3 or bool(self.tokens)
        return len(self.joined) >= MIN_LETTERS and not is_short(self.joined)


@lru_cache(maxsize=65536)
def fold(text: str) -> str:
    """Case, width and diacritics removed.

    >>> fold("Łukasz Ñuñez ＡＢ")
    'lukasz nunez ab'
    """
    lowered = unicodedata.normalize("NFKC", text).casefold().translate(UNDECOMPOSED)
    apart = unicodedata.normalize("NFKD", lowered)
    kept = "".join(letter for letter in apart if not unicodedata.combining(letter))
    return unicodedata.normalize("NFC", kept)


@lru_cache(maxsize=65536)
def squeeze(text: str) -> str:
    """A login or local part without its separators, to be compared.

    >>> squeeze("What-in_the.box")
    'whatinthebox'
    """
    return re.sub(r"[\W_]+", "", fold(text))


def is_short(word: str) -> bool:
    """Whether it reads as two pinyin syllables or fewer: thousands share such a name.

    >>> [is_short(word) for word in ("wei", "ruixi", "zhangyang", "yichenwang", "mbenell")]
    [True, True, True, False, False]
    """
    return SHORT.fullmatch(word) is not None


def is_telling(word: str, least: int) -> bool:
    """Whether a login, handle or local part is hardly chosen by two people.

    >>> [is_telling(word, 6) for word in ("hollisliu", "shadowkz975", "weizhang1", "mlund7")]
    [True, True, False, True]
    """
    bare = word.rstrip("0123456789")
    return len(word) >= least and bare != "" and not is_short(bare)


@lru_cache(maxsize=65536)
def read(raw: str) -> Name:
    """A name taken apart.

    >>> read("Mart, Martinus").tokens
    ('mart', 'martinus')
    >>> read("MiraLund").tokens, read("MiraLund").full
    (('mira', 'lund'), False)
    >>> read("沈 万言 (Harry Shen)").cjk
    '沈万言'
    """
    text = unicodedata.normalize("NFKC", raw)
    bare = ASIDE.sub(" ", text).strip() or text
    words = bare.replace("'", "").replace("’", "")
    cjk = "".join(CJK.findall(words)) or "".join(CJK.findall(text))
    latin = CJK.sub(" ", words)
    spaced = fold(latin).replace(",", " ").split()
    tokens = tuple(re.findall(r"[^\W_]+", fold(CAMEL.sub(" ", latin))))
    return Name(tokens, cjk, is_full(spaced, tokens, cjk), is_handle(bare, spaced, cjk))


def is_full(spaced: list[str], tokens: tuple[str, ...], cjk: str) -> bool:
    letters = [token for token in tokens if token.isalpha() and len(token) > 1]
    latin = len(spaced) > 1 and len(letters) > 1 and len(letters) >= len(tokens) - 1
    return latin or (not tokens and 2 <= len(cjk) <= 6)


def is_handle(bare: str, spaced: list[str], cjk: str) -> bool:
    """One word, not written as a first name is: "SnowQuill", "mira-l", "QuiL"; not "Mira"."""
    word = squeeze(bare)
    if cjk or len(spaced) != 1 or is_short(word):
        return False
    plain = bare.isalpha() and (bare.istitle() or bare.islower() or bare.isupper())
    return len(word) >= (5 if plain else 4) and not (bare.isalpha() and bare.istitle())


@lru_cache(maxsize=65536)
def agreement(a: Name, b: Name) -> Agreement:
    """How far two names can be one person's.

    >>> def agree(a, b): return str(agreement(read(a), read(b)).name)
    >>> agree("Lund Mira", "mira lund"), agree("mlund", "Mira Lund"), agree("徐文岚", "Xu Wenlan")
    ('SAME', 'LIKELY', 'LIKELY')
    >>> agree("Lei Chen", "Lin Chen"), agree("Mira Lund", "Jo Berg"), agree("root", "Jo Berg")
    ('SURNAME', 'DIFFERENT', 'UNKNOWN')
    """
    if a.generic or b.generic:
        return Agreement.UNKNOWN
    if a.order_free == b.order_free or (a.joined and a.joined == b.joined):
        return Agreement.SAME
    if a.cjk and b.cjk and a.cjk == b.cjk:
        return Agreement.SAME
    if likely(a, b) or likely(b, a):
        return Agreement.LIKELY
    return of_full_names(a, b) if a.full and b.full else Agreement.UNKNOWN


def of_full_names(a: Name, b: Name) -> Agreement:
    """Two full names that are not the same: they share a part, or contradict each other."""
    left, right = set(a.tokens or syllables(a)), set(b.tokens or syllables(b))
    if left & right:
        return Agreement.SURNAME
    return Agreement.UNKNOWN if bool(a.cjk) != bool(b.cjk) else Agreement.DIFFERENT


def likely(a: Name, b: Name) -> bool:
    """Whether `a` can be a shorter or differently written form of `b`."""
    if a.cjk and not b.cjk:
        return same_in_pinyin(a, b)
    if not a.tokens or not b.tokens:
        return False
    return (
        is_part(a, b) or is_abbreviation(a, b) or is_made_of(a.joined, b) or repeats_surname(a, b)
    )


def is_part(a: Name, b: Name) -> bool:
    return Counter(a.tokens) <= Counter(b.tokens) and len(a.joined) >= 4


def is_abbreviation(a: Name, b: Name) -> bool:
    """Whether one token is short for another, and the rest is shared.

    >>> [is_abbreviation(read(a), read("Stanislaw Lund")) for a in ("Stan Lund", "S. Lund")]
    [True, True]
    >>> is_abbreviation(read("Yi Lund"), read("Yifan Lund"))
    False
    """
    left, right = set(a.tokens) - set(b.tokens), set(b.tokens) - set(a.tokens)
    if len(left) != 1 or len(right) != 1 or not set(a.tokens) & set(b.tokens):
        return False
    short, long = left.pop(), right.pop()
    return long.startswith(short) and (len(short) == 1 or len(short) >= 4)


def is_made_of(handle: str, b: Name) -> bool:
    """Whether a handle is built from a full name.

    >>> [is_made_of(handle, read("Mira Lund")) for handle in ("mlund", "lundmira7", "mirage")]
    [True, True, False]
    """
    bare = handle.rstrip("0123456789")
    return len(bare) >= 5 and bare in spellings(b)


def repeats_surname(a: Name, b: Name) -> bool:
    """Whether the first word is the whole name already, as some companies' addresses have it.

    >>> repeats_surname(read("lundmira.lund"), read("Mira Lund"))
    True
    """
    first, *rest = a.tokens
    return bool(rest) and set(rest) <= set(b.tokens) and is_made_of(first, b)


@lru_cache(maxsize=65536)
def spellings(name: Name) -> frozenset[str]:
    """The handles that a full name suggests.

    >>> sorted(spellings(read("Mira Lund")))
    ['lmira', 'lundm', 'lundmira', 'miral', 'miralund', 'mlund']
    """
    if len(name.tokens) < 2:
        return _turned(name.cjk)
    first, last, rest = name.tokens[0], name.tokens[-1], "".join(name.tokens[1:])
    whole = {first + rest, rest + first, last + first, first + last}
    initials = {first[0] + last, first[0] + rest, last + first[0], first + last[0], last[0] + first}
    return frozenset(whole | initials)


@lru_cache(maxsize=65536)
def _pinyin(cjk: str) -> tuple[str, ...]:
    return tuple(lazy_pinyin(cjk, errors="ignore"))


def syllables(name: Name) -> tuple[str, ...]:
    """The pinyin of a CJK name.

    >>> syllables(read("徐文岚"))
    ('xu', 'wen', 'lan')
    """
    return _pinyin(name.cjk)


def same_in_pinyin(cjk: Name, latin: Name) -> bool:
    """Whether a Latin name spells a CJK one, surname first or last."""
    return latin.joined.rstrip("0123456789") in _turned(cjk.cjk)


def _turned(cjk: str) -> frozenset[str]:
    parts = _pinyin(cjk)
    cuts = range(min(3, len(parts))) if len(parts) > 1 else ()
    return frozenset("".join(parts[cut:] + parts[:cut]) for cut in cuts)


@lru_cache(maxsize=65536)
def traces(name: Name) -> frozenset[str]:
    """Words of which two agreeing names share one: a cheap test before `agreement`."""
    bare = name.joined.rstrip("0123456789")
    return frozenset((*name.tokens, name.joined, bare, name.order_free)) | spellings(name)
