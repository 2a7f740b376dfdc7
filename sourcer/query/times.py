"""Time windows, and the events that turn them into a first or a last commit."""

from collections.abc import Iterator
from datetime import date, timedelta

from sourcer.query.board import Board, Condition, Part
from sourcer.query.lexicons import Match
from sourcer.query.time_words import number_at, said, skip_any
from sourcer.query.tokens import Kind
from sourcer.query.windows import Window, count_back, window_at

_VAGUE = "a vague time: no window was set; say 'in the last 12 months' or the like"
_RELEASE = "a release, not a date: give a date instead"


def read_times(board: Board) -> Iterator[Part]:
    _leave_releases(board)
    words = [token.norm for token in board.tokens]
    i = 0
    while i < len(words):
        found = window_at(words, i, board.today) if _may_begin(board, i) else None
        if found and board.is_free(i, found[1]) and not _counts_something(board, i, found[1]):
            yield _window_part(board, i, found[1], found[0])
            i = found[1]
        else:
            i += 1
    yield from _silences(board, words)
    for match in board.each("vague"):
        board.leave(match.first, match.last, _VAGUE)


def _silences(board: Board, words: list[str]) -> Iterator[Part]:
    """'inactive for over a year', 'no commits for 6 months'"""
    for match in board.each("event"):
        if match.value != "quiet" or board.norm(match.last) not in ("for", "seit"):
            continue
        at = skip_any(words, match.last + 1, said("more_than"))
        counted = number_at(words, at) or board.norm(at) == "half"
        found = count_back(words, at, board.today) if counted else None
        if found and found[0].start:
            day = found[0].start.isoformat()
            yield board.part(match.first, found[1], ("last_commit", "<", day))


def _may_begin(board: Board, i: int) -> bool:
    """A year inside 'commits > 2024' or '#2024' is a number."""
    bound = (
        i > 0 and board.tokens[i].kind is Kind.NUMBER and board.before("comparator", i) is not None
    )
    return not board.taken[i] and not (bound and board.norm(i - 1) not in ("from", "over", "="))


def _counts_something(board: Board, first: int, last: int) -> bool:
    """'in 2000 commits' has no year in it."""
    return last - first <= 2 and board.norm(last) in (
        "commits",
        "prs",
        "reviews",
        "+",
        "tokens",
        "gpus",
        "lines",
    )


def _leave_releases(board: Board) -> None:
    for i, token in enumerate(board.tokens):
        if token.kind is Kind.VERSION and not board.taken[i]:
            lead = board.norm(i - 1) in (
                "since",
                "before",
                "after",
                "until",
                "in",
                "from",
                "by",
                "seit",
                "vor",
            )
            if lead and not board.taken[i - 1]:
                board.leave(i - 1, i + 1, _RELEASE)


def _window_part(board: Board, first: int, last: int, window: Window) -> Part:
    event = _event_before(board, first)
    if event:
        return _event_part(board, event, first, last, window)
    no_more = (board.norm(last), board.norm(last + 1)) == ("nicht", "mehr")
    if no_more and not board.match("past", last):  # 'seit 2025 nicht mehr beigetragen'
        return board.part(first, last + 2, *_conditions("quiet", window, board.today))
    after = board.match("event", board.skip(last, "filler", "article"))
    if (
        after
        and after.value == "quiet"
        and board.match("repo", board.skip(after.last, "preposition"))
    ):
        after = None  # '… in 2024 without commits in vLLM' denies vLLM
    if after and (after.value != "first" or not board.norm(after.first).isascii()):
        return board.part(first, after.last, *_conditions(after.value, window, board.today))
    return board.part(first, last, ("window", "between", window.value()))


def _event_before(board: Board, first: int) -> Match | None:
    """The event that this window dates, looking back over names and small words."""
    for i in range(first - 1, max(-1, first - 9), -1):
        match = _whole(board, i)
        match = match or _newcomers(board, i) or _leavers(board, i)
        if match and match.last <= first and _is_dated(board, match, first):
            return match
    return None


def _whole(board: Board, i: int) -> Match | None:
    """The event at i, unless it is the tail of a longer one: 'silent' in 'went silent'."""
    match, longer = board.match("event", i), board.match("event", i - 1)
    return None if match and longer and longer.last >= match.last else match


def _newcomers(board: Board, i: int) -> Match | None:
    """'new SGLang contributors', 'new to vLLM', 'first vLLM commit': only 'new' is taken."""
    event = _ENDS.get(board.norm(i))
    if event is None or board.taken[i]:
        return None
    named = board.skip(i + 1, "repo", "topic", "language", "article")
    if board.norm(i) in ("new", "newest"):
        at_once = board.norm(i + 1) in _SOON or board.match("repo", i + 2) is not None
        found = board.norm(named) in ("contributor", "contributors") or (
            at_once and board.norm(i + 1) in (*_SOON, "to")
        )
    else:
        found = named > i + 1 and board.norm(named) in _DEEDS
    return Match("event", event, i, i + 1) if found else None


_SOON = ("in", "since", "this", "last", "within", "over", "during")
_ENDS = {"new": "first", "newest": "first", "first": "first", "last": "last", "latest": "last"}
_DEEDS = frozenset(["commit", "commits", "pr", "prs", "contribution", "contributions", "patch"])


def _leavers(board: Board, i: int) -> Match | None:
    """'left vLLM in 2025': who leaves a repository stops contributing to it."""
    left = board.norm(i) in ("left", "quit") and not board.taken[i]
    return Match("event", "stopped", i, i + 1) if left and board.match("repo", i + 1) else None


def _is_dated(board: Board, event: Match, first: int) -> bool:
    between = ("repo", "preposition", "article", "person", "filler", "both", "and")
    end = board.skip(event.last, *between)
    apart = event.value == "first" and end + 1 == first and board.norm(end) == ","
    return end >= first or apart


def _event_part(board: Board, event: Match, first: int, last: int, window: Window) -> Part:
    """A repository between the event and its date stays free for its own reader."""
    after = event.value == "stopped" and board.norm(first) in ("after", "in", "during")
    conditions = _conditions("last" if after else event.value, window, board.today)
    named = any("repo" in board.matches[i] for i in range(event.last, first))
    board.take(event.first, event.last)
    part = board.part(first if named else event.first, last, *conditions)
    part.negated = event.value == "quiet" and part.field == "window"
    return part


def _conditions(event: str, window: Window, today: date) -> tuple[Condition, ...]:
    start, end = window.start, window.end
    if event in ("quiet", "stopped") and (start is None or end == today):
        since = start or (end + timedelta(days=1) if end else today)
        return (("last_commit", "<", since.isoformat()),)
    if event == "quiet":
        return (("window", "between", window.value()),)
    field = "first_commit" if event == "first" else "last_commit"
    if start is None and end is not None:
        return ((field, "<", (end + timedelta(days=1)).isoformat()),)
    if event == "last" and start is not None and end == today and start < today:
        return ((field, ">=", start.isoformat()),)
    return ((field, "between", window.value()),)
