"""What the location in a profile says: a place, several, one of several, or none."""

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache

from sourcer.places.filters import within
from sourcer.places.gazetteer import Place, regions
from sourcer.places.mentions import Mention, mentions
from sourcer.places.names import normalise
from sourcer.places.words import words

NO_PLACE = re.compile(
    r"(?P<address>(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?(?:/\d+)?|::1?|0x[\da-f]+|\w+@[\w.-]+|https?://\S+)"
    r"|(?P<coordinates>[-+]?\d{1,3}[.°]\d*\W*[NS]?\W+[-+]?\d{1,3}[.°]\d*\W*[EW]?)"
    r"|(?P<path>[~/.][\w./~-]*)",
    re.I,
)
ZONE = re.compile(
    r"\b(?:UTC|GMT)\s*(?:[-+±−]\s*\d{1,2}(?::?\d\d)?)?|\b(?:[PMCE][SD]T|CEST|CET|EET|BST|IST|JST|KST|AEST)\b(?!\w)|[-+]\d\d:?\d\d\b"
)
OTHER_COUNTRY, OTHER_STATE = 3, 2
"""How many times heavier than one in another country, or state, an asserted reading must be."""
ONE_NAME = 20
"""How many times heavier two cities are than the one place both names could make."""
WRITTEN_AS_CODE = {"US", "UK", "EU", "SF", "LA"}
SMALL_TOWN = 15
SMALL_NAMESAKE = 50
LONGEST = 200
"""Characters of a declared location that are read."""
SMALL_CODE = 1000
ORDER = ("city", "district", "school", "region", "state", "province", "country")


class ReadingKind(StrEnum):
    PLACE = "place"
    MULTIPLE = "multiple"
    AMBIGUOUS = "ambiguous"
    REGION = "region"
    NONE = "none"
    """It names no place, and does not mean to."""
    UNKNOWN = "unknown"
    """It may name a place, but none that is known here."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a declared location says, and the rule that decided.

    `places` holds the place, all of several, or the candidates; none where nothing is known.
    """

    kind: ReadingKind
    places: tuple[Place, ...] = ()
    rule: str = ""

    @property
    def place(self) -> Place | None:
        """The one place, where there is one."""
        return self.places[0] if self.kind in (ReadingKind.PLACE, ReadingKind.REGION) else None

    @property
    def countries(self) -> tuple[str, ...]:
        named = (place.country for place in self.places if place.country)
        return tuple(dict.fromkeys(named))

    def within(self, wanted: Place) -> bool | None:
        """Does what is declared lie in a place? None where it may or may not.

        >>> from sourcer.places.gazetteer import candidates
        >>> us, ca = candidates("USA")[0], candidates("California")[0]
        >>> read("Boston, MA -> SF").within(us), read("Boston, MA -> SF").within(ca)
        (True, None)
        >>> read("earth").within(us) is None
        True
        """
        answers = {within(place, wanted) for place in self.places}
        return answers.pop() if len(answers) == 1 else None


@lru_cache(maxsize=1 << 16)
def read(text: str) -> Reading:
    """Read a declared location.

    >>> for text in ("Bangalore", "London, Ontario", "Cambridge", "Berlin/Warsaw", "EMEA", "earth"):
    ...     reading = read(text)
    ...     print(reading.kind.value, [place.label for place in reading.places], "-", reading.rule)
    place ['Bengaluru, IN'] - name
    place ['London, CA-ON'] - name in name
    ambiguous ['Cambridge, GB', 'Cambridge, CA-ON', 'Cambridge, US-MA'] - namesakes of like size
    multiple ['Berlin, DE', 'Warsaw, PL'] - several places
    region ['EMEA'] - name
    none [] - a word for no place
    """
    plain = ZONE.sub(" ", text[:LONGEST]).strip(" ,;|/")
    if reason := no_place(text.strip(), plain):
        return Reading(ReadingKind.NONE, rule=reason)
    groups = grouped([mention for mention in mentions(plain) if mention.places])
    if not groups:
        return without_names(plain)
    return groups[0].decided() if len(groups) == 1 else several(groups)


def no_place(text: str, plain: str) -> str | None:
    if not plain:
        return "a time zone" if text else "empty"
    if found := NO_PLACE.fullmatch(text):
        return f"{found.lastgroup}, no place"
    return "a word for no place" if normalise(text) in words("nowhere") else None


def without_names(text: str) -> Reading:
    said = normalise(text).split()
    figurative = not said or said[0] in words("figurative") or set(said) <= words("noise")
    if figurative or normalise(text) in words("nowhere"):
        return Reading(ReadingKind.NONE, rule="no place name in it")
    return Reading(ReadingKind.UNKNOWN, rule="no place name that is known")


