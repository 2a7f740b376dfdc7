"""Places: one reading is asserted only where the words leave no other."""

from collections.abc import Iterator

from sourcer.query.board import Board, Condition, Part
from sourcer.query.gazetteer import Place, candidates
from sourcer.query.lexicons import Match
from sourcer.query.parts import Ambiguity
from sourcer.query.tokens import Kind

_STATES = dict.fromkeys(
    "AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH"
    " OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY DC".split(), "US",
) | dict.fromkeys("AB BC MB NB NS ON QC SK".split(), "CA") | dict.fromkeys("NSW VIC QLD".split(), "AU")  # fmt: skip
_PLAIN_STATES = frozenset("NY TX WA MA NJ NC VA FL OH MI MN UT AZ".split())
"""State codes that mean little else, so that 'in TX' is a place."""
_UNSURE_CODES = {"CA": ("California", "Canada"), "DE": ("Delaware", "Germany"), "IL": ("Illinois", "Israel"), "GA": ("US state of Georgia", "Gabon"), "IN": ("Indiana", "India"), "CO": ("Colorado", "Colombia")}  # fmt: skip
_ALSO_WORDS = frozenset(
    "reading nice mobile bath split orange turkey chad jordan guinea jersey georgia china cuba mali niger aurora"
    " phoenix enterprise sterling gary eugene independence victoria hamilton lincoln madison jackson columbia"
    " surprise buffalo flint salem normal troy bend crawley worth most same man much opportunity la eu sf hk nz"
    " batman marina orlando kent ha a sale lens tours as ob van hull bar mary oral elk vista santa march union mission"
    " togo oman peru laos grenada dominica male carol".split()
)
"""Names that need a capital and a place's surroundings."""
_HUBS = frozenset(
    "berlin toronto montreal seattle boston austin paris london munich zurich beijing shanghai shenzhen hangzhou"
    " tokyo seoul bengaluru bangalore sydney melbourne amsterdam warsaw dublin singapore nyc".split()
) | {"new york", "tel aviv", "san francisco", "los angeles", "palo alto", "mountain view"}  # fmt: skip
_CLEAR = 5
"""A first reading this many times as large as the second one is the one that is meant."""


def read_locations(board: Board) -> Iterator[Part]:
    before: Part | None = None
    for match in board.each("place"):
        before = _read(board, match, before) or before
        if before and before.first == match.first:
            yield before
    yield from _codes(board)


def _read(board: Board, match: Match, before: Part | None) -> Part | None:
    readings, last = _qualified(board, match)
    qualified = last > match.last
    if not (qualified or _is_placed(board, match, before)):
        return None
    place = _only(readings)
    if place is None:
        _tell(board, match, readings)
        return None
    conditions = _conditions(place, board, match, qualified)
    part = board.part(match.first, last, *conditions)
    part.place = place
    return part


def _qualified(board: Board, match: Match) -> tuple[tuple[Place, ...], int]:
    """The readings that a following state or country leaves: 'Cambridge, MA', 'Georgia, USA'."""
    readings = candidates(match.value)
    at = match.last + 1 if board.norm(match.last) in (",", "(") else match.last
    outer = board.match("place", at)
    for wider in candidates(outer.value) if outer else ():
        inside = tuple(one for one in readings if _lies_in(one, wider))
        if inside and outer:
            further = _qualified(board, outer)[1] if at > match.last else outer.last
            return _narrow(inside, wider), further
    code = board.tokens[at].text if at < len(board) and board.is_free(at, at + 1) else ""
    inside = tuple(one for one in readings if one.country == _STATES.get(code) and one.admin1 == f"{one.country}-{code}")
    return (inside, at + 1) if inside and board.is_free(at, at + 1) else (readings, match.last)


def _lies_in(one: Place, wider: Place) -> bool:
    if wider.kind == "admin1":
        return one.kind in ("city", "metro") and one.admin1 == wider.admin1
    return wider.kind == "country" and one.kind in ("city", "metro", "admin1") and one.country == wider.country


def _narrow(inside: tuple[Place, ...], _wider: Place) -> tuple[Place, ...]:
    return inside[:1]


