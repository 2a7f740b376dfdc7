"""Commits as evidence: what is said of each, and of the person's part in it."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from index.columns import ROLES, Columns
from index.commit_facts import UNKNOWN
from index.details import Details
from index.remembered import Remembered
from sourcer.evidence import Cited
from sourcer.ranking import Floats, Ints

SHOWN_FILES = 12
MOST_KEPT = 1 << 14
"""Commits read before: the same ones prove many an answer. Each takes about a kilobyte."""


class _Said(NamedTuple):
    """What is said of one commit, whoever it is cited for."""

    repo: str
    sha: str
    subject: str
    date: datetime
    paths: tuple[str, ...]
    files: int
    topics: tuple[str, ...]
    url: str | None
    pull: int | None
    added: int | None
    deleted: int | None


class Citing:
    """Reads the commits of a snapshot for whoever cites them."""

    def __init__(self, columns: Columns, details: Details, names: Sequence[str]) -> None:
        self._columns = columns
        self._details = details
        self.names = names
        self._said = Remembered[int, _Said](MOST_KEPT)

    def cites(self, commits: npt.NDArray[np.integer]) -> list[str]:
        """How a score names commits: repository and sha."""
        repos, shas = self._columns.repo[commits].tolist(), self._details.facts.shas.at(commits)
        held = self._details.repos
        return [f"{held[repo].name}@{sha}" for repo, sha in zip(repos, shas, strict=True)]

    def cited(self, commits: Ints, given: Floats, people: Ints) -> tuple[Cited, ...]:
        """Commits of people, one beside each; `given` is what each gave to the score."""
        ids = commits.tolist()
        rows = zip(
            ids,
            self._said.get_each(ids, self._read),
            self.roles(commits, people).tolist(),
            given.tolist(),
            strict=True,
        )
        return tuple(
            Cited(
                commit=commit,
                repo=said.repo,
                sha=said.sha,
                subject=said.subject,
                date=said.date,
                role=ROLES[role],
                paths=said.paths,
                files=said.files,
                topics=said.topics,
                weight=weight,
                url=said.url,
                pull=said.pull,
                added=said.added,
                deleted=said.deleted,
            )
            for commit, said, role, weight in rows
        )

    def _read(self, ids: Sequence[int]) -> Iterator[_Said]:
        commits = np.array(ids, np.int32)
        rows = zip(
            self._columns.repo[commits].tolist(),
            self._details.facts.of_each(commits),
            self._paths(commits),
            self._columns.files[commits].tolist(),
            self._topics(commits),
            strict=True,
        )
        for repo, fact, paths, files, topics in rows:
            yield _Said(
                repo=self._details.repos[repo].name,
                sha=fact.sha,
                subject=fact.subject,
                date=fact.when,
                paths=paths,
                files=files,
                topics=topics,
                url=self._details.url(repo, fact.sha),
                pull=fact.pull or None,
                added=None if fact.added == UNKNOWN else fact.added,
                deleted=None if fact.deleted == UNKNOWN else fact.deleted,
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
