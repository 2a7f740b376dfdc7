"""A new snapshot is picked up without a dropped request, and the old one is let go."""

import gc
import weakref
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Event, Thread
from time import monotonic, sleep

import pytest

from api import snapshots
from api.snapshots import Snapshots
from index.search import Searcher
from sourcer import snapshot
from sourcer.errors import DamagedSnapshot, NoSnapshot
from sourcer.snapshot import Snapshot
from sourcer.store.database import check_schema, create, open_readonly, schema_checked
from sourcer.topics import Taxonomy, load
from sourcer.workspace import Workspace
from tests.api_world import World, data_like, open_once, world

NEWER = "2099-01-01T000000Z"


def publish_again(data: Path, name: str = NEWER) -> None:
    """The same content under a newer name, made current."""
    held = (data / "current").resolve()
    (data / "snapshots" / name).mkdir()
    for file in held.iterdir():
        (data / "snapshots" / name / file.name).symlink_to(file)
    snapshot.point(data, data / "snapshots" / name)


@pytest.fixture
def data(sample_data: Path, tmp_path: Path) -> Path:
    return data_like(sample_data, tmp_path / "data")


@pytest.fixture
def workspace(data: Path) -> Iterator[Workspace]:
    with closing(Workspace.open(data)) as opened:
        yield opened


def until(found: "Snapshots", name: str) -> None:
    end = monotonic() + 20
    while found.current().name != name:
        assert monotonic() < end, "the new snapshot was not picked up"
        sleep(0.02)


def test_a_new_snapshot_answers_once_it_is_open(
    data: Path, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshots, "TICK", 0.0)
    may_open = Event()
    may_open.set()

    def slowly(live: Snapshot, taxonomy: Taxonomy) -> Searcher:
        may_open.wait(20)
        return open_once(live, taxonomy)

    held = Snapshots(data, workspace, load(), slowly)
    old = held.current().name
    may_open.clear()
    publish_again(data)
    for _ in range(20):
        assert held.current().name == old
    may_open.set()
    until(held, NEWER)
    assert held.named(old) is not None


def test_the_old_one_is_let_go_after_its_grace(
    data: Path, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshots, "TICK", 0.0)
    monkeypatch.setattr(snapshots, "GRACE", 0.0)
    held = Snapshots(data, workspace, load(), open_once)
    using = held.current()
    gone = weakref.ref(using.people)
    publish_again(data)
    until(held, NEWER)
    held.current()
    assert held.named(using.name) is None
    gc.collect()
    assert gone() is not None
    del using
    gc.collect()
    assert gone() is None


def test_a_cursor_goes_on_in_its_own_snapshot_then_expires(
    fresh: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshots, "TICK", 0.0)
    asked = {"q": "moe kernels", "limit": 3}
    first = fresh.get("/search", **asked)
    publish_again(fresh.data)
    held = fresh.app.state.desk.snapshots
    until(held, NEWER)
    second = fresh.get("/search", **asked, cursor=first["next_cursor"])
    assert second["snapshot"] == first["snapshot"]
    assert fresh.get("/search", **asked)["snapshot"] == NEWER
    monkeypatch.setattr(held, "_before", None)
    gone = fresh.client.get("/api/v1/search", params={**asked, "cursor": first["next_cursor"]})
    assert (gone.status_code, gone.json()["detail"]) == (
        410,
        f"snapshot {first['snapshot']} was replaced while you paged. Ask from the start",
    )


def test_no_request_is_dropped_while_snapshots_change(
    fresh: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshots, "TICK", 0.01)
    monkeypatch.setattr(snapshots, "GRACE", 0.05)
    stop, seen, bad = Event(), set(), []

    def ask() -> None:
        number = 0
        while not stop.is_set():
            number += 1
            answer = fresh.client.get(
                "/api/v1/search", params={"q": f"moe {number % 5}", "limit": 2}
            )
            if answer.status_code == 200:
                seen.add(answer.json()["snapshot"])
            else:
                bad.append(answer.status_code)

    asking = Thread(target=ask)
    asking.start()
    for number in range(4):
        publish_again(fresh.data, f"2099-01-0{number + 1}T000000Z")
        until(fresh.app.state.desk.snapshots, f"2099-01-0{number + 1}T000000Z")
        sleep(0.1)
    stop.set()
    asking.join()
    assert bad == []
    assert len(seen) >= 4


def test_an_empty_data_directory_is_not_ready(tmp_path: Path) -> None:
    with closing(Workspace.open(tmp_path)) as workspace:
        held = Snapshots(tmp_path, workspace, load(), open_once)
        with pytest.raises(NoSnapshot, match="nothing is published"):
            held.current()


def test_what_is_published_later_is_found(sample_data: Path, tmp_path: Path) -> None:
    data = data_like(sample_data, tmp_path / "data")
    (data / "snapshots").rename(data / "later")
    with world(data) as empty:
        answer = empty.client.get("/readyz")
        assert answer.status_code == 503
        assert empty.client.get("/api/v1/search?q=moe").status_code == 503
        assert empty.client.get("/healthz").status_code == 200
        (data / "later").rename(data / "snapshots")
        assert empty.client.get("/readyz").status_code == 200
        assert empty.get("/search", q="moe")["total"] > 0


@pytest.mark.parametrize(
    "change",
    [
        "delete from migrations where name = '0005_graph.sql'",
        "update migrations set digest = 'another' where name = '0005_graph.sql'",
    ],
)
def test_a_snapshot_of_another_version_says_so(tmp_path: Path, change: str) -> None:
    db = create(tmp_path / "graph.duckdb")
    db.execute(change)
    db.close()
    with pytest.raises(DamagedSnapshot, match="another version: 0005_graph"):
        check_schema(tmp_path / "graph.duckdb")


def test_a_snapshot_of_before_digests_were_kept_says_so_too(tmp_path: Path) -> None:
    file = tmp_path / "graph.duckdb"
    db = create(file)
    db.execute("alter table migrations drop column digest")
    db.execute("alter table profile_fields drop column method")
    db.close()
    with (
        pytest.raises(DamagedSnapshot, match="Run: sourcer ingest --reindex"),
        schema_checked(file),
    ):
        open_readonly(file).execute("select method from profile_fields")
