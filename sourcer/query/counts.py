"""Numbers: commits, merged pull requests and reviews with their bounds, and how many to show."""

from collections.abc import Iterator
from dataclasses import dataclass

from sourcer.query.board import Board, Condition, Part
from sourcer.query.lexicons import Match, word_set
from sourcer.query.tokens import Kind

_LARGEST = 10_000_000


@dataclass(frozen=True, slots=True)
class Bound:
    """A number with the comparator that stands before or after it."""

    first: int
    last: int
    op: str | None
    value: int
    upto: int | None = None
    """The other end of a range."""


def read_counts(board: Board) -> Iterator[Part]:
    i = 0
    while i < len(board):
        bound = _bound_at(board, i)
        part = (_of_metric(board, bound) or _limit(board, bound)) if bound else None
        if part is None:
            i = max(i + 1, _leave_unknown(board, bound))
        else:
            yield part
            i = part.last


def _leave_unknown(board: Board, bound: Bound | None) -> int:
    """Years of experience are told, and a bound in signs that counts nothing known."""
    if bound and board.norm(bound.last) in _YEARS and board.norm(bound.last + 1) not in _AGO:
        last = board.skip(bound.last + 1 + (board.norm(bound.last + 1) == "of"), "filler")
        board.leave(
            bound.first,
            last if _says_experience(board, bound.last, last) else bound.last + 1,
            _NO_YEARS,
        )
        return last
    if bound and bound.op and board.norm(bound.first) in (">", ">=", "<", "<=", "≥", "≤"):
        board.leave(bound.first, bound.last, "a number that counts nothing known here")
        return bound.last
    return 0


_TIMES = {"dozen": 12, "hundred": 100, "thousand": 1000}
_MOST = word_set("most")
_YEARS = frozenset(["years", "year", "yrs", "yoe", "jahre", "jahren"])
_AGO = frozenset(["ago", "back", "old", "earlier"])
_NO_YEARS = (
    "years of experience are not held: ask for a seniority, or for a first commit before a date"
)


def _says_experience(board: Board, first: int, last: int) -> bool:
    return any("experience" in board.norm(i) for i in range(first, last))


def _number_at(board: Board, i: int) -> tuple[int, int] | None:
    if not 0 <= i < len(board) or board.taken[i]:
        return None
    token = board.tokens[i]
    if token.kind is Kind.NUMBER and "." not in token.text:
        value = int(token.text.replace(",", ""))
        return (value, i + 1) if value <= _LARGEST else None
    if token.norm[:-1].isdecimal() and token.norm[-1] == "k" and len(token.norm) < 5:
        return int(token.norm[:-1]) * 1000, i + 1
    word = board.match("number", i)
    times = _TIMES.get(board.norm(word.last)) if word else None
    if word and times and board.is_free(word.last, word.last + 1):
        return int(word.value) * times, word.last + 1
    return (int(word.value), word.last) if word else None


def _bound_at(board: Board, i: int) -> Bound | None:
    """[comparator] number [+ | or more | – number]; between number and number"""
    ranged = _range_at(board, i)
    if ranged:
        return ranged
    comparator = board.match("comparator", i)
    number = _number_at(board, board.skip(comparator.last, "article") if comparator else i)
    if number is None:
        return None
    value, last = number
    if comparator:
        return Bound(i, last, comparator.value, value)
    op, last = _tail(board, last)
    return Bound(i, last, op, value)


def _range_at(board: Board, i: int) -> Bound | None:
    opened = i + 1 if board.norm(i) in ("between", "zwischen", "from") else i
    one = _number_at(board, opened)
    joint = one[1] if one else i
    joints = ("and", "to", "und") if opened > i else ("-", "–", "to")
    two = _number_at(board, joint + 1) if one and board.norm(joint) in joints else None
    if one is None or two is None or one[0] > two[0]:
        return None
    return Bound(i, two[1], None, one[0], two[0])


def _tail(board: Board, i: int) -> tuple[str | None, int]:
    """What follows a number: 5+, 10 or more, 20 at most."""
    if board.norm(i) == "+":
        return ">=", i + 1
    above, below = board.match("or_above", i), board.match("or_below", i)
    if above or (board.norm(i) == "or" and board.norm(i + 1) == "more"):
        return ">=", above.last if above else i + 2
    return ("<=", below.last) if below else (None, i)


def _of_metric(board: Board, bound: Bound) -> Part | None:
    """'at least 20 reviews', 'commits > 100', 'reviewed at least 30 PRs'"""
    metric = (
        _metric_after(board, bound.last)
        or _shared_metric(board, bound)
        or _times_done(board, bound)
    )
    if metric:
        return _counted(board, bound, metric)
    colon = board.norm(bound.first - 1) in (":", "count")
    name = board.before("metric", bound.first - 1 if colon else bound.first)
    if name and (bound.op or bound.upto is not None or colon):
        return board.part(name.first, bound.last, *_conditions(name.value, bound))
    return None


