"""A night from beginning to end: what is done, what is not done twice, what is put on record."""

import json
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from index.build import build
from index.commit_index import CommitIndex
from ingest import run, tagging
from ingest.profiles import records
from ingest.profiles.records import Record
from sourcer import retries, runs, settings, snapshot
from sourcer.errors import Busy
from sourcer.lock import exclusive
from sourcer.query import Query
from sourcer.runs import Outcome
from sourcer.settings import Repository, remember, salt
from sourcer.store import history
from sourcer.store.database import create, open_readonly
from sourcer.topics import load
from sourcer.workspace import Workspace, alerts, audit, saved_searches
from sourcer.workspace.actors import LOCAL
from tests.nights import EMBEDDER, Installation, cited, quiet

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.fixture
def here(tmp_path: Path) -> Installation:
    """Two repositories, published once."""
    installation = Installation.start(tmp_path)
    assert installation.night().outcome is Outcome.PUBLISHED
    return installation


def test_a_second_run_does_nothing_and_says_so(here: Installation) -> None:
    before = here.current().name
    run = here.night()
    assert (run.outcome, run.exit_code) == (Outcome.NOTHING_NEW, 0)
    assert run.says == f"nothing new: {before} stays"
    assert [path.name for path in snapshot.published(here.data)] == [before]


def test_what_is_new_is_published_and_found(here: Installation) -> None:
    here.commit("acme/engine", "Quantize the router to MXFP4")
    run = here.night()
    assert (run.outcome, run.did["new commits"]) == (Outcome.PUBLISHED, 1)
    assert run.snapshot == here.current().name
    assert "Quantize the router to MXFP4" in here.found("mxfp4")


def test_a_run_leaves_a_record_and_metrics(here: Installation) -> None:
    run = runs.recent(here.data)[0]
    assert run.counts["commits"] == 18
    assert {"check", "fetch", "build", "index", "publish", "alert", "all"} <= set(run.seconds)
    assert 0 < run.peak_memory_mb < 100_000
    metrics = (here.data / "metrics.prom").read_text()
    assert "sourcer_nightly_exit_code 0\n" in metrics
    assert 'sourcer_nightly_snapshot_rows{what="commits"} 18\n' in metrics
    ended = int(datetime.fromisoformat(run.ended or "").timestamp())
    assert f"sourcer_nightly_last_success_timestamp_seconds {ended}\n" in metrics


def test_no_address_is_in_the_records(here: Installation) -> None:
    for file in [*(here.data / "runs").iterdir(), here.current().path / "manifest.json"]:
        assert "@" not in file.read_text().replace("@2x", "")


def test_one_repository_that_is_gone_stops_nobody(here: Installation) -> None:
    (here.root / "sources" / "acme+router").rename(here.root / "gone")
    here.commit("acme/engine", "Quantize the router to MXFP4")
    run = here.night()
    assert (run.outcome, run.exit_code) == (Outcome.PUBLISHED, 3)
    assert list(run.failures) == ["acme/router"]
    assert run.counts["commits"] == 19


def test_a_repository_that_fails_is_tried_later_and_later(here: Installation) -> None:
    moved = here.root / "gone"
    (here.root / "sources" / "acme+router").rename(moved)
    day = timedelta(days=1)
    tried = []
    for night in range(10):
        run = here.night(NOON + night * day)
        assert run.exit_code == 3
        tried.append("is tried again" not in run.failures["acme/router"])
    assert [night for night, was in enumerate(tried) if was] == [0, 1, 2, 4, 8]
    assert retries.read(here.data)["acme/router"].times == 5
    moved.rename(here.root / "sources" / "acme+router")
    assert here.night(NOON + 16 * day).exit_code == 0
    assert not (here.data / "retries.json").exists()


def test_a_repository_that_moved_is_tried_at_once(here: Installation) -> None:
    moved = here.root / "moved"
    (here.root / "sources" / "acme+router").rename(moved)
    assert [here.night(NOON).exit_code for _ in range(3)] == [3, 3, 3]
    held = next(one for one in _repositories(here) if one.name == "acme/router")
    remember(here.data, Repository(held.name, str(moved), held.depth))
    assert here.night(NOON).exit_code == 0


