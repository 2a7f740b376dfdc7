"""People who asked not to be found. Of what they are known by, only keyed hashes are kept.

An ingest leaves them out of the snapshot; a search leaves them out of snapshots made before. The
hashes stay through every later ingest, and know them again under what they are known by.
"""

import hmac
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from hashlib import sha256

from sqlalchemy import func, insert, select, update

from sourcer import addresses
from sourcer.errors import BadInput, NotFound
from sourcer.workspace import audit
from sourcer.workspace.actors import Actor, Role
from sourcer.workspace.database import Session
from sourcer.workspace.identifiers import Identifier, Kind
from sourcer.workspace.tables import suppressions
from sourcer.workspace.wording import kept


class Channel(StrEnum):
    """How a request came."""

    COMMAND_LINE = "command line"
    API = "API"
    PAGE = "page"
    PROFILE = "profile that says no recruiters"


@dataclass(frozen=True, slots=True)
class Suppression:
    """A record of one hash: what kind of thing it is of, never what it is of."""

    id: int
    kind: str
    channel: str
    at: datetime
    lifted_at: datetime | None


@dataclass(frozen=True, slots=True)
class Suppressed:
    """Everyone who is suppressed, held in memory; stale once `revision` has moved on."""

    salt: bytes
    digests: frozenset[tuple[str, str]]
    revision: tuple[int, int]

    def matches(self, known_by: Iterable[Identifier]) -> bool:
        """Whether any of what a person is known by was asked to be forgotten."""
        return bool(self.digests) and any(
            _stored(self.salt, one) in self.digests for given in known_by for one in given.also()
        )

    def among(self, people: Mapping[str, Iterable[Identifier]]) -> frozenset[str]:
        """The ids of those people who are suppressed."""
        return frozenset(id_ for id_, known_by in people.items() if self.matches(known_by))


def suppress(
    session: Session, actor: Actor, known_by: Iterable[Identifier], channel: str
) -> tuple[Suppression, ...]:
    """Remembers hashes of what a person is known by; again is harmless, and lifts nothing.

    Give all there is of one person, logins and emails and pages and ids: each keeps them out.
    """
    actor.must_be(Role.RECRUITER)
    given = list(known_by)
    wanted = list(dict.fromkeys(one for asked in given if asked.tells_who for one in asked.also()))
    if not wanted:
        raise BadInput(
            "an email that many share tells nobody apart. Give a login, a profile URL, "
            "an email of one's own, or a name with its context"
            if given
            else "say who: a login, a profile URL, an email, or a name with its context"
        )
    numbers = [_remember(session, one, channel) for one in wanted]
    audit.append(
        session,
        audit.Entry(
            actor.name, "suppressed", {"suppressions": numbers, "channel": kept(channel, "channel")}
        ),
    )
    found = {one.id: one for one in every(session)}
    return tuple(found[number] for number in numbers)


def lift(session: Session, actor: Actor, known_by: Iterable[Identifier]) -> int:
    """A person may be found again, having asked for it; says how many hashes matched."""
    actor.must_be(Role.ADMIN)
    wanted = {one for given in known_by for one in given.also()}
    digests = [_stored(session.salt, one)[1] for one in wanted]
    standing = suppressions.c.digest.in_(digests) & suppressions.c.lifted_at.is_(None)
    done = session.db.execute(update(suppressions).where(standing).values(lifted_at=session.now))
    if not done.rowcount:
        raise NotFound("nobody of that description is suppressed")
    audit.append(session, audit.Entry(actor.name, "suppression.lifted", {"count": done.rowcount}))
    return done.rowcount


def load(session: Session) -> Suppressed:
    asked = select(suppressions.c.kind, suppressions.c.digest)
    rows = session.db.execute(asked.where(suppressions.c.lifted_at.is_(None)))
    digests = frozenset((row.kind, row.digest) for row in rows)
    return Suppressed(session.salt, digests, revision(session))


def revision(session: Session) -> tuple[int, int]:
    """Moves on with every change; cheap enough to ask before each answer."""
    newest = func.coalesce(func.max(suppressions.c.id), 0)
    row = session.db.execute(select(newest, func.count(suppressions.c.lifted_at))).one()
    return row[0], row[1]


def every(session: Session) -> tuple[Suppression, ...]:
    """All records, newest first."""
    rows = session.db.execute(select(suppressions).order_by(suppressions.c.id.desc()))
    return tuple(Suppression(row.id, row.kind, row.channel, row.at, row.lifted_at) for row in rows)


def about(session: Session, known_by: Iterable[Identifier]) -> tuple[Suppression, ...]:
    """The records that what a person is known by leads to."""
    wanted = {_stored(session.salt, one)[1] for given in known_by for one in given.also()}
    asked = select(suppressions.c.id).where(suppressions.c.digest.in_(wanted))
    numbers = set(session.db.execute(asked).scalars())
    return tuple(one for one in every(session) if one.id in numbers)


def digests(session: Session, known_by: Iterable[Identifier]) -> list[tuple[str, str]]:
    """What is kept of identifiers, without keeping it."""
    wanted = dict.fromkeys(
        one for given in known_by if given.tells_who for one in given.also() if one.tells_who
    )
    return [_stored(session.salt, one) for one in wanted]


def _remember(session: Session, one: Identifier, channel: str) -> int:
    """A hash that was lifted is made anew, so that the revision moves on."""
    kind, digest = _stored(session.salt, one)
    same = (suppressions.c.kind == kind) & (suppressions.c.digest == digest)
    row = session.db.execute(select(suppressions).where(same)).first()
    if row is not None and row.lifted_at is None:
        number: int = row.id
        return number
    if row is not None:
        session.db.execute(suppressions.delete().where(suppressions.c.id == row.id))
    values = {"kind": kind, "digest": digest, "channel": channel, "at": session.now}
    made = insert(suppressions).values(values).returning(suppressions.c.id)
    new: int = session.db.execute(made).scalar_one()
    return new


def _stored(salt: bytes, one: Identifier) -> tuple[str, str]:
    """What is kept of an identifier. Of an email it is the hash that imported records carry too."""
    if one.kind is Kind.EMAIL_HASH:
        return Kind.EMAIL, one.value
    if one.kind is Kind.EMAIL:
        return Kind.EMAIL, addresses.hashed(salt, one.value)
    parts = f"suppressed\0{one.kind}\0{one.value}"
    return one.kind, hmac.new(salt, parts.encode(), sha256).hexdigest()
