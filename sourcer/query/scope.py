"""Lists, negation and wishes: what belongs together, what a 'not' or an 'ideally' governs."""

from collections.abc import Sequence
from dataclasses import dataclass

from sourcer.places import Place
from sourcer.query.board import REACH, Board, Condition, Part
from sourcer.query.fields import Scalar
from sourcer.query.lexicons import Match
from sourcer.query.parts import Mode

_LISTABLE = frozenset(
    {
        "repo",
        "path",
        "language",
        "activity",
        "company",
        "past_company",
        "seniority",
        "similar_to",
        "affiliation",
        "timezone",
        "pull",
    }
)
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


@dataclass(slots=True)
class Group:
    """Parts of one kind that are listed together."""

    parts: list[Part]
    joint: str = "or"

    @property
    def first(self) -> int:
        return self.parts[0].first

    @property
    def last(self) -> int:
        return self.parts[-1].last


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


def grouped(board: Board, parts: Sequence[Part]) -> list[Group]:
    """Parts in order, those of one kind joined by commas, 'or' or 'and' put together."""
    groups: list[Group] = []
    for part in sorted(parts, key=lambda part: part.first):
        joint = _joint(board, groups[-1], part) if groups else None
        if joint is None:
            groups.append(Group([part]))
        else:
            groups[-1].parts.append(part)
            groups[-1].joint = "all" if "all" in (joint, groups[-1].joint) else joint
    return groups


def _joint(board: Board, group: Group, part: Part) -> str | None:
    """'or' or 'all' where the part continues the group's list, else None."""
    before = group.parts[-1]
    if not _is_kin(before, part):
        return None
    i, joint = before.last, ""
    while i < part.first:
        if board.match("not_a_negator", i) or board.match("negator", i) or board.match("but", i):
            return None
        for kind in ("or", "and"):
            if board.match(kind, i):
                joint = joint or kind
        j = board.skip(
            i,
            "or",
            "and",
            "article",
            "preposition",
            "based",
            "both",
            "person",
            "present",
            "past",
            "based",
        )
        if j == i:
            if board.norm(i) not in (",", "/", "、", "-", "+", "@"):
                return None
            joint = joint or (
                "and" if board.norm(i) == "+" else "or" if board.norm(i) == "/" else ""
            )
            j = i + 1
        i = j
    said_both = _said_both(board, group.first) or board.norm(board.skip(part.last, "person")) in (
        "both",
        "alike",
    )
    return "all" if (joint == "and" or said_both) and joint != "or" else "or"


def _is_kin(before: Part, part: Part) -> bool:
    if before.place and part.place:
        return True
    same = before.field == part.field and before.field in _LISTABLE
    return same and (before.field != "path" or before.conditions[0][1] == part.conditions[0][1])


def _said_both(board: Board, first: int) -> bool:
    start = board.skip_back(first, "article", "preposition", "filler")
    return (
        board.before("both", first) is not None
        or board.before("both", start) is not None
        or any("both" in board.matches[i] for i in range(max(0, start - 1), first))
    )


def negate(board: Board, groups: Sequence[Group], found: Sequence[Cue]) -> list[tuple[int, int]]:
    """Turn round what each negator governs; returns the content that is unwanted."""
    unwanted: list[tuple[int, int]] = []
    for cue in found:
        if cue.kind == "negator":
            unwanted.extend(_negate_after(board, groups, cue))
        elif cue.kind in ("negator_after", "cancel_after"):
            before = _group_before(board, groups, cue.first)
            for part in before.parts if before else ():
                if cue.kind == "negator_after":
                    part.negated = not part.negated
                else:
                    part.cancelled = True
    return unwanted


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
    for cue in found:
        if cue.kind == "hedge_before":
            last = _clause_end(board, groups, cue)
            wished = [g for g in groups if cue.last <= g.first < last]
        elif cue.kind == "hedge_after":
            start = _clause_start(board, cue.first)
            wished = [g for g in groups if start <= g.first and g.last <= cue.first]
        else:
            continue
        for group in wished:
            for part in group.parts:
                part.mode = Mode.SHOULD


def _clause_end(board: Board, groups: Sequence[Group], cue: Cue) -> int:
    """A wish runs to the clause's end; after 'bonus:' to the sentence's."""
    heading = (
        board.norm(cue.last) in (":", "-", "—")
        or board.words(cue.first, cue.last).lower() == "nice to have"
    )
    stops = ".;!?" if heading else ".;!?,()"
    i = cue.last
    while i < len(board):
        inside = any(group.first <= i < group.last for group in groups)
        if not inside and (
            (board.norm(i) in stops and i > cue.last)
            or board.match("but", i)
            or board.match("must", i)
        ):
            return i
        i += 1
    return i


def _clause_start(board: Board, first: int) -> int:
    i = first
    while (
        i > 0
        and board.norm(i - 1) not in (".", ";", ",", "!", "?", ":", "(")
        and not board.match("but", i - 1)
    ):
        i -= 1
    return i


def conditions(group: Group) -> list[Condition]:
    """The group's conditions, its listed values in one."""
    parts = [part for part in group.parts if not part.cancelled]
    if not parts:
        return []
    if len(parts) == 1:
        return list(parts[0].conditions)
    if parts[0].place:
        return _places([part.place for part in parts if part.place], parts)
    field, op, _ = parts[0].conditions[0]
    values = _distinct([part.conditions[0][2] for part in parts])
    if len(values) == 1:
        return [(field, op, values[0] or "")]
    if field == "path":
        return [(field, op, values)]
    return [(field, "all" if field == "repo" and group.joint == "all" else "in", values)]


def _distinct(values: Sequence[object]) -> tuple[Scalar, ...]:
    flat = [v for value in values for v in (value if isinstance(value, tuple) else (value,))]
    return tuple(dict.fromkeys(v for v in flat if isinstance(v, str | int)))


def _places(places: Sequence[Place], parts: Sequence[Part]) -> list[Condition]:
    if all(place.city for place in places):
        return [("city", "in", _distinct([place.city for place in places]))]
    fields = {tuple(field for field, _, _ in part.conditions) for part in parts}
    if len(fields) > 1 or "location" in next(iter(fields)):
        return [("location", "in", _distinct([_code(place) for place in places]))]
    merged: list[Condition] = []
    for column in zip(*(part.conditions for part in parts), strict=True):
        values = _distinct([value for _, _, value in column])
        merged.append(
            (column[0][0], "=", values[0] or "")
            if len(values) == 1
            else (column[0][0], "in", values)
        )
    return merged


def _code(place: Place) -> str:
    """A place of any size in one text: 'IL', 'US-MA', 'US-CA:SF Bay Area', 'Europe'."""
    area = place.admin1 or place.country
    narrow = place.city or place.region
    return f"{area}:{narrow}" if area and narrow else area or narrow or ""
