"""The contributor graph: person – repository – directory – topic, and person – person.

Nodes are ("person", id), ("directory", "owner/name:path"), ("topic", id) and ("repo", name).
An edge carries `commits`; one between two people carries `weight`, `shared_files`, `co_authored`.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import networkx as nx
import pyarrow as pa

from sourcer.store import graph as stored
from sourcer.store.database import Database, insert

NEIGHBOURS = 60
"""Strongest ties kept per person; the tail adds edges, not knowledge."""


def build(db: Database) -> nx.Graph:
    """Reads the graph of a snapshot and writes who works with whom back to it."""
    stored.write_person_topics(db)
    graph = contributor_graph(stored.person_areas(db), stored.person_topics(db))
    graph.update(edges=ties(stored.pairs(db)))
    people = people_of(graph)
    insert(db, "collaborations", _collaborations(people))
    insert(db, "centralities", _centralities(people))
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


def ties(pairs: pa.Table) -> Iterator[tuple[tuple[str, str], tuple[str, str], dict[str, Any]]]:
    """Person–person edges: each person's strongest `NEIGHBOURS`; a tie stays if either keeps it."""
    counts: dict[str, int] = {}
    strongest = pairs.sort_by([("weight", "descending"), ("person_a", "ascending")])
    for a, b, shared_files, co_authored, weight in _rows(strongest):
        if min(counts.get(a, 0), counts.get(b, 0)) >= NEIGHBOURS:
            continue
        counts[a] = counts.get(a, 0) + 1
        counts[b] = counts.get(b, 0) + 1
        facts = {"weight": weight, "shared_files": shared_files, "co_authored": co_authored}
        yield ("person", a), ("person", b), facts


def people_of(graph: nx.Graph) -> nx.Graph:
    """The part of the graph that is people alone."""
    return graph.subgraph(node for node in graph if node[0] == "person")


def _collaborations(people: nx.Graph) -> pa.Table:
    edges = sorted((*sorted((a[1], b[1])), facts) for a, b, facts in people.edges(data=True))
    return pa.table(
        {
            "person_a": pa.array([a for a, _, _ in edges], pa.string()),
            "person_b": pa.array([b for _, b, _ in edges], pa.string()),
            **{
                key: pa.array([facts[key] for _, _, facts in edges], kind)
                for key, kind in _FACTS.items()
            },
        }
    )


_FACTS: Mapping[str, pa.DataType] = {
    "co_authored": pa.int32(),
    "shared_files": pa.int32(),
    "weight": pa.float64(),
}


def _centralities(people: nx.Graph) -> pa.Table:
    ranks = nx.pagerank(people, weight="weight") if people.number_of_nodes() else {}
    ordered = sorted(people.nodes)
    return pa.table(
        {
            "person_id": pa.array([node[1] for node in ordered], pa.string()),
            "degree": pa.array([people.degree(node) for node in ordered], pa.int32()),
            "pagerank": pa.array([ranks[node] for node in ordered], pa.float64()),
        }
    )


def _rows(table: pa.Table) -> Iterator[tuple[Any, ...]]:
    return zip(*(column.to_pylist() for column in table.columns), strict=True)
