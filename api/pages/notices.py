"""Who has to be told that data on them are held, the letter to each, and who was told."""

from datetime import UTC, datetime

from fastapi import APIRouter, Request, Response

from api.notifying import Due, duties
from api.pages.forms import Said
from api.pages.letters import letter
from api.pages.site import AtSite, Site
from sourcer.errors import BadInput, NotFound
from sourcer.workspace import entries, notices
from sourcer.workspace.actors import Role

router = APIRouter(prefix="/notices", include_in_schema=False)
PAGE = 100


@router.get("")
async def due(request: Request, site: AtSite) -> Response:
    """Those who are late first."""
    site.actor.must_be(Role.RECRUITER)
    everyone = request.query_params.get("who") == "all"

    def made() -> dict[str, object]:
        found = [one for one in _duties(site) if everyone or one.is_listed]
        now = datetime.now(UTC)
        return {
            "notices": [(one, one.is_late(now)) for one in found[:PAGE]],
            "total": len(found),
            "late": sum(one.is_late(now) for one in found),
            "everyone": everyone,
            "controller": site.desk.settings.controller,
        }

    return await site.page("notices.html", made)


@router.post("")
async def tell(site: AtSite) -> Response:
    """Those ticked were told."""
    form = await site.form()
    people = [site.opened.people.find(str(one)) for one in form.getlist("id")]
    if not people:
        raise BadInput(site.words("notice.pick"))
    how = str(form.get("how", ""))
    count = await site.write(lambda session: notices.sent(session, site.actor, people, how))
    return site.go("/notices", Said(site.words("done.told", n=count)))


@router.post("/{id}/undo")
async def untell(site: AtSite, id: str) -> Response:
    await site.form()
    await site.write(lambda session: notices.unsent(session, site.actor, [id]))
    return site.go("/notices", Said(site.words("done.undone")))


@router.get("/{id}")
async def one(site: AtSite, id: str) -> Response:
    """The letter to one person, to be copied."""
    site.actor.must_be(Role.RECRUITER)

    def made() -> dict[str, object]:
        person = site.opened.people.find(id)
        found = next((one for one in _duties(site) if one.person_id == person), None)
        if found is None:
            raise NotFound(site.words("notice.nothing"))
        return {"one": found, "text": letter(found, site.words, site.desk.settings)}

    return await site.page("notice.html", made)


def _duties(site: Site) -> tuple[Due, ...]:
    with site.desk.workspace.reading() as session:
        told, listed = notices.told(session), entries.first_listed(session)
    return duties(site.opened, told, listed, site.veil)
