"""Companies and schools, so far as two texts, or a text and an email domain, name the same one."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from ingest import names
from sourcer import addresses, companies
from sourcer.companies import DomainKind
from sourcer.companies.catalogue import LEGAL, catalogue
from sourcer.places import normalise

NOBODY = {
    "freelance", "freelancer", "selfemployed", "independent", "none", "student", "stealth",
    "stealthstartup", "stealthmode", "university", "remote", "consultant", "retired", "startup",
    "unemployed", "opensource", "various", "confidential", "personal", "home", "contractor",
}  # fmt: skip
SAYING = {DomainKind.EMPLOYER, DomainKind.UNIVERSITY, DomainKind.LAB, DomainKind.PLACEHOLDER}
PUBLIC_SUFFIXES = {"co", "com", "org", "net", "ac", "edu", "gov"}
LEAST = 4


@dataclass(frozen=True, slots=True)
class House:
    """A company or school: its name, and those of all that it is part of.

    >>> red_hat, github, linkedin = of_text("Red Hat / GitHub / LinkedIn")
    >>> of_text("Neural Magic")[0] & red_hat, linkedin & github
    (True, False)
    """

    shown: str
    names: frozenset[str]
    above: frozenset[str]

    def __and__(self, other: "House") -> bool:
        return bool(self.names & other.above or other.names & self.above)


@lru_cache(maxsize=65536)
def of_text(text: str) -> tuple[House, ...]:
    """The houses that a company or school field names; unknown ones by their whole name.

    >>> [house.shown for house in of_text("@RedHatOfficial / Thistledown Inference Ltd")]
    ['Red Hat']
    >>> of_text("Thistledown Inference Ltd")[0] & of_domain("thistledown.example")[0]
    True
    >>> of_text("Freelance"), of_text("stealth")
    ((), ())
    """
    known = companies.read(text)
    if known:
        return tuple(House(company.shown, *_known(company.name)) for company in known)
    plain = normalise(text)
    while (shorter := LEGAL.sub("", plain)) != plain:
        plain = shorter
    whole = names.squeeze(plain)
    if len(whole) < LEAST or whole in NOBODY:
        return ()
    first = plain.split()[0]
    labels = {f"domain:{word}" for word in (whole, first) if len(word) >= LEAST + 1}
    found = frozenset((f"name:{whole}", *labels))
    return (House(" ".join(text.split()), frozenset((f"name:{whole}",)), found),)


@lru_cache(maxsize=65536)
def of_domain(domain: str) -> tuple[House, ...]:
    """The house whose people have such addresses.

    >>> [house.shown for house in of_domain("us.ibm.com")], of_domain("gmail.com")
    (['IBM'], ())
    """
    employer = companies.employer_of(domain)
    if domain in addresses.OPEN_TO_ALL or (employer and employer.kind not in SAYING):
        return ()
    if employer and employer.company:
        return (House(employer.company.shown, *_known(employer.company.name)),)
    labels = domain.split(".")[:-1]
    while len(labels) > 1 and labels[-1] in PUBLIC_SUFFIXES:
        labels.pop()
    if not labels or len(labels[-1]) <= LEAST:
        return ()
    key = frozenset((f"domain:{names.squeeze(labels[-1])}",))
    return (House(domain, key, key),)


def shared(ours: Iterable[House], theirs: Iterable[House]) -> House | None:
    """The first house of ours that is one of theirs, part of it, or its owner."""
    held = tuple(theirs)
    return next((house for house in ours if any(house & other for other in held)), None)


def _known(name: str) -> tuple[frozenset[str], frozenset[str]]:
    above, at = [name], catalogue()[name]
    while (higher := at.into or at.parent) and higher in catalogue():
        above.append(higher)
        at = catalogue()[higher]
    return frozenset((name,)), frozenset(above)
