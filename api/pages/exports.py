"""Exporting: who and what would go out is shown before a file does."""

from collections.abc import Sequence
from urllib.parse import urlencode

from fastapi import APIRouter, Request, Response

from api.exported import COLUMNS, Exported
from api.exports import FORMATS
from api.pages.asking import Asked
from api.pages.entries import SHA, safe_href
from api.pages.forms import Said, field
from api.pages.site import AtSite, Site
from api.responses import EntryOut, EvidenceOut, clean
from api.routes.exports import exported, handed_over, linkedin
from api.tracking import set_up
from sourcer.errors import BadInput
from sourcer.workspace import audit, entries, shortlists
from sourcer.workspace.actors import Role

router = APIRouter(prefix="/export", include_in_schema=False)
MOST = 100
PREVIEW = ("name", "title", "employer", "location", "why")
"""Columns of the file that are shown before it goes out; the evidence stands beside them."""


@router.post("/people")
async def picked(site: AtSite) -> Response:
    """Those ticked in the results, by an address of their own."""
    form = await site.form()
    found = [("q", str(form.get("q", ""))), ("edit", str(form.get("edit", "")))]
    found += [("id", str(one)) for one in form.getlist("id")]
    return site.go(f"/export/people?{urlencode([pair for pair in found if pair[1]])}")


@router.get("/people")
async def people(request: Request, site: AtSite) -> Response:
    """The people ticked, or else the first hundred of the answer."""
    site.actor.must_be(Role.RECRUITER)
    asked, ids = Asked.of(request.query_params), request.query_params.getlist("id")
    found = await site.run(lambda: _answering(site, asked, ids))
    link = f"/export/people?{urlencode([*asked.params, *(('id', one) for one in ids)])}"
    return await _answer(request, site, found, link, asked.url(), {"question": asked.q})


@router.get("/shortlists/{slug}")
async def shortlist(request: Request, site: AtSite, slug: str) -> Response:
    site.actor.must_be(Role.RECRUITER)
    listed = await site.read(lambda session: entries.every(session, site.actor, slug))
    project = await site.read(lambda session: shortlists.get(session, site.actor, slug))
    found = await site.run(lambda: exported(site.opened, listed))
    link, back = f"/export/shortlists/{project.slug}?", f"/shortlists/{project.slug}"
    return await _answer(request, site, found, link, back, {"shortlist": slug})


@router.post("/shortlists/{slug}/deliver")
async def hand_over(site: AtSite, slug: str) -> Response:
    """To an applicant-tracking system that an admin set up."""
    site.actor.must_be(Role.RECRUITER)
    form = await site.form()
    done = await handed_over(site.desk, site.actor, slug, field(form, "to"))
    failed = [one.why_not for one in done if one.why_not]
    said = site.words("done.delivered", n=len(done) - len(failed))
    said = " ".join((said, *dict.fromkeys(failed)))
    return site.go(f"/export/shortlists/{slug}", Said(said))


async def _answer(
    request: Request,
    site: Site,
    found: Sequence[Exported],
    link: str,
    back: str,
    about: dict[str, object],
) -> Response:
    """A preview, or the file once a format is chosen."""
    name = request.query_params.get("format")
    if name is None:
        rows = [_preview(one) for one in found]
        view = {
            "rows": rows,
            "columns": PREVIEW,
            "formats": FORMATS,
            "link": link,
            "back": back,
            "slug": about.get("shortlist", ""),
            "systems": set_up(site.desk.settings),
        }
        return await site.page("export.html", lambda: view)
    if name not in FORMATS:
        raise BadInput(f"{name[:40]!r} is not one of {', '.join(FORMATS)}")
    chosen = FORMATS[name]
    body = await site.run(lambda: chosen.write(found))
    shown = [one.person.id for one in found]
    said = {**about, "snapshot": site.opened.name, "format": name, "shown": shown}
    await site.write(
        lambda session: audit.append(session, audit.Entry(site.actor.name, "exported", said))
    )
    file = f'attachment; filename="sourcer-{name}.{chosen.ending}"'
    headers = {"Content-Disposition": file, "Cache-Control": "no-store"}
    return Response(body, media_type=chosen.media_type, headers=headers)


def _answering(site: Site, asked: Asked, ids: Sequence[str]) -> list[Exported]:
    opened = site.opened
    found = opened.searcher.search(asked.query(site.desk), limit=MOST)
    chosen = [one for one in found.entries if not ids or one.person.id in ids]
    veil = site.veil
    return [
        Exported.of(
            veil.entry(EntryOut.model_validate(clean(one.json()))),
            "" if veil.covers(one.person.id) else linkedin(opened, one.person.id),
        )
        for one in chosen
    ]


def _preview(one: Exported) -> tuple[list[str], list[tuple[str, str, str]]]:
    """Some columns, and of each commit the address, its whole name and a short one."""
    whole = dict(zip(COLUMNS, one.row(), strict=True))
    return [whole[name] for name in PREVIEW], [_commit(each) for each in one.evidence]


def _commit(one: EvidenceOut) -> tuple[str, str, str]:
    repo = one.repo.rpartition("/")[2]
    return safe_href(one.url), f"{one.repo}@{one.sha}", f"{repo}@{one.sha[:SHA]}"
