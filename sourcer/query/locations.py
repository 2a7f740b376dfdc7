"""Places: one reading is asserted only where the words leave no other."""

from collections.abc import Iterator
from dataclasses import dataclass

from sourcer.places import Place, also_word, candidates, normalise, told
from sourcer.query.board import Board, Part
from sourcer.query.lexicons import Match, word_set
from sourcer.query.parts import Ambiguity
from sourcer.query.place_filters import as_shown, place_conditions
from sourcer.query.tokens import Kind

_PLAIN_STATES, _UNSURE_CODES = word_set("plain_state"), word_set("unsure_code")
_ALSO_WORDS = word_set("place_word")
"""Names that need a capital and a place's surroundings."""
_BIG = 100
"""From this weight on a city's name in capitals is the city, wherever it stands."""
_HUGE = 600
"""From this weight on even in small letters."""
_PLAIN_CODES = frozenset({"UK", "UAE", "USA"})
_SMALL = 25
"""Below this weight a city is named with its state or country."""
_CLEAR = 5
"""A first reading this many times as large as the second one is the one that is meant."""


def read_locations(board: Board) -> Iterator[Part]:
    before: Part | None = None
    for match in board.each("place"):
        before = _read(board, match, before) or before
        if before and before.first == match.first:
            yield before
    yield from _codes(board)


@dataclass(frozen=True, slots=True)
class Named:
    """A name's readings, narrowed by the state or country that follows it, up to token `last`."""

    readings: tuple[Place, ...]
    last: int
    inside: str | None = None
    """state or country, where one follows"""


def _read(board: Board, match: Match, before: Part | None) -> Part | None:
    named = _named(board, match)
    if not (named.inside or _is_placed(board, match, before)):
        return None
    place = _only(named.readings)
    if place is None:
        _tell(board, match, named.readings)
        return None
    if not named.inside:
        _also_tell(board, match, named.readings, place)
    place = as_shown(place, board.words(match.first, match.last))
    part = board.part(match.first, named.last, *place_conditions(place, match.value, named.inside))
    part.place = place
    return part


def _named(board: Board, match: Match) -> Named:
    """'Cambridge, MA', 'Georgia, USA', 'Toronto, ON, Canada'"""
    readings = candidates(match.value)
    at = _after_comma(board, match.last)
    outer = board.match("place", at)
    for wider in candidates(outer.value) if outer else ():
        inside = tuple(one for one in readings if _lies_in(one, wider))
        if inside and outer:
            last = _named(board, outer).last if at > match.last else outer.last
            return Named(inside[:1], last, wider.kind)
    states = _states(board, at)
    inside = tuple(one for one in readings if one.admin1 in states)
    if not inside:
        return Named(readings, match.last)
    country = board.match("place", _after_comma(board, at + 1))
    within = country and any(_lies_in(inside[0], one) for one in candidates(country.value))
    return Named(inside[:1], country.last if country and within else at + 1, "state")


def _after_comma(board: Board, at: int) -> int:
    return at + 1 if board.norm(at) in (",", "(") else at


def _states(board: Board, at: int) -> set[str | None]:
    """The states that a code may mean; in small letters only after a comma: 'cambridge, ma'."""
    if at >= len(board) or board.taken[at]:
        return set()
    code = board.tokens[at].text
    led = board.norm(at - 1) == "," and len(code) == 2 and code not in word_set("word_code")
    if not (code.isupper() or led):
        return set()
    return {one.admin1 for one in candidates(code.upper()) if one.kind == "state"}


def _lies_in(one: Place, wider: Place) -> bool:
    if wider.kind == "state":
        return one.kind in ("city", "region") and one.admin1 == wider.admin1
    return (
        wider.kind == "country"
        and one.kind in ("city", "region", "state", "province", "district")
        and one.country == wider.country
    )


def _is_placed(board: Board, match: Match, before: Part | None) -> bool:
    cased = board.tokens[match.first].text[0].isupper() and not board.shouts
    listed = before is not None and _continues(board, before, match.first)
    slot = _has_slot(board, match) or listed
    if board.norm(match.first) == "us" and match.last == match.first + 1:
        return _is_country_us(board, match, cased, slot)
    said = normalise(board.words(match.first, match.last))
    if also_word(said) or said in _ALSO_WORDS:
        country = _is_country(board, match)
        slot = slot or (cased and country and board.norm(match.first - 1) == "and")
        return (cased or country) and slot and not _OTHER_KINDS & set(board.matches[match.first])
    first = candidates(match.value)[:1]
    if not first or first[0].kind == "school":
        return False
    if first[0].kind != "country" and "language" in board.matches[match.first]:
        return False
    if first[0].kind != "city":
        return slot or cased or len(said) > 3 or match.value in _PLAIN_CODES
    return _is_city_placed(board, match, first[0], cased, slot)


def _is_country(board: Board, match: Match) -> bool:
    """'outside china' in small letters, with nothing after it that it could describe."""
    after = board.matches[match.last] if match.last < len(board) else {}
    closing = {"and", "or", "but", "filler", "person", "preposition", "based", "negator", "event"}
    ends = match.last == len(board) or not board.norm(match.last).isalpha() or closing & set(after)
    return bool(ends) and any(one.kind == "country" for one in candidates(match.value))


