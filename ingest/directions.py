"""What recruiters decided about people, which every ingest obeys: read from their workspace."""

import hashlib
from dataclasses import dataclass, field

from ingest.erasing import Erased
from ingest.forgotten import NOBODY
from sourcer.resolution import Decisions
from sourcer.settings import Settings
from sourcer.workspace import decisions, erasures, suppressions
from sourcer.workspace.database import Workspace
from sourcer.workspace.suppressions import Suppressed


@dataclass(frozen=True, slots=True)
class Directions:
    """Who is one person or two, and who asked not to be found."""

    decisions: Decisions = field(default_factory=Decisions)
    suppressed: Suppressed = NOBODY
    erased: Erased = field(default_factory=lambda: Erased(NOBODY))

    @property
    def digest(self) -> str:
        """Equal for equal directions, in whatever order they were given.

        >>> one, other = (("a", "b"), ("c", "d")), (("c", "d"), ("a", "b"))
        >>> Directions(Decisions(one)).digest == Directions(Decisions(other)).digest
        True
        >>> Directions(Decisions(one)).digest == Directions(Decisions(splits=one)).digest
        False
        """
        said = self.decisions
        parts = [sorted(said.merges), sorted(said.splits), sorted(self.suppressed.digests)]
        if self.erased.hashes.digests:
            parts.append(sorted(self.erased.hashes.digests))
        return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def read(settings: Settings) -> Directions:
    """The directions that stand; none, and no workspace made, where nobody ever kept anything."""
    if not settings.has_workspace:
        return Directions()
    workspace = Workspace.open(settings.data, settings.workspace_url)
    try:
        with workspace.reading() as session:
            words = (word for one in erasures.pending(session) for word in one.words)
            return Directions(
                decisions.standing(session),
                suppressions.load(session),
                Erased(erasures.standing(session), frozenset(words)),
            )
    finally:
        workspace.close()
