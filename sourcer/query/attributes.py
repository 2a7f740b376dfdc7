"""What one word says of people or their commits: repository, language, seniority and so on."""

from collections.abc import Iterator

from sourcer.query.activities import read_activities
from sourcer.query.board import Board, Part
from sourcer.query.code_languages import read_languages
from sourcer.query.levels import read_levels
from sourcer.query.lexicons import Match, word_set
from sourcer.query.tokens import Kind
from sourcer.query.vocabulary import PRODUCTS


def read_attributes(board: Board) -> Iterator[Part]:
    yield from _repositories(board)
    yield from read_languages(board)
    yield from read_levels(board)
    yield from _bots(board)
    yield from read_activities(board)
    for match in board.each("affiliation"):
        yield board.part(match.first, match.last, ("affiliation", "=", match.value))
    yield from _time_zones(board)


def _bots(board: Board) -> Iterator[Part]:
    for match in board.each("human"):
        after = board.matches[match.last] if match.last < len(board) else {}
        if board.norm(match.first) == "human" and not {"person", "activity"} & set(after):
            continue
        yield board.part(match.first, match.last, ("bot", "=", False))
    for match in board.each("bot"):
        if board.norm(match.last - 1) != "bot" or board.before("negator", match.first):
            yield board.part(match.first, match.last, ("bot", "=", True))


def _repositories(board: Board) -> Iterator[Part]:
    last: int | None = None
    for match in board.each("repo"):
        listed = last is not None and _goes_on(board, last, match)
        if match.value not in PRODUCTS or listed or _is_repository(board, match):
            last = match.last
            yield board.part(match.first, match.last, ("repo", "=", match.value))


def _goes_on(board: Board, last: int, match: Match) -> bool:
    """'vLLM as well as Mooncake, since 2025': the list of repositories goes on, and ends here."""
    start = last
    if not (board.match("or", start) or board.match("and", start) or board.norm(start) == ","):
        return False
    start = start + 1 if board.norm(start) == "," else start
    return board.skip(start, "or", "and", "both", "article") == match.first and _ends(board, match)


def _ends(board: Board, match: Match) -> bool:
    """Nothing that the name could describe comes after it."""
    if match.last == len(board) or board.tokens[match.last].kind is Kind.SYMBOL:
        return True
    after = set(board.matches[match.last])
    return bool(after & {"and", "or", "but", "filler", "preposition", "person", "event"})


def _is_repository(board: Board, match: Match) -> bool:
    """A product's name where a repository can stand: 'contributors to nixl', 'nixl maintainers'."""
    after = board.matches[match.last] if match.last < len(board) else {}
    lead = board.norm(board.skip_back(match.first, "article") - 1)
    ends = match.last == len(board) or board.tokens[match.last].kind is Kind.SYMBOL
    led = lead in ("in", "to", "into", "both", "repo", "repository") and (
        ends or bool({"and", "or", "but", "filler", "preposition"} & set(after))
    )
    return led or board.norm(match.last) in word_set("of_repository")


def _time_zones(board: Board) -> Iterator[Part]:
    for match in board.each("timezone"):
        zone, last = match.value, match.last
        sign, hours = board.norm(last), board.norm(last + 1)
        if (
            board.norm(match.first) in ("utc", "gmt")
            and sign in ("+", "-")
            and hours.isdecimal()
            and int(hours) <= 14
        ):
            zone, last = f"UTC{sign}{int(hours)}", last + 2
            if board.norm(last) == ":" and board.norm(last + 1) in ("15", "30", "45"):
                zone, last = f"{zone}:{board.norm(last + 1)}", last + 2
        elif (
            board.norm(match.first) in ("utc", "gmt", "ist", "est", "cet", "pst", "jst", "kst")
            and not board.tokens[match.first].text.isupper()
        ):
            continue
        yield board.part(match.first, last, ("timezone", "=", zone))
