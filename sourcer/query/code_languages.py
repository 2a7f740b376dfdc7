"""Programming languages, many of which are words too: 'Go developers' but not 'can go deep'."""

from collections.abc import Iterator

from sourcer.query.board import Board, Part
from sourcer.query.lexicons import Match, word_set

_UNSURE_LANGUAGES = frozenset(
    {
        "Python",
        "Go",
        "C",
        "R",
        "Swift",
        "Julia",
        "Scala",
        "Ruby",
        "Dart",
        "Shell",
        "Lua",
        "Elixir",
        "D",
    }
)


def read_languages(board: Board) -> Iterator[Part]:
    before: Part | None = None
    for match in board.each("language"):
        if _is_compound(board, match):
            continue
        listed = before is not None and _is_listed(board, before.last, match.first)
        if match.value not in _UNSURE_LANGUAGES or listed or _is_language(board, match):
            before = board.part(match.first, match.last, ("language", "=", match.value))
            yield before


def _is_compound(board: Board, match: Match) -> bool:
    """'rust-proof' in small letters is no Rust; 'Rust-based' and 'go-developers' are."""
    following = match.last + 1
    joined = board.norm(match.last) == "-" and following < len(board)
    known = {"language_word", "based", "person", "language"}
    small = board.tokens[match.first].text.islower()
    return joined and small and not known & set(board.matches[following])


def _is_listed(board: Board, last: int, first: int) -> bool:
    i = last
    while i < first and (board.norm(i) in (",", "/", "or", "and", "&", "、")):
        i += 1
    return last < first == i


def _is_language(board: Board, match: Match) -> bool:
    """'Go developers', 'written in Go'; not 'can go deep', 'swift response'."""
    text, last = board.tokens[match.first].text, match.last
    last = last + 1 if board.norm(last) == "-" else last
    verb = board.norm(match.first - 1) in word_set("verb_before") and text.islower()
    if board.match("language_word", last) and not verb:
        return True
    if text[0].isupper() and any(
        board.match(kind, last) for kind in ("hedge_after", "cancel_after", "must", "not_enough")
    ):
        return True
    following = (
        board.match("language", last + 1)
        if board.norm(last) in (",", "/", "or", "and", "&")
        else None
    )
    if following and (following.value not in _UNSURE_LANGUAGES or text[0].isupper()) and not verb:
        return True
    return _is_led(board, match)


def _is_led(board: Board, match: Match) -> bool:
    """'writing python', 'uses Go', 'except for Julia'; in small letters only what is no word."""
    lead, cased = board.norm(match.first - 1), board.tokens[match.first].text[0].isupper()
    lead = board.norm(match.first - 2) if lead == "in" else lead
    if lead in word_set("writes_code"):
        return cased or match.value in _NO_WORDS
    led = board.norm(match.first - 1) in word_set("knows_language")
    return cased and (led or board.before("negator", match.first) is not None)


_NO_WORDS = frozenset({"Python", "Scala", "Lua"})
