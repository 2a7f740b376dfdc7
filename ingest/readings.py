"""Signatures taken apart into name and address, and mended where they were garbled."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from ingest import names
from ingest.names import Name
from sourcer import addresses
from sourcer.addresses import Address, Kind
from sourcer.resolution import Occurrence

EMAIL = re.compile(r"<?[^\s<>@]+@[^\s<>@]+>?")
TRAILER = re.compile(
    r"^(?:[a-z]+(?:-[a-z]+)*-by\s*:|co-author(?:ed-by)?\b:?)\s*(?=\S)", re.IGNORECASE
)
"""A trailer's own words that were taken into the name, as by "Co-author Mira Lund"."""


@dataclass(frozen=True, slots=True)
class Reading:
    """An occurrence with its name and address taken apart."""

    seen: Occurrence
    written: str
    name: Name
    address: Address

    @property
    def login(self) -> str | None:
        return self.address.login.casefold() if self.address.login else None


def readings(occurrences: Iterable[Occurrence]) -> list[Reading]:
    """Signatures taken apart, oldest first, those written into the wrong place mended.

    >>> from datetime import datetime
    >>> day = datetime(2026, 5, 1)
    >>> (odd,) = readings([Occurrence(0, "k", "Mira Lund <mira@firm.example>", "", day, day)])
    >>> odd.written, odd.address.key
    ('Mira Lund', 'mira@firm.example')
    """
    ordered = sorted(occurrences, key=lambda seen: (seen.first, seen.key))
    found = [_reading(seen) for seen in ordered]
    vouched = {one.login for one in found if one.address.github_id or one.seen.authored}
    return [one if one.login in vouched else _without_account(one) for one in found]


def _reading(seen: Occurrence) -> Reading:
    name, email = mended(seen.name.strip(), seen.email.strip())
    return Reading(seen, name, names.read(name), addresses.read(email))


def _without_account(one: Reading) -> Reading:
    """A trailer's login that only repeats its name may be made up: it proves no account.

    Writing assistants invent "mira-lund@users.noreply.github.com" for a Mira Lund.
    """
    login = one.address.login
    if login is None or names.squeeze(login) != names.squeeze(one.written) or one.name.handle:
        return one
    return replace(one, address=replace(one.address, login=None, kind=Kind.HOST))


def mended(name: str, email: str) -> tuple[str, str]:
    """Name and email in their places; a name never keeps an address or a trailer in it.

    >>> mended("mira@firm.example", "Mira Lund")
    ('Mira Lund', 'mira@firm.example')
    >>> mended("Signed-off-by: Mira Lund", "mira@firm.example")
    ('Mira Lund', 'mira@firm.example')
    """
    name = TRAILER.sub("", name)
    if "@" in email:
        email = email.replace("\\n", "").replace(" ", "")  # as careless scripts write them
    found = EMAIL.search(name)
    if not found:
        return name, email
    if "@" in email:
        return EMAIL.sub("", name).strip(" <>"), email
    return EMAIL.sub("", name).strip(" <>") or email, found[0].strip("<>")
