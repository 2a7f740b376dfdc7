"""Employers, present and past: a company's name counts only where an employer can stand."""

import re
from collections.abc import Iterator

from sourcer.companies import also_word, find
from sourcer.places import normalise
from sourcer.query.board import REACH, Board, Part
from sourcer.query.lexicons import Match, word_set
from sourcer.query.tokens import Kind

_NEVER_SMALL = word_set("company_word")
_VENDORS = word_set("vendor")
"""Names that stand before hardware and software as often as before people."""
_LEAVING = frozenset(["left", "leaving", "quit", "departed"])
_VENUES = word_set("venue")


def read_employers(board: Board) -> Iterator[Part]:
    last_part: Part | None = None
    for match in board.each("company"):
        field = _field(board, match, match.first, last_part)
        if field:
            after = board.match("past_after", match.last)
            last = after.last if after and field == "past_company" else match.last
            last_part = board.part(match.first, last, (field, "=", match.value))
            yield last_part
    yield from _unknown(board)


def _field(board: Board, match: Match, first: int, before: Part | None) -> str | None:
    left = board.skip_back(first, "article")
    hardware = match.value in _VENDORS and board.match("hardware", match.last) is not None
    if _is_small(board, match) and not _is_surrounded(board, match, left):
        return None
    if _past_follows(board, match.last) or _is_past(board, left):
        return "past_company"
    if before and _continues(board, before, first) and not hardware:
        return _moved(board, first) or before.field
    moved = _moved(board, left)
    if moved:
        return moved
    return "company" if _is_present(board, match, left, hardware) else None


def _is_small(board: Board, match: Match) -> bool:
    text = board.tokens[match.first].text
    return _is_word(board, match) and (text == text.lower() or board.shouts)


def _is_word(board: Board, match: Match) -> bool:
    """Whether the company's name, as said here, is also a word, a model or a project."""
    is_handle = board.tokens[match.first].kind is Kind.HANDLE
    return not is_handle and also_word(normalise(board.words(match.first, match.last)))


def _is_surrounded(board: Board, match: Match, left: int) -> bool:
    """'people at modal who …' is; 'from meta tensors' and 'serving at scale' are not."""
    if board.norm(match.first) in _NEVER_SMALL:
        return _is_past(board, left) and board.norm(left - 1) in ("ex", "-")
    kinds = ("present", "past", "or")
    lead = any(board.before(kind, left) for kind in kinds) or _moved(board, left) is not None
    if board.norm(match.last) in word_set("employed") or (
        _is_denied(board, left) and _stops(board, match.last)
    ):
        return True
    ends = match.last == len(board) or bool(
        set(board.matches[match.last])
        & {"or", "and", "but", "filler", "person", "preposition", "event"}
        or board.tokens[match.last].kind is Kind.SYMBOL
    )
    return lead and ends


def _past_follows(board: Board, last: int) -> bool:
    """'Google alumni', and the Google of 'Google or Mistral alumni'"""
    return board.match("past_after", _list_end(board, last)) is not None


def _list_end(board: Board, last: int) -> int:
    """The end of the companies that are listed on from here."""
    for _ in range(REACH):
        joint = board.skip(last + (board.norm(last) in (",", "/")), "or", "and")
        other = board.match("company", joint) if joint > last else None
        if other is None:
            break
        last = other.last
    return last


def _is_past(board: Board, left: int) -> bool:
    if board.before("past", left) or board.before("past", board.skip_back(left, "person")):
        return True
    if board.norm(left - 2) == "never" and board.norm(left - 1) in ("at", "with"):
        return True
    people = board.skip_back(left, "preposition", "present")
    who = board.skip_back(people, "person", "kept_person")
    who = who - 1 if who == people and board.norm(who - 1) == "staff" else who
    return who < people < left and board.before("past", who) is not None


def _continues(board: Board, before: Part, first: int) -> bool:
    """Whether a list goes on since the last employer; a new 'at' needs an 'or' before it."""
    i, joined = before.last, False
    while i < first:
        joined = joined or bool(board.match("or", i) or board.match("and", i))
        lead = board.match("present", i)
        if lead and (lead.last - lead.first > 1 or not joined):
            return False
        j = _past_one(board, i)
        if j == i:
            return False
        i = j
    return before.last < first


def _past_one(board: Board, i: int) -> int:
    for kind in ("or", "and", "article", "present", "both"):
        if found := board.match(kind, i):
            return found.last
    return i + 1 if board.norm(i) in (",", "/", "ex", "-", "、") else i


def _moved(board: Board, left: int) -> str | None:
    """moved from A to B; left A for B; joined B from A"""
    lead = board.norm(left - 1)
    verb = _move_before(board, left)
    if verb is None:
        return None
    if lead in ("from", "von", "从") or (verb.last == left and board.norm(verb.first) in _LEAVING):
        return "past_company"
    return "company" if lead in ("to", "for", "zu", "到", "joined") else None


