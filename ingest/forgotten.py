"""Imported rows about people who asked to be forgotten: about nobody else, they are not shown."""

from collections.abc import Iterable, Iterator

from ingest.profiles.records import Record
from sourcer.workspace.identifiers import Identifier, email_hash, login, named, row, url
from sourcer.workspace.suppressions import Suppressed

NOBODY = Suppressed(b"", frozenset(), (0, 0))


def is_forgotten(record: Record, suppressed: Suppressed) -> bool:
    """
    >>> from datetime import datetime
    >>> is_forgotten(Record("github", "mira-l", datetime(2026, 1, 1), {}, login="mira-l"), NOBODY)
    False
    """
    return suppressed.matches(_declared(record))


def _declared(record: Record) -> Iterator[Identifier]:
    yield row(record.source, record.key)
    if record.login:
        yield login(record.login)
    yield from map(email_hash, record.email_keys)
    pages = (record.key, record.fields.get("linkedin", ""), record.fields.get("blog", ""))
    yield from (url(page) for page in pages if "/" in page)
    for context in ("company", "past_company", "school", "location"):
        yield from _named(record.fields.get("name", ""), record.values(context))


def _named(name: str, contexts: Iterable[str]) -> Iterator[Identifier]:
    """A name without a letter tells nobody apart."""
    if any(letter.isalnum() for letter in name):
        yield from (named(name, context) for context in contexts if context.strip())
