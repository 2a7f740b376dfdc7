"""Questions with several topics: commits about all of them, people with all or with any."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from index.columns import Columns
from index.details import Details
from sourcer.query.joined import Joined, Joint
from sourcer.ranking import Floats, Mask, Votes
from sourcer.topics import Taxonomy

PARTLY = 0.5
"""What is left of the fit of a commit that is about some only of the topics asked for."""
MISSING = {Joint.AND: 0.1, Joint.BOTH: 0.01}
"""What a part that a person has nothing of counts for, the best at it having 1. "And" also lists
what one area is made of ("prefix caching and storage tiers"): it only prefers who has all."""


class Joining:
    """Looks topics up in one snapshot."""

    def __init__(self, columns: Columns, details: Details, taxonomy: Taxonomy) -> None:
        self._columns = columns
        self._ordinals = details.topic_ordinals
        self._taxonomy = taxonomy

    def whole(self, topics: Sequence[str], fit: Floats) -> Floats:
        """The fit of commits to a question as a whole: those about some of its topics have less,
        unless no good one is about more of them."""
        wide = frozenset[str]().union(*map(self._taxonomy.ancestors, topics))
        narrow = [topic for topic in topics if topic not in wide]
        if len(narrow) < 2:
            return fit
        about = np.sum([self._about((topic,)) for topic in narrow], axis=0)
        good = fit > PARTLY * fit.max(initial=0.0)
        result: Floats = np.where(about >= about[good].max(initial=1), fit, PARTLY * fit)
        return result

    def votes(self, votes: Votes, joined: Joined) -> Votes:
        """Scores by the parts of a list: all of them, or a fair share of each.

        Each part counts against the best at it, so that a crowd on one leaves room for the others.
        """
        given = np.bincount(votes.people, weights=votes.given, minlength=len(votes.totals))
        worth = votes.totals / np.maximum(given, np.finfo(np.float32).tiny)
        shares = []
        for part in joined.parts:
            theirs = votes.given * self._about(part)[votes.commits]
            share = worth * np.bincount(votes.people, weights=theirs, minlength=len(worth))
            if share.any():
                shares.append(share / share.max())
        if len(shares) < 2:
            return votes
        if joined.by is Joint.OR:
            return replace(votes, totals=votes.totals.max() * np.mean(shares, axis=0))
        together = np.exp(np.mean(np.log(np.maximum(shares, MISSING[joined.by])), axis=0))
        whole = votes.totals.max() if joined.by is Joint.BOTH else votes.totals
        return replace(votes, totals=whole * together)

    def _about(self, topics: Iterable[str]) -> Mask:
        """The commits about any of the topics, or about narrower ones."""
        found = np.zeros(len(self._columns.day), np.bool_)
        for topic in topics:
            for one in self._taxonomy.family(topic) if topic in self._ordinals else ():
                if one in self._ordinals:
                    found[self._columns.topic_commits[self._ordinals[one]]] = True
        return found
