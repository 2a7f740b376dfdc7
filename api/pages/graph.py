"""Who works with whom, around a person or on a topic: a picture, and a table that says the same."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

from fastapi import APIRouter, Request, Response

from api.pages.layout import placed
from api.pages.person_view import together
from api.pages.site import AtSite, Site
from sourcer.store.near import TieRow

router = APIRouter(prefix="/graph", include_in_schema=False)
SIZES = (50, 150, 500)
TIES_EACH = 4
WIDTH, HEIGHT, MARGIN = 1000, 640, 40
GROUPS = 6
"""Colours; the topics beyond share the last."""
SMALL, LARGE = 12, 18
"""Heights of letters: of a picture drawn wide, and of one that a narrow window makes smaller."""
LETTER, LINE = 0.6, 1.25
"""How wide a letter is, and how high a line, in heights of a letter."""


@dataclass(frozen=True, slots=True)
class Point:
    id: str
    name: str
    href: str
    x: float
    y: float
    radius: float
    group: int
    topic: str


@dataclass(frozen=True, slots=True)
class Label:
    """A name over its point."""

    name: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Edge:
    x1: float
    y1: float
    x2: float
    y2: float
    says: str


@dataclass(frozen=True, slots=True)
class TableRow:
    name: str
    href: str
    topic: str
    commits: int
    partners: tuple[tuple[str, str], ...]


@router.get("")
async def graph(request: Request, site: AtSite) -> Response:
    params = request.query_params
    size = int(params.get("size", "50")) if params.get("size", "50").isdecimal() else 50

    def made() -> dict[str, object]:
        people = site.opened.people
        around = people.find(params["person"]) if params.get("person") else None
        topic = _topic(site, params.get("topic", ""))
        ids = people.near(around, topic, min(max(size, 2), SIZES[-1]))
        ties = people.ties(ids, TIES_EACH * len(ids))
        points = _points(site, ids, ties)
        at = {point.id: point for point in points}
        return {
            "points": points,
            "names": [(size, named(points, size)) for size in (SMALL, LARGE)],
            "edges": _edges(site, ties, at),
            "groups": _legend(points),
            "rows": _rows(site, points, ties, at),
            "about": site.veil.name(around, people.shown(around).name) if around else "",
            "person": around or "",
            "topic": topic or "",
            "topics": [(one.id, one.name) for one in site.opened.taxonomy.topics],
            "size": size,
            "sizes": SIZES,
            "box": f"0 0 {WIDTH} {HEIGHT}",
        }

    return await site.page("graph.html", made)


def _topic(site: Site, said: str) -> str | None:
    return said if said in site.opened.known.topic_ordinals else None


def _points(site: Site, ids: list[str], ties: list[TieRow]) -> list[Point]:
    row = {id_: at for at, id_ in enumerate(ids)}
    most = max((tie.weight for tie in ties), default=1.0)
    spots = placed(len(ids), [(row[one.a], row[one.b], one.weight / most) for one in ties])
    topics = [_main_topic(site, id_) for id_ in ids]
    scale = min(1.0, (SIZES[1] / max(len(ids), 1)) ** 0.5)
    common = [name for name, _ in Counter(topics).most_common(GROUPS - 1)]
    return [
        Point(
            id=id_,
            name=site.veil.name(id_, site.opened.people.shown(id_).name),
            href=f"/people/{quote(id_)}",
            x=round(MARGIN + x * (WIDTH - 2 * MARGIN), 1),
            y=round(MARGIN + y * (HEIGHT - 2 * MARGIN), 1),
            radius=round((3 + min(9.0, _commits(site, id_) ** 0.35)) * scale, 1),
            group=common.index(topic) if topic in common else GROUPS - 1,
            topic=topic,
        )
        for id_, (x, y), topic in zip(ids, spots.tolist(), topics, strict=True)
    ]


def named(points: Sequence[Point], size: float) -> list[Label]:
    """Names of as many points as have room for them, in their order.

    >>> two = [Point(name, name, "", x, 99, 5, 0, "") for name, x in (("Ada", 100), ("Ben", 130))]
    >>> [[label.name for label in named(two, size)] for size in (SMALL, LARGE)]
    [['Ada', 'Ben'], ['Ada']]
    """
    taken: list[tuple[float, Label]] = []
    for point in points:
        half = len(point.name) * LETTER * size / 2
        centre = min(max(point.x, half + 2), WIDTH - half - 2)
        label = Label(point.name, round(centre, 1), round(point.y - point.radius - 3, 1))
        if all(
            abs(label.x - one.x) > half + other or abs(label.y - one.y) > LINE * size
            for other, one in taken
        ):
            taken.append((half, label))
    return [label for _, label in taken]


def _edges(site: Site, ties: list[TieRow], at: dict[str, Point]) -> list[Edge]:
    return [
        Edge(at[tie.a].x, at[tie.a].y, at[tie.b].x, at[tie.b].y, _tie_says(site, tie))
        for tie in ties
    ]


def _rows(
    site: Site, points: list[Point], ties: list[TieRow], at: dict[str, Point]
) -> list[TableRow]:
    partners: dict[str, list[tuple[str, str]]] = {}
    for tie in ties:
        for own, other in ((tie.a, tie.b), (tie.b, tie.a)):
            partners.setdefault(own, []).append((at[other].name, _tie_says(site, tie)))
    return [
        TableRow(
            point.name,
            point.href,
            point.topic,
            _commits(site, point.id),
            tuple(partners.get(point.id, ())[:TIES_EACH]),
        )
        for point in points
    ]


def _legend(points: list[Point]) -> list[tuple[int, str]]:
    """Colours with their topics; the last stands for all others."""
    named = {point.group: point.topic for point in points if point.group < GROUPS - 1}
    return sorted(named.items())


def _tie_says(site: Site, tie: TieRow) -> str:
    return together(tie, site.words)


def _main_topic(site: Site, id_: str) -> str:
    searcher = site.opened.searcher
    topics = searcher.activity.topics(searcher.details.person(id_) or 0)
    first = next(iter(topics), None)
    return "" if first is None else searcher.details.topics[first][1]


def _commits(site: Site, id_: str) -> int:
    searcher = site.opened.searcher
    return len(searcher.activity.commits(searcher.details.person(id_) or 0))
