"""Commits as evidence: what is said of each, and of the person's part in it."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from index.columns import ROLES, Columns
from index.commit_facts import UNKNOWN
from index.details import Details
from sourcer.evidence import Cited
from sourcer.ranking import Floats, Ints

SHOWN_FILES = 12


class Citing:
    """Reads the commits of a snapshot for whoever cites them."""

    def __init__(self, columns: Columns, details: Details, names: Sequence[str]) -> None:
        self._columns = columns
        self._details = details
        self.names = names

    def cites(self, commits: npt.NDArray[np.integer]) -> list[str]:
        """How a score names commits: repository and sha."""
        repos, shas = self._columns.repo[commits].tolist(), self._details.facts.shas.at(commits)
        held = self._details.repos
        return [f"{held[repo].name}@{sha}" for repo, sha in zip(repos, shas, strict=True)]

    def cited(self, commits: Ints, given: Floats, people: Ints) -> tuple[Cited, ...]:
        """Commits of people, one beside each; `given` is what each gave to the score."""
        rows = zip(
            commits.tolist(),
            self._columns.repo[commits].tolist(),
            self._details.facts.of_each(commits),
            self.roles(commits, people).tolist(),
            self._paths(commits),
            self._columns.files[commits].tolist(),
            self._topics(commits),
            given.tolist(),
            strict=True,
        )
        return tuple(
            Cited(
                commit=commit,
                repo=self._details.repos[repo].name,
                sha=fact.sha,
                subject=fact.subject,
                date=fact.when,
                role=ROLES[role],
                paths=paths,
                files=files,
                topics=topics,
                weight=weight,
                url=self._details.url(repo, fact.sha),
                pull=fact.pull or None,
                added=None if fact.added == UNKNOWN else fact.added,
                deleted=None if fact.deleted == UNKNOWN else fact.deleted,
            )
            for commit, repo, fact, role, paths, files, topics, weight in rows
        )

    def _paths(self, commits: Ints) -> Iterable[tuple[str, ...]]:
        row, nodes = self._columns.nodes.gather(commits)
        is_file = self._columns.node_is_file[nodes]
        starts = np.searchsorted(row[is_file], np.arange(len(commits) + 1)).tolist()
        files, names = nodes[is_file].tolist(), self.names
        return [
            tuple(names[node] for node in files[start : min(end, start + SHOWN_FILES)])
            for start, end in pairwise(starts)
        ]

    def _topics(self, commits: Ints) -> Iterable[tuple[str, ...]]:
        row, topics = self._columns.topics.gather(commits)
        starts = np.searchsorted(row, np.arange(len(commits) + 1)).tolist()
        ids = [self._details.topics[topic][0] for topic in topics.tolist()]
        return [tuple(ids[start:end]) for start, end in pairwise(starts)]

    def roles(self, commits: Ints, people: npt.NDArray[np.integer]) -> npt.NDArray[np.uint8]:
        """The code of each person's role in the commit beside them."""
        held = self._columns.people
        row, at = held.places(commits)
        codes: npt.NDArray[np.uint8] = self._columns.roles[at[held.items[at] == people[row]]]
        return codes