def test_a_clock_that_was_set_back_delays_nothing(here: Installation) -> None:
    moved = here.root / "gone"
    (here.root / "sources" / "acme+router").rename(moved)
    for _ in range(3):
        here.night(NOON + timedelta(days=3650))
    moved.rename(here.root / "sources" / "acme+router")
    assert here.night(NOON).exit_code == 0


def test_names_go_up_though_the_clock_does_not(here: Installation) -> None:
    path = here.current().path
    ahead = path.with_name("2031-01-01T000000Z")
    path.rename(ahead)
    snapshot.point(here.data, ahead)
    here.commit("acme/engine", "Fuse experts")
    assert here.night().snapshot == "2031-01-01T000001Z"
    assert here.current().name == "2031-01-01T000001Z"


def test_no_repository_is_a_failure_that_says_what_to_do(tmp_path: Path) -> None:
    run = Installation(tmp_path).night()
    assert (run.outcome, run.exit_code) == (Outcome.FAILED, 1)
    assert "Try: sourcer ingest owner/name" in run.says


def test_a_run_beside_another_is_told_who_holds_it(here: Installation) -> None:
    with (
        exclusive(here.data, "ingest"),
        pytest.raises(Busy, match=r"ingest, process \d+ on .* since 20"),
    ):
        here.night()


def test_a_killed_run_is_on_record(here: Installation) -> None:
    runs.Journal(here.data).step("index").__enter__()
    here.night()
    killed = runs.recent(here.data)[1]
    assert (killed.outcome, killed.says) == (Outcome.KILLED, "killed at step index")


def test_a_publication_that_was_cut_short_is_finished(here: Installation) -> None:
    first = here.current().path
    here.commit("acme/engine", "Fuse experts")
    second = here.night().snapshot
    snapshot.point(here.data, first)
    run = here.night()
    assert run.says == f"finished publishing {second}"
    assert here.current().name == second


def test_what_was_rolled_back_stays_back_until_something_is_new(here: Installation) -> None:
    first = here.current().name
    here.commit("acme/engine", "Fuse experts")
    second = here.night().snapshot
    now, before = snapshot.roll_back(here.data)
    assert (now.name, before) == (first, second)
    run = here.night()
    assert run.says == f"nothing new since {second} was rolled back"
    assert here.current().name == first
    here.commit("acme/engine", "Fuse experts again")
    assert here.night().outcome is Outcome.PUBLISHED


def test_who_is_new_for_a_saved_search_is_told_once(here: Installation) -> None:
    desk = Workspace.open(here.data)
    with desk.writing() as session:
        saved = saved_searches.save(session, LOCAL, "Quantizers", Query("mxfp4", semantic="mxfp4"))
    here.night()
    here.histories["acme/engine"].commit(
        {"csrc/mxfp4.cu": "x"}, "Quantize to MXFP4", "Dora Lind <dora@lind.dev>"
    )
    assert here.night().did["alerts"] == 1
    assert "alerts" not in here.night().did
    with desk.reading() as session:
        [event] = alerts.events(session, LOCAL, saved.slug)
    desk.close()
    assert event.news.says == "1 new commit"
    assert [one.subject for one in event.news.commits] == ["Quantize to MXFP4"]


def test_retention_drops_profiles_and_log_by_source(here: Installation) -> None:
    here.set(retention="linkedin=30 audit=30")
    old, fresh = NOON - timedelta(days=31), NOON - timedelta(days=29)
    held = [
        Record("linkedin", "one", old, {"title": "Engineer"}),
        Record("linkedin", "two", fresh, {"title": "Engineer"}),
        Record("github", "one", old, {"location": "Oslo"}),
    ]
    file = records.save(held, here.data / "profiles", "mixed", {"file": "mixed.csv"})
    desk = Workspace.open(here.data, clock=lambda: old)
    with desk.writing() as session:
        audit.append(session, audit.Entry("ida", "searched"))
    desk.close()
    run = here.night(NOON)
    assert (run.did["expired profiles"], run.did["expired log entries"]) == (1, 1)
    assert [(one.source, one.key) for one in records.read(file)] == [
        ("linkedin", "two"),
        ("github", "one"),
    ]
    assert records.about(file)["file"] == "mixed.csv"


def test_old_snapshots_and_records_go(here: Installation) -> None:
    here.set(keep_snapshots=2, keep_runs=3)
    for number in range(4):
        here.commit("acme/engine", f"Fuse experts {number}")
        here.night()
    assert len(snapshot.published(here.data)) == 2
    assert len(runs.recent(here.data)) == 3


