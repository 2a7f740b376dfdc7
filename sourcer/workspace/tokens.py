"""What a program or a browser shows instead of a password; only hashes of it are kept."""

import secrets
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from sqlalchemy import Row, delete, insert, select, update

from sourcer.errors import NotFound, NotLoggedIn
from sourcer.workspace import audit
from sourcer.workspace.accounts import User
from sourcer.workspace.accounts import get as user_of
from sourcer.workspace.actors import Actor, Role
from sourcer.workspace.database import Session
from sourcer.workspace.tables import browser_sessions, tokens
from sourcer.workspace.wording import name_kept

PREFIX = "sourcer_"
BROWSER_DAY = timedelta(hours=12)
BROWSER_WEEK = timedelta(days=7)


class Scope(StrEnum):
    """What a token may do at most; its owner's role limits it further."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"

    @property
    def role(self) -> Role:
        return dict(zip(Scope, Role, strict=True))[self]


@dataclass(frozen=True, slots=True)
class Token:
    """All that can be told of a token once it was given out."""

    id: int
    user: str
    label: str
    scope: Scope
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    revoked_at: datetime | None


def give(
    session: Session, actor: Actor, label: str, scope: Scope, lasts: timedelta | None = None
) -> tuple[Token, str]:
    """A new token for the user who asks, and its secret, which is shown only now."""
    actor.must_be(scope.role)
    secret = PREFIX + secrets.token_urlsafe(32)
    values = {
        "user_name": actor.name,
        "label": name_kept(label, "token"),
        "digest": _digest(session, secret),
        "scope": scope,
        "created_at": session.now,
        "expires_at": None if lasts is None else session.now + lasts,
    }
    made = insert(tokens).values(values).returning(tokens.c.id)
    number = session.db.execute(made).scalar_one()
    _log(session, actor, "token.given", number)
    return _get(session, number), secret


def bearer(session: Session, secret: str) -> tuple[Actor, Token]:
    """Who shows this token, with the role it leaves them. Raises NotLoggedIn."""
    row = session.db.execute(
        select(tokens).where(tokens.c.digest == _digest(session, secret))
    ).first()
    if row is None or row.revoked_at or (row.expires_at and row.expires_at <= session.now):
        raise NotLoggedIn("this token does not hold: it may be revoked or expired. Make a new one")
    user, token = user_of(session, row.user_name), _token(row)
    if user.disabled_at is not None:
        raise NotLoggedIn("this token's user was disabled")
    role = user.role if token.scope.role.includes(user.role) else token.scope.role
    return Actor(user.name, role), token


def used(session: Session, numbers: Collection[int]) -> None:
    """Notes that tokens were used; gather them, as a write for each request would be slow."""
    session.db.execute(
        update(tokens).where(tokens.c.id.in_(numbers)).values(last_used_at=session.now)
    )


def revoke(session: Session, actor: Actor, number: int) -> Token:
    """The token does not hold from now on; for its owner, or an admin."""
    found = _get(session, number)
    if found.user != actor.name and actor.role is not Role.ADMIN:
        raise NotFound(f"there is no token {number}")
    session.db.execute(update(tokens).where(tokens.c.id == number).values(revoked_at=session.now))
    _log(session, actor, "token.revoked", number)
    return _get(session, number)


def every(session: Session, actor: Actor) -> tuple[Token, ...]:
    """The user's own tokens, newest first; everybody's for an admin."""
    asked = select(tokens).order_by(tokens.c.id.desc())
    if actor.role is not Role.ADMIN:
        asked = asked.where(tokens.c.user_name == actor.name)
    return tuple(_token(row) for row in session.db.execute(asked))


def log_in_browser(session: Session, user: User) -> str:
    """The secret that a browser keeps in its cookie; a new one at each login."""
    secret = secrets.token_urlsafe(32)
    session.db.execute(
        insert(browser_sessions).values(
            digest=_digest(session, secret),
            user_name=user.name,
            created_at=session.now,
            last_seen_at=session.now,
            expires_at=session.now + BROWSER_DAY,
        )
    )
    return secret


def browser(session: Session, secret: str) -> Actor:
    """Who is behind a cookie. Raises NotLoggedIn when it ran out."""
    asked = select(browser_sessions).where(browser_sessions.c.digest == _digest(session, secret))
    row = session.db.execute(asked).first()
    if row is None or row.expires_at <= session.now:
        raise NotLoggedIn("your login ran out. Log in again")
    return user_of(session, row.user_name).actor


def seen_in_browser(session: Session, secret: str) -> None:
    """Twelve hours more from now, up to a week after the login; old ones are cleared away."""
    same = browser_sessions.c.digest == _digest(session, secret)
    row = session.db.execute(select(browser_sessions).where(same)).first()
    if row is not None:
        until = min(session.now + BROWSER_DAY, row.created_at + BROWSER_WEEK)
        values = {"last_seen_at": session.now, "expires_at": until}
        session.db.execute(update(browser_sessions).where(same).values(values))
    ran_out = browser_sessions.c.expires_at <= session.now
    session.db.execute(delete(browser_sessions).where(ran_out))


def log_out_browser(session: Session, secret: str) -> None:
    same = browser_sessions.c.digest == _digest(session, secret)
    session.db.execute(delete(browser_sessions).where(same))


def form_secret(session: Session, browser_secret: str) -> str:
    """What a page's forms must send back, so that no other site can send them."""
    return session.keyed("form", browser_secret)


def _get(session: Session, number: int) -> Token:
    row = session.db.execute(select(tokens).where(tokens.c.id == number)).first()
    if row is None:
        raise NotFound(f"there is no token {number}")
    return _token(row)


def _digest(session: Session, secret: str) -> str:
    return session.keyed("token", secret)


def _log(session: Session, actor: Actor, action: str, number: int) -> None:
    audit.append(session, audit.Entry(actor.name, action, {"token": number}))


def _token(row: Row[tuple[object, ...]]) -> Token:
    return Token(
        id=row.id,
        user=row.user_name,
        label=row.label,
        scope=Scope(row.scope),
        created_at=row.created_at,
        expires_at=row.expires_at,
        last_used_at=row.last_used_at,
        revoked_at=row.revoked_at,
    )
