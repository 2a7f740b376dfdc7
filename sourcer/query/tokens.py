"""The question cut into tokens that know where they stand.

>>> [token.text for token in tokenise("ex-Meta, C++ in csrc/*.cu since v0.6")]
['ex', '-', 'Meta', ',', 'C++', 'in', 'csrc/*.cu', 'since', 'v0.6']
"""

import re
import unicodedata
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache


class Kind(StrEnum):
    """What a token is by its shape alone."""

    QUOTED = "quoted"
    LINK = "link"
    DATE = "date"
    PATH = "path"
    GLOB = "glob"
    HANDLE = "handle"
    PULL = "pull"
    VERSION = "version"
    NUMBER = "number"
    WORD = "word"
    SYMBOL = "symbol"


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the question; `norm` is what lexicons know it by."""

    text: str
    start: int
    end: int
    kind: Kind
    norm: str


_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_LETTER = rf"[^\W{_CJK}]"
_SHAPES = re.compile(
    rf"""
    (?P<quoted>"[^"\n]{{1,120}}"|“[^”\n]{{1,120}}”|„[^“”\n]{{1,120}}[“”]|「[^」\n]{{1,120}}」)
    |(?P<link>https?://[^\s,;"]+)
    |(?P<date>(?<!\d)(?:\d{{4}}[-/]\d{{1,2}}[-/]\d{{1,2}}|\d{{1,2}}\.\d{{1,2}}\.20\d{{2}})(?!\d))
    |(?P<handle>(?<![\w.])@[A-Za-z0-9][A-Za-z0-9_-]{{0,38}})
    |(?P<path>(?<![\w/])\.?(?!\d){_LETTER}[\w.-]{{0,80}}(?:(?:/[\w.*-]{{0,79}}[\w*-])+/?|/(?=[\s,;]|$)))
    |(?P<glob>(?<![\w*/.])\*{{1,2}}(?:/[\w.*-]{{1,80}})*(?:\.\w{{1,10}}|/)(?!\w))
    |(?P<pull>\#\d{{1,7}}(?!\w))
    |(?P<version>(?<!\w)[vV]\d{{1,4}}(?:\.\d{{1,4}}){{0,3}}(?![\w.]\w))
    |(?P<number>\d+(?:,\d{{3}})*(?:\.\d+)?(?!{_LETTER}))
    |(?P<word>(?:[A-Za-z]\.){{2,6}}|[Cc]\+\+|[CcFf]\#|['’][sS](?!\w)|{_LETTER}+(?:['’](?![sS]\b)(?=[^\W\d_]){_LETTER}+|\.(?=[a-zà-ÿ]){_LETTER}+)*|[{_CJK}])
    |(?P<symbol>>=|<=|=>|->|[^\s])
    """,
    re.VERBOSE,
)


def tokenise(text: str) -> list[Token]:
    """Every token of the text, in order; time grows with its length only."""
    return [token for match in _SHAPES.finditer(text) for token in _tokens(match)]


def _tokens(match: re.Match[str]) -> list[Token]:
    """One token; an alternative like 'CUDA/Triton' only looks like a path and is cut."""
    if match.lastgroup != "path" or looks_like_path(match.group()):
        return [_token(match.group(), match.start(), Kind(match.lastgroup or "symbol"))]
    return [
        replace(token, start=token.start + match.start(), end=token.end + match.start())
        for piece in re.finditer(r"[^/]+|/", match.group())
        for inner in _SHAPES.finditer(piece.group())
        for token in [
            _token(inner.group(), piece.start() + inner.start(), Kind(inner.lastgroup or "symbol"))
        ]
    ]


def _token(text: str, start: int, kind: Kind) -> Token:
    return Token(text, start, start + len(text), kind, fold(text))


def looks_like_path(text: str) -> bool:
    """Whether words with a slash are a place in a tree rather than an alternative.

    >>> [looks_like_path(text) for text in ("csrc/moe", "and/or", "CUDA/Triton", "a/b/c.py")]
    [True, False, False, True]
    """
    pieces = text.strip("./").split("/")
    if set(pieces) <= _BOTH_ENGINES:
        return False
    if "*" in text or text.startswith(".") or pieces[0] in _ROOTS:
        return True
    return "_" in text or (len(pieces) > 2 and text == text.lower()) or "." in pieces[-1][1:-1]


_BOTH_ENGINES = frozenset({"vllm", "sglang"})
_ROOTS = frozenset(
    [
        "vllm",
        "csrc",
        "python",
        "tests",
        "test",
        "docs",
        "benchmarks",
        "benchmark",
        "examples",
        "src",
        "lib",
        "rust",
        "cmake",
        "tools",
        "docker",
        "scripts",
        "sgl-kernel",
        "sgl-router",
        "sgl-model-gateway",
        "sglang",
        "srt",
        "kernels",
        "include",
        "3rdparty",
        "requirements",
    ]
)
"""Directories that begin a path even when it is short."""


@lru_cache(maxsize=8192)
def fold(text: str) -> str:
    """Case, accents and the dots of abbreviations do not tell words apart.

    >>> fold("München"), fold("U.S."), fold("who’s"), fold("torch.compile")
    ('munchen', 'us', "who's", 'torch.compile')
    """
    if re.fullmatch(r"(?:[A-Za-z]\.){2,6}", text):
        text = text.replace(".", "")
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFKD", text.replace("’", "'").casefold())
    return "".join(c for c in plain if not unicodedata.combining(c)).casefold()
