"""Seniority: 'senior or above', 'staff/principal engineers'; words that only look like a level."""

from collections.abc import Iterator

from sourcer.query.board import Board, Part
from sourcer.query.lexicons import Match, word_set

_LADDER_UP = frozenset({"senior", "lead", "staff", "principal", "distinguished"})
"""Alone, these mean that level or above; the others mean just that."""
_UNSURE_LEVELS = frozenset(
    [
        "staff",
        "lead",
        "mid",
        "executive",
        "max",
        "manager",
        "managers",
        "director",
        "directors",
        "vp",
    ]
)


def read_levels(board: Board) -> Iterator[Part]:
    for match in board.each("seniority"):
        if _is_level(board, match):
            yield _level(board, match)


def _is_level(board: Board, match: Match) -> bool:
    """'staff engineers' but not 'staff at'; 'tech lead' but not 'lead the work'."""
    word, last = board.norm(match.last - 1), match.last
    if board.norm(board.skip_back(match.first, "article") - 1) in word_set("mentoring"):
        return False
    if word == "intern" and board.norm(last) == "-":
        return False
    if match.value == "mid" and _names_a_thing(board, last):
        return False
    if match.last - match.first > 1 or word not in _UNSURE_LEVELS:
        return True
    follows = _is_ranked(board, last)
    if word == "staff" and board.norm(last) in ("", ",", ".", ")", ";"):
        opens = match.first == 0 or board.norm(match.first - 1) in ("(", ",", "or", "/")
        return opens or board.before("hedge_before", match.first) is not None
    if word in ("executive", "director", "directors", "vp", "manager", "managers"):
        return board.before("negator", match.first) is not None and _ends_phrase(board, last)
    return follows or _leads_level(board, last) or _follows_level(board, match.first)


def _is_ranked(board: Board, last: int) -> bool:
    after = last + 1 if board.norm(last) == "-" else last
    said = board.match("person", last) or board.match("or_above", after)
    return said is not None or board.norm(last) in word_set("ranked")


def _names_a_thing(board: Board, last: int) -> bool:
    """'mid-level IR': a word that nothing is known of, or a topic, follows."""
    if last >= len(board) or not board.tokens[last].text[0].isalpha():
        return False
    return not board.matches[last] or "topic" in board.matches[last]


def _ends_phrase(board: Board, last: int) -> bool:
    after = board.matches[last] if last < len(board) else {}
    closing = {"and", "or", "but", "filler", "preposition", "person", "negator"}
    is_stop = last >= len(board) or board.norm(last) in (",", ".", ";", ")", "/")
    return is_stop or bool(closing & set(after))


def _leads_level(board: Board, last: int) -> bool:
    """'staff or principal', 'staff/principal'"""
    ranked = board.skip(last, "or", "and")
    ranked = last + 1 if board.norm(last) in ("/", ",") else ranked
    return ranked > last and board.match("seniority", ranked) is not None


def _follows_level(board: Board, first: int) -> bool:
    at = board.skip_back(first, "or", "and")
    at = at - 1 if board.norm(at - 1) == "," else at
    return at < first and at > 0 and board.taken[at - 1]


def _level(board: Board, match: Match) -> Part:
    first, last, op = match.first, match.last, None
    tail = board.skip(last, "level_word")
    tail = tail + 1 if board.norm(tail) == "-" and board.match("or_above", tail + 1) else tail
    above, below = board.match("or_above", tail), board.match("or_below", tail)
    lead = board.before("comparator", first)
    if board.norm(tail) == "+":
        op, last = ">=", tail + 1
    elif (above and board.norm(tail) not in ("plus",)) or (
        above and board.norm(above.last) in ("", ",", ".", "engineers")
    ):
        op, last = ">=", above.last
    elif below:
        op, last = "<=", below.last
    elif lead:
        op, first = lead.value, lead.first
    default = ">=" if match.value in _LADDER_UP else "="
    return board.part(first, last, ("seniority", op or default, match.value))
