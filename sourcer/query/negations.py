"""Negation: what a 'not' governs."""

from collections.abc import Sequence

from sourcer.query.board import REACH, Board
from sourcer.query.cues import STOPS, Cue
from sourcer.query.lexicons import GLUE, word_set
from sourcer.query.lists import Group

_EVIDENCE = frozenset(
    {"repo", "path", "window", "language", "first_commit", "last_commit", "limit", "phrase", "pull"}
)
"""What work is looked at in; a 'not' about the work itself does not reach these."""
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


Range = tuple[int, int]


def negate(board: Board, groups: Sequence[Group], found: Sequence[Cue]) -> list[Range]:
    """Turn round what each negator governs; returns the content that is unwanted."""
    unwanted: list[Range] = []
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
        if board.norm(i) in STOPS or board.norm(i) == ",":
            return False
        if board.norm(i) in _ANY:
            return True
    return False


_NOUNS = frozenset({"country", "region", "company", "affiliation", "bot", "location", "city"})
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


def _negate_after(board: Board, groups: Sequence[Group], cue: Cue) -> list[Range]:
    starts = {group.first: group for group in groups}
    i, content = cue.last + (board.norm(cue.last) == ":"), None
    cue_is_tight = board.norm(cue.first) == "non"
    while i < min(len(board), cue.last + 2 * REACH):
        if i in starts:
            return _reach(board, groups, cue, starts[i], content)
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
    if board.norm(i) in STOPS or board.match("but", i) or board.match("hedge_before", i):
        return None
    if board.taken[i]:
        return i + 1
    if "topic" in board.matches[i]:
        return i
    if board.norm(i) in (",", "-") or board.match("negator", i):
        return i + 1
    return board.skip(i, *_CLEAR)


def _reach(
    board: Board, groups: Sequence[Group], cue: Cue, group: Group, content: Range | None
) -> list[Range]:
    if content is not None and (
        group.parts[0].field in _EVIDENCE or _is_of_work(board, cue, group, content)
    ):
        return [content]
    denied = _denied(board, groups, group)
    _turn(board, groups, denied)
    if board.norm(cue.first) in word_set("excluding"):
        _turn_noun(board, groups, denied)
    return [content] if content else []


def _is_of_work(board: Board, cue: Cue, group: Group, content: Range) -> bool:
    """'never worked on LoRA in Berlin' denies the work, 'no LoRA people in Berlin' the people."""
    lead = board.skip_back(group.first, "preposition", "article", "based", "present")
    people = board.before("person", lead) or board.before("kept_person", lead)
    said = board.words(cue.first, cue.last).lower().split()
    if people or not word_set("denied_people").isdisjoint(said):
        return False
    worked = any(board.norm(i) in word_set("working") for i in range(cue.last, group.first))
    return worked or any("topic" in board.matches[i] for i in range(*content))


def _turn_noun(board: Board, groups: Sequence[Group], group: Group) -> None:
    """'exclude academics and bots', 'without Meta people and those in China': the next noun too."""
    at = board.skip(group.last, "person", "kept_person")
    joint = board.match("and", at)
    following = next((g for g in groups if g.first >= group.last), None)
    if joint is None or following is None or following.parts[0].field not in _NOUNS:
        return
    people = board.skip(joint.last, "article", "person", "kept_person")
    start = board.skip(people, "preposition", "article") if people > joint.last else people
    if start == following.first:
        _turn(board, groups, following)


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
