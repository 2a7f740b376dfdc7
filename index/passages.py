"""The text that is indexed for a commit: terms for BM25, and a sentence for the embedding.

Engineers write one thing in many ways (FlashMLA, flash_mla, flash-mla), so a word gives its
joined form, which is the same for all of them, and its parts. Everything is stemmed (Snowball,
English), questions too.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Protocol, cast

import snowballstemmer

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
    return [term for word in words(text) for term in word]


def words(text: str) -> Iterator[tuple[str, ...]]:
    """Per word of the text its terms: the joined form first, then the parts.

    >>> list(words("KV-cache of Qwen3"))
    [('kvcach', 'kv', 'cach'), ('of',), ('qwen3', 'qwen')]
    """
    found = (word_terms(word) for word in _WORD.findall(_PULL.sub(" ", text)))
    return (word for word in found if word)


@lru_cache(maxsize=1 << 18)
def word_terms(word: str) -> tuple[str, ...]:
    """The terms of one word; numbers and single letters say nothing and give none.

    >>> word_terms("DeepSeek_V3"), word_terms("mxfp4"), word_terms("2024")
    (('deepseekv3', 'deep', 'seek', 'v3'), ('mxfp4', 'mxfp'), ())
    """
    pieces = re.split(r"[_.\-]", _PLURAL_OF_CAPITALS.sub("", word))
    parts = [part.lower() for piece in pieces for part in split_case(piece)]
    versioned = [match[1] for part in parts if (match := _NAMED_VERSION.match(part))]
    spelled = dict.fromkeys(["".join(pieces).lower(), *parts, *versioned])
    return tuple(dict.fromkeys(_stem(term) for term in spelled if _says_something(term)))


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


def _says_something(term: str) -> bool:
    return not term.isdecimal() and (len(term) > 1 or not term.isascii())


def _stem(term: str) -> str:
    return _STEMMER.stemWord(term) if term.isascii() and term.isalpha() else term
