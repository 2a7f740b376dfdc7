"""Applicant-tracking systems: a candidate in the words of each, and handing candidates over.

Greenhouse Harvest `POST /candidates`, Lever `POST /opportunities`, Ashby `POST /candidate.create`.
An email is never among the fields, though each of them has one.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import httpx2

from api.exported import Exported
from sourcer.errors import BadInput, SourcerError
from sourcer.settings import Settings

Payload = Mapping[str, object]
PATIENCE = 20.0


class NotDelivered(SourcerError):
    """The other system said no, or nothing."""


def greenhouse(one: Exported) -> Payload:
    """Of the Harvest API; each commit is a website address, so that it can be followed."""
    first, last = one.names
    location = one.declared("location")
    employments = [{"company_name": one.declared("employer"), "title": one.declared("title")}]
    return {
        "first_name": first,
        "last_name": last,
        "company": one.declared("employer"),
        "title": one.declared("title"),
        "email_addresses": [],
        "phone_numbers": [],
        "addresses": [{"value": location, "type": "home"}] if location else [],
        "website_addresses": [{"value": link, "type": "other"} for link in one.links],
        "social_media_addresses": [{"value": url} for url in (one.github, one.linkedin) if url],
        "employments": employments if one.declared("employer") else [],
        "tags": ["sourcer"],
    }


def lever(one: Exported) -> Payload:
    urls = (one.github, one.linkedin, *one.links)
    return {
        "name": one.person.name,
        "headline": " at ".join(
            part for part in (one.declared("title"), one.declared("employer")) if part
        ),
        "location": one.declared("location"),
        "emails": [],
        "phones": [],
        "links": [url for url in urls if url],
        "tags": ["sourcer"],
        "sources": ["sourcer"],
        "origin": "sourced",
    }


def ashby(one: Exported) -> Payload:
    """Without the fields that are not known: Ashby refuses empty ones."""
    known = {
        "name": one.person.name,
        "githubUrl": one.github,
        "linkedInUrl": one.linkedin,
        "website": next((link for link in one.links if link.startswith("http")), ""),
    }
    return {key: value for key, value in known.items() if value}


@dataclass(frozen=True, slots=True)
class System:
    """How one of them is spoken to."""

    name: str
    payload: Callable[[Exported], Payload]
    path: str
    headers: Mapping[str, str]
    base: str
    key: str


@dataclass(frozen=True, slots=True)
class Delivered:
    """What became of one person."""

    person_id: str
    external_id: str | None
    why_not: str | None


def systems(settings: Settings) -> Mapping[str, System]:
    """Those that the settings name by address and key."""
    acting = {"On-Behalf-Of": settings.greenhouse_user} if settings.greenhouse_user else {}
    known = (
        System("greenhouse", greenhouse, "/candidates", acting,
               settings.greenhouse_url, settings.greenhouse_key),
        System("lever", lever, "/opportunities", {}, settings.lever_url, settings.lever_key),
        System("ashby", ashby, "/candidate.create", {}, settings.ashby_url, settings.ashby_key),
    )  # fmt: skip
    return {one.name: one for one in known}


def set_up(settings: Settings) -> tuple[str, ...]:
    """The names of those that candidates can be handed over to."""
    return tuple(name for name, one in systems(settings).items() if one.base and one.key)


def system(settings: Settings, name: str) -> System:
    """Raises BadInput unless its address and key are set."""
    found = systems(settings).get(name)
    if found is None:
        raise BadInput(f"{name[:40]!r} is not one of {', '.join(systems(settings))}")
    if not found.base.startswith(("https://", "http://")) or not found.key:
        raise BadInput(f"set {name}_url and {name}_key to hand candidates over to {name}")
    return found


def deliver(to: System, people: list[Exported]) -> list[Delivered]:
    """Sends one after another; what fails is told, and the others still go."""
    with httpx2.Client(
        auth=(to.key, ""), headers=dict(to.headers), timeout=PATIENCE, follow_redirects=False
    ) as client:
        return [_delivered(client, to, one) for one in people]


def _delivered(client: httpx2.Client, to: System, one: Exported) -> Delivered:
    try:
        answer = client.post(f"{to.base.rstrip('/')}{to.path}", json=to.payload(one))
    except httpx2.HTTPError as error:
        return Delivered(one.person.id, None, f"{to.name} did not answer: {type(error).__name__}")
    if answer.status_code >= 300:
        return Delivered(one.person.id, None, f"{to.name} answered {answer.status_code}")
    said = _said(answer)
    if isinstance(said, dict) and said.get("success") is False:
        return Delivered(one.person.id, None, f"{to.name} refused it")
    return Delivered(one.person.id, _id(said), None)


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
