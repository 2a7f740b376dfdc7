"""Reads the TOML files that people edit, and complains in words that say where and what.

A table knows where it stands: "topics.toml: topic 'moe', words: 7 cannot be used; it must be …".
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sourcer.errors import BadSettings
from sourcer.phrases import words


def text_of(path: Path) -> str:
    """A file's text. Raises BadSettings when it cannot be read."""
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadSettings(f"{path} cannot be read: {error}") from error


def parsed(text: str, name: str) -> "Table":
    """
    >>> parsed("a = 1", "lanes.toml").entries
    {'a': 1}
    """
    try:
        return Table(tomllib.loads(text), name)
    except tomllib.TOMLDecodeError as error:
        raise BadSettings(f"{name} is not TOML: {error}") from error


@dataclass(frozen=True, slots=True)
class Table:
    """A TOML table that knows where it stands, so that every complaint can say so."""

    entries: Mapping[str, object]
    where: str

    def error(self, key: str, value: object, wanted: str) -> BadSettings:
        return BadSettings(f"{self.where}, {key}: {value!r} cannot be used; it must be {wanted}")

    def refuse_unknown(self, known: set[str]) -> None:
        unknown = self.entries.keys() - known
        if unknown:
            raise BadSettings(
                f"{self.where}: unknown key {min(unknown)!r}; there are: {', '.join(sorted(known))}"
            )

    def string(self, key: str) -> str:
        value = self.entries.get(key)
        if not isinstance(value, str) or not value.strip():
            raise self.error(key, value, "text in quotes")
        return value

    def count(self, key: str, usual: int) -> int:
        """A whole number, 1 or more."""
        value = self.entries.get(key, usual)
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise self.error(key, value, "a whole number, 1 or more")
        return value

    def flag(self, key: str) -> bool:
        """False where nothing is said."""
        value = self.entries.get(key, False)
        if not isinstance(value, bool):
            raise self.error(key, value, "true or false")
        return value

    def filled(self, key: str) -> tuple[str, ...]:
        """At least one text."""
        texts = self.strings(key)
        if not texts:
            raise self.error(key, [], "a list with at least one text in it")
        return texts

    def strings(self, key: str) -> tuple[str, ...]:
        value = self.entries.get(key, [])
        if not isinstance(value, list):
            raise self.error(key, value, "a list of texts in quotes")
        for item in value:
            if not isinstance(item, str) or not item.strip():
                raise self.error(key, item, "text in quotes")
        return tuple(value)

    def share(self, key: str) -> float | None:
        value = self.entries.get(key)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 1:
            raise self.error(key, value, "over 0 and at most 1")
        return float(value)

    def phrases(self, key: str) -> tuple[str, ...]:
        phrases = self.strings(key)
        for phrase in phrases:
            check_phrase(self, key, phrase)
        return phrases

    def tables(self, key: str) -> Mapping[str, Mapping[str, object]]:
        value = self.entries.get(key)
        if not isinstance(value, dict) or not value:
            raise self.error(key, value, "a table")
        for name, entry in value.items():
            if not isinstance(entry, dict):
                raise self.error(f"{key}.{name}", entry, "a table")
        return value

    def tables_or_none(self, key: str) -> Mapping[str, object]:
        value = self.entries.get(key, {})
        if not isinstance(value, dict):
            raise self.error(key, value, "a table of lists")
        return value

    def within(self, key: str) -> "Table":
        return Table(self.tables_or_none(key), f"{self.where}, {key}")

    def list_of_tables(self, key: str) -> tuple["Table", ...]:
        value = self.entries.get(key, [])
        if not isinstance(value, list):
            raise self.error(key, value, "a list of tables")
        for item in value:
            if not isinstance(item, dict):
                raise self.error(key, item, "a table, such as { word = ..., near = [...] }")
        return tuple(Table(item, f"{self.where}, {key}") for item in value)


def check_phrase(table: Table, key: str, phrase: str) -> None:
    count = len(words(phrase))
    if not count or "*" in phrase[:-1] or (phrase.endswith("*") and count > 1):
        raise table.error(key, phrase, "a word or words; a single word may end in *")
