"""A snapshot that grew night by night is the one that is built of everything at once."""

import shutil
from pathlib import Path

import pytest

from index.commit_index import CommitIndex
from index.details import Details
from index.search import Searcher
from sourcer import settings
from sourcer.commits import Depth
from sourcer.query import Query
from sourcer.runs import Outcome
from sourcer.settings import Repository
from sourcer.snapshot import Snapshot
from sourcer.store.database import open_readonly, query
from sourcer.topics import load
from tests.nights import EMBEDDER, Installation

QUESTIONS = ("moe kernel", "mxfp4 router", "kv cache transfer", "speculative decoding", "topk")
WORK = (
    "Quantize the MoE router to MXFP4",
    "Fuse the topk kernel\n\nCo-authored-by: Dora Lind <dora@lind.dev>",
    "Add KV cache transfer for PD disaggregation",
    "Speculative decoding with EAGLE (#41)",
)


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """Nights with commits here and there, a branch that was rewritten, and a new repository."""
    here = Installation.start(tmp_path_factory.mktemp("grown"))
    here.night()
    for number, message in enumerate(WORK):
        here.commit(("acme/engine", "acme/router")[number % 2], message, number)
        assert here.night().outcome is Outcome.PUBLISHED
    here.histories["acme/engine"].git("reset", "-q", "--hard", "HEAD~2")
    here.commit("acme/engine", "Fuse experts otherwise", 5)
    assert here.night().did["withdrawn commits"] == 2
    here.add("acme/cache")
    assert here.night().outcome is Outcome.PUBLISHED
    here.commit("acme/router", "Batch the router", 1)
    assert here.night().outcome is Outcome.PUBLISHED
    return here


@pytest.fixture(scope="module")
def at_once(grown: Installation, tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """The same repositories, crawled for the first time, with the same secret."""
    root = tmp_path_factory.mktemp("once")
    new = Installation(root, grown.histories)
    new.data.mkdir()
    shutil.copy(grown.data / "salt", new.data / "salt")
    for name, history in grown.histories.items():
        settings.remember(new.data, Repository(name, str(history.path), Depth.PATHS))
    assert new.night().outcome is Outcome.PUBLISHED
    return new


def test_every_table_is_the_same(grown: Installation, at_once: Installation) -> None:
    one, other = tables(grown.current()), tables(at_once.current())
    assert one.keys() == other.keys()
    assert [name for name in one if one[name] != other[name]] == []
    assert len(one["commits"]) == 31
    assert len(one["commit_topics"]) > 20


def test_every_array_is_the_same(grown: Installation, at_once: Installation) -> None:
    one, other = (arrays(here.current().index) for here in (grown, at_once))
    assert one.keys() == other.keys()
    assert [name for name in one if one[name] != other[name]] == []
    assert "vectors.faiss" in one
    assert len(one) > 20


@pytest.mark.parametrize("words", QUESTIONS)
def test_every_answer_is_the_same(grown: Installation, at_once: Installation, words: str) -> None:
    one, other = (answers(here.current(), words) for here in (grown, at_once))
    assert one == other
    assert one


def tables(live: Snapshot) -> dict[str, list[dict[str, object]]]:
    """All rows of a snapshot but for the time at which it was made."""
    with open_readonly(live.database) as db:
        names = query(db, "select table_name from duckdb_tables()")["table_name"].to_pylist()
        found = {name: query(db, f"from {name} order by all") for name in names}
    del found["migrations"]
    found["repos"] = found["repos"].drop_columns(["crawled_at"])
    return {name: rows.to_pylist() for name, rows in found.items()}


def arrays(index: Path) -> dict[str, bytes]:
    files = [index / "vectors.faiss", *(index / "columns").iterdir()]
    return {str(file.relative_to(index)): file.read_bytes() for file in files}


def answers(live: Snapshot, words: str) -> list[tuple[str, float, list[str]]]:
    index = CommitIndex.open(live.index, EMBEDDER)
    searcher = Searcher(index, Details.open(live.database), load(), "either")
    return [
        (entry.person.name, entry.score, [one.sha for one in entry.evidence])
        for entry in searcher.search(Query(words, semantic=words)).entries
    ]
