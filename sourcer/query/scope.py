"""Negation and wishes: what a 'not' or an 'ideally' governs."""

from collections.abc import Sequence
from dataclasses import dataclass

from sourcer.query.board import REACH, Board
from sourcer.query.lexicons import Match
from sourcer.query.lists import Group
from sourcer.query.parts import Mode

_EVIDENCE = frozenset(
    {"repo", "path", "window", "language", "first_commit", "last_commit", "limit", "phrase", "pull"}
)
"""What work is looked at in; a 'not' about the work itself does not reach these."""
_STOPS = frozenset(".;:!?()")
_CLEAR = (
    "article",
    "preposition",
    "based",
    "both",
    "must",
    "filler",
    "person",
    "kept_person",
    "present",
    "or",
    "unit",
)


@dataclass(frozen=True, slots=True)
class Cue:
    """A word of scope that no reader took."""

    kind: str
    value: str
    first: int
    last: int


def cues(board: Board) -> list[Cue]:
    """Negators, hedges and the like, longest first, left to right, none inside another."""
    found: list[Cue] = []
    i = 0
    while i < len(board):
        match = next(
            (m for kind in _CUE_KINDS if (m := board.match(kind, i)) and _holds(board, m)), None
        )
        if match and match.kind != "not_a_negator":
            found.append(Cue(match.kind, match.value, match.first, match.last))
        i = match.last if match else i + 1
    return found


_CUE_KINDS = (
    "cancel_before",
    "not_a_negator",
    "cancel_after",
    "negator_after",
    "hedge_after",
    "hedge_before",
    "negator",
    "but",
    "must",
)


def _holds(board: Board, match: Match) -> bool:
    """'ideally' is before and after by its place: after only where its clause ends with it."""
    if match.kind != "hedge_after":
        return True
    ends = match.last == len(board) or board.norm(match.last) in (",", ".", ";", ")", "!", "-")
    opens = match.first == 0 or board.norm(match.first - 1) in (".", ";", ",", ":", "(", "but")
    return ends and not opens


def negate(board: Board, groups: Sequence[Group], found: Sequence[Cue]) -> list[tuple[int, int]]:
    """Turn round what each negator governs; returns the content that is unwanted."""
    unwanted: list[tuple[int, int]] = []
    for cue in found:
        if cue.kind == "negator":
            unwanted.extend(_negate_after(board, groups, cue))
        elif cue.kind == "cancel_before":
            _cancel(_group_after(board, groups, cue.last))
        elif cue.kind in ("negator_after", "cancel_after"):
            before = _group_before(board, groups, cue.first)
            for part in before.parts if before else ():
                if cue.kind == "negator_after":
                    part.negated = not part.negated
                else:
                    part.cancelled = True
    return unwanted


def _cancel(group: Group | None) -> None:
    for part in group.parts if group else ():
        part.cancelled = True


def _group_after(board: Board, groups: Sequence[Group], last: int) -> Group | None:
    start = board.skip(last, *_CLEAR)
    return next((g for g in groups if g.first == start), None)


def _group_before(board: Board, groups: Sequence[Group], first: int) -> Group | None:
    start = board.skip_back(first, "person", "filler", "article", "kept_person")
    return next((g for g in groups if g.last == start), None)


def _negate_after(board: Board, groups: Sequence[Group], cue: Cue) -> list[tuple[int, int]]:
    starts = {group.first: group for group in groups}
    i, content = cue.last, None
    while i < min(len(board), cue.last + 2 * REACH):
        if i in starts:
            return _reach(board, groups, starts[i], content)
        j = _step(board, i)
        if j is None or (content is not None and board.norm(i) == ","):
            break
        if j == i:
            content = (content[0] if content else i, i + 1)
            j = i + 1
        i = j
    return [content] if content else []


def _step(board: Board, i: int) -> int | None:
    """Past small words; None at the end of the clause; i itself at a word with content."""
    if board.norm(i) in _STOPS or board.match("but", i) or board.match("hedge_before", i):
        return None
    if board.taken[i]:
        return i + 1
    if "topic" in board.matches[i]:
        return i
    if board.norm(i) in (",", "-") or board.match("negator", i):
        return i + 1
    return board.skip(i, *_CLEAR)


def _reach(
    board: Board, groups: Sequence[Group], group: Group, content: tuple[int, int] | None
) -> list[tuple[int, int]]:
    if content is not None and group.parts[0].field in _EVIDENCE:
        return [content]
    _turn(board, groups, group)
    return [content] if content else []


def _turn(board: Board, groups: Sequence[Group], group: Group) -> None:
    """Negate a group, and what an 'or' hangs on it: not (A or B) is neither."""
    for part in group.parts:
        part.negated = not part.negated
    following = next((g for g in groups if g.first >= group.last), None)
    joint = board.match("or", group.last)
    if following and joint and board.skip(joint.last, *_CLEAR) >= following.first:
        _turn(board, groups, following)


def wish(board: Board, groups: Sequence[Group], found: Sequence[Cue]) -> None:
    """Make should of what 'ideally' or 'preferred' governs."""
    listed = {i for group in groups for i in range(group.first, group.last)}
    starts = {group.first: group for group in groups}
    for cue in found:
        if cue.kind == "hedge_before":
            governed = range(cue.last, _clause_end(board, listed, cue))
        elif cue.kind == "hedge_after":
            governed = range(_clause_start(board, cue.first), cue.first)
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
