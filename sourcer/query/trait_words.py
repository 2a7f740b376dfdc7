"""Protected traits and the words that name them, from traits.toml."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sourcer.query.lexicons import Entry


@dataclass(frozen=True, slots=True)
class Trait:
    """A trait, why it is refused, and the words that name it."""

    name: str
    why: str
    words: tuple[str, ...]
    of_people: tuple[str, ...]


@cache
def traits() -> dict[str, Trait]:
    """The traits of traits.toml, by name."""
    tables = tomllib.loads(Path(__file__).with_name("traits.toml").read_text("utf-8"))
    return {
        name: Trait(name, table["why"], tuple(table["words"]), tuple(table["of_people"]))
        for name, table in tables.items()
    }


def trait_entries() -> Iterator[Entry]:
    for trait in traits().values():
        yield from (Entry("trait", trait.name, words) for words in trait.words)
        yield from (Entry("trait_of_people", trait.name, words) for words in trait.of_people)
