"""What an email domain says about who employs its holder. No address is read."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

from sourcer.companies.catalogue import Company, catalogue
from sourcer.companies.catalogue import domains as company_domains


class DomainKind(StrEnum):
    EMPLOYER = "employer"
    UNIVERSITY = "university"
    LAB = "lab"
    FREE = "free"
    NOREPLY = "noreply"
    FORWARDING = "forwarding"
    """Goes on after people leave: alumni addresses and forwarders."""
    FOUNDATION = "foundation"
    """An alias that a project or society gives its members."""
    HOST = "host"
    """A machine's own name, from a commit without a configured address."""
    PLACEHOLDER = "placeholder"
    UNCLEAR = "unclear"
    """May be an employee's, a contractor's or a user's."""


@dataclass(frozen=True, slots=True)
class Employer:
    """What a domain says. `company` is None when it names no employer that is known.

    >>> employer_of("neuralmagic.com").today, employer_of("neuralmagic.com").company.name
    ('red hat', 'neural magic')
    """

    domain: str
    kind: DomainKind
    company: Company | None = None

    @property
    def today(self) -> str | None:
        """The canonical name of the company as it stands now, after takeovers."""
        return self.company.today.name if self.company else None


ALUMNI = re.compile(r"(^|\.)(alum|alumni|alumnus|alumnos|alumnes|post)\.")
ACADEMIC = re.compile(
    r"\.edu$|\.edu\.[a-z]{2}$|\.ac\.[a-z]{2}$|(^|\.)(uni-|univ-|tu-|fh-|hs-)[a-z-]+\.[a-z]{2,3}$"
)
HOST = re.compile(
    r"^[^.]*$|\.(local|lan|internal|localdomain|localhost|home|corp|intranet|arpa|invalid|\(none\)|none)$"
    r"|^[\d.]+$|^\[.*\]$|\.compute\.amazonaws\.com$"
)
PLACEHOLDER = re.compile(r"(^|\.)(example|test|invalid)(\.[a-z]{2,3})?$")


def employer_of(domain: str) -> Employer | None:
    """Who a domain belongs to; None for a domain nobody here has heard of, such as a personal one.

    >>> domains = ("us.ibm.com", "gmail.com", "h100-02.lab.redhat.com")
    >>> [(found.kind.value, found.today) for found in map(employer_of, domains)]
    [('employer', 'ibm'), ('free', None), ('employer', 'red hat')]
    >>> employer_of("alumni.berkeley.edu").kind.value, employer_of("uni-bonn.de").kind.value
    ('forwarding', 'university')
    >>> employer_of("firstlast.dev") is None
    True
    """
    plain = domain.strip().lower().strip(".")
    kind = listed(plain) or shaped(plain)
    if kind is not None:
        return Employer(plain, kind)
    for above in suffixes(plain):
        if name := company_domains().get(above):
            company = catalogue()[name]
            return Employer(plain, DomainKind(company.kind), company)
    return Employer(plain, DomainKind.UNIVERSITY) if ACADEMIC.search(plain) else None


def listed(domain: str) -> DomainKind | None:
    return next((kinds()[above] for above in suffixes(domain) if above in kinds()), None)


def shaped(domain: str) -> DomainKind | None:
    """What the form of a domain alone tells.

    >>> shaped("MacBook-Pro.local").value, shaped("localhost").value, shaped("red.example").value
    ('host', 'host', 'placeholder')
    """
    rules = (
        (HOST, DomainKind.HOST),
        (ALUMNI, DomainKind.FORWARDING),
        (PLACEHOLDER, DomainKind.PLACEHOLDER),
    )
    return next((kind for rule, kind in rules if rule.search(domain)), None)


def suffixes(domain: str) -> list[str]:
    """
    >>> suffixes("br.ibm.com")
    ['br.ibm.com', 'ibm.com']
    """
    labels = domain.split(".")
    return [".".join(labels[at:]) for at in range(len(labels) - 1)] or [domain]


@cache
def kinds() -> Mapping[str, DomainKind]:
    text = Path(__file__).with_name("email_domains.toml").read_text("utf-8")
    return {
        domain: DomainKind(kind)
        for kind, listed in tomllib.loads(text).items()
        for domain in listed
    }
