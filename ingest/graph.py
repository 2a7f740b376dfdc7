"""The contributor graph: person – repository – directory – topic, and person – person.

Nodes are ("person", id), ("directory", "owner/name:path"), ("topic", id) and ("repo", name).
An edge carries `commits`; one between two people carries `weight`, `shared_files`, `co_authored`
and `reviewed`.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any, TypeAlias

import networkx as nx
import numpy as np
import numpy.typing as npt
import pyarrow as pa

from sourcer.store import graph as stored
from sourcer.store.database import Database, insert
from sourcer.time_zones import YEARS

Node: TypeAlias = tuple[str, str]
Ints: TypeAlias = npt.NDArray[np.int64]
Floats: TypeAlias = npt.NDArray[np.float64]
TIE = ("weight", "shared_files", "co_authored", "reviewed")
NEIGHBOURS = 60
"""Strongest ties kept per person; the tail adds edges, not knowledge."""
DAMPING, ROUNDS, CLOSE = 0.85, 100, 1e-6


def build(db: Database) -> None:
    """Writes who worked on what, who works with whom, and who stands in the middle."""
    stored.write_person_topics(db)
    stored.write_person_zones(db, YEARS)
    together = ties(stored.pairs(db))
    insert(db, "collaborations", together)
    insert(db, "centralities", centralities(stored.workers(db), together))


def read(db: Database) -> nx.Graph:
    """The whole graph of a snapshot, to walk through."""
    graph = contributor_graph(stored.person_areas(db), stored.person_topics(db))
    graph.add_edges_from(_edges(stored.collaborations(db)))
    return graph


def contributor_graph(areas: pa.Table, topics: pa.Table) -> nx.Graph:
    """People tied to where (areas: person_id, repo, directory, commits) and to what
    (topics: person_id, topic_id, commits) they worked on.

    >>> area = {"person_id": "p1", "repo": "o/r", "directory": "csrc", "commits": 3}
    >>> topic = {"person_id": "p1", "topic_id": "moe", "commits": 2}
    >>> graph = contributor_graph(pa.Table.from_pylist([area]), pa.Table.from_pylist([topic]))
    >>> sorted(graph[("person", "p1")])
    [('directory', 'o/r:csrc'), ('topic', 'moe')]
    """
    graph = nx.Graph()
    for person, repo, directory, commits in _rows(areas):
        place = ("directory", f"{repo}:{directory}")
        graph.add_edge(("person", person), place, commits=commits)
        graph.add_edge(place, ("repo", repo))
    for person, topic, commits in _rows(topics):
        graph.add_edge(("person", person), ("topic", topic), commits=commits)
    return graph


def ties(pairs: pa.Table) -> pa.Table:
    """The pairs that are among the strongest `NEIGHBOURS` of either."""
    strongest = pairs.sort_by([("weight", "descending"), ("person_a", "ascending")])
    counts: Counter[str] = Counter()
    kept = []
    for a, b in _rows(strongest.select(["person_a", "person_b"])):
        kept.append(min(counts[a], counts[b]) < NEIGHBOURS)
        if kept[-1]:
            counts[a] += 1
            counts[b] += 1
    found = strongest.filter(pa.array(kept, pa.bool_()))
    return found.sort_by([("person_a", "ascending"), ("person_b", "ascending")])


def _edges(together: pa.Table) -> Iterator[tuple[Node, Node, dict[str, float]]]:
    for tie in together.to_pylist():
        facts = {name: tie[name] for name in TIE}
        yield ("person", tie["person_a"]), ("person", tie["person_b"]), facts


def centralities(workers: list[str], together: pa.Table) -> pa.Table:
    """How many work with each person, and the person's PageRank by the weight of those ties: of
    those who wrote something, and of those who only reviewed.

    >>> tie = {"person_a": "p1", "person_b": "p2", "weight": 3.0}
    >>> centralities(["p1", "p3"], pa.Table.from_pylist([tie])).to_pydict()["degree"]
    [1, 1, 0]
    """
    ends = [together[end].to_pylist() for end in ("person_a", "person_b")]
    people = sorted({*workers, *ends[0], *ends[1]})
    number = {person: at for at, person in enumerate(people)}
    a, b = (np.array([number[person] for person in end], np.int64) for end in ends)
    degree = np.bincount(np.concatenate([a, b]), minlength=len(people))
    weight = together["weight"].to_numpy()
    return pa.table(
        {
            "person_id": pa.array(people, pa.string()),
            "degree": pa.array(degree, pa.int32()),
            "pagerank": pa.array(page_rank(a, b, weight, len(people)), pa.float64()),
        }
    )


def page_rank(a: Ints, b: Ints, weight: Floats, count: int) -> Floats:
    """Of each of `count` nodes that edges tie, as networkx.pagerank has it, without its graph.

    Page, Brin, Motwani & Winograd, "The PageRank Citation Ranking" (1999).

    >>> page_rank(np.array([0]), np.array([1]), np.array([2.0]), 3).round(3).tolist()
    [0.465, 0.465, 0.07]
    """
    if not count:
        return np.empty(0)
    source, target = np.concatenate([a, b]), np.concatenate([b, a])
    weights = np.concatenate([weight, weight])
    share = weights / np.bincount(source, weights, count)[source]
    alone = np.bincount(source, minlength=count) == 0
    rank = np.full(count, 1 / count)
    for _ in range(ROUNDS):
        before = rank
        flow = np.bincount(target, share * before[source], count)
        rank = DAMPING * (flow + before[alone].sum() / count) + (1 - DAMPING) / count
        if np.abs(rank - before).sum() < count * CLOSE:
            break
    return rank


def _rows(table: pa.Table) -> Iterator[tuple[Any, ...]]:
    return zip(*(column.to_pylist() for column in table.columns), strict=True)
