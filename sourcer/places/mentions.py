"""The place names that a text holds, each with all its readings."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from sourcer.places.gazetteer import NAMES, Place, candidates
from sourcer.places.names import normalise
from sourcer.places.words import words

FLAG = re.compile("[\U0001f1e6-\U0001f1ff]{2}")
OUTER = re.compile(
    r"\s*(->|<-+>|=>|→|←|↔|⇄|⇌|➡|✈|[/|&+;·•~<>\n]|\s(?:and|und|et|y|or|to)\s|\s[-–—]{1,2}\s)\ufe0f?\s*"
)
"""Between places: more often two than one."""
INNER = re.compile(r"\s*[,，、()（）\[\]:。]\s*|[\U0001f000-\U0001faff\u2600-\u27bf\ufe0f\u200d]+")
"""Between a place and what it lies in."""
UNSPACED = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
CODE = re.compile(r"[A-Z]{2,3}|(?:[A-Z]\.){1,2}[A-Z]\.?")
LONGEST_UNSPACED = 12
STRONG_CITY = 100
"""From which weight a city's name is taken out of other words."""
WORDS_AS_CODES = frozenset(
    {"OR", "IN", "ME", "OK", "HI", "OH", "ID", "AL", "CO", "IT", "NO", "SO", "AM", "IS", "AS"}
    | {"BE", "BY", "MY", "TO", "DO", "AI", "ML", "CS", "PA", "MA", "AD"}
)
"""Codes that are words too, or stand for something else in capitals."""


@dataclass(frozen=True, slots=True)
class Mention:
    text: str
    places: tuple[Place, ...]
    rule: str
    is_apart: bool = False
    """It stands after a sign that more often divides two places than a place and its country."""

    @property
    def is_word(self) -> bool:
        return self.rule != "code" and normalise(self.text) in words("also_words")


def mentions(text: str) -> list[Mention]:
    """
    >>> [(mention.text, mention.is_apart) for mention in mentions("Boston, MA -> SF 🇺🇸")]
    [('Boston', False), ('MA', False), ('SF', True), ('🇺🇸', False)]
    """
    if whole := named(text) or in_small_letters(text):
        return [whole]
    found: list[Mention] = []
    for number, outer in enumerate(OUTER.split(text)[::2]):
        segments = [part for part in INNER.split(FLAG.sub("", outer)) if part.strip()]
        here = [m for at, part in enumerate(segments) for m in in_segment(part, after=at > 0)]
        here += [flag(found) for found in FLAG.findall(outer)]
        found += [replace(m, is_apart=number > 0 and at == 0) for at, m in enumerate(here)]
    return found


def named(text: str) -> Mention | None:
    plain = text.strip()
    found = candidates(plain)
    return Mention(plain, found, "code" if CODE.fullmatch(plain) else "name") if found else None


def in_small_letters(text: str) -> Mention | None:
    """A code that stands alone is read in small letters too, unless a word: "uk", not "in"."""
    plain = text.strip()
    if len(plain) > 3 or (plain in words("function_words") and plain != "us"):
        return None
    return named(plain.upper())


def flag(letters: str) -> Mention:
    code = "".join(chr(ord(letter) - 0x1F1E6 + ord("A")) for letter in letters)
    return Mention(letters, tuple(p for p in candidates(code) if p.kind == "country"), "flag")


def in_segment(segment: str, after: bool) -> list[Mention]:
    """The names in one piece of text; `after` says that a comma or bracket stands before it."""
    code = segment.strip(" .")
    if after and len(code) == 2 and (readings := candidates(code.upper())):
        return [Mention(code.upper(), states_first(readings), "code")]
    if normalise(segment) in words("noise"):
        return []
    if whole := named(segment) or named(segment.replace(" ", "")):
        return [whole]
    found, rest = scanned(segment)
    if rest & words("schools"):
        return [as_school(mention) for mention in found[:1]]
    rest = {word for word in rest - words("noise") if not any(map(str.isdigit, word))}
    return [m for m in found if not rest or (stands_out(m) and "new" not in rest)]


def states_first(readings: tuple[Place, ...]) -> tuple[Place, ...]:
    """After a comma a code is rather a state's, whatever stands before it."""
    if not any(place.kind == "state" for place in readings):
        return readings
    weighed = (replace(p, weight=p.weight // (1 if p.kind == "state" else 20)) for p in readings)
    return tuple(sorted(weighed, key=lambda place: -place.weight))


def stands_out(mention: Mention) -> bool:
    """Is a name sure enough to be taken out of words that are not understood?"""
    top = mention.places[0]
    if mention.is_word or mention.text in WORDS_AS_CODES or mention.text[:1].islower():
        return False
    return top.kind != "city" or (top.weight >= STRONG_CITY and len(mention.text) > 3)


def as_school(mention: Mention) -> Mention:
    """A school named for a city lies in its state, wherever its students are."""
    places = tuple(replace(place, kind="school", city=None) for place in mention.places)
    return replace(mention, places=places, rule="school")


def scanned(segment: str) -> tuple[list[Mention], set[str]]:
    """The longest names from the left on, and the words that are in none."""
    tokens = [token for raw in segment.split() for token in split(raw)]
    found, rest, at = [], set[str](), 0
    while at < len(tokens):
        mention, size = longest_at(tokens, at)
        if mention and normalise(mention.text) not in words("noise") | words("schools"):
            found.append(mention)
        else:
            inside = list(unspaced(tokens[at]))
            found += inside
            if not inside:
                rest.add(normalise(tokens[at]))
        at += size
    return found, rest - {""}


def split(raw: str) -> list[str]:
    """Words as written, divided where their normal form is.

    >>> split("Baden-Württemberg"), split("D.C.")
    (['Baden', 'Württemberg'], ['D.C.'])
    """
    return (
        [raw]
        if CODE.fullmatch(raw)
        else [part for part in re.split(r"[\W_]+", raw.replace("'", "")) if part]
    )


def longest_at(tokens: list[str], at: int) -> tuple[Mention | None, int]:
    for size in range(min(NAMES.max_words, len(tokens) - at), 0, -1):
        text = " ".join(tokens[at : at + size])
        if mention := named(text):
            return mention, size
    return None, 1


def unspaced(token: str) -> Iterator[Mention]:
    """Names in a script that puts no spaces between words, down to the first city.

    What follows a city are its districts, which are named as other cities are.

    >>> [mention.text for mention in unspaced("中国浙江省杭州市西湖区")]
    ['中国', '浙江省', '杭州市']
    """
    at = 0
    while at < len(token) and UNSPACED.match(token):
        ends = range(min(len(token), at + LONGEST_UNSPACED), at + 1, -1)
        end = next((end for end in ends if candidates(token[at:end])), at + 1)
        if end > at + 1:
            mention = Mention(token[at:end], candidates(token[at:end]), "name")
            yield mention
            if mention.places[0].kind == "city":
                return
        at = end
