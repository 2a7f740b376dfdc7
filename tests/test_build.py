"""From a snapshot's tables to an index that opens, finds and is copied when nothing changed."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from index.build import build
from index.columns import ROLES
from index.commit_index import CommitIndex
from index.passages import spelled
from index.tree import chores
from sourcer.commits import Role
from sourcer.errors import DamagedSnapshot, ModelMismatch
from sourcer.store import Database, create
from sourcer.substance import is_chore
from tests.hashing_embedder import HashingEmbedder

SUBJECTS = ["Add MoE kernel (#1)", "Rename moe", "Fix docs", "Tune LoRA"]


def insert(db: Database, table: str, columns: str, rows: str) -> None:
    db.execute(f"insert into {table} ({columns}) values {rows}")


@pytest.fixture
def db() -> Database:
    """Two repositories; Ada writes, Bo helps and signs; csrc/moe.cu became csrc/moe/topk.cu."""
    db = create()
    insert(
        db, "repos", "id, name, source, depth", "(0, 'a/a', '', 'paths'), (1, 'b/b', '', 'paths')"
    )
    for commit, (repo, subject) in enumerate(zip((0, 0, 1, 1), SUBJECTS, strict=True)):
        insert(
            db,
            "commits",
            "id, repo_id, sha, authored_at, authored_zone, committed_at, committed_zone, "
            "subject, body, parents, files",
            f"({commit}, {repo}, 'f{commit}', '2024-01-0{commit + 1} 23:30:00', 0, "
            f"'2024-01-09', 0, '{subject}', '', {1 + commit // 3}, 1)",
        )
    insert(
        db,
        "paths",
        "id, repo_id, path, current",
        "(0, 0, 'csrc/moe.cu', 'csrc/moe/topk.cu'), "
        "(1, 0, 'csrc/moe/topk.cu', 'csrc/moe/topk.cu'), "
        "(2, 1, 'docs/a.md', null), (3, 1, 'csrc/lora.py', 'csrc/lora.py')",
    )
    insert(
        db,
        "changes",
        "commit_id, path_id, old_path_id, status, is_binary",
        "(0, 0, null, 'A', false), (1, 1, 0, 'R', false), (2, 2, null, 'M', false), "
        "(3, 3, null, 'M', false), (3, 3, null, 'M', false)",
    )
    insert(db, "signatures", "id, name, email, key", "(0, 'Ada', 'a', 'k0'), (1, 'Bo', 'b', 'k1')")
    insert(
        db,
        "roles",
        "commit_id, signature_id, role",
        "(0, 0, 'author'), (0, 0, 'signer'), (0, 1, 'signer'), (0, 1, 'co-author'), "
        "(2, 0, 'author'), (3, 1, 'signer')",
    )
    return db


def resolve(db: Database) -> None:
    insert(db, "people", "id, ordinal, name", "('pa', 0, 'Ada'), ('pb', 1, 'Bo')")
    insert(db, "person_signatures", "signature_id, person_id, rule", "(0, 'pa', ''), (1, 'pb', '')")
    insert(db, "topics", "id, ordinal, name, definition, parents", "('moe', 0, 'MoE', '', [])")
    tags = "(0, 'moe', [], 1), (1, 'moe', [], 1)"
    insert(db, "commit_topics", "commit_id, topic_id, matched, weight", tags)


def opened(db: Database, folder: Path) -> CommitIndex:
    build(db, folder / "snapshot", HashingEmbedder(64), folder / "cache")
    return CommitIndex.open(folder / "snapshot", HashingEmbedder(64))


def test_build_copes_with_nothing(tmp_path: Path) -> None:
    index = opened(create(), tmp_path)
    assert (len(index.lexical), len(index.vectors), len(index.columns.day)) == (0, 0, 0)


def test_row_of_a_vector_is_its_commit(db: Database, tmp_path: Path) -> None:
    index = opened(db, tmp_path)
    question = index.encoder.encode(["Tune LoRA"])[0]
    assert index.vectors.search(question, limit=1).commits.tolist() == [3]


def test_words_and_phrases_are_found(db: Database, tmp_path: Path) -> None:
    lexical = opened(db, tmp_path).lexical
    assert sorted(lexical.search({"moe": 1.0}, 10).commits.tolist()) == [0, 1]
    assert lexical.phrase(spelled("moe kernels"), 10).commits.tolist() == [0]


def test_facts_of_commits(db: Database, tmp_path: Path) -> None:
    columns = opened(db, tmp_path).columns
    assert columns.repo.tolist() == [0, 0, 1, 1]
    assert columns.day.tolist() == [19723, 19724, 19725, 19726]
    assert columns.merge.tolist() == [False, False, False, True]
    assert columns.files.tolist() == [1, 1, 1, 1]


def test_without_people_nobody_is_credited(db: Database, tmp_path: Path) -> None:
    columns = opened(db, tmp_path).columns
    assert columns.people.lengths.tolist() == [0, 0, 0, 0]
    assert columns.person_commits.tolist() == []


def test_people_have_their_strongest_role(db: Database, tmp_path: Path) -> None:
    resolve(db)
    columns = opened(db, tmp_path).columns
    roles = [ROLES[code] for code in columns.roles]
    assert columns.people[0].tolist() == [0, 1]
    assert roles == [Role.AUTHOR, Role.CO_AUTHOR, Role.AUTHOR, Role.SIGNER]
    assert columns.person_commits.tolist() == [2, 1]


def test_topics_both_ways(db: Database, tmp_path: Path) -> None:
    resolve(db)
    columns = opened(db, tmp_path).columns
    assert [columns.topics[commit].tolist() for commit in range(4)] == [[0], [0], [], []]
    assert columns.topic_commits[0].tolist() == [0, 1]


def test_renamed_file_is_one_node(db: Database, tmp_path: Path) -> None:
    columns = opened(db, tmp_path).columns
    names = [columns.node_names[node] for node in columns.nodes[0]]
    assert names == ["csrc", "csrc/moe", "csrc/moe/topk.cu"]
    assert columns.nodes[0].tolist() == columns.nodes[1].tolist()
    assert columns.node_is_file[columns.nodes[0]].tolist() == [False, False, True]
    assert columns.path_node[0] == columns.path_node[1] == columns.nodes[0][2]


def test_chores_are_those_that_a_look_at_each_subject_finds() -> None:
    words = "format reformatting formatter chore isort ruff pre-commit yapf typo typos bump revert"
    plain = [*words.split(), "licence headers", "license header", "MoE", "Format string", "fixtypo"]
    subjects = [text for word in plain for text in (word, word.upper(), f"a {word}", f"{word} b")]
    found = chores(pa.chunked_array([subjects[:9], subjects[9:]]))
    assert found.tolist() == list(map(is_chore, subjects))
    assert 40 < found.sum() < len(subjects) - 8


def test_directories_of_one_name_in_two_repositories_are_two(db: Database, tmp_path: Path) -> None:
    columns = opened(db, tmp_path).columns
    ours, theirs = columns.nodes[0][0], columns.nodes[3][0]
    assert (columns.node_names[ours], columns.node_names[theirs]) == ("csrc", "csrc")
    assert columns.node_repo[[ours, theirs]].tolist() == [0, 1]
    assert columns.node_commits[ours].tolist() == [0, 1]
    assert columns.node_parent[columns.nodes[3]].tolist() == [-1, theirs]


def test_unchanged_parts_are_copied(db: Database, tmp_path: Path) -> None:
    first, second, third = (tmp_path / name for name in ("first", "second", "third"))
    build(db, first, HashingEmbedder(64), tmp_path / "cache")
    resolve(db)
    again = build(db, second, HashingEmbedder(64), tmp_path / "cache", previous=first)
    assert again.copied == ["lexical", "vectors.faiss"]
    assert (first / "vectors.faiss").read_bytes() == (second / "vectors.faiss").read_bytes()
    assert not (first / "vectors.faiss").samefile(second / "vectors.faiss")
    assert again.counts == {"commits": 4, "people": 2, "topics": 1, "nodes": 7}
    db.execute("update commits set subject = 'Tune QLoRA' where id = 3")
    assert build(db, third, HashingEmbedder(64), tmp_path / "cache", previous=second).copied == []


def test_another_model_builds_vectors_anew(db: Database, tmp_path: Path) -> None:
    build(db, tmp_path / "first", HashingEmbedder(64), tmp_path / "cache")
    other = build(
        db,
        tmp_path / "second",
        HashingEmbedder(32),
        tmp_path / "cache",
        previous=tmp_path / "first",
    )
    assert other.copied == ["lexical"]
    with pytest.raises(ModelMismatch, match="'hashing-32', the settings ask for 'hashing-64'"):
        CommitIndex.open(tmp_path / "second", HashingEmbedder(64))


def test_snapshot_has_its_own_copy_of_the_exported_model(db: Database, tmp_path: Path) -> None:
    export = tmp_path / "cache" / "hashing-64" / "onnx"
    export.mkdir(parents=True)
    (export / "model.onnx").write_bytes(b"graph")
    opened(db, tmp_path)
    assert (tmp_path / "snapshot" / "encoder" / "model.onnx").read_bytes() == b"graph"


def test_folder_without_index_says_so(tmp_path: Path) -> None:
    with pytest.raises(DamagedSnapshot, match=r"index\.json"):
        CommitIndex.open(tmp_path, HashingEmbedder(64))


def test_built_twice_is_the_same(db: Database, tmp_path: Path) -> None:
    resolve(db)
    one, two = opened(db, tmp_path / "one"), opened(db, tmp_path / "two")
    question = one.encoder.encode(["moe"])[0]
    assert np.array_equal(
        one.vectors.search(question, 4).similarities, two.vectors.search(question, 4).similarities
    )
    assert np.array_equal(
        one.lexical.search({"moe": 1.0}, 4).scores, two.lexical.search({"moe": 1.0}, 4).scores
    )
    for file in sorted((tmp_path / "one/snapshot/columns").iterdir()):
        assert file.read_bytes() == (tmp_path / "two/snapshot/columns" / file.name).read_bytes()


def test_progress_reaches_the_end(db: Database, tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    build(db, tmp_path / "s", HashingEmbedder(8), tmp_path / "c", lambda *step: told.append(step))
    assert told == [("lexical", 0, 4), ("lexical", 4, 4), ("embedding", 4, 4)]
