"""What an admin looks after: what is published, what is crawled, users, suppressions, the log."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from fastapi import APIRouter, Request, Response

from api.access import access_of
from api.pages.forms import Said, field
from api.pages.site import AtSite, Site
from sourcer import settings, snapshot
from sourcer.errors import BadInput, Conflict, NoSnapshot
from sourcer.workspace import Session, accounts, audit, identifiers, jobs, suppressions, tokens
from sourcer.workspace.actors import LOCAL, Actor, Role
from sourcer.workspace.suppressions import Channel

router = APIRouter(prefix="/admin", include_in_schema=False)
PAGE = 100


@dataclass(frozen=True, slots=True)
class Coverage:
    """One topic, and how much of the history has it."""

    name: str
    definition: str
    commits: int
    people: int


@router.get("")
async def overview(site: AtSite) -> Response:
    site.actor.must_be(Role.ADMIN)
    held = await site.read(lambda session: _held(session, site.actor))

    def made() -> dict[str, object]:
        manifest = _manifest(site)
        return {
            "manifest": manifest,
            "repositories": _repositories(site, manifest),
            "published": [path.name for path in snapshot.published(site.desk.settings.data)][::-1],
            "can_ingest": site.desk.work.doing.ingest is not None,
            "can_add": site.desk.work.doing.add is not None,
            **held,
        }

    return await site.page("admin.html", made)


@router.post("/ingest")
async def ingest(site: AtSite) -> Response:
    """Brings every remembered repository up to date, or a new one in."""
    site.actor.must_be(Role.ADMIN)
    form = await site.form()
    work, source = site.desk.work, str(form.get("source", "")).strip()
    if source:
        job = await site.run(lambda: work.add(site.actor, source))
    else:
        job = await site.run(lambda: work.ingest(site.actor))
    return site.go(f"/imports/jobs/{job.slug}")


@router.get("/topics")
async def topics(site: AtSite) -> Response:
    """The taxonomy with its coverage of the history."""
    return await site.page("topics.html", lambda: {"topics": _coverage(site)})


@router.get("/audit")
async def log(request: Request, site: AtSite) -> Response:
    before = request.query_params.get("before", "")
    await site.run(site.desk.auditing.flush)
    found = await site.read(
        lambda session: audit.entries(
            session, site.actor, before=int(before) if before.isdecimal() else None, limit=PAGE
        )
    )
    broken = await site.read(audit.verify)
    older = found[-1].id if len(found) == PAGE else None
    return await site.page(
        "audit.html", lambda: {"entries": found, "broken": broken, "older": older}
    )


@router.post("/suppress")
async def suppress(site: AtSite) -> Response:
    """Somebody who need not be in the data: by login, page, email or id."""
    form = await site.form()
    one = identifiers.read(field(form, "who"))
    await site.write(
        lambda session: suppressions.suppress(session, site.actor, [one], Channel.PAGE)
    )
    await site.run(site.desk.snapshots.look_again)
    return site.go("/admin", Said(site.words("done.kept-out")))


@router.post("/lift")
async def lift(site: AtSite) -> Response:
    form = await site.form()
    one = identifiers.read(field(form, "who"))
    await site.write(lambda session: suppressions.lift(session, site.actor, [one]))
    await site.run(site.desk.snapshots.look_again)
    return site.go("/admin", Said(site.words("done.lifted")))


@router.post("/users")
async def add_user(site: AtSite) -> Response:
    form = await site.form()
    name, password = field(form, "name"), str(form.get("password", ""))
    await site.write(
        lambda session: accounts.add(
            session, site.actor, name, _role(form.get("role")), password=password
        )
    )
    return site.go("/admin", Said(site.words("done.user", name=name)))


@router.post("/users/{name}")
async def change_user(request: Request, site: AtSite, name: str) -> Response:
    form = await site.form()

    def changing(session: Session) -> None:
        if form.get("disable") == "yes":
            accounts.disable(session, site.actor, name)
        elif form.get("enable") == "yes":
            accounts.enable(session, site.actor, name)
        else:
            accounts.set_role(session, site.actor, name, _role(form.get("role")))

    await site.write(changing)
    access_of(request).forget()
    return site.go("/admin", Said(site.words("done.user-changed", name=name)))


@router.post("/tokens")
async def give(site: AtSite) -> Response:
    """A new token of one's own; its secret is shown only now."""
    form = await site.form()
    if site.actor == LOCAL:
        raise Conflict("tokens belong to users. Add one first, and log in as that user")
    label, scope = field(form, "label"), _scope(form.get("scope"))
    _, secret = await site.write(lambda session: tokens.give(session, site.actor, label, scope))
    return await site.page("token.html", lambda: {"secret": secret, "label": label})


@router.post("/tokens/{number}")
async def revoke(request: Request, site: AtSite, number: int) -> Response:
    await site.form()
    await site.write(lambda session: tokens.revoke(session, site.actor, number))
    access_of(request).forget()
    return site.go("/admin", Said(site.words("done.revoked")))


def _held(session: Session, actor: Actor) -> dict[str, object]:
    return {
        "jobs": jobs.recent(session, 20),
        "users": accounts.every(session),
        "tokens": tokens.every(session, actor),
        "scopes": tuple(tokens.Scope),
        "suppressed": [one for one in suppressions.every(session) if one.lifted_at is None],
        "roles": tuple(Role),
        "least": accounts.SHORTEST,
    }


def _manifest(site: Site) -> Mapping[str, object]:
    """What is published; empty while nothing is."""
    try:
        opened = site.opened
    except NoSnapshot:
        return {}
    said = opened.snapshot.manifest
    inputs = said.get("inputs", {}).get("repositories", {})
    return {
        "name": opened.name,
        "made": said.get("made"),
        "heads": {name: str(at.get("head") or "")[:12] for name, at in inputs.items()},
        "counts": said.get("counts", {}),
        "failures": said.get("failures", {}),
        "seconds": said.get("seconds", {}),
    }


def _repositories(site: Site, manifest: Mapping[str, object]) -> list[tuple[str, str, str]]:
    """Name, source and the head it was read to; those added since the server started, too."""
    heads = manifest.get("heads")
    read = heads if isinstance(heads, dict) else {}
    remembered = {
        one.name: one.source for one in settings.read(site.desk.settings.data).repositories
    }
    return [(name, remembered.get(name, ""), read.get(name, "")) for name in {**remembered, **read}]


def _coverage(site: Site) -> list[Coverage]:
    columns, known = site.opened.searcher.index.columns, site.opened.known
    defined = {topic.id: topic for topic in site.opened.taxonomy.topics}
    found = []
    for row, (id_, name) in enumerate(known.topics):
        commits = columns.topic_commits[row]
        people = len(np.unique(columns.people.gather(commits)[1]))
        definition = defined[id_].definition if id_ in defined else ""
        found.append(Coverage(name, definition, len(commits), people))
    return found


def _role(said: object) -> Role:
    if said not in set(Role):
        raise BadInput(f"a role is one of {', '.join(Role)}")
    return Role(str(said))


def _scope(said: object) -> tokens.Scope:
    if said not in set(tokens.Scope):
        raise BadInput(f"a token may {', '.join(tokens.Scope)}")
    return tokens.Scope(str(said))
