"""What people did to code: wrote it, reviewed it, brought it in."""

from collections.abc import Iterator

from sourcer.query.board import REACH, Board, Part
from sourcer.query.lexicons import Match, word_set

_WROTE, _MADE = word_set("wrote"), word_set("made")
_AT_FIRST = frozenset(["first", "originally", "initially"])
_OTHERWISE = frozenset(["up", "down", "about", "back", "together", "over"])
"""After these 'brought' tells of something else."""


def read_activities(board: Board) -> Iterator[Part]:
    for match in board.each("activity"):
        if match.value == "review" and (at := _written_too(board, match)) is not None:
            yield board.part(at, at + 1, ("activity", "=", "author"))
        yield board.part(match.first, match.last, ("activity", "=", match.value))
    yield from _introduced(board)


def _written_too(board: Board, review: Match) -> int | None:
    """'both write and review': the word for writing that a review is joined to."""
    before = board.skip_back(review.first, "and", "or", "also")
    after = board.skip(review.last, "and", "or", "also")
    if before < review.first and _is_writing(board, before - 1):
        return before - 1
    return after if after > review.last and _is_writing(board, after) else None


def _is_writing(board: Board, at: int) -> bool:
    return board.norm(at) in _WROTE and not board.taken[at] and not board.match("activity", at)


def _introduced(board: Board) -> Iterator[Part]:
    """'who originally added', 'who brought EPLB into vLLM', 'who wrote the sampler first'"""
    for i in range(len(board)):
        if board.taken[i] or board.norm(i) not in _MADE:
            continue
        first = i - 1 if board.norm(i - 1) in _AT_FIRST and not board.taken[i - 1] else i
        if (first < i and not board.match("event", first)) or _is_brought(board, i):
            yield board.part(first, i + 1, ("activity", "=", "introduced"))
        elif last := _closing_first(board, i):
            board.take(last, last + 1)
            yield board.part(i, i + 1, ("activity", "=", "introduced"))


def _is_brought(board: Board, i: int) -> bool:
    return board.norm(i) == "brought" and board.norm(i + 1) not in _OTHERWISE


def _closing_first(board: Board, i: int) -> int | None:
    """The 'first' at the end of the clause that a verb opens after 'who'."""
    if board.norm(i - 1) not in ("who", "that"):
        return None
    for last in range(i + 1, min(len(board), i + REACH)):
        if board.norm(last) in (",", ".", ";", "?", "and", "who"):
            return None
        ends = last + 1 == len(board) or board.norm(last + 1) in (",", ".", ";", "?")
        if board.norm(last) == "first" and ends and not board.taken[last]:
            return last
    return None
