"""Taking what a person is known by out of texts: names, logins, emails."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

BLOT = "•"
IDEOGRAPH = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2}")
TELLING = re.compile(r"[ @]|.{8}|(?=.*[\d-]).{4}")
"""A full name, an email, or a login that is no usual word."""
NEVER = re.compile(r"(?!)")


@dataclass(frozen=True, slots=True)
class Blotter:
    """Finds a person's words in texts.

    >>> blotter = Blotter.of(["Mira Lund", "mira-l", "max", "ml@firm.example"])
    >>> blotter.text("like Mira-L, Mira  Lund or @max, at max tokens")
    'like ••••••, •••••••••• or ••••, at max tokens'
    >>> blotter.lines("Fuse it\\n\\nSigned-off-by: M. Lund <ml@firm.example>")
    'Fuse it\\n'
    """

    words: re.Pattern[str]
    emails: re.Pattern[str]

    @classmethod
    def of(cls, words: Iterable[str]) -> "Blotter":
        held = sorted({" ".join(word.split()) for word in words} - {""}, key=len, reverse=True)
        return cls(_any(held), _any([word for word in held if "@" in word]))

    def finds(self, text: str) -> bool:
        return self.words.search(text) is not None

    def text(self, text: str) -> str:
        """Its length stays, so spans still fit."""
        return self.words.sub(lambda found: BLOT * len(found.group()), text)

    def lines(self, text: str) -> str:
        """The same; a line with an email of theirs is about them alone and goes as a whole."""
        left = (line for line in text.split("\n") if self.emails.search(line) is None)
        return self.text("\n".join(left))

    def value(self, value: object) -> object:
        """The same for every text in a JSON value; keys stay.

        >>> Blotter.of(["Mira Lund"]).value({"a": ["by Mira Lund", 1]})
        {'a': ['by •••••••••', 1]}
        """
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return {key: self.value(one) for key, one in value.items()}
        if isinstance(value, list):
            return [self.value(one) for one in value]
        return value


def _any(words: list[str]) -> re.Pattern[str]:
    if not words:
        return NEVER
    return re.compile("|".join(map(_pattern, words)), re.IGNORECASE)


def _pattern(word: str) -> str:
    """A short login is a word like others, so it counts only where it is marked as one."""
    plain = r"\s+".join(map(re.escape, word.split(" ")))
    if IDEOGRAPH.search(word):
        return plain
    mark = "@?" if TELLING.match(word) else "@"
    return rf"(?<![\w@-]){mark}{plain}(?![\w-])"
