"""Three people: Ada and Bo share files and a commit, Cy works alone."""

import random

import networkx as nx
import numpy as np
import pyarrow as pa
import pytest

from ingest import graph
from sourcer.store.database import Database, create, insert, query


@pytest.fixture
def db() -> Database:
    db = create()
    insert(db, "repos", rows(id=[0], name=["o/r"], source=["x"], depth=["paths"]))
    stamp = pa.array([1_700_000_000 + n for n in range(4)], pa.timestamp("s"))
    insert(
        db,
        "commits",
        rows(
            id=[0, 1, 2, 3], repo_id=[0] * 4, sha=list("abcd"), authored_at=stamp,
            authored_zone=[0] * 4, committed_at=stamp, committed_zone=[0] * 4,
            subject=[""] * 4, body=[""] * 4, parents=[1] * 4, files=[1] * 4,
        ),
    )  # fmt: skip
    paths = ["csrc/moe/a.cu", "csrc/moe/b.cu", "docs/c.md"]
    insert(db, "paths", rows(id=[0, 1, 2], repo_id=[0] * 3, path=paths, current=paths))
    insert(
        db,
        "changes",
        rows(
            commit_id=[0, 0, 1, 1, 2, 3], path_id=[0, 1, 0, 1, 2, 0],
            status=["M"] * 6, is_binary=[False] * 6,
        ),
    )  # fmt: skip
    people = ["ada", "bo", "cy"]
    insert(db, "people", rows(id=people, ordinal=[0, 1, 2], name=people))
    insert(
        db,
        "person_signatures",
        rows(signature_id=[0, 1, 2], person_id=people, rule=["same email"] * 3),
    )
    insert(
        db,
        "roles",
        rows(
            commit_id=[0, 1, 2, 3, 3, 3], signature_id=[0, 1, 2, 0, 1, 2],
            role=["author", "author", "author", "author", "co-author", "signer"],
        ),
    )  # fmt: skip
    tags = rows(commit_id=[0, 1], topic_id=["moe"] * 2, matched=[["x"]] * 2, weight=[1.0] * 2)
    insert(db, "commit_topics", tags)
    return db


def rows(**columns: object) -> pa.Table:
    return pa.table(columns)


def test_two_who_share_files_and_a_commit_work_together(db: Database) -> None:
    graph.build(db)
    assert query(
        db, "select person_a, person_b, shared_files, co_authored from collaborations"
    ).to_pylist() == [{"person_a": "ada", "person_b": "bo", "shared_files": 2, "co_authored": 1}]


def test_people_are_tied_to_places_and_topics(db: Database) -> None:
    graph.build(db)
    built = graph.read(db)
    ada = ("person", "ada")
    assert built[ada]["directory", "o/r:csrc/moe"]["commits"] == 2
    assert built[ada]["topic", "moe"]["commits"] == 1
    assert built.has_edge(("directory", "o/r:csrc/moe"), ("repo", "o/r"))
    assert ("topic", "moe") not in built[("person", "cy")]


def test_a_signer_is_not_an_author(db: Database) -> None:
    graph.build(db)
    assert set(graph.read(db)[("person", "cy")]) == {("directory", "o/r:docs")}


def test_a_crowd_on_one_file_or_commit_ties_nobody(db: Database) -> None:
    crowd = [f"p{n:03}" for n in range(graph.stored.CROWDED + 1)]
    signatures = list(range(100, 100 + len(crowd)))
    rule = ["same email"] * len(crowd)
    insert(db, "person_signatures", rows(signature_id=signatures, person_id=crowd, rule=rule))
    roles = ["co-author"] * len(crowd)
    insert(db, "roles", rows(commit_id=[2] * len(crowd), signature_id=signatures, role=roles))
    graph.build(db)
    built = graph.read(db)
    assert set(built[("person", "p000")]) == {("directory", "o/r:docs")}


def test_an_empty_history_gives_an_empty_graph() -> None:
    db = create()
    graph.build(db)
    assert graph.read(db).number_of_nodes() == 0
    assert query(db, "select count(*) as n from centralities").to_pylist() == [{"n": 0}]


def test_who_reviewed_anothers_commits_is_tied_to_them(db: Database) -> None:
    insert(db, "roles", rows(commit_id=[0, 3], signature_id=[2] * 2, role=["reviewer"] * 2))
    graph.build(db)
    tied = graph.read(db)["person", "ada"]["person", "cy"]
    assert tied == {"weight": 1.0, "shared_files": 0, "co_authored": 0, "reviewed": 2}


def test_page_rank_is_that_of_networkx() -> None:
    dice = random.Random(7)
    edges = {tuple(sorted(dice.sample(range(40), 2))): dice.random() + 0.1 for _ in range(90)}
    peer = nx.Graph()
    peer.add_nodes_from(range(45))
    peer.add_weighted_edges_from((a, b, weight) for (a, b), weight in edges.items())
    a, b = (np.array([pair[end] for pair in edges]) for end in (0, 1))
    ours = graph.page_rank(a, b, np.array(list(edges.values())), 45)
    theirs = nx.pagerank(peer)
    assert ours == pytest.approx([theirs[node] for node in range(45)], abs=1e-12)
