"""Whoever is erased is gone from every file, and stays away."""

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from ingest import directions, run, soundness
from ingest import erasing as stores
from sourcer import settings, snapshot
from sourcer.cli import erased, erasing, privacy, profiles, publishing
from sourcer.commits import Depth
from sourcer.store import known_by
from sourcer.store.database import Database, open_readonly
from sourcer.workspace import Workspace, audit, entries, erasures, notes, shortlists
from sourcer.workspace.actors import LOCAL
from tests.sample_snapshot import EMBEDDER, published, quiet

SOURCES = ("sample", "mirrors")
"""What stands for the world outside: public histories, and the files that a recruiter holds."""


@dataclass(frozen=True)
class Case:
    """A data directory, and somebody in it with profiles."""

    data: Path
    person: str
    login: str
    words: tuple[str, ...]


@pytest.fixture
def case(tmp_path: Path) -> Case:
    data = tmp_path / "data"
    live = published(data)
    for name, path in (("vllm-project/vllm", "vllm"), ("sgl-project/sglang", "sglang")):
        source = str(data / "sample" / f"{path}.git")
        settings.remember(data, settings.Repository(name, source, Depth.LINES))
    db = open_readonly(live.database)
    person, login = db.execute(
        """
        select person_id, login from logins join profile_links using (person_id)
        join person_signatures using (person_id)
        group by all having count(distinct source) > 1 order by count(distinct signature_id) desc,
        login limit 1
        """
    ).fetchall()[0]
    words = tuple(known_by.words_of(db, [person]))
    db.close()
    return Case(data, person, login, words)


def written_about(case: Case) -> None:
    workspace = Workspace.open(case.data)
    with workspace.writing() as session:
        slug = shortlists.start(session, LOCAL, "Kernels").slug
        entries.add(session, LOCAL, slug, case.person, "wrote it")
        entries.add(session, LOCAL, slug, "p2", f"reviewed by {case.words[0]}")
        notes.write(session, LOCAL, slug, case.person, f"{case.words[0]} wrote back")
        audit.append(session, audit.Entry("ida", "searched", {"question": f"like {case.login}"}))
    workspace.close()


def texts(data: Path) -> Iterator[tuple[Path, str]]:
    """Every file, those that are compressed read as what they hold."""
    for file in sorted(data.rglob("*")):
        if not file.is_file() or file.relative_to(data).parts[0] in SOURCES:
            continue
        yield file, file.read_bytes().decode("utf-8", "replace").casefold()
        if file.suffix == ".parquet":
            table = json.dumps(pq.read_table(file).to_pylist(), default=str, ensure_ascii=False)
            yield file, table.casefold()
        if file.suffix == ".duckdb":
            yield file, _rows(open_readonly(file)).casefold()


def _rows(db: Database) -> str:
    tables = db.execute("select table_name from information_schema.tables").fetchall()
    found = [str(db.execute(f"from {name}").fetchall()) for (name,) in tables]
    db.close()
    return "\n".join(found)


def holding(data: Path, words: tuple[str, ...]) -> list[tuple[str, str]]:
    wanted = [word.casefold() for word in words]
    return [
        (str(file.relative_to(data)), word)
        for file, text in texts(data)
        for word in wanted
        if word in text
    ]


def gone(case: Case) -> list[tuple[str, str]]:
    return holding(case.data, (*case.words, case.login, case.person))


def asked(case: Case) -> int:
    """The request to be erased, on record."""
    known = privacy._known_by(case.data, case.login, "")
    words = privacy._words(case.data, known)
    workspace = Workspace.open(case.data)
    with workspace.writing() as session:
        made = erasures.erase(session, LOCAL, known, "test", words)
    workspace.close()
    return made.id


def test_nothing_is_left_but_hashes_and_they_keep_it_so(case: Case) -> None:
    written_about(case)
    assert {path.split("/")[0] for path, _ in holding(case.data, case.words)} >= {
        "crawl", "profiles", "snapshots", "workspace.sqlite",
    }  # fmt: skip
    number = asked(case)
    assert erasing.erase(case.data, quiet, EMBEDDER) == [number]
    assert gone(case) == []
    assert len(snapshot.published(case.data)) == 1
    live = snapshot.current_good(case.data, thoroughly=True)
    read_all_anew(case)
    published_again = snapshot.current_good(case.data)
    assert published_again.name > live.name
    assert gone(case) == []


def killed(step: str, _done: int, _total: int) -> None:
    """Stands for a kill: the crawl and the profiles are purged, the snapshot is not made."""
    if step == "topics":
        raise KeyboardInterrupt


def test_one_that_was_killed_half_way_is_finished_by_the_next(case: Case) -> None:
    before = snapshot.pointed_at(case.data)
    number = asked(case)
    with pytest.raises(KeyboardInterrupt):
        erasing.erase(case.data, killed, EMBEDDER)
    assert snapshot.pointed_at(case.data) == before
    assert erasing.erase(case.data, quiet, EMBEDDER) == [number]
    assert gone(case) == []
    assert erasing.erase(case.data, quiet, EMBEDDER) == []


def test_the_crawl_stays_whole(case: Case) -> None:
    folder = case.data / "crawl" / "vllm-project+vllm"
    files = sorted(folder.glob("commits-*.parquet"))
    before = [pq.read_table(file)["sha"] for file in files]
    assert soundness.mend(folder) is None
    asked(case)
    erasing.erase(case.data, quiet, EMBEDDER)
    assert [pq.read_table(file)["sha"] for file in files] == before
    assert soundness.mend(folder) is None
    directed = directions.read(settings.read(case.data)).erased
    assert directed.words == frozenset()
    assert stores.purge_crawl(folder, directed) == 0


def read_all_anew(case: Case) -> None:
    """The same histories and files come in again, as if nothing had been read before."""
    shutil.rmtree(case.data / "crawl")
    for file in (case.data / "profiles").glob("*.parquet"):
        file.unlink()
    how = profiles.Asked(None, [], True, None, None)
    for file in sorted((case.data / "sample" / "profiles").iterdir()):
        profiles.imported(file, case.data, how)
    held = settings.read(case.data)
    gathered = run.gather(held, held.repositories, run.Timings(), quiet)
    live = publishing.current_or_none(case.data)
    publishing.publish(publishing.prepared(held, gathered, live, run.Timings()), quiet, EMBEDDER)
    assert erased.finish(held) == []
    snapshot.prune(case.data, 1)
