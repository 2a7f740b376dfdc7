"""Users of the workspace, their roles and passwords (argon2), and the throttle on wrong ones."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import Row, delete, func, insert, select, update

from sourcer.errors import BadInput, Conflict, NotFound, NotLoggedIn, TooManyAttempts
from sourcer.workspace import audit
from sourcer.workspace.actors import Actor, Role
from sourcer.workspace.database import Session, Workspace
from sourcer.workspace.tables import browser_sessions, failed_logins, tokens, users

SHORTEST, LONGEST = 12, 1024
ATTEMPTS = 5
WINDOW = timedelta(minutes=15)
REFUSED = "the name or the password is wrong"


@dataclass(frozen=True, slots=True)
class User:
    """Somebody who works with the workspace; `email` is where their own alerts go."""

    name: str
    email: str | None
    role: Role
    created_at: datetime
    disabled_at: datetime | None

    @property
    def actor(self) -> Actor:
        return Actor(self.name, self.role)


def add(
    session: Session, actor: Actor, name: str, role: Role, *,
    password: str | None = None, email: str | None = None, identity: str | None = None,
) -> User:  # fmt: skip
    """A new user, with a password or the identity that a login provider gives them."""
    actor.must_be(Role.ADMIN)
    if not name.replace("-", "").replace(".", "").replace("_", "").isalnum() or len(name) > 64:
        raise BadInput("a user's name is letters, digits, dots, dashes and underscores, at most 64")
    if _row(session, name) is not None:
        raise Conflict(f"there is a user {name} already")
    values = {"email": email, "identity": identity, "role": role, "created_at": session.now}
    hashed = None if password is None else _hashed(password)
    session.db.execute(insert(users).values(name=name, password=hashed, **values))
    audit.append(session, audit.Entry(actor.name, "user.added", {"user": name, "role": role}))
    return get(session, name)


def get(session: Session, name: str) -> User:
    row = _row(session, name)
    if row is None:
        raise NotFound(f"there is no user {name}")
    return _user(row)


def every(session: Session) -> tuple[User, ...]:
    return tuple(_user(row) for row in session.db.execute(select(users).order_by(users.c.name)))


def by_identity(session: Session, identity: str) -> User | None:
    """The user whom a login provider calls so; None: nobody, or one who was disabled."""
    row = session.db.execute(select(users).where(users.c.identity == identity)).first()
    return None if row is None or row.disabled_at is not None else _user(row)


def set_role(session: Session, actor: Actor, name: str, role: Role) -> User:
    """Raises Conflict rather than leave nobody who can give roles."""
    actor.must_be(Role.ADMIN)
    if role is not Role.ADMIN:
        _keep_an_admin(session, name)
    return _changed(session, actor, name, "user.role", {"role": role}, role=role)


def set_email(session: Session, actor: Actor, name: str, email: str | None) -> User:
    if actor.name != name:
        actor.must_be(Role.ADMIN)
    return _changed(session, actor, name, "user.email", {"email": email})


def set_password(session: Session, actor: Actor, name: str, password: str) -> User:
    """A new password; everybody logged in as this user is logged out."""
    if actor.name != name:
        actor.must_be(Role.ADMIN)
    _log_out_everywhere(session, name)
    return _changed(session, actor, name, "user.password", {"password": _hashed(password)})


def disable(session: Session, actor: Actor, name: str) -> User:
    """Nobody logs in as this user any more, by password, token or browser; their work stays."""
    actor.must_be(Role.ADMIN)
    _keep_an_admin(session, name)
    _log_out_everywhere(session, name)
    theirs = (tokens.c.user_name == name) & tokens.c.revoked_at.is_(None)
    session.db.execute(update(tokens).where(theirs).values(revoked_at=session.now))
    return _changed(session, actor, name, "user.disabled", {"disabled_at": session.now})


def enable(session: Session, actor: Actor, name: str) -> User:
    """The user may log in again; tokens stay revoked."""
    actor.must_be(Role.ADMIN)
    return _changed(session, actor, name, "user.enabled", {"disabled_at": None})


def log_in(workspace: Workspace, name: str, password: str) -> User:
    """The user, if the password is theirs.

    Raises NotLoggedIn, in the same words and about the same time whether or not there is such a
    user; TooManyAttempts after five wrong passwords, until fifteen minutes have gone by. A wrong
    one is on record before the answer is given.
    """
    with workspace.reading() as session:
        _refuse_too_many(session, name)
        row = _row(session, name)
    right = _is_right(None if row is None or row.disabled_at else row.password, password)
    with workspace.writing() as session:
        if right:
            session.db.execute(delete(failed_logins).where(failed_logins.c.name == name))
            return get(session, name)
        session.db.execute(insert(failed_logins).values(name=name[:64], at=session.now))
        _forget_old(session)
    raise NotLoggedIn(REFUSED)


def _refuse_too_many(session: Session, name: str) -> None:
    recent = (failed_logins.c.name == name[:64]) & (failed_logins.c.at > session.now - WINDOW)
    asked = select(func.count()).select_from(failed_logins).where(recent)
    if session.db.execute(asked).scalar_one() >= ATTEMPTS:
        minutes = WINDOW // timedelta(minutes=1)
        raise TooManyAttempts(f"too many wrong passwords. Try again in {minutes} minutes")


def _forget_old(session: Session) -> None:
    old = failed_logins.c.at <= session.now - WINDOW
    session.db.execute(delete(failed_logins).where(old))


def _is_right(hashed: str | None, password: str) -> bool:
    """Takes as long for a user that is not there."""
    try:
        _hasher().verify(hashed or _nobodys(), password[:LONGEST])
    except (VerificationError, InvalidHashError):
        return False
    return hashed is not None


def _hashed(password: str) -> str:
    if not SHORTEST <= len(password) <= LONGEST:
        raise BadInput(f"a password has {SHORTEST} to {LONGEST} characters")
    return _hasher().hash(password)


@cache
def _hasher() -> PasswordHasher:
    return PasswordHasher()


@cache
def _nobodys() -> str:
    return _hasher().hash("the password of nobody")


def _keep_an_admin(session: Session, name: str) -> None:
    admins = users.c.disabled_at.is_(None) & (users.c.role == Role.ADMIN)
    if set(session.db.execute(select(users.c.name).where(admins)).scalars()) == {name}:
        raise Conflict(f"{name} is the only admin. Make somebody else one first")


def _log_out_everywhere(session: Session, name: str) -> None:
    theirs = browser_sessions.c.user_name == name
    session.db.execute(delete(browser_sessions).where(theirs))


def _changed(
    session: Session, actor: Actor, name: str, action: str, values: dict[str, object],
    **said: object,
) -> User:  # fmt: skip
    get(session, name)
    session.db.execute(update(users).where(users.c.name == name).values(values))
    audit.append(session, audit.Entry(actor.name, action, {"user": name, **said}))
    return get(session, name)


def _row(session: Session, name: str) -> Row[tuple[object, ...]] | None:
    return session.db.execute(select(users).where(users.c.name == name)).first()


def _user(row: Row[tuple[object, ...]]) -> User:
    return User(row.name, row.email, Role(row.role), row.created_at, row.disabled_at)
