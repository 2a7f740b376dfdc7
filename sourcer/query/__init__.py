"""Questions in plain English and the one form they are understood in.

>>> from datetime import date
>>> parse("reviewers in Poland", today=date(2026, 6, 15)).filters[1].value
'PL'
"""

from sourcer.query.grammar import parse
from sourcer.query.parts import (
    Ambiguity,
    Correction,
    Filter,
    Leftover,
    Mode,
    Query,
    Refusal,
    Topic,
)  # fmt: skip
from sourcer.query.reading_json import read_query
from sourcer.query.vocabulary import Vocabulary, default_vocabulary, vocabulary_of

__all__ = [
    "Ambiguity",
    "Correction",
    "Filter",
    "Leftover",
    "Mode",
    "Query",
    "Refusal",
    "Topic",
    "Vocabulary",
    "default_vocabulary",
    "parse",
    "read_query",
    "vocabulary_of",
]
