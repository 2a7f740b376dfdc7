"""What the readers left: the words searched by meaning, and the topics among them."""

from collections.abc import Sequence

from sourcer.query.board import Board
from sourcer.query.cues import Cue
from sourcer.query.lexicons import GLUE
from sourcer.query.parts import Leftover, Topic
from sourcer.query.tokens import Kind

_DROPPED = (
    "person",
    "filler",
    "or_above",
    "event",
    "move",
    "past",
    "based",
    "must",
    "similar",
    "ask",
    "both",
    "but",
    "present",
    "unheld",
)
_JOINING = ("article", "preposition", "and", "or", "based", "comparator")
_INNER = frozenset("/-–+.&'’、#")
_NOT_KNOWN = "no word of this is known here; it is searched by meaning only"
_UNWANTED = "unwanted, but no filter can hold it: it is left out of the search"
Range = tuple[int, int]


def read_topics(board: Board, unwanted: Sequence[Range]) -> list[Topic]:
    """Every topic named, once; those inside an unwanted stretch are negated."""
    topics: dict[tuple[str, bool], Topic] = {}
    i = 0
    while i < len(board):
        match = board.match("topic", i)
        if match is None:
            i += 1
            continue
        negated = any(first <= match.first < last for first, last in unwanted)
        topic = Topic(match.value, negated, span=board.span(match.first, match.last))
        topics.setdefault((topic.id, negated), topic)
        i = match.last
    return list(topics.values())


def meaning(board: Board, found: Sequence[Cue], unwanted: Sequence[Range], any_part: bool) -> str:
    """The words to be searched by meaning, as they stand, without what frames them."""
    dead = {i for cue in found for i in range(cue.first, cue.last)} | {
        i for first, last in unwanted for i in range(first, last)
    }
    kept = _content(board, dead, ())
    if not kept and not any_part:
        kept = _content(board, dead, ("person",))
    return _joined(board, kept, dead)


def _content(board: Board, dead: set[int], also: tuple[str, ...]) -> list[int]:
    """The tokens that mean something by themselves."""
    kept: list[int] = []
    i = 0
    while i < len(board):
        last = _framing_end(board, i, also)
        said = board.match("kept_person", i)
        if said and not dead.intersection(range(i, said.last)):
            kept.extend(range(i, said.last))
            i = said.last
        elif board.taken[i] or i in dead or _counts_people(board, kept, i):
            i += 1
        elif last > i and not (
            _is_inside_topic(board, i) or _is_tail(board, kept, i) or _is_front(board, i, also)
        ):
            i = last
        else:
            if any(c.isalnum() for c in board.tokens[i].text):
                kept.append(i)
            i += 1
    return kept


def _counts_people(board: Board, kept: Sequence[int], i: int) -> bool:
    """'I need 3 senior people': how many are to be hired says nothing of the work."""
    if board.tokens[i].kind is not Kind.NUMBER or kept[-1:] == [i - 1]:
        return False
    named = next((k for k in range(i + 1, len(board)) if not board.taken[k]), len(board))
    return board.match("person", named) is not None


def _is_tail(board: Board, kept: Sequence[int], i: int) -> bool:
    """'age-based eviction': a small word hyphened to a kept one is part of it."""
    tokens = board.tokens
    joined = i > 1 and tokens[i - 1].text in GLUE and kept[-1:] == [i - 2]
    return joined and tokens[i - 2].end == tokens[i - 1].start == tokens[i].start - 1


def _is_front(board: Board, i: int, also: tuple[str, ...]) -> bool:
    """'write-ahead log': so is one that a word which means something is hyphened to."""
    tokens = board.tokens
    if i + 2 >= len(tokens) or tokens[i + 1].text not in GLUE or "filler" not in board.matches[i]:
        return False
    joined = tokens[i].end == tokens[i + 1].start == tokens[i + 2].start - 1
    return joined and _framing_end(board, i + 2, also) == i + 2


def _is_inside_topic(board: Board, i: int) -> bool:
    return any(
        (m := board.match("topic", k)) is not None and m.last > i
        for k in range(max(0, i - 5), i + 1)
    )


def _framing_end(board: Board, i: int, also: tuple[str, ...]) -> int:
    """The end of the framing words at i; i itself where a content word stands."""
    ends = [
        m.last
        for kind in (*_DROPPED, *_JOINING)
        if kind not in also
        and (m := board.match(kind, i)) is not None
        and not (kind == "past" and m.last - i == 1 and board.norm(i) != "ex")
    ]
    return max(ends, default=i)


def _joined(board: Board, kept: Sequence[int], dead: set[int]) -> str:
    """Content words with the small words and signs that stand right between two of them."""
    pieces: list[str] = []
    for n, i in enumerate(kept):
        if n:
            pieces.append(_between(board, kept[n - 1] + 1, i, dead))
        pieces.append(board.tokens[i].text)
    return "".join(pieces).strip()


def _between(board: Board, first: int, last: int, dead: set[int]) -> str:
    inner = range(first, last)
    if any(board.taken[i] or i in dead for i in inner):
        return " "
    small = [
        i
        for i in inner
        if any(kind in board.matches[i] for kind in ("preposition", "article", "and", "or"))
    ]
    plain = all(i in small or board.norm(i) in _INNER or board.norm(i) == "," for i in inner)
    if plain and not (small and all("article" in board.matches[i] for i in inner)):
        start, end = board.tokens[first - 1].end, board.tokens[last].start
        return board.text[start:end]
    return " "


def leave_rest(
    board: Board, unwanted: Sequence[Range], semantic: str, any_part: bool, topics: Sequence[Topic]
) -> None:
    """Say what could not be acted on; an unwanted topic was."""
    for first, last in unwanted:
        if not _all_topics(board, first, last):
            board.findings.leftover.append(
                Leftover(board.words(first, last), board.span(first, last), _UNWANTED)
            )
    if semantic and not (any_part or topics) and not _any_known(board):
        board.findings.leftover.append(Leftover(board.text.strip(), _whole(board), _NOT_KNOWN))


def _all_topics(board: Board, first: int, last: int) -> bool:
    """'LoRA or FP8': nothing but topics, and what joins them."""
    while first < last:
        match = board.match("topic", first)
        past = match.last if match else board.skip(first, *_JOINING)
        if past == first and board.norm(first) != ",":
            return False
        first = max(past, first + 1)
    return True


def _any_known(board: Board) -> bool:
    return any(board.matches[i] or board.tokens[i].kind is Kind.SYMBOL for i in range(len(board)))


def _whole(board: Board) -> tuple[int, int]:
    return board.span(0, len(board))
