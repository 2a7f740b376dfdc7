"""words.toml, as sets of normalised words."""

import tomllib
from functools import cache
from importlib.resources import files

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
    return tomllib.loads(files("sourcer.places").joinpath("words.toml").read_text("utf-8"))
