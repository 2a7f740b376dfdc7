"""Leaves people who asked to be forgotten out of who is who."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from sourcer.people import Person
from sourcer.resolution import Machine, Occurrence, Resolution, SignatureEvidence
from sourcer.workspace.identifiers import Identifier, email, login, named, person, signature
from sourcer.workspace.suppressions import Suppressed


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Who is who without them, and what the draft must forget."""

    resolution: Resolution
    signatures: frozenset[int]
    logins: frozenset[str]


def leave_out(
    resolution: Resolution, evidence: SignatureEvidence, suppressed: Suppressed
) -> LeftOut:
    """Whole people go, by whichever of their signatures, emails, logins or ids they asked.

    >>> from datetime import datetime
    >>> may = datetime(2026, 5, 1)
    >>> mira = Occurrence(0, "k0", "Mira L", "mira@firm.example", may, may, 1)
    >>> from ingest.identity import resolve
    >>> seen = SignatureEvidence((mira,))
    >>> nobody = Suppressed(b"salt", frozenset(), (0, 0))
    >>> len(leave_out(resolve(seen), seen, nobody).resolution.people)
    1
    """
    by_id = {seen.id: seen for seen in evidence.occurrences}
    gone = [one for one in resolution.people if suppressed.matches(_known_by(one, by_id, evidence))]
    ids = {one.id for one in gone}
    signatures = frozenset(link.signature_id for one in gone for link in one.links)
    left = replace(
        resolution,
        people=tuple(one for one in resolution.people if one.id not in ids),
        machines={**resolution.machines, **dict.fromkeys(signatures, Machine.NOBODY)},
        redirects={old: now for old, now in resolution.redirects.items() if now not in ids},
        suggestions=tuple(one for one in resolution.suggestions if ids.isdisjoint((one.a, one.b))),
        doubts=tuple(one for one in resolution.doubts if one.signature_id not in signatures),
    )
    return LeftOut(left, signatures, frozenset(held.login for one in gone for held in one.logins))


def _known_by(
    one: Person, by_id: dict[int, Occurrence], evidence: SignatureEvidence
) -> Iterator[Identifier]:
    yield person(one.id)
    for held in one.logins:
        yield login(held.login)
    for link in one.links:
        seen = by_id[link.signature_id]
        yield email(seen.email)
        yield signature(seen.key)
        yield from _named(seen.name, evidence.projects)


def _named(name: str, projects: Iterable[str]) -> Iterator[Identifier]:
    if any(letter.isalnum() for letter in name):
        yield from (named(name, project) for project in sorted(projects))
