"""Up to four people side by side."""

import re
from dataclasses import dataclass
from urllib.parse import urlencode

from fastapi import APIRouter, Request, Response

from api.pages.asking import Asked
from api.pages.entries import Showing
from api.pages.site import AtSite, Site
from api.pages.words import Words
from sourcer.errors import BadInput
from sourcer.shortlist import Entry

router = APIRouter(prefix="/compare", include_in_schema=False)
LEAST, MOST = 2, 4
NAMED = re.compile("[:,] ")
"""What ends the name of a score's part in its sentence."""


@router.post("")
async def picked(site: AtSite) -> Response:
    form = await site.form()
    found = [("q", str(form.get("q", ""))), ("edit", str(form.get("edit", "")))]
    found += [("id", str(one)) for one in form.getlist("id")]
    return site.go(f"/compare?{urlencode([pair for pair in found if pair[1]])}")


@router.get("")
async def compare(request: Request, site: AtSite) -> Response:
    asked, ids = Asked.of(request.query_params), request.query_params.getlist("id")
    if not LEAST <= len(ids) <= MOST:
        raise BadInput(site.words("compare.pick", least=LEAST, most=MOST))

    def made() -> dict[str, object]:
        query = asked.query(site.desk)
        showing = Showing(site.opened.searcher, site.words, asked, site.veil, query.wanted)
        found = [(id_, site.opened.searcher.about(query, id_)) for id_ in dict.fromkeys(ids)]
        views = [showing.entry(one, 0) for _, one in found if one is not None]
        parts = [_parts(one, site.words) for _, one in found if one is not None]
        missing = [_name(site, id_) for id_, one in found if one is None]
        return {"people": views, "rows": _rows(parts), "missing": missing, "asked": asked}

    return await site.page("compare.html", made)


@dataclass(frozen=True, slots=True)
class Cell:
    """One part of somebody's score."""

    percent: int
    says: str


def _parts(entry: Entry, words: Words) -> dict[str, Cell]:
    """The score's parts by their first words, which are not said again: topic fit, depth ..."""
    found = {}
    for part in entry.why.parts:
        name, *says = NAMED.split(words.told(part.says), maxsplit=1)
        found[name[:1].upper() + name[1:]] = Cell(round(100 * part.value), "".join(says))
    return found


def _rows(parts: list[dict[str, Cell]]) -> list[tuple[str, list[Cell | None]]]:
    names = dict.fromkeys(name for each in parts for name in each)
    return [(name, [each.get(name) for each in parts]) for name in names]


def _name(site: Site, id_: str) -> str:
    found = site.opened.people.find(id_)
    return site.veil.name(found, site.opened.people.shown(found).name)
