"""The text that is indexed for a commit: terms for BM25, and a sentence for the embedding.

Engineers write one thing in many ways (FlashMLA, flash_mla, flash-mla), so a word gives its
joined form, which is the same for all of them, and its parts. Everything is stemmed (Snowball,
English), questions too.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Protocol, cast

import snowballstemmer

SUBJECT_WEIGHT = 2
"""How many times a subject's terms count against a path's."""

_PULL = re.compile(r"\(#\d+\)")
_IDEOGRAPH = r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
_WORD = re.compile(rf"{_IDEOGRAPH}|(?:(?!{_IDEOGRAPH})[^\W_])+(?:(?:[_-]|\.(?=\d))[A-Za-z0-9]+)*")
_PART = re.compile(
    r"""(?:[A-Z]?[a-z](?=[A-Z]))?           # Mo|E, Lo|RA, v|LLM: too short to stand alone
        (?:[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\dA-Za-z_]+)?
        (?:\d+(?:[a-z](?![a-z])\d*)*)?      # fp8, e4m3, mi300x: digits belong to their letters
    """,
    re.VERBOSE,
)
_PLURAL_OF_CAPITALS = re.compile(r"(?<=[A-Z]{2})s(?![A-Za-z])")
_NAMED_VERSION = re.compile(r"([a-z]{4,})\d+$")


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802 - snowballstemmer's own name


_STEMMER = cast(_Stemmer, snowballstemmer.stemmer("english"))


def terms(text: str) -> list[str]:
    """The index terms of a subject, or of a question, in their order.

    >>> terms("[Kernel] Tune FusedMoE for B200 (#12345)")
    ['kernel', 'tune', 'fusedmo', 'fuse', 'moe', 'for', 'b200']
    >>> terms("FlashMLA") == terms("flash-mla") == terms("flash_mla")
    True
    """
    return [term for word in _words(text) for term in word_terms(word)]


@lru_cache(maxsize=1 << 18)
def word_terms(word: str) -> tuple[str, ...]:
    """The terms of one word; numbers and single letters say nothing and give none.

    >>> word_terms("DeepSeek_V3"), word_terms("mxfp4"), word_terms("2024")
    (('deepseekv3', 'deep', 'seek', 'v3'), ('mxfp4', 'mxfp'), ())
    """
    parts = _parts(word)
    versioned = [match[1] for part in parts if (match := _NAMED_VERSION.match(part))]
    forms = dict.fromkeys(["".join(parts), *parts, *versioned])
    return tuple(dict.fromkeys(_stem(term) for term in forms if _says_something(term)))


def split_case(word: str) -> list[str]:
    """The parts that a word's capitals show.

    >>> split_case("FusedMoELayer"), split_case("HTTPServer"), split_case("Qwen3VL")
    (['Fused', 'MoE', 'Layer'], ['HTTP', 'Server'], ['Qwen3', 'VL'])
    """
    return [part for part in _PART.findall(word) if part] if word.isascii() else [word]


def sentence(subject: str) -> str:
    """The text whose meaning is embedded: the subject without its pull request's number.

    >>> sentence("[Kernel] Tune FusedMoE for B200 (#12345)")
    '[Kernel] Tune FusedMoE for B200'
    """
    return " ".join(_PULL.sub(" ", subject).split())


def spelled(text: str) -> list[str]:
    """The parts of a text's words in their order, for phrases: "flash mla" is in "FlashMLA".

    >>> spelled("FlashMLA decode"), spelled("flash mla decode")
    (['flash', 'mla', 'decod'], ['flash', 'mla', 'decod'])
    """
    return [_stem(part) for word in _words(text) for part in _parts(word) if _says_something(part)]


def passage(subject: str, paths: Iterable[str]) -> list[str]:
    """The terms of a commit: its subject twice, each directory and file it changed once.

    >>> passage("Tune MoE", ["csrc/moe/topk.cu", "csrc/moe/align.cu"])
    ['tune', 'moe', 'tune', 'moe', 'csrc', 'moe', 'topk', 'cu', 'align', 'cu']
    """
    found = terms(subject) * SUBJECT_WEIGHT
    for place in dict.fromkeys(place for path in paths for place in lineage(path)):
        found.extend(_last_name_terms(place))
    return found


@lru_cache(maxsize=1 << 20)
def lineage(path: str) -> tuple[str, ...]:
    """The directories above a path, from the top, and the path.

    >>> lineage("csrc/moe/topk.cu")
    ('csrc', 'csrc/moe', 'csrc/moe/topk.cu')
    """
    ends = [at for at, letter in enumerate(path) if letter == "/"]
    return (*(path[:end] for end in ends), path)


def _words(text: str) -> list[str]:
    return _WORD.findall(_PULL.sub(" ", text))


def _parts(word: str) -> list[str]:
    pieces = re.split(r"[_.\-]", _PLURAL_OF_CAPITALS.sub("", word))
    return [part.lower() for piece in pieces for part in split_case(piece)]


@lru_cache(maxsize=1 << 18)
def _last_name_terms(place: str) -> tuple[str, ...]:
    return tuple(terms(place.rpartition("/")[2]))


def _says_something(term: str) -> bool:
    return not term.isdecimal() and (len(term) > 1 or not term.isascii())


@lru_cache(maxsize=1 << 18)
def _stem(term: str) -> str:
    return _STEMMER.stemWord(term) if term.isascii() and term.isalpha() else term
