"""Negation and wishes: what a 'not' or an 'ideally' governs."""

from collections.abc import Sequence
from dataclasses import dataclass

from sourcer.query.board import REACH, Board
from sourcer.query.lexicons import GLUE, Match
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
            found.append(Cue(_bearing(board, match), match.value, match.first, match.last))
        i = match.last if match else i + 1
    return found


_CUE_KINDS = (
    "cancel_before",
    "not_only",
    "unless_also",
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
    """Whether a word of scope means here what its kind says."""
    if match.kind == "negator":
        return not (_gives_way(board, match) or _tells(board, match))
    if match.kind == "unless_also" or match.value == "outside":
        return _goes_on(board, match.last, "also") is (match.kind == "unless_also")
    if match.kind == "negator_after":
        return board.norm(match.last) != ":"
    is_heading = _is_heading(board, match)
    return match.kind != "hedge_after" or is_heading or _closes_clause(board, match)


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
    ends = match.last == len(board) or board.norm(match.last) in (",", ".", ";", ")", "!", "-")
    opens = match.first == 0 or board.norm(match.first - 1) in (".", ";", ",", ":", "(", "but")
    return ends and not opens


def _bearing(board: Board, match: Match) -> str:
    """'not only X' frees from X, unless 'but also Y' goes on."""
    if match.kind == "hedge_after" and _is_heading(board, match):
        return "hedge_before"
    if match.kind != "not_only":
        return match.kind
    return "not_only" if _goes_on(board, match.last, "but", "also") else "cancel_before"


def _goes_on(board: Board, first: int, *kinds: str) -> bool:
    """Whether the sentence goes on with one of these, not itself denied: 'also', not 'also no'."""
    for i in range(first, min(len(board), first + 2 * REACH)):
        if board.norm(i) in _STOPS:
            return False
        found = next((m for kind in kinds if (m := board.match(kind, i))), None)
        if found:
            return board.match("negator", found.last) is None
    return False


def negate(board: Board, groups: Sequence[Group], found: Sequence[Cue]) -> list[tuple[int, int]]:
    """Turn round what each negator governs; returns the content that is unwanted."""
    unwanted: list[tuple[int, int]] = []
    for cue in found:
        if cue.kind == "negator" or (cue.kind == "but" and _excepts(board, groups, cue)):
            unwanted.extend(_negate_after(board, groups, cue))
        elif cue.kind == "cancel_before":
            _cancel(_group_after(board, groups, cue.last))
        elif cue.kind == "cancel_after":
            _cancel(_group_before(board, groups, cue.first))
        elif cue.kind == "negator_after":
            before = _group_before(board, groups, cue.first)
            for part in before.parts if before else ():
                part.negated = cue.value == "outside" or not part.negated
    return unwanted


def _excepts(board: Board, groups: Sequence[Group], cue: Cue) -> bool:
    """'anywhere in Europe but Germany': a bare name right after the 'but' of an 'any'."""
    start = board.skip(cue.last, "article")
    named = next((g for g in groups if g.first == start and g.parts[0].field in _NAMED), None)
    if named is None or board.match("based", named.last + (board.norm(named.last) in GLUE)):
        return False
    for i in range(cue.first - 1, max(-1, cue.first - REACH), -1):
        if board.norm(i) in _STOPS or board.norm(i) == ",":
            return False
        if board.norm(i) in _ANY:
            return True
    return False


_NAMED = frozenset(
    {"country", "admin1", "city", "region", "location", "company", "repo", "language", "path"}
)
_ANY = frozenset(
    [
        "any",
        "anyone",
        "anybody",
        "anywhere",
        "anything",
        "all",
        "every",
        "everyone",
        "everybody",
        "everywhere",
    ]
)


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
    i, content = cue.last + (board.norm(cue.last) == ":"), None
    cue_is_tight = board.norm(cue.first) == "non"
    while i < min(len(board), cue.last + 2 * REACH):
        if i in starts:
            return _reach(board, groups, starts[i], content)
        j = _step(board, i)
        if board.norm(i) == "," and (content or _closes_people(board, cue.last, i)):
            break
        if j is None:
            break
        if j == i and cue_is_tight:
            return [(i, _compound_end(board, i))]
        if j == i:
            content = (content[0] if content else i, i + 1)
            j = i + 1
        i = j
    return [content] if content else []


def _closes_people(board: Board, first: int, comma: int) -> bool:
    """'no students, in Berlin': the people are what is denied."""
    people = board.before("kept_person", comma) or board.before("person", comma)
    return people is not None and board.skip(first, "article", "seniority") == people.first


def _compound_end(board: Board, i: int) -> int:
    """'non' reaches one topic or one compound: 'non-NVIDIA GPUs' are still GPUs."""
    topic = board.match("topic", i)
    last = topic.last if topic else i + 1
    while board.norm(last) in GLUE and last + 1 < len(board):
        last += 2
    return last


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
    _turn(board, groups, _denied(board, groups, group))
    return [content] if content else []


def _denied(board: Board, groups: Sequence[Group], group: Group) -> Group:
    """'has not committed to X' denies X, not the committing."""
    to = group.parts[0].field == "activity" and board.norm(group.last - 1) == "to"
    start = board.skip(group.last, "article")
    where = next((g for g in groups if to and g.first == start), None)
    if where is None or where.parts[0].field not in ("repo", "path"):
        return group
    _cancel(group)
    return where


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
