"""Leaves people who asked to be forgotten out of who is who."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from ingest.profiles.records import Record
from sourcer.people import Person
from sourcer.resolution import Machine, Occurrence, Resolution, SignatureEvidence
from sourcer.workspace.identifiers import (
    Identifier,
    email,
    email_hash,
    login,
    named,
    person,
    signature,
    url,
)
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


def left(records: Iterable[Record], suppressed: Suppressed) -> list[Record]:
    """The imported records of people who did not ask to be forgotten.

    >>> from datetime import datetime
    >>> record = Record("github", "mira-l", datetime(2026, 1, 1), {}, login="mira-l")
    >>> left([record], Suppressed(b"salt", frozenset(), (0, 0))) == [record]
    True
    """
    return [record for record in records if not suppressed.matches(_declared(record))]


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


def _named(name: str, contexts: Iterable[str]) -> Iterator[Identifier]:
    """A name without a letter tells nobody apart."""
    if any(letter.isalnum() for letter in name):
        yield from (named(name, context) for context in contexts if context.strip())


def _declared(record: Record) -> Iterator[Identifier]:
    if record.login:
        yield login(record.login)
    yield from map(email_hash, record.email_keys)
    pages = (record.key, record.fields.get("linkedin", ""), record.fields.get("blog", ""))
    yield from (url(page) for page in pages if "/" in page)
    for context in ("company", "past_company", "school", "location"):
        yield from _named(record.fields.get("name", ""), record.values(context))