def _is_city_placed(board: Board, match: Match, place: Place, cased: bool, slot: bool) -> bool:
    """A city's name is often a word: small letters need a place's slot and a large city."""
    if not match.value.isascii():
        return True
    other = _OTHER_KINDS & set(board.matches[match.first])
    if other and not (slot and cased and place.weight >= _BIG):
        return False
    if cased and slot:
        return place.weight >= _SMALL
    if len(match.value) <= 3 and match.value != "nyc":
        return cased and slot
    if place.weight >= _HUGE and (len(match.value) > 4 or match.value == "nyc"):
        return True
    return place.weight >= _BIG and (slot or cased or _alone(board, match))


_OTHER_KINDS = frozenset(
    {"topic", "repo", "language", "hardware", "activity", "seniority", "filler", "person", "number"}
)


def _has_slot(board: Board, match: Match) -> bool:
    """'in X', 'based in X', 'not X', 'X-based', 'X area', '(X', 'location: X'"""
    left = board.skip_back(match.first, "article")
    lead = board.before("preposition", left)
    led = lead is not None and lead.value in ("in", "from", "near")
    led = led or bool(board.before("based", left) or board.before("negator", left))
    led = led or (board.norm(left - 1) == ":" and bool(board.before("negator", left - 1)))
    last = match.last + 1 if board.norm(match.last) == "-" else match.last
    followed = board.norm(last) in _OF_PLACES or any(
        board.match(kind, last) for kind in ("based", "negator_after")
    )
    return led or followed or board.norm(left - 1) in ("(", "location", ":")


_OF_PLACES = frozenset({"area", "office", "offices", "hub"})


def _is_country_us(board: Board, match: Match, cased: bool, slot: bool) -> bool:
    """'US' in capitals; 'us' only where a pronoun cannot stand."""
    if cased and not board.shouts:
        return True
    word = board.norm(match.first - 1)
    based = board.match("based", match.last) or board.norm(match.last) in ("-", "only", "timezone")
    before_people = match.first == 0 and board.match("person", match.last)
    listed = slot and word in ("or", "and", ",", "/")
    return bool(
        based or before_people or listed or word in ("the", "in", "outside", "within", "across")
    )


def _continues(board: Board, before: Part, first: int) -> bool:
    i = before.last
    while i < first:
        j = board.skip(i, "or", "and", "article", "preposition", "based", "person")
        if j == i and board.norm(i) not in (",", "/", "、", "("):
            return False
        i = max(j, i + 1)
    return before.last < first


def _alone(board: Board, match: Match) -> bool:
    """A city between commas or the question's ends."""
    opens = match.first == 0 or board.norm(match.first - 1) in (",", ";", ".", "(", "+")
    closes = match.last == len(board) or board.norm(match.last) in (",", ";", ".", ")", "+")
    return opens and closes and not (match.first == 0 and match.last == len(board))


def _only(readings: tuple[Place, ...]) -> Place | None:
    """The one reading, or the one that outweighs the rest."""
    first = next((one for one in readings if one.kind == "country"), readings[0])
    first = first if _same(first, readings[0]) else readings[0]
    others = [one for one in readings if one != first and not _same(one, first)]
    return first if all(_outweighs(first, one) for one in others) else None


def _outweighs(first: Place, other: Place) -> bool:
    """A state's name is meant for the state more readily than its weight says."""
    weight = first.weight * (2 if first.kind == "state" else 1)
    return other.weight * _CLEAR <= weight


def _same(one: Place, other: Place) -> bool:
    """Singapore the city lies in Singapore the country: no other reading."""
    return one.country == other.country and "country" in (one.kind, other.kind)


def _tell(board: Board, match: Match, readings: tuple[Place, ...]) -> None:
    said = tuple(dict.fromkeys(told(one) for one in readings if one.weight >= _SMALL))
    text, span = board.words(match.first, match.last), board.span(match.first, match.last)
    board.findings.ambiguous.append(Ambiguity(text, span, said))
    lead = board.before("preposition", match.first)
    board.take(lead.first if lead and lead.value in ("in", "from") else match.first, match.last)


def _also_tell(board: Board, match: Match, readings: tuple[Place, ...], place: Place) -> None:
    """A clear reading that has a rival of some size is shown with it."""
    rivals = [
        one for one in readings if one != place and not _same(one, place) and one.weight >= _BIG
    ]
    if rivals:
        text, span = board.words(match.first, match.last), board.span(match.first, match.last)
        said = tuple(dict.fromkeys(told(one) for one in (place, *rivals)))
        board.findings.ambiguous.append(Ambiguity(text, span, said, told(place)))


def _codes(board: Board) -> Iterator[Part]:
    """'in TX' is a state; 'in CA' could be two places."""
    for i, token in enumerate(board.tokens):
        lead = board.before("preposition", i)
        if (
            board.taken[i]
            or token.kind is not Kind.WORD
            or not lead
            or lead.value not in ("in", "from")
            or board.shouts
        ):
            continue
        if token.norm in _PLAIN_STATES and token.text.isupper():
            state = candidates(token.text)[0]
            part = board.part(i, i + 1, *place_conditions(state, token.text, None))
            part.place = state
            yield part
        elif token.norm in _UNSURE_CODES and token.text.isupper():
            readings = tuple(told(one) for one in candidates(token.text))
            board.findings.ambiguous.append(Ambiguity(token.text, board.span(i, i + 1), readings))
            board.take(lead.first, i + 1)
