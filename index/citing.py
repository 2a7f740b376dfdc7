"""Commits as evidence: what is said of each, and of the person's part in it."""

from collections.abc import Sequence

from index.columns import ROLES, Columns
from index.details import Details
from sourcer.commits import Role
from sourcer.evidence import Cited
from sourcer.ranking import Floats, Ints

SHOWN_FILES = 12


class Citing:
    """Reads the commits of a snapshot for whoever cites them."""

    def __init__(self, columns: Columns, details: Details, names: Sequence[str]) -> None:
        self._columns = columns
        self._details = details
        self._names = names

    def cite(self, commit: int) -> str:
        repo = self._details.repos[int(self._columns.repo[commit])]
        return f"{repo.name}@{self._details.facts.shas[commit]}"

    def cited(self, commits: Ints, given: Floats, person: int) -> tuple[Cited, ...]:
        """A person's commits; `given` is what each gave to the score."""
        roles = self._roles(commits, person)
        return tuple(
            self._one(commit, role, weight)
            for commit, role, weight in zip(commits.tolist(), roles, given.tolist(), strict=True)
        )

    def _one(self, commit: int, role: Role, weight: float) -> Cited:
        columns, facts = self._columns, self._details.facts
        repo, sha = int(columns.repo[commit]), facts.shas[commit]
        nodes = columns.nodes[commit]
        files = nodes[columns.node_is_file[nodes]][:SHOWN_FILES]
        added, deleted = facts.lines(commit)
        return Cited(
            commit=commit,
            repo=self._details.repos[repo].name,
            sha=sha,
            subject=facts.subjects[commit],
            date=facts.when(commit),
            role=role,
            paths=tuple(self._names[node] for node in files.tolist()),
            files=int(columns.files[commit]),
            topics=tuple(self._details.topics[t][0] for t in columns.topics[commit].tolist()),
            weight=weight,
            url=self._details.url(repo, sha),
            pull=facts.pull(commit),
            added=added,
            deleted=deleted,
        )

    def _roles(self, commits: Ints, person: int) -> list[Role]:
        """The person's role in each of their commits."""
        places = self._columns.people.positions(commits)
        own = places[self._columns.people.items[places] == person]
        return [ROLES[code] for code in self._columns.roles[own].tolist()]
