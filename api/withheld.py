"""Who of a snapshot asked not to be found."""

from collections import defaultdict
from collections.abc import Callable, Mapping

from sourcer.errors import BadInput
from sourcer.store import known_by
from sourcer.store.database import Database
from sourcer.workspace import identifiers
from sourcer.workspace.identifiers import Identifier
from sourcer.workspace.suppressions import Suppressed

MAKE: Mapping[str, Callable[[str], Identifier]] = {
    "login": identifiers.login,
    "person": identifiers.person,
    "signature": identifiers.signature,
    "email": identifiers.email,
    "url": identifiers.url,
}


def hidden_people(db: Database, suppressed: Suppressed) -> frozenset[str]:
    """The ids of those whom a snapshot's database holds and who must not be shown."""
    return suppressed.among(everyone(db)) if suppressed.digests else frozenset()


def everyone(db: Database) -> Mapping[str, list[Identifier]]:
    """What each person is known by: to be compared with hashes, and dropped."""
    found: dict[str, list[Identifier]] = defaultdict(list)
    for person, kind, value in known_by.known_by(db):
        found[person].append(MAKE[kind](value))
    for person, name, context in known_by.named(db):
        try:
            found[person].append(identifiers.named(name, context))
        except BadInput:
            continue
    return found


def known_as(db: Database, person: str) -> tuple[Identifier, ...]:
    """All that one person is known by, but names, which others may bear."""
    return tuple(MAKE[kind](value) for id_, kind, value in known_by.known_by(db) if id_ == person)
