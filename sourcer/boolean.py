"""Boolean search as recruiters know it, over the titles, headlines and skills that people declare.

It is here so that a search by titles can be put honestly beside a search by artifacts.

>>> wanted = parse('("inference engineer" OR vLLM) AND senior NOT intern*')
>>> wanted.found_in("Senior Inference Engineer"), wanted.found_in("Senior vLLM internship")
(True, False)
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from sourcer.errors import BadInput
from sourcer.people import Profile
from sourcer.phrases import Phrases, words

TITLES = ("title", "headline", "bio")
"""Fields that hold a title or stand in for one: a biography is GitHub's headline."""
SKILLS = ("skills", "skill")
LONGEST = 2_000
DEEPEST = 40
_TOKEN = re.compile(r'"[^"]*"|[()]|[^\s()"]+|"')
_OPERATORS = ("AND", "OR", "NOT")
_QUOTES = str.maketrans("“”„«»", '"""""')
Test = Callable[[list[str]], bool]


@dataclass(frozen=True, slots=True)
class Expression:
    """A parsed search; text is compared by words, capitals and plurals set aside."""

    text: str
    holds: Test

    def found_in(self, declared: str) -> bool:
        return self.holds(words(declared))

    def matches(self, profile: Profile, fields: Iterable[str] = (*TITLES, *SKILLS)) -> bool:
        """Over all that a person declares in some fields, taken together."""
        wanted = set(fields)
        said = " ; ".join(fact.value for name, fact in profile.fields if name in wanted)
        return bool(said) and self.found_in(said)


def parse(text: str) -> Expression:
    """AND, OR and NOT in capitals, quotes for phrases, parentheses, `word*`, `-word`.

    A gap means AND; NOT binds most, then AND, then OR.

    >>> parse("(cuda OR triton").found_in("cuda")
    Traceback (most recent call last):
    sourcer.errors.BadInput: boolean search '(cuda OR triton': a closing parenthesis is missing
    """
    if len(text) > LONGEST:
        raise BadInput(f"a boolean search has at most {LONGEST} characters, not {len(text)}")
    reader = _Reader(text, _TOKEN.findall(text.translate(_QUOTES)))
    holds = reader.either()
    if reader.next is not None:
        raise reader.error(f"{reader.next!r} has nothing before it")
    return Expression(text, holds)


def any_of(phrases: Iterable[str]) -> str:
    """Phrases as a search for any of them.

    >>> any_of(["fused moe", "vLLM", "AND"])
    '"fused moe" OR vLLM OR "AND"'
    """
    return " OR ".join(
        f'"{phrase}"' if " " in phrase or phrase in _OPERATORS else phrase for phrase in phrases
    )


class _Reader:
    """Recursive descent over the tokens of one search."""

    def __init__(self, text: str, tokens: list[str]) -> None:
        self._text = text
        self._tokens = tokens
        self._at = 0
        self._depth = 0

    @property
    def next(self) -> str | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def error(self, why: str) -> BadInput:
        return BadInput(f"boolean search {self._text!r}: {why}")

    def either(self) -> Test:
        tests = [self._all()]
        while self.next == "OR":
            self._at += 1
            tests.append(self._all())
        return lambda said: any(test(said) for test in tests)

    def _all(self) -> Test:
        tests = [self._unless()]
        while self.next not in (None, "OR", ")"):
            if self.next == "AND":
                self._at += 1
            tests.append(self._unless())
        return lambda said: all(test(said) for test in tests)

    def _unless(self) -> Test:
        negated = False
        while self.next == "NOT":
            self._at += 1
            negated = not negated
        test = self._one()
        return (lambda said: not test(said)) if negated else test

    def _one(self) -> Test:
        token = self.next
        if token is None or token in (*_OPERATORS, ")"):
            raise self.error(f"a word is missing before {token or 'the end'}")
        self._at += 1
        if token == "(":  # noqa: S105 - a parenthesis is no password
            return self._within()
        if token.startswith("-") and len(token) > 1:
            test = self._word(token[1:])
            return lambda said: not test(said)
        return self._word(token)

    def _within(self) -> Test:
        self._depth += 1
        if self._depth > DEEPEST:
            raise self.error(f"more than {DEEPEST} parentheses within one another")
        test = self.either()
        if self.next != ")":
            raise self.error("a closing parenthesis is missing")
        self._at += 1
        self._depth -= 1
        return test

    def _word(self, token: str) -> Test:
        if token == '"':  # noqa: S105 - a quotation mark is no password
            raise self.error("a closing quotation mark is missing")
        phrase = token.strip('"')
        if not words(phrase) or "*" in phrase[:-1] or ("*" in phrase and len(words(phrase)) > 1):
            raise self.error(f"{token!r} is no word; a single word may end in *")
        return Phrases([(phrase, None)]).found_in
