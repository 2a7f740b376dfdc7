"""Protected traits: named, answered without, and said why."""

import re
from dataclasses import replace

from sourcer.places import candidates
from sourcer.query.board import Board
from sourcer.query.lexicons import Match, word_set
from sourcer.query.parts import Refusal
from sourcer.query.tokens import Kind
from sourcer.query.trait_words import traits

_PLACES = {
    "chinese": "China",
    "indian": "India",
    "german": "Germany",
    "american": "the US",
    "french": "France",
}
_NOT_OF_PEOPLE = word_set("not_of_people")
"""What a word of people is about when one of these follows: 'Chinese language models'."""


def read_traits(board: Board) -> None:
    """Take every trait off the board; what it hangs on goes with it."""
    for match in board.each("trait"):
        if _is_meant(board, match):
            dated = match.last - match.first == 2 and board.norm(match.last).isdecimal()
            _refuse(board, "age" if dated else match.value, *_phrase(board, match))
    for match in board.each("trait_of_people"):
        if board.norm(match.last) in _DESCENT:
            _refuse(board, "ethnicity", match.first, match.last + 1)
        elif _is_of_people(board, match):
            _refuse(board, match.value, match.first, match.last)
    _read_bare_ages(board)


_DESCENT = frozenset(
    ["descent", "heritage", "ancestry", "origin", "origins", "roots", "extraction", "background"]
)


def _is_meant(board: Board, match: Match) -> bool:
    """'male' of a connector, 'race' of threads and 'age' of a cache entry are not people's."""
    word, follows = board.norm(match.first), board.norm(match.last)
    follows = board.norm(match.last + 1) if follows == "-" else follows
    if word in ("older", "younger") and match.last - match.first == 2:
        return follows.isdecimal() and len(follows) == 2
    if word in ("graduated", "graduating", "class"):
        return len(follows) == 4 and follows.isdecimal()
    if word in (
        "age",
        "ages",
        "national",
        "phone",
        "phones",
        "church",
        "clearance",
        "race",
        "aged",
    ):
        return (
            match.value != "religion"
            and follows not in _NOT_OF_PEOPLE
            and follows not in ("based", "of")
        )
    return follows not in ("connector", "parser", "classifier", "dataset", "field", "validation")


def _phrase(board: Board, match: Match) -> tuple[int, int]:
    """The trait's words with the number before an age, or the country after a citizen."""
    first, last = match.first, match.last
    if match.value == "age":
        last = last + 1 if board.norm(last).isdecimal() else last
        last = _range_end(board, last)
        first = _before_number(board, first)
    if match.value in ("nationality", "work authorisation"):
        if _is_country(board, first - 1):
            first = board.skip_back(first - 1, "article")
        joint = board.skip(last, "filler", "preposition", "article")
        place = board.match("place", joint)
        last = place.last if place and joint > last and _is_country(board, joint) else last
    return first, last


def _is_country(board: Board, at: int) -> bool:
    place = board.match("place", at)
    return place is not None and any(one.kind == "country" for one in candidates(place.value))


def _range_end(board: Board, last: int) -> int:
    if board.norm(last) in ("-", "to", "and", "–") and board.norm(last + 1).isdecimal():
        return last + 2
    return last


def _before_number(board: Board, first: int) -> int:
    while board.norm(first - 1).isdecimal() or board.norm(first - 1) in (
        "-",
        "–",
        "and",
        "to",
        "between",
        "or",
    ):
        if not any(board.norm(i).isdecimal() for i in range(max(0, first - 3), first)):
            break
        first -= 1
    comparator = board.before("comparator", first)
    return comparator.first if comparator else first


def _is_of_people(board: Board, match: Match) -> bool:
    """Whether a word for people follows within the noun phrase, or ends the question."""
    joined = match.last + (board.norm(match.last) == "-")
    if board.norm(joined) in _NOT_OF_PEOPLE:
        return False
    alone = match.value in ("nationality", "ethnicity") and match.last == len(board)
    for i in range(match.last, min(match.last + 6, len(board))):
        if board.taken[i]:
            return True
        if board.matches[i].get("person") or board.matches[i].get("kept_person"):
            return board.norm(i) not in ("one", "user", "users")
        if board.norm(i) in _NOT_OF_PEOPLE and board.norm(match.first) in (
            "single",
            "black",
            "white",
            "old",
            "healthy",
            "blind",
            "native",
            "foreign",
        ):
            return False
        if _closes_phrase(board, i):
            return False
    return alone


def _closes_phrase(board: Board, i: int) -> bool:
    token = board.tokens[i]
    is_stop = token.kind is Kind.SYMBOL and token.text not in "-/,&"
    return is_stop or "preposition" in board.matches[i] or board.norm(i) in ("who", "that", "with")


def _read_bare_ages(board: Board) -> None:
    """'candidates under 30': a bound right after people, with a number that counts nothing."""
    for match in board.each("comparator"):
        number = board.norm(match.last)
        last = match.last + 1
        people = match.first > 0 and bool(
            board.before("person", match.first) or board.before("kept_person", match.first)
            or board.taken[match.first - 1] or board.norm(match.first - 1) in ("is", "are", "be")
        )  # fmt: skip
        people = people or _stands_apart(board, match.first, last)
        if (
            people
            and re.fullmatch("[1-7][0-9]", number)
            and _is_uncounted(board, match.last)
            and match.value != "="
        ):
            _refuse(board, "age", match.first, last)


def _is_uncounted(board: Board, at: int) -> bool:
    """The number at a token counts nothing."""
    return not board.match("metric", at + 1) and board.norm(at + 1) not in _COUNTED


def _stands_apart(board: Board, first: int, last: int) -> bool:
    """Between commas or the question's ends: 'Triton, under 35, Paris'."""
    return board.norm(first - 1) in ("", ",", ".") and board.norm(last) in ("", ",", ".")


_COUNTED = word_set("counted")


def _refuse(board: Board, trait: str, first: int, last: int) -> None:
    place = _PLACES.get(board.norm(first), "Germany")
    why = traits()[trait].why.format(place=place)
    _say(board, Refusal(trait, board.span(first, last), why))
    board.take(_negator_start(board, first), last)


def _say(board: Board, refusal: Refusal) -> None:
    """'English native speaker' is one trait said in two words: told once."""
    start, end = refusal.span
    for known in board.findings.refused:
        low, high = min(start, known.span[0]), max(end, known.span[1])
        between = board.text[min(end, known.span[1]) : max(start, known.span[0])]
        if known.trait == refusal.trait and not between.strip(" -,"):
            board.findings.refused.remove(known)
            board.findings.refused.append(replace(known, span=(low, high)))
            return
    board.findings.refused.append(refusal)


def _negator_start(board: Board, first: int) -> int:
    """A 'no' before a trait goes with it, so that it turns round nothing else."""
    negator = board.before("negator", board.skip_back(first, "article", "person", "filler"))
    return negator.first if negator else first
