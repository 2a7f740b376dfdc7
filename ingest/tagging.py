"""Every commit of a snapshot -> the topics it is about."""

from sourcer.store import topics as stored
from sourcer.store.database import Database
from sourcer.topics import Taxonomy


def tag(db: Database, taxonomy: Taxonomy) -> int:
    """Writes the taxonomy and each commit's topics; how many commits have any."""
    stored.write_topics(db, taxonomy.topics)
    tagged = (
        (commit.id, found)
        for commit in stored.commits_to_tag(db)
        if (found := taxonomy.tag(commit.subject, commit.paths, commit.symbols, commit.repo))
    )
    return stored.write_tags(db, tagged)
