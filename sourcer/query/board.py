"""The question laid out: its tokens, what each may mean, and which of them a part has taken."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date

from sourcer.query.fields import Value
from sourcer.query.gazetteer import Place
from sourcer.query.lexicons import GLUE, Match
from sourcer.query.parts import Ambiguity, Correction, Leftover, Mode, Refusal, Span
from sourcer.query.tokens import Token, tokenise
from sourcer.query.vocabulary import Vocabulary

Condition = tuple[str, str, Value]
"""Field, operator and value."""


@dataclass(slots=True)
class Part:
    """Tokens [first, last) that carry conditions; scope later sets `negated` and `mode`."""

    first: int
    last: int
    conditions: tuple[Condition, ...]
    negated: bool = False
    mode: Mode = Mode.MUST
    cancelled: bool = False
    place: Place | None = None

    @property
    def field(self) -> str:
        return self.conditions[0][0]


@dataclass(slots=True)
class Findings:
    """What the readers say beside the parts."""

    corrected: list[Correction] = field(default_factory=list)
    ambiguous: list[Ambiguity] = field(default_factory=list)
    leftover: list[Leftover] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)


@dataclass(slots=True)
class Board:
    """One question under the readers' hands."""

    text: str
    today: date
    vocabulary: Vocabulary
    tokens: list[Token]
    matches: list[dict[str, Match]]
    taken: list[bool]
    findings: Findings = field(default_factory=Findings)

    @classmethod
    def of(cls, text: str, today: date, vocabulary: Vocabulary) -> "Board":
        tokens = tokenise(text)
        lexicon = vocabulary.lexicon
        matches = [{m.kind: m for m in lexicon.at(tokens, i)} for i in range(len(tokens))]
        return cls(text, today, vocabulary, tokens, matches, [False] * len(tokens))

    def __len__(self) -> int:
        return len(self.tokens)

    def match(self, kind: str, at: int) -> Match | None:
        """The longest match of a kind at a token, if none of its tokens is taken."""
        if not 0 <= at < len(self.tokens):
            return None
        found = self.matches[at].get(kind)
        return found if found and not any(self.taken[found.first : found.last]) else None

    def before(self, kind: str, at: int) -> Match | None:
        """The longest match of a kind that ends just before a token."""
        return next(
            (m for i in range(max(0, at - 7), at) if (m := self.match(kind, i)) and m.last == at),
            None,
        )

    def skip_back(self, at: int, *kinds: str) -> int:
        """The first token of the run of these kinds that ends just before `at`."""
        while at > 0:
            if self.tokens[at - 1].text in GLUE:
                at -= 1
                continue
            found = next((m for kind in kinds if (m := self.before(kind, at))), None)
            if found is None:
                return at
            at = found.first
        return at

    def skip(self, at: int, *kinds: str) -> int:
        """The token just after the run of these kinds that begins at `at`."""
        while found := next((m for kind in kinds if (m := self.match(kind, at))), None):
            at = found.last
        return at

    def norm(self, at: int) -> str:
        """The token's folded text; empty outside the question."""
        return self.tokens[at].norm if 0 <= at < len(self.tokens) else ""

    def take(self, first: int, last: int) -> None:
        self.taken[first:last] = [True] * (last - first)

    def is_free(self, first: int, last: int) -> bool:
        return not any(self.taken[first:last])

    def span(self, first: int, last: int) -> Span:
        return (self.tokens[first].start, self.tokens[last - 1].end)

    def words(self, first: int, last: int) -> str:
        start, end = self.span(first, last)
        return self.text[start:end]

    def part(self, first: int, last: int, *conditions: Condition) -> Part:
        """A part over these tokens, which are taken from now on."""
        self.take(first, last)
        return Part(first, last, conditions)

    def leave(self, first: int, last: int, why: str) -> None:
        """Set tokens aside as understood but not acted on."""
        self.findings.leftover.append(
            Leftover(self.words(first, last), self.span(first, last), why)
        )
        self.take(first, last)

    def shouts(self) -> bool:
        """Whether the whole question is in capitals, so that they mean nothing."""
        letters = [c for c in self.text if c.isalpha() and c.isascii()]
        return len(letters) > 4 and all(c.isupper() for c in letters)

    def each(self, kind: str) -> Iterable[Match]:
        """Every match of a kind, left to right, still free when it is reached."""
        return (m for i in range(len(self.tokens)) if (m := self.match(kind, i)))
