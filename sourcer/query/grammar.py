"""A question understood: the readers take what they know, scope binds it, the rest is meaning."""

from collections.abc import Callable, Iterable
from datetime import date

from sourcer.query.attributes import read_attributes
from sourcer.query.board import Board, Part
from sourcer.query.counts import read_counts
from sourcer.query.cues import cues
from sourcer.query.employers import read_employers
from sourcer.query.lists import Group, conditions, grouped
from sourcer.query.literals import read_literals
from sourcer.query.locations import read_locations
from sourcer.query.negations import negate
from sourcer.query.openness import read_openness
from sourcer.query.parts import Filter, Query
from sourcer.query.remainder import leave_rest, meaning, read_topics
from sourcer.query.times import read_times
from sourcer.query.traits import read_traits
from sourcer.query.vocabulary import Vocabulary, default_vocabulary
from sourcer.query.wishes import wish

READERS: tuple[Callable[[Board], Iterable[Part]], ...] = (
    read_literals,
    read_openness,
    read_times,
    read_counts,
    read_employers,
    read_locations,
    read_attributes,
)
"""In this order, because each takes its words off the board: 'last 5 commits' before 'commits'."""


def parse(text: str, *, today: date, vocabulary: Vocabulary | None = None) -> Query:
    """What a question asks for.

    >>> q = parse("MoE people outside China, ideally senior", today=date(2026, 6, 15))
    >>> [(f.field, f.op, f.value, f.negated, f.mode.value) for f in q.filters]
    [('country', '=', 'CN', True, 'must'), ('seniority', '>=', 'senior', False, 'should')]
    >>> q.semantic, [topic.id for topic in q.topics]
    ('MoE', ['moe'])
    """
    board = Board.of(text, today, vocabulary or default_vocabulary())
    read_traits(board)
    parts = [part for reader in READERS for part in reader(board)]
    groups, found = grouped(board, parts), cues(board)
    unwanted = negate(board, groups, found)
    wish(board, groups, found)
    topics = read_topics(board, unwanted)
    semantic = meaning(board, found, unwanted, bool(parts))
    leave_rest(board, unwanted, semantic, bool(parts), topics)
    said = board.findings
    return Query(
        text,
        tuple(topics),
        tuple(_filters(board, groups)),
        semantic,
        tuple(said.corrected),
        tuple(said.ambiguous),
        tuple(sorted(said.leftover, key=lambda part: part.span)),
        tuple(sorted(said.refused, key=lambda part: part.span)),
    )


def _filters(board: Board, groups: Iterable[Group]) -> Iterable[Filter]:
    for group in groups:
        head = group.parts[0]
        for field, op, value in conditions(group):
            span = board.span(group.first, group.last)
            if field == "bot":
                yield Filter(field, op, bool(value) is not head.negated, False, head.mode, span)
            else:
                yield Filter(field, op, value, head.negated, head.mode, span)
