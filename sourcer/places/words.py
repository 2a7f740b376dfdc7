"""words.toml, as sets of normalised words."""

import tomllib
from functools import cache
from pathlib import Path

from sourcer.places.names import normalise


@cache
def words(which: str) -> frozenset[str]:
    """
    >>> "the internet" in words("nowhere"), "nice" in words("also_words")
    (True, True)
    """
    return frozenset(normalise(word) for word in table()[which])


@cache
def table() -> dict[str, list[str]]:
    return tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8"))
