"""Declared locations: what a place name may mean, and what a profile's text says.

Place names come from GeoNames (https://www.geonames.org/), licensed under CC BY 4.0.
"""

from sourcer.places.declared import Reading, ReadingKind, read
from sourcer.places.filters import within
from sourcer.places.gazetteer import NAMES, Place, candidates, longest, told
from sourcer.places.names import normalise
from sourcer.places.words import words


def also_word(name: str) -> bool:
    """Is a normalised name a word first, so that a question must cue it ("in Nice")?

    >>> also_word("nice"), also_word("boston")
    (True, False)
    """
    return name in words("also_words")


__all__ = [
    "NAMES",
    "Place",
    "Reading",
    "ReadingKind",
    "also_word",
    "candidates",
    "longest",
    "normalise",
    "read",
    "told",
    "within",
]