def _is_placed(board: Board, match: Match, before: Part | None) -> bool:
    if match.value.isascii() is False:
        return True
    name = match.value.lower()
    cased = board.tokens[match.first].text[0].isupper() and not board.shouts()
    slot = _has_slot(board, match) or (before is not None and _continues(board, before, match.first))
    if name in ("us", "u.s."):
        return _is_country_us(board, match, cased, slot)
    if name in _ALSO_WORDS:
        return cased and (slot or name in ("eu",))
    kind = candidates(match.value)[0].kind
    return slot or kind in ("country", "region", "metro", "admin1") or (cased and name in _HUBS) or _alone(board, match)


def _has_slot(board: Board, match: Match) -> bool:
    left = board.skip_back(match.first, "article")
    lead = board.before("preposition", left)
    return bool(
        (lead and lead.value in ("in", "from", "near")) or board.before("based", left)
        or board.before("negator", left) or board.match("based", match.last)
        or (board.norm(match.last) == "-" and board.match("based", match.last + 1))
        or board.norm(match.last) == "area" or board.norm(left - 1) in ("(", "location", ":")
    )  # fmt: skip


def _is_country_us(board: Board, match: Match, cased: bool, slot: bool) -> bool:
    """'US' in capitals; 'us' only where a pronoun cannot stand."""
    if cased and not board.shouts():
        return True
    word = board.norm(match.first - 1)
    based = board.match("based", match.last) or board.norm(match.last) in ("-", "only", "timezone")
    before_people = match.first == 0 and board.match("person", match.last)
    listed = slot and word in ("or", "and", ",", "/")
    return bool(based or before_people or listed or word in ("the", "in", "outside", "within", "across"))


def _continues(board: Board, before: Part, first: int) -> bool:
    i = before.last
    while i < first:
        j = board.skip(i, "or", "and", "article", "preposition", "based", "person")
        if j == i and board.norm(i) not in (",", "/", "、"):
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
    first = readings[0]
    others = [one for one in readings[1:] if not _same(one, first)]
    if not others:
        return first
    if first.kind == "city" and all(one.kind == "city" and one.people * _CLEAR <= first.people for one in others):
        return first
    return None


def _same(one: Place, other: Place) -> bool:
    """Singapore the city lies in Singapore the country: no other reading."""
    return one.country == other.country and "country" in (one.kind, other.kind)


def _tell(board: Board, match: Match, readings: tuple[Place, ...]) -> None:
    said = tuple(dict.fromkeys(_says(one) for one in readings))
    text, span = board.words(match.first, match.last), board.span(match.first, match.last)
    board.findings.ambiguous.append(Ambiguity(text, span, said))
    lead = board.before("preposition", match.first)
    board.take(lead.first if lead and lead.value in ("in", "from") else match.first, match.last)


def _says(place: Place) -> str:
    return ", ".join(bit for bit in (place.city, place.admin1 or place.country) if bit) or place.region or ""


def _conditions(place: Place, board: Board, match: Match, qualified: bool) -> tuple[Condition, ...]:
    if place.kind == "region":
        return (("region", "=", place.region or ""),)
    if place.kind == "metro":
        return (("location", "in", f"{place.admin1}:{place.region}"),)
    country: Condition = ("country", "=", place.country or "")
    if place.kind == "country":
        return (country,)
    if place.kind == "admin1":
        return (country, ("admin1", "=", place.admin1 or ""))
    if not qualified:
        return (("city", "=", place.city or ""),)
    return _city_within(place, country)


def _city_within(place: Place, country: Condition) -> tuple[Condition, ...]:
    """Profiles name states reliably and suburbs not: a city with its US state binds by state."""
    if place.admin1 and place.country == "US":
        return (country, ("admin1", "=", place.admin1))
    return (country,) if place.admin1 else (country, ("city", "=", place.city or ""))


def _codes(board: Board) -> Iterator[Part]:
    """'in TX' is a state; 'in CA' could be two places."""
    for i, token in enumerate(board.tokens):
        lead = board.before("preposition", i)
        if board.taken[i] or token.kind is not Kind.WORD or not lead or lead.value not in ("in", "from") or board.shouts():
            continue
        if token.text in _PLAIN_STATES:
            part = board.part(i, i + 1, ("country", "=", "US"), ("admin1", "=", f"US-{token.text}"))
            part.place = Place("admin1", "US", f"US-{token.text}")
            yield part
        elif token.text in _UNSURE_CODES:
            board.findings.ambiguous.append(Ambiguity(token.text, board.span(i, i + 1), _UNSURE_CODES[token.text]))
            board.take(lead.first, i + 1)
