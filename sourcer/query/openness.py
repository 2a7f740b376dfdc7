"""Who would talk about a job, and what is known of profiles."""

from collections.abc import Iterator

from sourcer.query.board import Board, Part
from sourcer.query.lexicons import Match, word_set


def read_openness(board: Board) -> Iterator[Part]:
    for match in board.each("unheld"):
        place = board.match("place", match.last) if board.norm(match.last - 1) == "to" else None
        board.leave(match.first, place.last if place else match.last, match.value)
    yield from _flags(board, "open", "hireable")
    yield from _seekers(board)
    yield from _flags(board, "linkedin", "has_linkedin")


def _flags(board: Board, kind: str, field: str) -> Iterator[Part]:
    for match in board.each(kind):
        if not _is_of_asker(board, match.first) and not _employs(board, match):
            yield board.part(match.first, match.last, (field, "=", True))


def _is_of_asker(board: Board, first: int) -> bool:
    """'I am looking for work on MoE' tells of who asks."""
    before = board.norm(first - 1)
    return before in ("i'm", "we're") or (
        before in ("am", "are") and board.norm(first - 2) in ("i", "we")
    )


def _employs(board: Board, match: Match) -> bool:
    """'engineers at LinkedIn', 'ex-LinkedIn' and 'LinkedIn employees' are about the company."""
    if board.norm(match.first) != "linkedin" or match.last > match.first + 1:
        return False
    at = board.before("present", match.first) or board.before("past", match.first)
    people = board.match("person", match.last)
    return (at or people) is not None and "profile" not in board.norm(match.last)


def _seekers(board: Board) -> Iterator[Part]:
    """'thinking about a new role', 'in the market for their next challenge'"""
    for match in board.each("seeking"):
        last = match.last
        while board.norm(last) in _NEXT:
            last += 1
        seat = board.match("seat", last)
        asks = match.first == 0 and board.norm(match.first) in ("looking", "searching", "seeking")
        if seat and not asks and not _is_of_asker(board, match.first):
            yield board.part(match.first, seat.last, ("hireable", "=", True))


_NEXT = word_set("next_seat")
