"""The contributor graph: person – repository – directory – topic, and person – person.

Nodes are ("person", id), ("directory", "owner/name:path"), ("topic", id) and ("repo", name).
An edge carries `commits`; one between two people carries `weight`, `shared_files`, `co_authored`
and `reviewed`.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any, TypeAlias

import networkx as nx
import pyarrow as pa

from sourcer.store import graph as stored
from sourcer.store.database import Database, insert
from sourcer.time_zones import YEARS

Node: TypeAlias = tuple[str, str]
TIE = ("weight", "shared_files", "co_authored", "reviewed")
NEIGHBOURS = 60
"""Strongest ties kept per person; the tail adds edges, not knowledge."""


def build(db: Database) -> nx.Graph:
    """Reads the graph of a snapshot and writes who works with whom back to it."""
    stored.write_person_topics(db)
    stored.write_person_zones(db, YEARS)
    graph = contributor_graph(stored.person_areas(db), stored.person_topics(db))
    together = ties(stored.pairs(db))
    people = nx.Graph()
    people.add_nodes_from(node for node in graph if node[0] == "person")
    people.add_edges_from(_edges(together))
    insert(db, "collaborations", together)
    insert(db, "centralities", _centralities(people))
    graph.update(people)
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


def _centralities(people: nx.Graph) -> pa.Table:
    ranks = nx.pagerank(people, weight="weight") if people.number_of_nodes() else {}
    ordered = sorted(people)
    return pa.table(
        {
            "person_id": pa.array([node[1] for node in ordered], pa.string()),
            "degree": pa.array([len(people[node]) for node in ordered], pa.int32()),
            "pagerank": pa.array([ranks[node] for node in ordered], pa.float64()),
        }
    )


def _rows(table: pa.Table) -> Iterator[tuple[Any, ...]]:
    return zip(*(column.to_pylist() for column in table.columns), strict=True)
