"""Topics with the narrower ones below them: a commit about any of these is about the topic."""

from collections.abc import Iterable

import numpy as np

from index.columns import Columns
from index.details import Details
from sourcer.ranking import Mask
from sourcer.topics import Taxonomy


class TopicFamilies:
    """Looks topics up in one snapshot; those that it does not hold have no commits."""

    def __init__(self, columns: Columns, details: Details, taxonomy: Taxonomy) -> None:
        self._columns = columns
        self._held = details.topic_ordinals
        self._taxonomy = taxonomy

    def ordinals(self, topics: Iterable[str]) -> tuple[int, ...]:
        """The topics and all narrower ones, each once."""
        wide = (topic for topic in topics if topic in self._held)
        found = (self._held.get(one) for topic in wide for one in self._taxonomy.family(topic))
        return tuple(dict.fromkeys(one for one in found if one is not None))

    def commits(self, topics: Iterable[str]) -> Mask:
        """The commits about any of the topics."""
        about = np.zeros(len(self._columns.day), np.bool_)
        chosen = np.array(self.ordinals(topics), np.int64)
        about[self._columns.topic_commits.gather(chosen)[1]] = True
        return about
