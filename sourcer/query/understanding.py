"""How every face reads a question: with the topics at hand, and one more filter if one is given."""

from dataclasses import replace
from datetime import date

from sourcer.query.grammar import parse
from sourcer.query.parts import Filter, Query
from sourcer.query.vocabulary import Vocabulary
from sourcer.topics import Taxonomy


def vocabulary_of(taxonomy: Taxonomy) -> Vocabulary:
    """The names that a question may use where these topics are known."""
    said = {topic.id: (topic.name, *topic.words) for topic in taxonomy.topics}
    return Vocabulary(topics=said, find_topics=taxonomy.find)


def understood(
    question: str, vocabulary: Vocabulary, today: date, repo: str | None = None
) -> Query:
    """What a question says; `repo` keeps to one repository, whatever else it says.

    >>> from sourcer.query import default_vocabulary
    >>> known = default_vocabulary()
    >>> understood("moe kernels", known, date(2026, 6, 15), "vllm").filters[0].value
    'vllm'
    """
    query = parse(question, today=today, vocabulary=vocabulary)
    if repo is None:
        return query
    return replace(query, filters=(*query.filters, Filter("repo", "=", repo)))
