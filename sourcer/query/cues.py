"""Words of scope: the 'not', 'ideally' or 'is fine' of a question, where each means it."""

from dataclasses import dataclass

from sourcer.query.board import REACH, Board
from sourcer.query.lexicons import Match

STOPS = frozenset(".;:!?()")
"""What ends a sentence's part; no 'not' reaches over one."""


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
            found.append(Cue(_bearing(board, match), match.value, match.first, match.last))
        i = match.last if match else i + 1
    return found


_CUE_KINDS = (
    "cancel_before",
    "not_only",
    "unless_also",
    "not_a_negator",
    "not_enough",
    "hedge_back",
    "cancel_after",
    "negator_after",
    "hedge_after",
    "hedge_before",
    "negator",
    "but",
    "must",
)


def _holds(board: Board, match: Match) -> bool:
    """Whether a word of scope means here what its kind says."""
    if match.kind == "negator":
        answers = board.norm(match.first) == "no" and board.norm(match.last) == ","
        return not (answers or _gives_way(board, match) or _tells(board, match))
    if match.kind == "unless_also" or match.value == "outside":
        return _goes_on(board, match.last, "also") is (match.kind == "unless_also")
    if match.kind == "negator_after":
        if match.value == "unknown" and not _is_of_profile(board, match.first):
            return False
        return board.norm(match.last) != ":" and _ends_there(board, match)
    if match.kind == "hedge_back":
        ahead = board.match("hedge_before", match.first)
        return ahead is None or ahead.last <= match.last
    is_heading = _is_heading(board, match)
    return match.kind != "hedge_after" or is_heading or _closes_clause(board, match)


def _is_of_profile(board: Board, first: int) -> bool:
    """'LinkedIn unknown': what is not known of a person, not what a code base lacks."""
    at = board.skip_back(first, "filler")
    return board.norm(at - 1) in ("linkedin", "url", "profile", "page", "account")


def _ends_there(board: Board, match: Match) -> bool:
    """'Red Hat skipped' and 'NVIDIA is out, please' deny; 'vLLM hidden states' says nothing."""
    after = board.matches[match.last] if match.last < len(board) else {}
    closing = {"and", "or", "but", "filler", "person", "preposition", "hedge_before", "negator"}
    is_symbol = match.last < len(board) and not board.norm(match.last).isalnum()
    return match.last == len(board) or is_symbol or bool(closing & set(after))


def _tells(board: Board, match: Match) -> bool:
    """'Readers never block writers' tells how a thing works, between words that nothing is known
    of; "who never ..." denies."""
    around = (match.first - 1, match.last)
    return board.norm(match.first) == "never" and all(
        0 <= i < len(board) and not board.matches[i] and board.tokens[i].text[0].isalpha()
        for i in around
    )


def _is_heading(board: Board, match: Match) -> bool:
    """'A plus: Rust' wishes for what follows, as 'Bonus: Rust' does."""
    opens = match.first == 0 or board.norm(match.first - 1) in (".", ";", "!", "?")
    return opens and board.norm(match.last) == ":"


def _gives_way(board: Board, match: Match) -> bool:
    """'no longer at' says the past, and 'anyone but not X' says 'not' once."""
    past = board.match("past", match.first)
    if past is not None and past.last > match.last:
        return True
    return board.norm(match.last - 1) == "but" and board.match("negator", match.last) is not None


def _closes_clause(board: Board, match: Match) -> bool:
    """'ideally' is before and after by its place: after only where its clause ends with it."""
    if board.norm(match.first - 1) == "(" and board.norm(match.last) == ")":
        return True
    ends = match.last == len(board) or board.norm(match.last) in (",", ".", ";", ")", "!", "-")
    ends = ends or any(board.match(kind, match.last) for kind in ("and", "but"))
    opens = match.first == 0 or board.norm(match.first - 1) in (".", ";", ",", ":", "(", "but")
    return ends and not opens


def _bearing(board: Board, match: Match) -> str:
    """'not only X' frees from X, unless 'but also Y' goes on."""
    if match.kind == "hedge_after" and _is_heading(board, match):
        return "hedge_before"
    if match.kind == "hedge_back":
        return "hedge_after"
    if match.kind != "not_only":
        return match.kind
    return "not_only" if _goes_on(board, match.last, "but", "also") else "cancel_before"


def _goes_on(board: Board, first: int, *kinds: str) -> bool:
    """Whether the sentence goes on with one of these, not itself denied: 'also', not 'also no'."""
    for i in range(first, min(len(board), first + 2 * REACH)):
        if board.norm(i) in STOPS:
            return False
        found = next((m for kind in kinds if (m := board.match(kind, i))), None)
        if found:
            return board.match("negator", found.last) is None
    return False
