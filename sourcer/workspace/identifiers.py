"""What a person is known by, in the one form that is hashed: whoever asks to be forgotten names
some of these, and everything held is compared with them."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Self
from urllib.parse import unquote, urlsplit

from sourcer import addresses
from sourcer.errors import BadInput

LOGIN = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,99})")


class Kind(StrEnum):
    LOGIN = "login"
    URL = "profile URL"
    EMAIL = "email"
    EMAIL_HASH = "hashed email"
    NAME = "name in a context"
    PERSON = "person id"
    SIGNATURE = "signature key"
    ROW = "imported row"


@dataclass(frozen=True, slots=True)
class Identifier:
    """One thing a person is known by; make it with one of the functions below.

    >>> login("@Mira-L") == login("mira-l")
    True
    >>> url("https://www.linkedin.com/in/Mira-Lundgren/?trk=x") == url(
    ...     "linkedin.com/in/mira-lundgren")
    True
    >>> named("Lundgren,  MIRA", "Acme AG") == named("Mira Lundgren", "acme ag")
    True
    """

    kind: Kind
    value: str

    def __repr__(self) -> str:
        """Without the value, which may be an email: this may end up in a log."""
        return f"<{self.kind}>"

    @property
    def tells_who(self) -> bool:
        """False of an email that many share, such as root@localhost: it suppresses nobody.

        >>> email("you@example.com").tells_who, email("mira@firm.example").tells_who
        (False, True)
        """
        return self.kind is not Kind.EMAIL or addresses.read(self.value).is_own

    def also(self) -> Iterator[Self]:
        """Itself, and what follows from it: a GitHub page names a login, as its address does."""
        yield self
        found = None
        if self.kind is Kind.URL and self.value.count("/") == 1:
            host, _, name = self.value.partition("/")
            found = name if host == "github.com" else None
        elif self.kind is Kind.EMAIL:
            found = addresses.read(self.value).login
        if found:
            yield type(self)(Kind.LOGIN, found.casefold())


def login(text: str) -> Identifier:
    return Identifier(Kind.LOGIN, text.strip().lstrip("@").casefold())


def email(text: str) -> Identifier:
    """A mailbox: spellings that reach the same one are the same.

    >>> email("Mira.Lund+git@Gmail.com") == email("miralund@gmail.com")
    True
    """
    return Identifier(Kind.EMAIL, addresses.read(text).key)


def email_hash(key: str) -> Identifier:
    """A mailbox of an imported record, of which only the keyed hash was kept."""
    return Identifier(Kind.EMAIL_HASH, key)


def url(text: str) -> Identifier:
    """A page about a person, without what does not tell pages apart: scheme, www, query."""
    text = text.strip()
    parts = urlsplit(text if "//" in text else f"https://{text}")
    host = (parts.hostname or "").removeprefix("www.")
    if host.endswith(".linkedin.com"):
        host = "linkedin.com"
    return Identifier(Kind.URL, _plain(f"{host}{unquote(parts.path).rstrip('/')}"))


def named(name: str, context: str) -> Identifier:
    """A name with what tells this bearer from others: an employer, a project, a place."""
    words = sorted(re.findall(r"\w+", _plain(name)))
    if not words or not context.strip():
        raise BadInput("a name alone may be many people: give an employer, project or place too")
    return Identifier(Kind.NAME, f"{' '.join(words)}\n{' '.join(_plain(context).split())}")


def person(id_: str) -> Identifier:
    return Identifier(Kind.PERSON, id_)


def signature(key: str) -> Identifier:
    return Identifier(Kind.SIGNATURE, key)


def row(source: str, key: str) -> Identifier:
    """An imported record, by its source and the key that is unique there."""
    return Identifier(Kind.ROW, f"{source}\n{key}")


def read(text: str) -> Identifier:
    """What somebody typed: an email, a page's address, or a login.

    >>> read("https://github.com/mira-l").kind, read("mira-l").kind
    (<Kind.URL: 'profile URL'>, <Kind.LOGIN: 'login'>)
    >>> read("Mira Lundgren")
    Traceback (most recent call last):
    sourcer.errors.BadInput: expected a login, a profile URL or an email. For a name: --context
    """
    text = text.strip()
    if "/" in text:
        return url(text)
    if "@" in text.lstrip("@"):
        return email(text)
    if not LOGIN.fullmatch(text.lstrip("@")):
        raise BadInput("expected a login, a profile URL or an email. For a name: --context")
    return login(text)


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).strip().casefold()
