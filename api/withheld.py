"""Who of a snapshot asked not to be found."""

from sourcer.store import known_by
from sourcer.store.database import Database
from sourcer.workspace.suppressions import Suppressed


def hidden_people(db: Database, suppressed: Suppressed) -> frozenset[str]:
    """The ids of those whom a snapshot's database holds and who must not be shown."""
    return suppressed.among(known_by.everyone(db)) if suppressed.digests else frozenset()
