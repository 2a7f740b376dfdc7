"""What is known of a person beside commits, and whether it meets a condition, as far as known."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from sourcer import companies, openness, places, titles
from sourcer.openness import Openness
from sourcer.people import Declared, Profile
from sourcer.places import Place
from sourcer.query import Filter
from sourcer.titles import Seniority


@dataclass(frozen=True, slots=True)
class Seen:
    """An employer by canonical name, with how and when it was seen."""

    company: str
    declared: Declared
    current: bool


@dataclass(frozen=True)
class Attributes:
    """One person's declared fields and employers; each reading is made when first asked for."""

    profile: Profile
    seen: tuple[Seen, ...] = ()

    @cached_property
    def where(self) -> places.Reading | None:
        declared = self.profile.first("location")
        return None if declared is None else places.read(str(declared.value))

    @cached_property
    def employers(self) -> frozenset[str]:
        """Current ones: declared, else as seen last by email domain."""
        said = self.profile.first("company")
        named = companies.read(str(said.value)) if said else ()
        found = frozenset(company.name for company in named)
        return found or frozenset(seen.company for seen in self.seen if seen.current)

    @cached_property
    def past_employers(self) -> frozenset[str]:
        said = [fact for field in ("company", "bio") for fact in self.profile.all(field)]
        named = {company.name for fact in said for company in companies.read_past(str(fact.value))}
        listed = self.profile.all("past_company")
        named |= {company.name for fact in listed for company in companies.read(str(fact.value))}
        return frozenset(named | {seen.company for seen in self.seen}) - self.employers

    @cached_property
    def level(self) -> tuple[Seniority, Declared] | None:
        """The seniority that a declared text states, and that text."""
        said = (fact for field in ("title", "headline", "bio") for fact in self.profile.all(field))
        levels = ((titles.read(str(fact.value)).seniority, fact) for fact in said)
        return next(((level, fact) for level, fact in levels if level), None)

    @property
    def seniority(self) -> Seniority | None:
        return None if self.level is None else self.level[0]

    @cached_property
    def openness(self) -> tuple[Openness, Declared] | None:
        """What is declared of offers, and where."""
        return openness.of_profile(self.profile)

    @property
    def hireable(self) -> bool | None:
        return None if self.openness is None else self.openness[0] is Openness.OPEN


NOTHING_KNOWN = Attributes(Profile(""))


def decide(wanted: Filter, known: Attributes) -> bool | None:
    """Does a person meet a condition? None where what is known does not say.

    >>> from datetime import datetime
    >>> lives = Declared("Lyon, France", "github", datetime(2026, 5, 1), "declared")
    >>> known = Attributes(Profile("p1").with_field("location", lives))
    >>> decide(Filter("country", "=", "FR"), known), decide(Filter("country", "=", "DE"), known)
    (True, False)
    >>> decide(Filter("country", "=", "FR", negated=True), known)
    False
    >>> decide(Filter("seniority", ">=", "senior"), known) is None
    True
    """
    answer = _any(_DECIDERS[wanted.field](value, wanted.op, known) for value in _values(wanted))
    return answer if answer is None else answer is not wanted.negated


DECIDED_BY_PROFILE: frozenset[str]
"""The fields that `decide` can answer."""


def _values(wanted: Filter) -> tuple[object, ...]:
    return wanted.value if isinstance(wanted.value, tuple) else (wanted.value,)


def _any(answers: Iterable[bool | None]) -> bool | None:
    """Or, with unknowns (Kleene): yes if one is yes, else unknown if one is unknown."""
    found = list(answers)
    return True if True in found else None if None in found else False


def _within(wanted: Place, known: Attributes) -> bool | None:
    return None if known.where is None else known.where.within(wanted)


def _country(value: object, _op: str, known: Attributes) -> bool | None:
    return _within(Place("country", country=str(value)), known)


def _admin1(value: object, _op: str, known: Attributes) -> bool | None:
    code = str(value)
    return _within(Place("state", country=code[:2], admin1=code), known)


def _city(value: object, _op: str, known: Attributes) -> bool | None:
    if known.where is None:
        return None
    wanted = [place for place in places.candidates(str(value)) if place.kind == "city"]
    return _any(_within(place, known) for place in wanted) if wanted else None


def _region(value: object, _op: str, known: Attributes) -> bool | None:
    name = str(value).rpartition(":")[2]
    return _within(Place("region", region=name), known)


def _company(value: object, _op: str, known: Attributes) -> bool | None:
    if not known.employers:
        return None
    return any(companies.belongs(name, str(value)) for name in known.employers)


def _past_company(value: object, _op: str, known: Attributes) -> bool | None:
    """That somebody never worked somewhere cannot be known."""
    return True if str(value) in known.past_employers else None


def _affiliation(value: object, _op: str, known: Attributes) -> bool | None:
    kinds = {found.kind for name in known.employers if (found := companies.find(name))}
    if not kinds:
        return None
    academic = bool(kinds & {"university", "lab"})
    return academic if value == "university" else not academic if value == "industry" else None


def _seniority(value: object, op: str, known: Attributes) -> bool | None:
    if known.seniority is None:
        return None
    asked = Seniority(str(value))
    if op in ("=", "in"):
        return known.seniority is asked
    reaches, reached = known.seniority.at_least(asked), asked.at_least(known.seniority)
    return {
        ">=": reaches,
        "<=": reached,
        ">": None if reached is None else not reached,
        "<": None if reaches is None else not reaches,
    }[op]


def _hireable(value: object, _op: str, known: Attributes) -> bool | None:
    return None if known.hireable is None else known.hireable is value


def _has_linkedin(value: object, _op: str, known: Attributes) -> bool | None:
    held = any(fact.source == "linkedin" for _, fact in known.profile.fields)
    return True if held is value else None


_DECIDERS: Mapping[str, Callable[[object, str, Attributes], bool | None]] = {
    "country": _country,
    "admin1": _admin1,
    "city": _city,
    "region": _region,
    "location": _region,
    "company": _company,
    "past_company": _past_company,
    "affiliation": _affiliation,
    "seniority": _seniority,
    "hireable": _hireable,
    "has_linkedin": _has_linkedin,
}
DECIDED_BY_PROFILE = frozenset(_DECIDERS)
