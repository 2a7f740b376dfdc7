"""The question laid out: its tokens, what each may mean, and which of them a part has taken."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import chain

from sourcer.places import NAMES, Place
from sourcer.query.corrections import corrections, reread
from sourcer.query.fields import Value
from sourcer.query.lexicons import GLUE, Match
from sourcer.query.parts import Ambiguity, Correction, Leftover, Mode, Refusal, Span
from sourcer.query.tokens import Kind, Token, fold, tokenise
from sourcer.query.vocabulary import Vocabulary

REACH = 16
"""How many words a look to the left or right goes at most, so that time grows with length only."""
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
    shouts: bool
    """The whole question is in capitals, so that they mean nothing."""
    findings: Findings = field(default_factory=Findings)

    @classmethod
    def of(cls, text: str, today: date, vocabulary: Vocabulary) -> "Board":
        tokens = tokenise(text)
        matches = _matches(tokens, vocabulary)
        slips = list(corrections(tokens, matches, vocabulary.targets))
        if any(slip.applied for _, slip in slips):
            tokens = reread(tokens, slips)
            matches = _matches(tokens, vocabulary)
        if vocabulary.find_topics:
            _drop_topics(tokens, matches)
            _add_topics(tokens, matches, vocabulary.find_topics(text))
        findings = Findings(corrected=[slip for _, slip in slips])
        return cls(
            text, today, vocabulary, tokens, matches, [False] * len(tokens), _shouts(text), findings
        )

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
        for _ in range(REACH):
            if at > 0 and self.tokens[at - 1].text in GLUE:
                at -= 1
                continue
            found = next((m for kind in kinds if (m := self.before(kind, at))), None)
            if found is None:
                return at
            at = found.first
        return at

    def skip(self, at: int, *kinds: str) -> int:
        """The token just after the run of these kinds that begins at `at`."""
        for _ in range(REACH):
            found = next((m for kind in kinds if (m := self.match(kind, at))), None)
            if found is None:
                break
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

    def each(self, kind: str) -> Iterable[Match]:
        """Every match of a kind, left to right, still free when it is reached."""
        return (m for i in range(len(self.tokens)) if (m := self.match(kind, i)))


def _shouts(text: str) -> bool:
    letters = [c for c in text if c.isalpha() and c.isascii()]
    return len(letters) > 4 and all(c.isupper() for c in letters)


def _matches(tokens: Sequence[Token], vocabulary: Vocabulary) -> list[dict[str, Match]]:
    lexicon = vocabulary.lexicon
    matches = [{m.kind: m for m in lexicon.at(tokens, i)} for i in range(len(tokens))]
    found = (_place_names(tokens, matches), _employer_handles(tokens, vocabulary), _outs(tokens))
    for match in chain(*found):
        known = matches[match.first].get(match.kind)
        if known is None or known.last < match.last:
            matches[match.first][match.kind] = match
    return matches


def _place_names(tokens: Sequence[Token], matches: Sequence[dict[str, Match]]) -> Iterator[Match]:
    """The longest place name at each word; small framing words begin none."""
    for i, token in enumerate(tokens):
        framing = not token.text[0].isupper() and not _FRAMING.isdisjoint(matches[i])
        if token.kind is Kind.WORD and not framing and (found := _longest_place(tokens, i)):
            yield found


_FRAMING = frozenset(
    {"filler", "preposition", "article", "or", "and", "but", "negator", "person", "topic", "repo"}
)


def _longest_place(tokens: Sequence[Token], first: int) -> Match | None:
    words = [t.norm for t in tokens[first : first + NAMES.max_words + 2] if t.text not in GLUE]
    gap = " " if words[0].isascii() else ""
    for size in range(min(NAMES.max_words, len(words)), 0, -1):
        name = gap.join(words[:size])
        if name in NAMES:
            return Match("place", name, first, _after(tokens, first, size))
    return None


def _after(tokens: Sequence[Token], first: int, size: int) -> int:
    """The token after so many words, hyphens not counted."""
    last = first
    while size:
        size -= tokens[last].text not in GLUE
        last += 1
    return last


def _employer_handles(tokens: Sequence[Token], vocabulary: Vocabulary) -> Iterator[Match]:
    for i, token in enumerate(tokens):
        name = vocabulary.companies.get(token.norm[1:]) if token.kind is Kind.HANDLE else None
        if name:
            yield Match("company", name, i, i + 1)


def _outs(tokens: Sequence[Token]) -> Iterator[Match]:
    """'leave NVIDIA out', 'keep AMD and Intel people out of it': a 'not' around its names."""
    for i, token in enumerate(tokens):
        last = _out_after(tokens, i + 2) if token.norm in _LEAVING else None
        if last and not {"who", "that", "they"} & {t.norm for t in tokens[max(0, i - 2) : i]}:
            yield Match("negator", "not", i, i + 1)
            yield Match("filler", "filler", last, last + 1)


_LEAVING = frozenset({"leave", "leaving", "keep", "keeping", "rule", "weed", "filter", "screen"})


def _out_after(tokens: Sequence[Token], first: int) -> int | None:
    """The 'out' that closes the clause."""
    for i in range(first, min(len(tokens), first + REACH)):
        if tokens[i].text in ".;:!?()" or tokens[i].norm in ("who", "that", "in", "but"):
            return None
        following = tokens[i + 1].norm if i + 1 < len(tokens) else "."
        if tokens[i].norm in ("out", "aside", "away") and not following.isdecimal():
            return i
    return None


def _drop_topics(tokens: Sequence[Token], matches: Sequence[dict[str, Match]]) -> None:
    """Plain words give way to the finder, but for a corrected word, which it cannot see."""
    for kinds in matches:
        topic = kinds.get("topic")
        if topic and all(
            fold(token.text) == token.norm for token in tokens[topic.first : topic.last]
        ):
            del kinds["topic"]


def _add_topics(
    tokens: Sequence[Token], matches: Sequence[dict[str, Match]], found: Iterable[tuple[str, Span]]
) -> None:
    starts = {token.start: i for i, token in enumerate(tokens)}
    ends = {token.end: i + 1 for i, token in enumerate(tokens)}
    for topic, (start, end) in found:
        first, last = starts.get(start), ends.get(end)
        if first is None or last is None or last <= first:
            continue
        if not _is_about_people(matches, first, last):
            known = matches[first].get("topic")
            if known is None or known.last < last:
                matches[first]["topic"] = Match("topic", topic, first, last)


def _is_about_people(matches: Sequence[dict[str, Match]], first: int, last: int) -> bool:
    """'experts' are people in a question, whatever they are in a commit."""
    return last == first + 1 and bool({"person", "kept_person"} & set(matches[first]))
