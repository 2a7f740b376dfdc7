"""What one word says of people or their commits: repository, language, seniority and so on."""

from collections.abc import Iterator

from sourcer.query.board import Board, Part
from sourcer.query.lexicons import Match, word_set
from sourcer.query.tokens import Kind
from sourcer.query.vocabulary import PRODUCTS

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


def read_openness(board: Board) -> Iterator[Part]:
    for match in board.each("unheld"):
        place = board.match("place", match.last) if board.norm(match.last - 1) == "to" else None
        board.leave(match.first, place.last if place else match.last, match.value)
    yield from _flags(board, "open", "hireable")
    yield from _flags(board, "linkedin", "has_linkedin")


def read_attributes(board: Board) -> Iterator[Part]:
    yield from _repositories(board)
    yield from _languages(board)
    yield from _seniorities(board)
    yield from _bots(board)
    for match in board.each("activity"):
        yield board.part(match.first, match.last, ("activity", "=", match.value))
    for match in board.each("affiliation"):
        yield board.part(match.first, match.last, ("affiliation", "=", match.value))
    yield from _time_zones(board)


def _flags(board: Board, kind: str, field: str) -> Iterator[Part]:
    for match in board.each(kind):
        if not _is_of_asker(board, match.first):
            yield board.part(match.first, match.last, (field, "=", True))


def _is_of_asker(board: Board, first: int) -> bool:
    """'I am looking for work on MoE' tells of who asks."""
    before = board.norm(first - 1)
    return before in ("i'm", "we're") or (
        before in ("am", "are") and board.norm(first - 2) in ("i", "we")
    )


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


def _languages(board: Board) -> Iterator[Part]:
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
    verb = (
        board.norm(match.first - 1)
        in (
            "can",
            "to",
            "who",
            "may",
            "might",
            "could",
            "will",
            "would",
            "let",
            "we",
            "i",
            "they",
            "should",
            "and",
            "then",
        )
        and text.islower()
    )
    if board.match("language_word", last) and not verb:
        return True
    if text[0].isupper() and any(
        board.match(kind, last) for kind in ("hedge_after", "cancel_after", "must")
    ):
        return True
    following = (
        board.match("language", last + 1)
        if board.norm(last) in (",", "/", "or", "and", "&")
        else None
    )
    if following and (following.value not in _UNSURE_LANGUAGES or text[0].isupper()) and not verb:
        return True
    return text[0].isupper() and board.norm(match.first - 1) in (
        "in",
        "knows",
        "know",
        "with",
        "writes",
        "write",
        "no",
        "not",
        "speaks",
        "wrote",
    )


def _seniorities(board: Board) -> Iterator[Part]:
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
    if match.last - match.first > 1 or word not in _UNSURE_LEVELS:
        return True
    ranked = board.skip(last, "or", "and")
    follows = bool(board.match("person", last) or board.match("or_above", last))
    follows = follows or board.norm(last) in word_set("ranked")
    if word == "staff" and board.norm(last) in ("", ",", ".", ")", ";"):
        opens = match.first == 0 or board.norm(match.first - 1) in ("(", ",", "or")
        return opens or board.before("hedge_before", match.first) is not None
    if word in ("executive", "director", "directors", "vp", "manager", "managers"):
        return False
    listed = (ranked > last and board.match("seniority", ranked)) or _follows_level(
        board, match.first
    )
    return follows or bool(listed)


def _follows_level(board: Board, first: int) -> bool:
    at = board.skip_back(first, "or", "and")
    at = at - 1 if board.norm(at - 1) == "," else at
    return at < first and at > 0 and board.taken[at - 1]


def _level(board: Board, match: Match) -> Part:
    first, last, op = match.first, match.last, None
    tail = board.skip(last, "level_word")
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
