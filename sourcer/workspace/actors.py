"""Who is asking, and what their role lets them do."""

from dataclasses import dataclass
from enum import StrEnum

from sourcer.errors import NotAllowed, NotFound


class Role(StrEnum):
    """What a user may do, each role including those before it.

    >>> Role.RECRUITER.includes(Role.VIEWER), Role.VIEWER.includes(Role.RECRUITER)
    (True, False)
    """

    VIEWER = "viewer"
    RECRUITER = "recruiter"
    ADMIN = "admin"

    def includes(self, other: "Role") -> bool:
        order = list(Role)
        return order.index(self) >= order.index(other)

    @property
    def named(self) -> str:
        """With its article: "an admin"."""
        return f"an {self}" if self is Role.ADMIN else f"a {self}"


class Sharing(StrEnum):
    """Who sees a saved search or a shortlist."""

    PRIVATE = "private"
    TEAM = "team"


@dataclass(frozen=True, slots=True)
class Actor:
    """A user with the role that counts now; a read-only token makes a viewer of an admin.

    >>> Actor("ida", Role.VIEWER).must_be(Role.RECRUITER)
    Traceback (most recent call last):
    sourcer.errors.NotAllowed: ida is a viewer; this needs a recruiter. An admin can change roles
    """

    name: str
    role: Role

    def must_be(self, role: Role) -> None:
        if not self.role.includes(role):
            raise NotAllowed(
                f"{self.name} is {self.role.named}; this needs {role.named}."
                " An admin can change roles"
            )

    def must_see(self, owner: str, sharing: str, what: str) -> None:
        """Somebody else's private thing is not found, so that nobody learns that it is there."""
        if sharing == Sharing.PRIVATE and owner != self.name:
            raise NotFound(f"there is no {what}")

    def must_own(self, owner: str, what: str) -> None:
        if owner != self.name and self.role is not Role.ADMIN:
            raise NotAllowed(f"{what} belongs to {owner}. Ask them, or an admin")


LOCAL = Actor("local", Role.ADMIN)
"""Whoever sits at the machine itself: the command line, and a server bound to loopback."""
