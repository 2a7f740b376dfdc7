"""Applicant-tracking systems: a candidate in the words of each, and handing candidates over.

Greenhouse Harvest `POST /prospects` (https://developers.greenhouse.io/harvest.html), Lever
`POST /opportunities` (https://hire.lever.co/developer/documentation), Ashby
`POST /candidate.create`, then `/candidate.createNote` (https://developers.ashbyhq.com/reference).
An email is never among the fields, though each of them has one.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import httpx2

from api.exported import Exported
from sourcer.errors import BadInput, SourcerError
from sourcer.settings import Settings

Payload = Mapping[str, object]
PATIENCE = 20.0


class NotDelivered(SourcerError):
    """The other system said no, or nothing."""


def greenhouse(one: Exported) -> Payload:
    """A prospect: a candidate would need a job to apply for. Each commit is a website address."""
    first, last = one.names
    location = one.declared("location")
    return _known(
        first_name=first,
        last_name=last,
        company=one.declared("employer"),
        title=one.declared("title"),
        addresses=[{"value": location, "type": "other"}] if location else [],
        website_addresses=[{"value": link, "type": "other"} for link in one.links],
        social_media_addresses=[{"value": url} for url in (one.github, one.linkedin) if url],
        tags=["sourcer"],
    )


def lever(one: Exported) -> Payload:
    """Each commit is a link."""
    work = (one.declared("title"), one.declared("employer"))
    urls = (one.github, one.linkedin, *one.links)
    return _known(
        name=one.person.name,
        headline=" at ".join(part for part in work if part),
        location=one.declared("location"),
        links=[url for url in urls if url],
        tags=["sourcer"],
        sources=["sourcer"],
        origin="sourced",
    )


def ashby(one: Exported) -> Payload:
    """It has no place for the commits: they go into a note of their own."""
    return _known(name=one.person.name, githubUrl=one.github, linkedInUrl=one.linkedin)


def ashby_note(one: Exported) -> str:
    return "\n".join((one.why, *one.links)).strip()


def ashby_file(one: Exported) -> Payload:
    """Both requests; the note's candidateId is what the first is answered with."""
    return {"candidate.create": ashby(one), "candidate.createNote": {"note": ashby_note(one)}}


def _known(**fields: object) -> Payload:
    """Without the fields that are not known: some systems refuse empty ones.

    >>> _known(name="Mira Lund", location="", links=[])
    {'name': 'Mira Lund'}
    """
    return {name: value for name, value in fields.items() if value}


@dataclass(frozen=True, slots=True)
class System:
    """How one of them is spoken to."""

    name: str
    payload: Callable[[Exported], Payload]
    path: str
    base: str
    key: str
    user: str | None = None
    """On whose behalf candidates are added; None: nobody is named there."""
    headers: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, str] = field(default_factory=dict)
    note_path: str = ""
    """Where what a payload has no place for is sent to."""


@dataclass(frozen=True, slots=True)
class Delivered:
    """What became of one person."""

    person_id: str
    external_id: str | None
    why_not: str | None


def systems(settings: Settings) -> Mapping[str, System]:
    """Those that the settings name by address and key."""
    behalf, performer = settings.greenhouse_user, settings.lever_user
    known = (
        System("greenhouse", greenhouse, "/prospects",
               settings.greenhouse_url, settings.greenhouse_key,
               behalf, headers={"On-Behalf-Of": behalf}),
        System("lever", lever, "/opportunities", settings.lever_url, settings.lever_key,
               performer, query={"perform_as": performer}),
        System("ashby", ashby, "/candidate.create", settings.ashby_url, settings.ashby_key,
               note_path="/candidate.createNote"),
    )  # fmt: skip
    return {one.name: one for one in known}


def set_up(settings: Settings) -> tuple[str, ...]:
    """The names of those that candidates can be handed over to."""
    known = systems(settings).items()
    return tuple(name for name, one in known if one.base and one.key and one.user != "")


def system(settings: Settings, name: str) -> System:
    """Raises BadInput unless its address and key are set."""
    found = systems(settings).get(name)
    if found is None:
        raise BadInput(f"{name[:40]!r} is not one of {', '.join(systems(settings))}")
    if not found.base.startswith(("https://", "http://")) or not found.key:
        raise BadInput(f"set {name}_url and {name}_key to hand candidates over to {name}")
    if found.user == "":
        raise BadInput(f"set {name}_user: {name} wants to know who adds candidates")
    return found


def deliver(to: System, people: list[Exported]) -> list[Delivered]:
    """Sends one after another; what fails is told, and the others still go."""
    with httpx2.Client(
        base_url=to.base.rstrip("/"),
        auth=(to.key, ""),
        headers=dict(to.headers),
        params=dict(to.query),
        timeout=PATIENCE,
        follow_redirects=False,
    ) as client:
        return [_delivered(client, to, one) for one in people]


def _delivered(client: httpx2.Client, to: System, one: Exported) -> Delivered:
    try:
        id_ = _posted(client, to, to.path, to.payload(one))
    except NotDelivered as error:
        return Delivered(one.person.id, None, str(error))
    if to.note_path and id_:
        try:
            _posted(client, to, to.note_path, {"candidateId": id_, "note": ashby_note(one)})
        except NotDelivered as error:
            return Delivered(one.person.id, id_, f"without its commits: {error}")
    return Delivered(one.person.id, id_, None)


def _posted(client: httpx2.Client, to: System, path: str, payload: Payload) -> str | None:
    """The id that it got there. Raises NotDelivered."""
    try:
        answer = client.post(path, json=payload)
    except httpx2.HTTPError as error:
        raise NotDelivered(f"{to.name} did not answer: {type(error).__name__}") from error
    if answer.status_code >= 300:
        raise NotDelivered(f"{to.name} answered {answer.status_code}")
    said = _said(answer)
    if isinstance(said, dict) and said.get("success") is False:
        raise NotDelivered(f"{to.name} refused it")
    return _id(said)


def _said(answer: httpx2.Response) -> object:
    try:
        return answer.json()
    except ValueError:
        return None


def _id(said: object) -> str | None:
    """Greenhouse says it plainly, Lever in `data`, Ashby in `results`."""
    for place in (said, said.get("data"), said.get("results")) if isinstance(said, dict) else ():
        if isinstance(place, dict) and "id" in place:
            return str(place["id"])[:100]
    return None
