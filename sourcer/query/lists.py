"""Lists: parts of one kind joined by commas, 'or' or 'and', and the one filter they make."""

from collections.abc import Sequence
from dataclasses import dataclass

from sourcer.places import Place
from sourcer.query.board import Board, Condition, Part
from sourcer.query.fields import Scalar, interval

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
        "window",
    }
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
    said = _said_between(board, group, part)
    if said is None and _wants_this_too(board, before, part):
        return "all"
    if said is None or (part.field == "window" and not (said or before.last + 1 == part.first)):
        return None
    both = _said_both(board, group.first) or board.norm(board.skip(part.last, "person")) in (
        "both",
        "alike",
    )
    return "all" if (said == "and" or both) and said != "or" else "or"


def _said_between(board: Board, group: Group, part: Part) -> str | None:
    """'or', 'and' or '' for a bare comma; None where the words between end the list."""
    i, joint = group.parts[-1].last, ""
    while i < part.first:
        if after := _but_also(board, group, i):
            i, joint = after, "and"
            continue
        if any(board.match(kind, i) for kind in ("not_a_negator", "negator", "but")):
            return None
        joint = _sharper(joint, _joint_at(board, i))
        j = board.skip(i, *_BETWEEN)
        if j == i and board.norm(i) not in _LIST_SIGNS:
            return None
        i = max(j, i + 1)
    return joint


_BETWEEN = (
    "or", "and", "article", "preposition", "based", "both", "person", "present", "past",
)  # fmt: skip
_LIST_SIGNS = frozenset([",", "/", "、", "-", "+", "@", "(", "again"])


def _joint_at(board: Board, i: int) -> str:
    if board.match("or", i) or board.norm(i) == "/":
        return "or"
    return "and" if board.match("and", i) or board.norm(i) == "+" else ""


def _sharper(one: str, other: str) -> str:
    """'and/or' is 'or'."""
    return "or" if "or" in (one, other) else one or other


def _wants_this_too(board: Board, before: Part, part: Part) -> bool:
    """'vLLM people who also contributed to SGLang'; 'Python isn't enough, must also write Rust'"""
    if part.field not in ("repo", "language"):
        return False
    lacking = board.match("not_enough", before.last)
    i = lacking.last if lacking else before.last
    also = any(board.match("also", at) for at in range(i, part.first))
    while i < part.first:
        j = board.skip(i, "also", "and", "preposition", "article", "person", "filler", "must")
        if j == i and not (lacking and board.norm(i) in (",", ":", ";", "-")):
            return False
        i = max(j, i + 1)
    return also if part.field == "repo" else lacking is not None


def _but_also(board: Board, group: Group, i: int) -> int | None:
    """The word after the 'but also' of 'not only A but also B': both are meant."""
    but = board.match("but", i)
    also = board.match("also", but.last) if but else board.match("also", i)
    if also is None or (but is None and also.last - also.first < 2):
        return None
    start = board.skip_back(group.first, "article", "preposition", "person", "both")
    return also.last if board.before("not_only", start) else None


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
    if field == "window":
        return [(field, "in", tuple(_times(parts)))]
    if len(values) == 1:
        return [(field, op, values[0] or "")]
    if field == "path":
        return [(field, op, values)]
    return [(field, "all" if field == "repo" and group.joint == "all" else "in", values)]


def _times(parts: Sequence[Part]) -> list[str]:
    """'in 2021 or 2024': each time in one text, as one commit cannot be of both."""
    held = [value for part in parts for _, _, value in part.conditions if isinstance(value, tuple)]
    ends = ([None if end is None else str(end) for end in value] for value in held)
    return list(dict.fromkeys(interval(start, last) for start, last in ends))


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
