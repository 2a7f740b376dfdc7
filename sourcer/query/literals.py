"""Parts that their shape gives away: quoted phrases, paths, pull requests, @logins."""

from collections.abc import Iterator

from sourcer.query.board import Board, Part
from sourcer.query.lexicons import word_set
from sourcer.query.tokens import Kind, Token, fold


def read_literals(board: Board) -> Iterator[Part]:
    for i, token in enumerate(board.tokens):
        if board.taken[i]:
            continue
        if token.kind is Kind.QUOTED:
            yield from _phrase(board, i, token)
        elif token.kind in (Kind.PATH, Kind.GLOB):
            yield from _path(board, i, i + 1)
        elif last := _bare_directory(board, i):
            yield from _path(board, i, last)
        elif token.kind is Kind.PULL:
            yield board.part(
                board.skip_back(i, "metric"), i + 1, ("pull", "=", int(token.text[1:]))
            )
        elif token.kind is Kind.NUMBER and _names_a_pull(board, i):
            first = _numbered(board, i) - 1
            yield board.part(first, i + 1, ("pull", "=", int(token.text)))
        elif token.kind is Kind.HANDLE:
            yield from _login(board, i, token)


def _phrase(board: Board, i: int, token: Token) -> Iterator[Part]:
    words = token.text[1:-1].strip()
    if any(c.isalnum() for c in words):
        yield board.part(i, i + 1, ("phrase", "=", words))


def _path(board: Board, i: int, last: int) -> Iterator[Part]:
    path = board.words(i, last).rstrip(".-/")
    lead = board.skip_back(i, "preposition", "article")
    if board.norm(lead - 1) in ("change", "changes", "file", "files"):
        board.take(lead - 1, i)
    if board.norm(last) in ("file", "files", "folder", "directory"):
        board.take(last, last + 1)
    yield board.part(i, last, ("path", "glob" if "*" in path else "under", path))


_FOLDERS, _FOUND_ALONE = word_set("folder"), word_set("found_alone")


def _bare_directory(board: Board, i: int) -> int:
    """The end of a directory told without a slash: 'under docs', 'changes to csrc'; 0 for none."""
    last = i + 1
    while board.norm(last) == "-" and last + 1 < len(board):
        last += 2
    name, start = fold(board.words(i, last)), board.skip_back(i, "article")
    lead, before = board.norm(start - 1), board.norm(start - 2)
    if name in _FOUND_ALONE:
        return last if lead in _INTO else 0
    led = lead == "under" or (lead in ("in", "inside") and before in ("file", "files", "code"))
    return last if led and name in _FOLDERS else 0


_INTO = frozenset(["in", "to", "into", "under", "inside", "of", "touched", "not", "outside"])


def _names_a_pull(board: Board, i: int) -> bool:
    """PR 9876, pull request 9876: a number right after the singular."""
    at = _numbered(board, i)
    before = board.before("metric", at)
    singular = before is not None and board.norm(at - 1) in ("pr", "request", "mr", "pull")
    return singular and board.tokens[i].text.isdecimal() and len(board.tokens[i].text) < 8


def _numbered(board: Board, i: int) -> int:
    """The start of 'no.' or 'number' before a number."""
    at = i - 1 if board.norm(i - 1) in (".", "#") else i
    return at - 1 if board.norm(at - 1) in ("no", "nr", "number", "num", "nummer") else at


def _login(board: Board, i: int, token: Token) -> Iterator[Part]:
    name = token.text[1:]
    if fold(name) in board.vocabulary.companies:
        return
    start = board.skip_back(i, "or", "and", "article")
    like = board.before("similar", start)
    listed = start > 0 and board.taken[start - 1] and board.tokens[start - 1].kind is Kind.HANDLE
    alike = board.match("similar_after", i + 1)
    if alike:
        board.take(alike.first, alike.last)
    if like or listed or alike:
        first = like.first if like else i
        yield board.part(first if start == i else i, i + 1, ("similar_to", "=", name))
