"""Damaged files: what answers meanwhile, and what the next night makes of them."""

import logging
import os
import shutil
from pathlib import Path

import pytest

from ingest import soundness
from sourcer import snapshot
from sourcer.errors import DamagedSnapshot
from sourcer.runs import Outcome
from tests.nights import EMBEDDER, Installation


@pytest.fixture(scope="module")
def twice(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """Two snapshots, and a profile that somebody imported."""
    here = Installation.start(tmp_path_factory.mktemp("twice"))
    here.night()
    here.commit("acme/engine", "Fuse experts")
    here.night()
    return here


@pytest.fixture
def here(twice: Installation, tmp_path: Path) -> Installation:
    """A copy to do damage to."""
    shutil.copytree(twice.root, tmp_path / "copy", symlinks=True)
    return Installation(tmp_path / "copy", twice.histories)


def flip(file: Path) -> None:
    """One byte in the middle, in place."""
    held = bytearray(file.read_bytes())
    held[len(held) // 2] ^= 0xFF
    with file.open("r+b") as stream:
        stream.write(held)


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


PARTS = ("graph.duckdb", "index/vectors.faiss", "index/index.json", "index/columns/day.npy")


@pytest.mark.parametrize("harm", [flip, cut, Path.unlink])
@pytest.mark.parametrize("part", [*PARTS, "manifest.json"])
def test_a_damaged_snapshot_steps_aside_loudly(here, part, harm, caplog) -> None:
    old, new = snapshot.published(here.data)
    if (part, harm) == ("manifest.json", flip):
        (new / part).write_text("{not json")
    else:
        harm(new / part)
    with caplog.at_level(logging.ERROR):
        assert snapshot.current_good(here.data).name == old.name
    assert f"Answering from {old.name} instead" in caplog.text


def test_damage_in_one_snapshot_is_in_no_other(here: Installation) -> None:
    old, new = snapshot.published(here.data)
    shared = [p for p in new.rglob("*") if p.is_file() and p.stat().st_nlink > 1]
    assert shared == []
    flip(new / "index" / "vectors.faiss")
    assert snapshot.current_good(here.data, thoroughly=True).path == old


def test_bits_that_rot_without_a_trace_are_found_at_night(here: Installation) -> None:
    new = snapshot.published(here.data)[1]
    stat = (new / "graph.duckdb").stat()
    flip(new / "graph.duckdb")
    os.utime(new / "graph.duckdb", ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert snapshot.current_good(here.data).path == new
    run = here.night()
    assert run.failures[f"snapshot {new.name}"].startswith("damaged; ")
    assert (run.outcome, run.exit_code) == (Outcome.PUBLISHED, 3)
    assert here.current().manifest["counts"]["commits"] == 19
    assert here.night().exit_code == 0


def test_current_that_points_nowhere_is_repaired(here: Installation) -> None:
    new = snapshot.published(here.data)[1]
    (here.data / "current").unlink()
    assert snapshot.current_good(here.data).path == new
    assert here.night().exit_code in (0, 3)
    assert (here.data / "current").resolve() == new.resolve()


def test_nothing_whole_is_said_and_built_anew(here: Installation) -> None:
    for path in snapshot.published(here.data):
        cut(path / "graph.duckdb")
    with pytest.raises(DamagedSnapshot, match="no published snapshot is whole"):
        snapshot.current_good(here.data)
    run = here.night()
    assert "Everything is built anew" in run.failures["snapshots"]
    assert here.current().manifest["counts"]["commits"] == 19


@pytest.mark.parametrize("table", ["commits", "changes", "roles", "tree", "withdrawn", "state"])
@pytest.mark.parametrize("harm", [flip, cut, Path.unlink])
def test_a_damaged_crawl_is_done_again(here, table, harm) -> None:
    [file] = sorted((here.data / "crawl" / "acme+engine").glob(f"{table}*"))[:1]
    soundness.mend(file.parent)
    if (table, harm) == ("state", flip):
        file.write_text("{")
    else:
        harm(file)
    here.commit("acme/engine", "Fuse experts again")
    run = here.night()
    assert run.outcome is Outcome.PUBLISHED
    engine = list(here.histories["acme/engine"].git("rev-list", "HEAD").split())
    assert run.counts["commits"] == len(engine) + 9
    assert here.night().outcome is Outcome.NOTHING_NEW


def test_a_crawl_that_rotted_without_a_trace_is_done_again_when_it_cannot_be_read(here) -> None:
    [file] = (here.data / "crawl" / "acme+router").glob("commits*")
    soundness.mend(file.parent)
    stat = file.stat()
    file.write_bytes(b"\0" * stat.st_size)
    os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    here.commit("acme/engine", "Fuse experts once more")
    run = here.night()
    assert (run.outcome, run.did["repositories crawled anew"]) == (Outcome.PUBLISHED, 1)


@pytest.mark.parametrize("harm", [flip, cut])
def test_a_damaged_cache_of_vectors_is_made_again(here, harm) -> None:
    files = list((here.data / "embeddings" / EMBEDDER.name / "vectors").glob("*.npy"))
    for file in files:
        if harm is flip:
            held = bytearray(file.read_bytes())
            held[-64:] = b"\x7b" * 64
            file.write_bytes(held)
        else:
            harm(file)
    here.commit("acme/engine", "Speculate with EAGLE")
    run = here.night()
    assert (run.outcome, run.failures) == (Outcome.PUBLISHED, {})
    assert "Speculate with EAGLE" in here.found("eagle")


def test_an_unreadable_import_is_set_aside_and_named(here: Installation) -> None:
    (here.data / "profiles").mkdir(exist_ok=True)
    (here.data / "profiles" / "linkedin-1.parquet").write_bytes(b"PAR1 no more")
    here.commit("acme/engine", "Fuse experts and profiles")
    run = here.night()
    assert run.exit_code == 3
    assert "import it again" in run.failures["profiles/linkedin-1.parquet"]
    assert (here.data / "profiles" / "linkedin-1.damaged").exists()


def test_garbage_in_small_files_stops_nothing(here: Installation) -> None:
    (here.data / "retries.json").write_text("[1,")
    (here.data / "runs" / "2020-01-01T000000Z.json").write_text("\0")
    (here.data / ".lock").write_text("\0\0")
    assert here.night().exit_code in (0, 3)