class Watcher(BaseHTTPRequestHandler):
    asked: list[str]

    def do_GET(self) -> None:
        self.asked.append(self.path)
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def watcher() -> Iterator[tuple[str, list[str]]]:
    asked: list[str] = []
    server = HTTPServer(("127.0.0.1", 0), type("Asked", (Watcher,), {"asked": asked}))
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/ping/7", asked
    server.shutdown()
    thread.join()
    server.server_close()


def test_the_watcher_hears_of_success_and_failure(
    tmp_path: Path, watcher: tuple[str, list[str]]
) -> None:
    url, asked = watcher
    Installation(tmp_path / "none").night(ping=url)
    Installation.start(tmp_path / "some", "acme/engine").night(ping=url)
    assert asked == ["/ping/7/fail", "/ping/7"]


def test_a_watcher_that_does_not_answer_changes_nothing(tmp_path: Path) -> None:
    here = Installation.start(tmp_path, "acme/engine")
    assert here.night(ping="http://127.0.0.1:9/").exit_code == 0
    assert here.night(ping="file:///etc/hostname").exit_code == 0


def test_readers_of_the_old_snapshot_go_on(here: Installation) -> None:
    old = here.current()
    here.commit("acme/engine", "Quantize the router to MXFP4")
    here.night()
    assert "Tune MoE kernel 8" in cited(old, "tune kernel")
    assert "Quantize the router to MXFP4" not in cited(old, "mxfp4")


def test_the_command_prints_a_record_and_logs_objects(tmp_path: Path) -> None:
    done = _command(tmp_path, "nightly", "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["outcome"] == "failed"
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    assert all({"at", "level", "says"} <= set(line) for line in lines)


def test_the_command_says_who_is_busy(tmp_path: Path) -> None:
    with exclusive(tmp_path, "ingest"):
        done = _command(tmp_path, "nightly")
    assert (done.returncode, done.stdout) == (5, "")
    assert "is being written: ingest" in done.stderr


def _command(data: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    code = "from sourcer.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, *words, "--data", str(data)], capture_output=True, text=True
    )


def _repositories(here: Installation) -> tuple[Repository, ...]:
    return settings.read(here.data, {}).repositories


def test_an_index_that_was_added_to_finds_what_a_new_one_finds(here: Installation) -> None:
    for number in range(3):
        here.commit("acme/engine", f"Quantize the MoE router to MXFP4 {number}", number)
    live = snapshot.Snapshot(snapshot.published(here.data)[0], {})
    assert here.night().outcome is Outcome.PUBLISHED
    with open_readonly(here.current().database) as db:
        added = build(db, here.root / "added", EMBEDDER, here.root / "cache", previous=live.index)
        build(db, here.root / "new", EMBEDDER, here.root / "cache")
    assert added.copied == ["lexical"]
    one, other = (CommitIndex.open(here.root / name, EMBEDDER).lexical for name in ("added", "new"))
    for words in ("moe", "mxfp4", "topk"):
        ours, theirs = (held.search({words: 1.0}, 100) for held in (one, other))
        assert ours.commits.tolist() == theirs.commits.tolist()
        assert ours.scores.tolist() == theirs.scores.tolist()
        assert len(ours.commits) > 0


def test_topics_are_taken_over_and_the_same(here: Installation) -> None:
    here.commit("acme/engine", "Quantize the MoE router to MXFP4")
    old = here.current().database
    here.night()
    with open_readonly(here.current().database) as db:
        fresh = create()
        columns = "r.name, c.sha, t.topic_id, t.matched, t.weight"
        tags = (
            f"select {columns} from commit_topics t join commits c on c.id = t.commit_id"
            " join repos r on r.id = c.repo_id order by all"
        )
        taken = db.execute(tags).fetchall()
    gathered = _gathered(here)
    history.load_history(fresh, gathered, salt(here.data))
    assert tagging.tag(fresh, load()) == 19
    assert fresh.execute(tags).fetchall() == taken
    again = create()
    history.load_history(again, gathered, salt(here.data))
    assert tagging.tag(again, load(), old) == 1


def _gathered(here: Installation) -> tuple[history.Crawled, ...]:
    return run.gather(settings.read(here.data, {}), [], run.Timings(), quiet).crawled
