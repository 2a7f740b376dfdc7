"""How many there are before anyone sources them: funnel, slices, titles against artifacts."""

import csv
import io
from collections.abc import Iterator, Mapping
from functools import partial

from fastapi import APIRouter, Request, Response

from api.pages.asking import Asked
from api.pages.chips import chips, stretches
from api.pages.pictures import Bar
from api.pages.site import HEADERS, AtSite, Site
from api.pages.words import Words
from sourcer.errors import BadInput
from sourcer.pool import Pool, charts
from sourcer.pool.slices import DIMENSIONS, Slice

router = APIRouter(prefix="/pool", include_in_schema=False)
SHOWN = ("country", "employer", "lane", "seniority", "open", "tenure", "topic", "quarter")
SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""Of a chart looked at by itself: no script, nothing from elsewhere, its own style alone."""


@router.get("")
async def pool(request: Request, site: AtSite) -> Response:
    asked, titles = Asked.of(request.query_params), request.query_params.get("titles", "")

    def made() -> dict[str, object]:
        query = asked.query(site.desk)
        counted = site.pool(query)
        report = site.opened.pools.report(query, titles.strip() or None)
        most = counted.steps[0].left
        return {
            "asked": asked,
            "query": query,
            "stretches": stretches(query, site.opened.taxonomy, site.words),
            "chips": chips(query, site.opened.taxonomy, site.words),
            "steps": [(step, _bar(step.left, step.matched, most)) for step in counted.steps],
            "notes": counted.notes,
            "slices": [_slice(site, counted, by) for by in SHOWN],
            "report": report,
            "csv": asked.link("/pool/pool.csv"),
            "svg": asked.link("/pool/funnel.svg"),
        }

    return await site.page("pool.html", made)


@router.get("/pool.csv")
async def table(request: Request, site: AtSite) -> Response:
    """The funnel and every slice as one table."""
    asked = Asked.of(request.query_params)
    text = await site.run(lambda: _csv(site.pool(asked.query(site.desk)), site.words))
    return _file(text.encode(), "text/csv; charset=utf-8", "sourcer-pool.csv")


@router.get("/{name}.svg")
async def picture(request: Request, site: AtSite, name: str) -> Response:
    """The funnel, or a slice by one of the dimensions."""
    asked = Asked.of(request.query_params)
    if name != "funnel" and name not in DIMENSIONS:
        raise BadInput(f"there is no chart {name[:40]!r}")

    def drawn() -> str:
        counted = site.pool(asked.query(site.desk))
        if name == "funnel":
            return charts.funnel(counted.steps, charts.Tongue(site.words.told, site.words.number))
        tongue = charts.Tongue(partial(_value, site.words, name), site.words.number)
        return charts.slice_(counted.sliced(name), tongue)

    svg = await site.run(drawn)
    answer = _file(svg.encode(), "image/svg+xml", f"sourcer-{name}.svg")
    answer.headers["Content-Security-Policy"] = SVG_POLICY
    return answer


def _slice(site: Site, counted: Pool, by: str) -> dict[str, object]:
    one = counted.sliced(by)
    most = max((row.people for row in one.rows), default=1)
    rows = [
        Bar(
            _value(site.words, by, row.value),
            row.people,
            100 * row.people / most,
            100 * row.matched / most,
        )
        for row in one.rows
    ]
    return {"slice": one, "by": by, "rows": rows}


def _value(words: Words, by: str, value: str) -> str:
    return words.told(words.territory(value) if by == "country" else value)


def _bar(left: int, matched: int, most: int) -> Bar:
    most = max(most, 1)
    return Bar("", left, 100 * left / most, 100 * matched / most)


def _csv(counted: Pool, words: Words) -> str:
    """
    >>> from api.pages.words import words_for
    >>> _csv(Pool("q", "s", (), ()), words_for("en")).splitlines()[0]
    'part,value,people,matched,how'
    """
    into, told = io.StringIO(), words.told
    lines = csv.writer(into)
    lines.writerow(told(name) for name in ("part", "value", "people", "matched", "how"))
    for step in counted.steps:
        said = told("funnel"), _plain(told(step.says))
        lines.writerow((*said, step.left, step.matched, told(step.how)))
    for by in DIMENSIONS:
        lines.writerows(_rows(counted.sliced(by, None), words))
    return into.getvalue()


def _rows(one: Slice, words: Words) -> Iterator[tuple[str, str, int, int | str, str]]:
    title, how = words.told(one.title), words.told(one.how)
    for row in one.rows:
        value = _value(words, one.dimension, row.value)
        yield title, _plain(value), row.people, row.matched, how
    yield title, words.told("unknown"), one.unknown, "", how


def _plain(text: str) -> str:
    """Nothing that a spreadsheet would run.

    >>> _plain("=1+1")
    "'=1+1"
    """
    return f"'{text}" if text[:1] in "=+-@\t\r" else text


def _file(body: bytes, kind: str, name: str) -> Response:
    headers: Mapping[str, str] = {
        **HEADERS,
        "Content-Disposition": f'attachment; filename="{name}"',
        "Cache-Control": "no-store",
    }
    return Response(body, media_type=kind, headers=dict(headers))
