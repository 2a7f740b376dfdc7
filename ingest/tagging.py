"""Every commit of a snapshot -> the topics it is about."""

from hashlib import blake2b
from pathlib import Path
from types import ModuleType

from sourcer import phrases
from sourcer.store import topics as stored
from sourcer.store.database import Database, open_readonly
from sourcer.topics import Taxonomy, rules
from sourcer.topics import taxonomy as tagger


def tag(db: Database, taxonomy: Taxonomy, last: Path | None = None) -> int:
    """Writes the taxonomy and each commit's topics; how many commits were tagged anew and have any.

    `last` is the last snapshot's database: what it tagged in the same way is taken over.
    """
    stored.write_topics(db, taxonomy.topics)
    basis = _basis(taxonomy)
    _take_over(db, last, basis)
    tagged = (
        (commit.id, found)
        for commit in stored.commits_to_tag(db)
        if (found := taxonomy.tag(commit.subject, commit.paths, commit.symbols, commit.repo))
    )
    count = stored.write_tags(db, tagged)
    stored.write_basis(db, basis)
    return count


def _take_over(db: Database, last: Path | None, basis: str) -> None:
    if last is None:
        stored.nothing_to_take_over(db)
        return
    before = open_readonly(last)
    try:
        stored.take_over(db, before, basis)
    finally:
        before.close()


def _basis(taxonomy: Taxonomy) -> str:
    """Of the taxonomy, and of the code that tags: a new version tags anew."""
    digest = blake2b(repr(taxonomy.topics).encode(), digest_size=16)
    for module in (tagger, rules, phrases):
        digest.update(_source(module))
    return digest.hexdigest()


def _source(module: ModuleType) -> bytes:
    return Path(str(module.__file__)).read_bytes()
