"""Long work, its progress as it happens, and the queue of imported rows."""

import io
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest

from api.serving import Serving
from api.work import Doing, Facts, Progress
from sourcer.errors import BadInput
from tests.api_world import World, data_like, world

ROW = {
    "id": "r1", "row": "Mira, Acme", "source": "table:x", "person": "p1", "name": "Mira L",
    "for": ["same name"], "against": [], "decided": None,
}  # fmt: skip


class Doings:
    """Work that does what the test says."""

    def __init__(self) -> None:
        self.go_on = Event()
        self.files: list[tuple[str, bytes, Facts]] = []
        self.decided: list[tuple[str, str]] = []
        self.rows: list[Facts] = [ROW]

    def import_file(self, file: Path, options: Facts, progress: Progress) -> Facts:
        self.files.append((file.name, file.read_bytes(), options))
        progress("reading", 1, 2)
        self.go_on.wait(20)
        if b"bad" in self.files[-1][1]:
            raise BadInput("line 1 is of mira@firm.example and cannot be read")
        if b"worse" in self.files[-1][1]:
            raise ValueError("mira@firm.example")
        return {"records": 1}

    def ingest(self, progress: Progress) -> Facts:
        progress("crawl", 0, 0)
        return {"snapshot": "s", "new": False}

    @property
    def doing(self) -> Doing:
        decide = lambda verdict, row: self.decided.append((verdict, row))  # noqa: E731
        return Doing(
            import_file=self.import_file, ingest=self.ingest, queue=lambda: self.rows, decide=decide
        )


@pytest.fixture
def doings() -> Doings:
    return Doings()


@pytest.fixture
def working(sample_data: Path, tmp_path: Path, doings: Doings) -> Iterator[World]:
    with world(data_like(sample_data, tmp_path / "data"), Serving(doing=doings.doing)) as made:
        yield made


def upload(working: World, content: bytes, **form: str) -> str:
    answer = working.client.post(
        "/api/v1/imports", files={"file": ("people.csv", io.BytesIO(content))}, data=form
    )
    assert answer.status_code == 202, answer.text
    slug: str = answer.json()["slug"]
    return slug


def events(working: World, slug: str) -> list[str]:
    text = working.client.get(f"/api/v1/jobs/{slug}/events").text
    return [block.split("\n")[0] for block in text.strip().split("\n\n")]


def test_progress_comes_as_it_happens(working: World, doings: Doings) -> None:
    slug = upload(working, b"name\nMira\n", kind="table", columns='{"name": "name"}')
    with working.client.stream("GET", f"/api/v1/jobs/{slug}/events") as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        doings.go_on.set()
        text = "".join(stream.iter_text())
    assert text.rstrip().split("\n\n")[-1].startswith("event: ended\n")
    done = working.get(f"/jobs/{slug}")
    assert (done["state"], done["result"], done["done"], done["total"]) == (
        "done", {"records": 1}, 1, 2,
    )  # fmt: skip
    assert doings.files == [
        (
            "people.csv",
            b"name\nMira\n",
            {"kind": "table", "columns": {"name": "name"}, "encoding": None, "yes": False},
        )
    ]
    assert [one["slug"] for one in working.get("/imports")["jobs"]] == [slug]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"bad", "line 1 is of ••••••••••••••••• and cannot be read"),
        (b"worse", "it broke with ValueError: see the server's log"),
    ],
)
def test_work_that_fails_says_why(
    working: World, doings: Doings, content: bytes, says: str
) -> None:
    doings.go_on.set()
    slug = upload(working, content)
    assert events(working, slug)[-1] == "event: ended"
    job = working.get(f"/jobs/{slug}")
    assert (job["state"], job["says"]) == ("failed", says)


def test_an_ingest_is_a_job(working: World) -> None:
    slug = working.post("/ingests", None, 202)["slug"]
    events(working, slug)
    assert working.get(f"/jobs/{slug}")["result"] == {"snapshot": "s", "new": False}


def test_the_queue_is_shown_and_decided(working: World, doings: Doings) -> None:
    assert working.get("/imports/queue")["queue"] == [
        {
            "id": "r1", "row": "Mira, Acme", "source": "table:x", "person": "p1", "name": "Mira L",
            "for": ["same name"], "against": [], "decided": None,
        }
    ]  # fmt: skip
    working.post("/imports/queue/r1", {"verdict": "accept"}, 200)
    assert doings.decided == [("accept", "r1")]
    wrong = working.client.post("/api/v1/imports/queue/r1", json={"verdict": "maybe"})
    assert wrong.status_code == 422


def test_a_server_without_ingest_says_how_else(fresh: World) -> None:
    answer = fresh.client.post("/api/v1/ingests")
    assert (answer.status_code, answer.json()["detail"]) == (
        400,
        "this server starts no ingests. Run: sourcer ingest",
    )


def test_a_job_sent_again_with_its_key_is_started_once(working: World, doings: Doings) -> None:
    doings.go_on.set()
    sent = {"Idempotency-Key": "5a0e"}
    started = []
    for body in (b"a,b\n1,2\n", b"a,b\n1,2\n", b"a,b\n3,4\n"):
        files = {"file": ("x.csv", io.BytesIO(body), "text/csv")}
        started.append(working.client.post("/api/v1/imports", files=files, headers=sent))
    assert [answer.status_code for answer in started] == [202, 202, 409]
    assert started[0].json()["slug"] == started[1].json()["slug"]
    headers = {"Idempotency-Key": "b"}
    ingests = [working.client.post("/api/v1/ingests", headers=headers).json() for _ in "ab"]
    assert ingests[0] == ingests[1]
    assert len(working.get("/jobs")["jobs"]) == 2


def test_a_key_of_work_that_failed_may_be_used_again(fresh: World) -> None:
    sent = {"Idempotency-Key": "c"}
    refused = [fresh.client.post("/api/v1/ingests", headers=sent).status_code for _ in range(2)]
    assert refused == [400, 400]


def test_the_queue_has_nobody_who_asked_not_to_be_found(working: World, doings: Doings) -> None:
    person = working.get("/search", q="moe")["entries"][0]["person"]
    doings.rows.append({**ROW, "person": person["id"]})
    assert len(working.get("/imports/queue")["queue"]) == 2
    working.post("/suppressions", {"who": person["logins"][0]})
    assert [one["person"] for one in working.get("/imports/queue")["queue"]] == ["p1"]
