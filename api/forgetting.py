"""Forgetting a person: all that they are known by is found in the snapshot and hashed."""

from collections.abc import Iterable
from dataclasses import dataclass

from api.snapshots import Opened
from sourcer.store import known_by
from sourcer.store.database import open_readonly
from sourcer.workspace import identifiers
from sourcer.workspace.identifiers import Identifier, Kind


@dataclass(frozen=True, slots=True)
class Described:
    """Who a request is about: what it names, and whom of the snapshot that is."""

    known_by: tuple[Identifier, ...]
    people: tuple[str, ...]
    words: tuple[str, ...]
    """Names, logins and emails as they are written; never shown."""


def given(who: str, context: str | None) -> Identifier:
    """What a request names. Raises BadInput for a name without its context."""
    return identifiers.read(who) if context is None else identifiers.named(who, context)


def described(opened: Opened, who: str, context: str | None) -> Described:
    """All that those are known by whom a login, id, page, email or name in its context fits."""
    one = given(who, context)
    asked = {*one.also()}
    if one.kind is Kind.LOGIN:
        asked.add(identifiers.person(who.strip()))
    db = open_readonly(opened.snapshot.database)
    try:
        held = known_by.everyone(db)
        fitting = {id_: known for id_, known in held.items() if asked & _all(known)}
        words = known_by.words_of(db, fitting)
    finally:
        db.close()
    others = (each for known in fitting.values() for each in known if each.kind is not Kind.NAME)
    return Described((one, *dict.fromkeys(others)), tuple(fitting), tuple(words))


def _all(known: Iterable[Identifier]) -> set[Identifier]:
    return {each for one in known for each in one.also()}
