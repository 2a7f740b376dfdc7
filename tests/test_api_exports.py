"""Files for other programs, and candidates handed over to stubs of other systems."""

import csv
import io
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from openpyxl import load_workbook

from api.exported import COLUMNS, Exported
from api.exports import FORMATS, as_csv, as_linkedin, as_xlsx
from api.responses import EvidenceOut, PersonOut
from sourcer.errors import BadInput
from tests.api_world import World, data_like, world
from tests.test_pages_acts import sent

BOMBS = (
    '=HYPERLINK("http://evil.example","x")', "+1+1", "-2+3+cmd|' /C calc'!A0", "@SUM(1)",
    "\t=1", "\r=1", " =1", "＝1", "|calc", "%0A=1",
)  # fmt: skip


def person(name: str) -> PersonOut:
    declared = dict.fromkeys(("location", "employer", "title", "seniority", "open_to_offers"))
    return PersonOut(id="p1", name=name, aliases=[], logins=[name], roles_held=[], **declared)


@pytest.mark.parametrize("bomb", BOMBS)
def test_no_cell_is_a_formula(bomb: str) -> None:
    people = [Exported(person(bomb), bomb, [], reason=bomb, linkedin=bomb)]
    for row in csv.reader(io.StringIO(as_csv(people).decode("utf-8-sig"), newline="")):
        assert not any(cell.lstrip().startswith(tuple("=+-@|%＝")) for cell in row)
    for row in csv.reader(io.StringIO(as_linkedin(people).decode("utf-8-sig"), newline="")):
        assert not any(cell.lstrip().startswith(tuple("=+-@|%＝")) for cell in row)
    sheet = load_workbook(io.BytesIO(as_xlsx(people))).active
    assert all(
        cell.data_type in ("s", "n", "inlineStr") for row in sheet.iter_rows() for cell in row
    )
    cells = [cell.value for row in sheet.iter_rows() for cell in row if cell.value]
    assert not any(str(cell).lstrip().startswith(tuple("=+-@|%＝")) for cell in cells)


def test_the_columns_hold_evidence_and_no_email(shared: World) -> None:
    answer = shared.client.get("/api/v1/search/export?q=moe kernels&format=csv&limit=5")
    assert answer.headers["content-disposition"] == 'attachment; filename="sourcer-csv.csv"'
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert tuple(rows[0]) == COLUMNS
    assert len(rows) == 5
    assert all(row["evidence"] for row in rows)


def test_every_format_of_a_shortlist(fresh: World) -> None:
    found = fresh.get("/search", q="moe kernels", limit=3)["entries"]
    slug = fresh.post("/shortlists", {"name": "x"})["slug"]
    for entry in found:
        fresh.post(f"/shortlists/{slug}/people", {"person": entry["person"]["id"], "reason": "why"})
    for name, kind in FORMATS.items():
        answer = fresh.client.get(f"/api/v1/shortlists/{slug}/export?format={name}")
        assert answer.status_code == 200, name
        assert answer.headers["content-type"] == kind.media_type
    logged = [one for one in fresh.get("/audit")["entries"] if one["action"] == "exported"]
    assert {one["details"]["format"] for one in logged} == set(FORMATS)
    assert all(len(one["details"]["shown"]) == 3 for one in logged)


@dataclass
class Stub:
    """A system that writes down what it is sent and answers as told."""

    answers: list[tuple[int, object]]
    heard: list[tuple[str, dict[str, str], dict[str, object]]] = field(default_factory=list)
    url: str = ""


@pytest.fixture
def stub() -> Iterator[Stub]:
    made = Stub([])

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            made.heard.append((self.path, dict(self.headers), body))
            status, said = made.answers[len(made.heard) - 1]
            self.send_response(status)
            self.end_headers()
            self.wfile.write(json.dumps(said).encode())

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    made.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield made
    server.shutdown()
    thread.join()
    server.server_close()


SAID = {
    "greenhouse": {"id": 7},
    "lever": {"data": {"id": "7"}},
    "ashby": {"success": True, "results": {"id": "7"}},
}
ADDRESS = {
    "greenhouse": "/v1/prospects",
    "lever": "/v1/opportunities?perform_as=12",
    "ashby": "/v1/candidate.create",
}
REQUIRED = {"greenhouse": {"first_name", "last_name"}, "lever": {"name"}, "ashby": {"name"}}
DOCUMENTED = {
    "greenhouse": {
        "first_name", "last_name", "company", "title", "is_private", "phone_numbers", "addresses",
        "email_addresses", "website_addresses", "social_media_addresses", "tags", "custom_fields",
        "recruiter", "coordinator", "educations", "employments", "activity_feed_notes",
        "application",
    },
    "lever": {
        "name", "headline", "stage", "location", "phones", "emails", "links", "tags", "sources",
        "origin", "owner", "followers", "postings", "contact", "files", "createdAt", "archived",
    },
    "ashby": {
        "name", "email", "phoneNumber", "linkedInUrl", "githubUrl", "website",
        "alternateEmailAddresses", "sourceId", "creditedToUserId", "location",
    },
}  # fmt: skip
"""What each documents for a candidate's fields; the first three are in its reference."""


