"""Questions with several topics: commits about all of them, people with all or with any."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from index.topic_families import TopicFamilies
from sourcer import ranking
from sourcer.query.joined import Joined, Joint
from sourcer.ranking import VOTERS, Credit, Floats, Votes, Weights
from sourcer.topics import Taxonomy

PARTLY = 0.3
"""What is left of the fit of a commit that is about some only of the topics asked for."""
GOOD = 0.5
"""Of the best fit."""
MISSING = {Joint.AND: 0.1, Joint.BOTH: 0.001}
"""What a part that a person has nothing of counts for, the best at it having 1. "And" also lists
what one area is made of ("prefix caching and storage tiers"): it only prefers who has all."""


class Joining:
    """Weighs the topics of one question against each other."""

    def __init__(self, families: TopicFamilies, taxonomy: Taxonomy) -> None:
        self._families = families
        self._taxonomy = taxonomy

    def whole(self, topics: Sequence[str], fit: Floats) -> Floats:
        """The fit of commits to a question as a whole. Where its words make a topic that is below
        another of its topics, or unites it with one, commits about anything else have less; else
        those that are about fewer of its topics than good ones are."""
        united = self._taxonomy.united
        above = {topic: {*self._taxonomy.ancestors(topic), *united[topic]} for topic in topics}
        if below := [topic for topic in topics if above[topic].intersection(topics)]:
            is_whole = self._families.commits(below)
        else:
            about = np.sum([self._families.commits((topic,)) for topic in topics], axis=0)
            good = fit > GOOD * fit.max(initial=0.0)
            is_whole = about >= about[good].max(initial=1)
        result: Floats = np.where(is_whole, fit, PARTLY * fit)
        return result

    def votes(self, worth: Floats, joined: Joined, credit: Credit, weights: Weights) -> Votes:
        """Votes by the parts of a list, each against the best at it: a crowd on one part leaves
        room for the others. A list by "and" prefers who has something of each."""
        parts = []
        for topics in joined.parts:
            about = self._families.commits(topics)
            totals = ranking.votes(worth * about, credit, weights).totals
            if totals.any():
                parts.append((about, totals))
        if len(parts) < 2:
            return ranking.votes(worth, credit, weights)
        fair = worth / np.float32(max(totals.max() for _, totals in parts))
        for about, totals in parts:
            fair += worth * about / np.float32(totals.max())
        votes = ranking.votes(fair, credit, weights, VOTERS * len(parts))
        if joined.by is Joint.OR:
            return votes
        shares = [np.maximum(totals / totals.max(), MISSING[joined.by]) for _, totals in parts]
        whole = votes.totals.max() if joined.by is Joint.BOTH else votes.totals
        return replace(votes, totals=whole * np.exp(np.mean(np.log(shares), axis=0)))