@dataclass(frozen=True, slots=True)
class Group:
    """Mentions that together name one place: `joint` are the readings that agree with all."""

    mentions: tuple[Mention, ...]
    joint: tuple[Place, ...]

    @property
    def rule(self) -> str:
        first, *_, last = (self.mentions[0].rule, *(mention.rule for mention in self.mentions))
        return first if len(self.mentions) == 1 else f"{first} in {last}"

    @property
    def is_bare_word(self) -> bool:
        return len(self.mentions) == 1 and self.mentions[0].is_word

    @property
    def rivals(self) -> tuple[Place, ...]:
        """The readings that are about as likely as the likeliest but lie elsewhere."""
        top = self.joint[0]
        return tuple(place for place in self.joint[1:] if elsewhere(place, top))

    def decided(self) -> Reading:
        top = self.joint[0]
        if len(self.mentions) == 1 and is_slight(self.mentions[0], top):
            return Reading(
                ReadingKind.UNKNOWN, self.joint, "too small to be meant without its state"
            )
        if self.is_bare_word:
            return Reading(ReadingKind.AMBIGUOUS, self.joint, "also a word")
        if self.rivals:
            return Reading(ReadingKind.AMBIGUOUS, (top, *self.rivals), "namesakes of like size")
        kind = ReadingKind.PLACE if top.country else ReadingKind.REGION
        return Reading(kind, (top,), self.rule)


def elsewhere(place: Place, top: Place) -> bool:
    if place.country != top.country:
        return place.weight * OTHER_COUNTRY >= top.weight
    if place.admin1 is None or top.admin1 is None or place.admin1 == top.admin1:
        return False
    return place.weight * OTHER_STATE >= top.weight


def is_slight(mention: Mention, top: Place) -> bool:
    if mention.rule == "code":
        return top.kind == "country" and top.weight < SMALL_CODE
    return top.kind == "city" and top.weight < SMALL_TOWN and " " not in mention.text


def several(groups: list[Group]) -> Reading:
    """Several places; words that may be places give way to places that are no words."""
    sure = [group for group in groups if not group.is_bare_word] or groups
    readings = [group.decided() for group in sure]
    placed = [
        group.joint[0]
        for group, reading in zip(sure, readings, strict=True)
        if reading.kind != ReadingKind.UNKNOWN
    ]
    if len(placed) < 2:
        return next((r for r in readings if r.kind != ReadingKind.UNKNOWN), readings[0])
    return Reading(ReadingKind.MULTIPLE, tuple(dict.fromkeys(placed)), "several places")


def grouped(found: list[Mention]) -> list[Group]:
    groups: list[Group] = []
    for at, mention in enumerate(found):
        last = groups[-1] if groups else None
        if last and (joint := agreed(last, mention)):
            groups[-1] = Group((*last.mentions, mention), joint)
        elif last and is_subdivision(mention):
            later = any(agreed(last, after) for after in found[at + 1 :])
            if is_town_of(mention, last) and not later:
                groups[-1] = Group((mention,), mention.places)
        else:
            groups.append(Group((mention,), mention.places))
    return groups


def is_subdivision(mention: Mention) -> bool:
    """A two-letter code after a comma, as in "Porto Alegre, RS": no second place."""
    if mention.rule != "code" or mention.is_apart or mention.text in WRITTEN_AS_CODE:
        return False
    return len(mention.text) == 2


def is_town_of(mention: Mention, group: Group) -> bool:
    """Does a state's code overrule a namesake, as in "Littleton, MA", a town not known here?"""
    top, state = group.joint[0], mention.places[0]
    if len(group.mentions) > 1 or top.kind != "city" or state.kind != "state":
        return False
    return top.country == state.country or top.weight < SMALL_NAMESAKE


def agreed(group: Group, mention: Mention) -> tuple[Place, ...]:
    """The readings that fit both, the likeliest first; none when two places are likelier meant."""
    both = [one for a in group.joint for b in mention.places if (one := joined(a, b, mention.rule))]
    joint = tuple(sorted(dict.fromkeys(both), key=lambda place: -place.weight))
    if joint and (mention.is_apart or is_rather_a_city(mention)):
        lighter = min(group.joint[0].weight, mention.places[0].weight)
        return joint if joint[0].weight * ONE_NAME >= lighter else ()
    return joint


def is_rather_a_city(mention: Mention) -> bool:
    return mention.rule == "name" and mention.places[0].kind == "city"


def joined(one: Place, other: Place, rule: str) -> Place | None:
    """One place of two that lie in each other, or None.

    >>> boston = Place("city", "US", "US-MA", "Boston", weight=650)
    >>> joined(boston, Place("country", "US", weight=2000), "name").label
    'Boston, US-MA'
    >>> joined(boston, Place("country", "GB"), "name") is None
    True
    """
    narrow, wide = sorted((one, other), key=lambda place: ORDER.index(place.kind))
    if other.country is None or one.country is None:
        inner, outer = (other, one) if one.country is None else (one, other)
        inside = (inner.country, None) in regions().get(outer.region or "", ())
        return inner if inside and inner.country else None
    if (
        one.country != other.country
        or clash(one.admin1, other.admin1)
        or clash(one.city, other.city)
    ):
        return None
    weight = narrow.weight if narrow.city or not wide.city else wide.weight
    if rule == "code" and other.kind == "country":
        weight //= 5
    return replace(
        narrow,
        admin1=narrow.admin1 or wide.admin1,
        city=narrow.city or wide.city,
        region=narrow.region or wide.region,
        weight=weight,
    )


def clash(one: str | None, other: str | None) -> bool:
    return one is not None and other is not None and one != other
