"""A question as a face was given it, and the addresses that ask one."""

from collections import OrderedDict
from dataclasses import dataclass

from starlette.routing import BaseRoute

from sourcer.query import Query

MOST_HELD = 1000


@dataclass(frozen=True, slots=True)
class Asked:
    """In plain English, or in its canonical form."""

    question: str | Query
    repo: str | None = None
    limit: int = 20
    cursor: str | None = None
    by_lane: bool = False

    @property
    def key(self) -> tuple[object, ...]:
        return (self.question, self.repo, self.limit, self.by_lane)


@dataclass(frozen=True, slots=True)
class Understood:
    """What an address asks, and the route that found out."""

    asked: Asked
    route: BaseRoute


class Addresses:
    """The addresses asked again last, and what they mean: the same on every snapshot.

    >>> from starlette.routing import Route
    >>> addresses = Addresses(most=1)
    >>> addresses.keep(b"q=moe", Understood(Asked("moe"), Route("/search", print)))
    >>> addresses.get(b"q=moe").asked.question, addresses.get(b"q=lora")
    ('moe', None)
    """

    def __init__(self, most: int = MOST_HELD) -> None:
        self._most = most
        self._held: OrderedDict[bytes, Understood] = OrderedDict()

    def get(self, address: bytes) -> Understood | None:
        return self._held.get(address)

    def keep(self, address: bytes, understood: Understood) -> None:
        self._held[address] = understood
        if len(self._held) > self._most:
            self._held.popitem(last=False)