def _move_before(board: Board, left: int) -> Match | None:
    for i in range(left - 1, max(-1, left - 9), -1):
        match = board.match("move", i)
        if match:
            return match
        if board.norm(i) in (".", ";", "but", "who"):
            return None
    return None


def _is_present(board: Board, match: Match, left: int, hardware: bool) -> bool:
    if board.tokens[match.first].kind is Kind.HANDLE:
        return True
    if match.value in _VENUES and board.norm(match.last) in ("profile", "profiles"):
        return False
    lead = board.before("present", left - (board.norm(left - 1) == ":"))
    loose = board.norm(left - 1) in ("from", "by") and _is_word(board, match)
    if loose and not _ends_name(board, match.last):
        return False
    if lead and "hardware" not in board.matches[match.first]:
        return not hardware or board.norm(left - 1) in ("at", "@", "bei", "of")
    if hardware or not _is_name_itself(board, match):
        return False
    if _is_denied(board, left):
        return _ends_name(board, match.last)
    if board.match("negator_after", _list_end(board, match.last)):
        return True
    if _people_follow(board, match.last) or board.match("present_after", match.last):
        return True
    if board.norm(left - 1) in ("now", "currently") and _ends_name(board, match.last):
        return not _is_word(board, match) or _stops(board, match.last)
    return match.value not in _VENDORS and _stands_alone(board, match, left)


def _is_denied(board: Board, left: int) -> bool:
    """'not NVIDIA', 'except those from NVIDIA', 'exclude: NVIDIA', 'the exception of NVIDIA'"""
    left = left - 1 if board.norm(left - 1) == ":" else left
    return any(
        board.before("negator", at) for at in (left, board.skip_back(left, "preposition", "based"))
    )


def _is_name_itself(board: Board, match: Match) -> bool:
    """A project or product by which a company is also known needs 'at' before it."""
    known = find(match.value)
    said = normalise(" ".join(board.norm(i) for i in range(match.first, match.last)))
    if known is None or not {"topic", "hardware", "repo"} & set(board.matches[match.first]):
        return True
    return said in (normalise(known.name), normalise(known.shown))


def _ends_name(board: Board, last: int) -> bool:
    """People, small words or a stop follow: 'no NVIDIA' but not 'no NVIDIA libraries'."""
    return last >= len(board) or bool(board.matches[last]) or board.tokens[last].kind is Kind.SYMBOL


def _people_follow(board: Board, last: int) -> bool:
    """'NVIDIA engineers', 'Red Hat staff', 'MIT or Stanford folks'"""
    last = _list_end(board, last)
    if board.norm(last) == "staff":
        return True
    at = board.skip(last, "seniority")
    if board.norm(at) in ("'s", "的", "-"):
        at = board.skip(at + 1, "seniority")
    return bool(
        board.match("person", at) or board.match("kept_person", at) or board.norm(at) == "staff"
    ) or (board.norm(last) == "的")


def _stands_alone(board: Board, match: Match, left: int) -> bool:
    """Between commas or the question's ends: 'sglang, red hat, berlin', or 'red hat' alone.

    A name that is an area of work too, such as Hugging Face, is not an employer by itself.
    """
    opens = left == 0 or board.norm(left - 1) in (",", ";", ".", ":", "(", "+")
    closes = _stops(board, match.last)
    is_area = "topic" in board.matches[match.first]
    return opens and closes and not is_area and not _is_word(board, match)


def _stops(board: Board, last: int) -> bool:
    return last == len(board) or board.norm(last) in (",", ";", ".", ":", ")", "+")


def _unknown(board: Board) -> Iterator[Part]:
    """A capitalised name that no list holds, where only an employer can stand."""
    for match in [*board.each("present"), *board.each("past")]:
        field = "past_company" if match.kind == "past" else "company"
        last = board.skip(match.last, "article")
        last = last + 1 if board.norm(last) == "-" else last
        end = last
        while end < min(len(board), last + 3) and _is_name(board, end):
            end += 1
        if end > last and _is_slot(board, match):
            name = re.sub(r"\s+", " ", board.words(last, end)).lower()
            yield board.part(last, end, (field, "=", name))


def _is_name(board: Board, i: int) -> bool:
    token = board.tokens[i]
    is_cased = token.text[0].isupper() and not token.text.isdigit() and not board.shouts
    return (
        is_cased
        and token.kind is Kind.WORD
        and len(token.text) > 2
        and not board.taken[i]
        and set(board.matches[i]) <= {"hardware"}
        and not any(c.isdigit() for c in token.text)
        and token.norm not in _VENUES
    )


def _is_slot(board: Board, match: Match) -> bool:
    words = board.words(match.first, match.last).lower()
    if words in ("at", "@", "bei"):
        start = match.first
        return bool(
            board.before("person", start)
            or board.before("kept_person", start)
            or board.norm(start - 1) in _WORK
        )
    return words in word_set("employer_slot")


_WORK = frozenset(
    ["currently", "now", "not", "working", "works", "employed", "today", "based", "still", "and"]
)
