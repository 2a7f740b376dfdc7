"""A made-up GitHub: accounts, one repository, its commits and pull requests."""

from dataclasses import dataclass, field
from datetime import UTC, datetime

NOW = datetime(2026, 7, 1, tzinfo=UTC).timestamp()


@dataclass
class User:
    id: int
    login: str
    name: str | None = None
    company: str | None = None
    location: str | None = None
    bio: str | None = None
    blog: str | None = None
    hireable: bool = False
    followers: int = 0
    organizations: tuple[str, ...] = ()
    email: str = "private@never.example"


@dataclass
class Review:
    login: str | None
    state: str = "APPROVED"
    submitted: str | None = "2026-05-02T10:00:00Z"


@dataclass
class Pull:
    author: str
    sha: str | None
    reviews: list[Review] = field(default_factory=list)


@dataclass
class World:
    """`repositories` maps each name, old ones too, to the name of today."""

    users: list[User] = field(default_factory=list)
    commits: list[tuple[str, list[tuple[str, str | None]]]] = field(default_factory=list)
    """Newest first: sha, then (name, login or None) of each author."""
    pulls: dict[int, Pull] = field(default_factory=dict)
    repositories: dict[str, str] = field(default_factory=lambda: {"acme/engine": "acme/engine"})
    bots: tuple[str, ...] = ("merge-bot",)

    def user(self, login: str | None) -> User | None:
        wanted = (login or "").casefold()
        return next((each for each in self.users if each.login.casefold() == wanted), None)

    def by_number(self, number: int) -> User | None:
        return next((each for each in self.users if each.id == number), None)


def sha(number: int) -> str:
    """
    >>> sha(10)
    '000000000000000000000000000000000000000a'
    """
    return f"{number:040x}"