def _metric_after(board: Board, last: int) -> Match | None:
    at = board.skip(last, "article", "metric_filler")
    return board.match("metric", at) or board.match("metric", board.skip(last, "article"))


def _times_done(board: Board, bound: Bound) -> Match | None:
    """'committed more than 100 times'"""
    done = _DONE.get(board.norm(bound.first - 1))
    said = done and board.norm(bound.last) == "times"
    return Match("metric", done or "", bound.last, bound.last + 1) if said else None


_DONE = {"committed": "commits", "reviewed": "reviews", "merged": "merged_prs"}


def _shared_metric(board: Board, bound: Bound) -> Match | None:
    """The metric of the bound that follows: 'at least 5 and at most 50 merged PRs'."""
    joint = board.skip(bound.last, "and", "but")
    following = _bound_at(board, joint) if bound.op and joint > bound.last else None
    metric = _metric_after(board, following.last) if following and following.op else None
    return Match("metric", metric.value, bound.last, bound.last) if metric else None


def _counted(board: Board, bound: Bound, metric: Match) -> Part | None:
    op_after, last = _tail(board, metric.last)
    op = bound.op or op_after
    has_verb = bound.first > 0 and board.norm(bound.first - 1) in _HAVING
    if bound.op is None and bound.upto is None and op_after is None:
        if bound.value == 0 and _in_named(board, metric.last):
            return None
        alone = board.norm(bound.first - 1) in ("only", "just") or (
            board.words(bound.first, bound.last).lower() == "a single"
        )
        if alone:
            op = "="
        elif bound.value and (not has_verb or board.norm(bound.first) == "one"):
            return None
        op = op or (">=" if bound.value else "=")
    last = last if op_after and bound.op is None else metric.last
    first, field = bound.first, metric.value
    verb = board.before("activity", board.skip_back(first, "filler"))
    if verb and verb.value == "review" and field == "merged_prs":
        first, field = verb.first, "reviews"
    elif board.norm(first - 1) == "committed" and board.norm(last - 1) == "times":
        first -= 1
    elif board.norm(last) == "reviewed" and field == "merged_prs":
        last, field = last + 1, "reviews"
    return board.part(first, last, *_conditions(field, Bound(0, 0, op, bound.value, bound.upto)))


def _in_named(board: Board, last: int) -> bool:
    """'zero commits in vLLM' denies vLLM."""
    start = board.skip(last, "preposition", "article")
    named = board.match("repo", start) is not None
    return named or (start < len(board) and board.tokens[start].kind in (Kind.PATH, Kind.GLOB))


_HAVING = frozenset(
    [
        "with",
        "has",
        "have",
        "had",
        "having",
        "made",
        "landed",
        "merged",
        "authored",
        "w",
        "w/",
        "mit",
        "got",
        "reviewed",
        "did",
    ]
)


def _conditions(field: str, bound: Bound) -> tuple[Condition, ...]:
    if bound.upto is not None:
        return ((field, ">=", bound.value), (field, "<=", bound.upto))
    return ((field, bound.op or ">=", bound.value),)


def _limit(board: Board, bound: Bound) -> Part | None:
    """top 10, give me 5 people, limit 20, 5 engineers at the head of the question"""
    if (
        bound.value == 0
        or bound.upto is not None
        or board.norm(bound.last) in ("%", "percent", "th", "years", "year")
    ):
        return None
    asked = board.before("ask", bound.first)
    people = board.match("person", board.skip(bound.last, "seniority", "open", "filler"))
    shown = board.norm(bound.last) in (
        "results",
        "names",
        "profiles",
        "hits",
        "rows",
        "candidates",
        "people",
    )
    if asked and bound.op in (None, "<=") and _is_superlative(board, asked, people):
        return board.part(_ask_start(board, asked), bound.last, ("limit", "=", bound.value))
    listed = bound.op is None and board.norm(bound.last) in ("results", "names", "profiles", "hits")
    if listed or (bound.op == "<=" and shown):
        return board.part(bound.first, bound.last, ("limit", "=", bound.value))
    if board.norm(bound.last) in _MOST and bound.op is None:
        return board.part(bound.first, bound.last + 1, ("limit", "=", bound.value))
    starts = bound.first == 0 or board.norm(bound.first - 1) in (".", ":", ";")
    is_number = bound.value > 1 or board.tokens[bound.first].kind is Kind.NUMBER
    people = people or board.match("activity", bound.last)
    if starts and people and bound.op is None and is_number:
        return board.part(bound.first, bound.last, ("limit", "=", bound.value))
    return None


def _is_superlative(board: Board, asked: Match, people: Match | None) -> bool:
    """'top 10' asks by itself; 'show me 5' needs people to follow."""
    if board.norm(asked.last - 1) in ("top", "limit", "best", "besten", "of", "to"):
        return True
    return people is not None or any(
        board.matches[i].get("person")
        or board.matches[i].get("repo")
        or board.matches[i].get("activity")
        for i in range(asked.last, min(asked.last + 5, len(board)))
    )


def _ask_start(board: Board, asked: Match) -> int:
    return board.skip_back(asked.first, "article")
