"""Gathers the columns from a snapshot's tables; its directories and files become nodes."""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from index.columns import ROLES, Columns, Ints, Names, Rows, each_once
from index.passages import lineage
from sourcer.commits import Role
from sourcer.store import Database
from sourcer.store import index as tables
from sourcer.substance import CHORE_LIKE, KINDS, is_chore, kind_of


def columns(db: Database) -> Columns:
    """Every column, from one snapshot's tables."""
    commits, sizes = tables.commits(db), tables.sizes(db)
    count = commits.num_rows
    tree, paths = Tree(), tables.paths(db)
    path_nodes = tree.plant(paths)
    nodes = _commit_nodes(tables.changed_paths(db), path_nodes, count, len(tree.parents))
    credits = tables.credits(db, ROLES)
    topics = _rows(tables.commit_topics(db), "commit", "topic", count)
    return Columns(
        repo=_array(commits, "repo").astype(np.int16),
        day=_array(commits, "day").astype(np.int32),
        files=_array(commits, "files").astype(np.int32),
        merge=_array(commits, "merge").astype(np.bool_),
        chore=chores(commits["subject"]),
        people=_rows(credits, "commit", "person", count),
        roles=_array(credits, "role").astype(np.uint8),
        topics=topics,
        topic_commits=topics.transposed(sizes["topics"]),
        nodes=nodes,
        node_commits=nodes.transposed(len(tree.parents)),
        node_repo=np.array(tree.repos, np.int16),
        node_parent=np.array(tree.parents, np.int32),
        node_is_file=np.isin(np.arange(len(tree.parents)), path_nodes.last),
        node_names=Names.of(tree.names),
        node_kind=np.array([KINDS.index(kind_of(name)) for name in tree.names], np.uint8),
        path_node=path_nodes.last,
        person_commits=_authored(credits, sizes["people"]),
    )


@dataclass(frozen=True, slots=True)
class PathNodes:
    """Per path its nodes: the directories from the top, then itself."""

    all: Rows
    last: Ints


@dataclass(slots=True)
class Tree:
    """Numbers the directories and files of all repositories in the order they are met."""

    numbers: dict[tuple[int, str], int] = field(default_factory=dict)
    repos: list[int] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    names: list[str] = field(default_factory=list)

    def plant(self, paths: pa.Table) -> PathNodes:
        """
        >>> paths = pa.table({"repo": [0, 0], "name": ["csrc/a.cu", "csrc/b.cu"]})
        >>> tree = Tree()
        >>> tree.plant(paths).all.items.tolist(), tree.names
        ([0, 1, 0, 2], ['csrc', 'csrc/a.cu', 'csrc/b.cu'])
        """
        repos, names = paths["repo"].to_pylist(), paths["name"].to_pylist()
        lines = [self._line(repo, name) for repo, name in zip(repos, names, strict=True)]
        starts = np.cumsum([0, *map(len, lines)], dtype=np.int64)
        items = np.fromiter((node for line in lines for node in line), np.int32, starts[-1])
        return PathNodes(Rows(starts, items), items[starts[1:] - 1])

    def _line(self, repo: int, name: str) -> list[int]:
        line: list[int] = []
        for place in lineage(name):
            line.append(self._number(repo, place, line[-1] if line else -1))
        return line

    def _number(self, repo: int, name: str, parent: int) -> int:
        number = self.numbers.setdefault((repo, name), len(self.names))
        if number == len(self.names):
            self.repos.append(repo)
            self.parents.append(parent)
            self.names.append(name)
        return number


def _commit_nodes(changed: pa.Table, paths: PathNodes, commits: int, nodes: int) -> Rows:
    at, found = paths.all.gather(_array(changed, "path"))
    pairs = each_once(_array(changed, "commit").astype(np.int64)[at] * max(nodes, 1) + found)
    return Rows.of(*np.divmod(pairs, max(nodes, 1)), count=commits)


def chores(subjects: pa.ChunkedArray) -> npt.NDArray[np.bool_]:
    """Per subject `is_chore`.

    >>> chores(pa.chunked_array([["Bump version", "Format JSON", "Reformat"]])).tolist()
    [True, False, True]
    """
    likely = pc.match_substring_regex(subjects, CHORE_LIKE, ignore_case=True)
    found = np.array(likely, np.bool_)
    found[found] = [is_chore(subject) for subject in subjects.filter(likely).to_pylist()]
    return found


def _authored(credits: pa.Table, people: int) -> Ints:
    authors = _array(credits, "role") <= ROLES.index(Role.CO_AUTHOR)
    return np.bincount(_array(credits, "person")[authors], minlength=people).astype(np.int32)


def _rows(table: pa.Table, rows: str, items: str, count: int) -> Rows:
    return Rows.of(_array(table, rows), _array(table, items), count)


def _array(table: pa.Table, column: str) -> npt.NDArray[np.integer]:
    values: npt.NDArray[np.integer] = table[column].to_numpy()
    return values
