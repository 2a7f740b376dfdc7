"""The sample as a published snapshot, built with the embedder that loads no model."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from index import build as index_build
from index.commit_index import CommitIndex
from index.details import Details
from index.search import Searcher
from ingest import run, sample
from ingest.directions import Directions
from ingest.profiles import importing
from sourcer import snapshot
from sourcer.cli import app
from sourcer.commits import Depth
from sourcer.settings import Repository, Settings, read, salt
from sourcer.store import open_readonly
from sourcer.topics import load
from tests.hashing_embedder import HashingEmbedder

EMBEDDER = HashingEmbedder(64)


def quiet(_step: str, _done: int, _total: int) -> None:
    pass


def published(data: Path) -> snapshot.Snapshot:
    """Writes, crawls, resolves, imports, indexes and publishes the sample into a data directory."""
    written = sample.write(data / "sample")
    for file in written.profiles:
        importing.import_file(file, data / "profiles", salt(data))
    written.beside(data / "crawl")
    settings = settings_of(data, written)
    gathered = run.gather(settings, settings.repositories, run.Timings(), quiet)
    with snapshot.draft(data) as draft:
        database = draft / snapshot.DATABASE
        run.build(settings, gathered, database, run.Told(), run.Timings(), quiet)
        db = open_readonly(database)
        index_build.build(db, draft / snapshot.INDEX, EMBEDDER, data / "embeddings")
        db.close()
        return snapshot.publish(
            data, draft, {"inputs": run.inputs(settings, gathered, Directions())}
        )


def searcher(live: snapshot.Snapshot) -> Searcher:
    index = CommitIndex.open(live.index, EMBEDDER)
    return Searcher(index, Details.open(live.database), load(), live.name)


def settings_of(data: Path, written: sample.Sample) -> Settings:
    repositories = tuple(
        Repository(name, str(path), Depth.LINES) for name, path in written.repositories.items()
    )
    return replace(read(data), repositories=repositories, retention="*=forever")


@contextmanager
def shared(factory: pytest.TempPathFactory, name: str) -> Iterator[Path]:
    """A directory that the workers of one run share; one of them at a time is in here."""
    base = factory.getbasetemp()
    data = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / name
    data.mkdir(exist_ok=True)
    with (data / "building").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield data


@pytest.fixture(scope="session")
def sample_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with the sample published."""
    with shared(tmp_path_factory, "sample-data") as data:
        if not (data / snapshot.CURRENT).exists():
            published(data)
    return data


@dataclass(frozen=True)
class Demo:
    """What `sourcer demo` left and said: the whole way, with the real model."""

    data: Path
    said: str


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    with shared(tmp_path_factory, "demo") as data:
        said = data / "said"
        if not said.exists():
            ran = CliRunner().invoke(app, ["demo", "--data", str(data)], catch_exceptions=False)
            assert ran.exit_code == 0, ran.output
            said.write_text(ran.stdout, "utf-8")
    return Demo(data, said.read_text("utf-8"))


@pytest.fixture(scope="session")
def sample_searcher(sample_data: Path) -> Searcher:
    return searcher(snapshot.current(sample_data))