@pytest.mark.parametrize("name", SAID)
def test_candidates_are_handed_over(
    sample_data: Path, tmp_path: Path, stub: Stub, name: str
) -> None:
    note = [(200, {"success": True})] * (name == "ashby")
    stub.answers = [(201, SAID[name]), *note, (500, {})]
    changed = {f"{name}_url": stub.url, f"{name}_key": "k3y"}
    users = {"greenhouse_user": "12", "lever_user": "12"}
    with world(data_like(sample_data, tmp_path / "data"), **changed, **users) as made:
        people = [
            entry["person"]["id"]
            for entry in made.get("/search", q="moe kernels", limit=2)["entries"]
        ]
        slug = made.post("/shortlists", {"name": "x"})["slug"]
        for one in people:
            made.post(f"/shortlists/{slug}/people", {"person": one})
        told = made.post(f"/shortlists/{slug}/deliver", {"to": name}, 200)["delivered"]
        stub.answers += [(201, SAID[name]), *note, (200, {"success": False})]
        on = f"/export/shortlists/{slug}"
        shown = sent(made, on, f"{on}/deliver", to=name).text
        assert "1 person handed over." in shown
        assert f"{name} refused it" in shown
    assert told == [
        {"person_id": people[0], "external_id": "7", "why_not": None},
        {"person_id": people[1], "external_id": None, "why_not": f"{name} answered 500"},
    ]
    heard, headers, body = stub.heard[0]
    assert heard == ADDRESS[name]
    assert REQUIRED[name] <= set(body) <= DOCUMENTED[name]
    assert all(body.values())
    assert headers["Authorization"] == "Basic azN5Og=="
    assert headers.get("On-Behalf-Of") == ("12" if name == "greenhouse" else None)
    assert not {"email", "emails", "email_addresses"} & set(body)
    assert "vllm-project/vllm@" in json.dumps([body for _, _, body in stub.heard[:2]])


def test_the_commits_follow_in_a_note_that_may_fail(
    sample_data: Path, tmp_path: Path, stub: Stub
) -> None:
    stub.answers = [(200, SAID["ashby"]), (200, {"success": False})]
    with world(
        data_like(sample_data, tmp_path / "data"), ashby_url=stub.url, ashby_key="k"
    ) as made:
        slug = made.post("/shortlists", {"name": "x"})["slug"]
        person = made.get("/search", q="moe kernels", limit=1)["entries"][0]["person"]["id"]
        made.post(f"/shortlists/{slug}/people", {"person": person})
        (told,) = made.post(f"/shortlists/{slug}/deliver", {"to": "ashby"}, 200)["delivered"]
    assert told["external_id"] == "7"
    assert told["why_not"] == "without its commits: ashby refused it"
    path, _, body = stub.heard[1]
    assert (path, body["candidateId"]) == ("/v1/candidate.createNote", "7")
    assert "vllm-project/vllm@" in str(body["note"])


def test_the_layout_of_linkedin_recruiter() -> None:
    """https://www.linkedin.com/help/recruiter/answer/a412243"""
    mira = Exported(person("Mira van Dam"), "wrote it", [], linkedin="https://linkedin.example/m")
    head, row = csv.reader(io.StringIO(as_linkedin([mira]).decode("utf-8-sig"), newline=""))
    assert head[:4] == ["First name", "Last name", "Email", "Phone number"]
    assert head[4:7] == ["Job title", "Company", "Location"]
    assert head[7:] == ["Pipeline stage", "Note", "Note visibility", "Tags"]
    assert row[:3] == ["Mira", "van Dam", ""]
    assert row[8].startswith("wrote it\nhttps://linkedin.example/m\nhttps://github.com/")
    with pytest.raises(BadInput, match="takes 200 people a file; these are 201"):
        as_linkedin([mira] * 201)


def test_systems_that_want_to_know_who_asks(sample_data: Path, tmp_path: Path) -> None:
    changed = {"lever_url": "https://lever.example", "lever_key": "k"}
    with world(data_like(sample_data, tmp_path / "data"), **changed) as made:
        slug = made.post("/shortlists", {"name": "x"})["slug"]
        answer = made.client.post(f"/api/v1/shortlists/{slug}/deliver", json={"to": "lever"})
    assert answer.status_code == 400
    assert answer.json()["detail"].startswith("set lever_user")


def test_a_system_that_is_not_set_up(fresh: World) -> None:
    slug = fresh.post("/shortlists", {"name": "x"})["slug"]
    for name, says in (("lever", "set lever_url and lever_key"), ("mail", "is not one of")):
        answer = fresh.client.post(f"/api/v1/shortlists/{slug}/deliver", json={"to": name})
        assert answer.status_code == 400
        assert says in answer.json()["detail"]


def test_a_payload_has_links_to_the_commits() -> None:
    commit = EvidenceOut(
        repo="a/b", sha="9f1c", subject="Add", date="2026-05-01", role="author", topics=[],
        url="https://github.com/a/b/commit/9f1c", pull=None, added=None, deleted=None,
    )  # fmt: skip
    one = Exported(person("mira-l"), "wrote it", [commit])
    assert FORMATS["lever"].write([one]).count(b"/commit/9f1c") == 1
    assert FORMATS["greenhouse"].write([one]).count(b"/commit/9f1c") == 1
