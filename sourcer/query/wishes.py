"""Wishes: what an 'ideally' or a 'preferred' governs."""

from collections.abc import Sequence

from sourcer.query.board import Board
from sourcer.query.cues import Cue
from sourcer.query.lists import Group
from sourcer.query.parts import Mode


def wish(board: Board, groups: Sequence[Group], found: Sequence[Cue]) -> None:
    """Make should of what 'ideally' or 'preferred' governs."""
    listed = {i for group in groups for i in range(group.first, group.last)}
    starts = {group.first: group for group in groups}
    for cue in found:
        if cue.kind == "hedge_before":
            governed = range(cue.last, _clause_end(board, listed, cue))
        elif cue.kind == "hedge_after":
            apart = board.norm(cue.first - 1) in (",", "(", "-")
            governed = range(_clause_start(board, cue.first - apart), cue.first)
        else:
            continue
        for part in (part for i in governed if i in starts for part in starts[i].parts):
            part.mode = Mode.SHOULD


def _clause_end(board: Board, listed: set[int], cue: Cue) -> int:
    """A wish runs to the clause's end, over commas of a list; after 'bonus:' to the sentence's."""
    said = board.words(cue.first, cue.last).lower()
    heading = board.norm(cue.last) in (":", "-", "—") or said == "nice to have"
    stops = frozenset(".;!?" if heading else ".;!?,()")
    for i in range(cue.last, len(board)):
        stop = board.norm(i) in stops and i > cue.last
        if i not in listed and (stop or board.match("but", i) or board.match("must", i)):
            return i
    return len(board)


def _clause_start(board: Board, first: int) -> int:
    i = first
    while (
        i > 0
        and board.norm(i - 1) not in (".", ";", ",", "!", "?", ":", "(")
        and not board.match("but", i - 1)
    ):
        i -= 1
    return i
