"""No email comes out of anywhere, and whoever asked not to be found is found nowhere."""

import io
import json
import logging
import re
import zipfile
from collections.abc import Iterator

import pytest

from api.exports import FORMATS
from sourcer import snapshot
from sourcer.store.database import open_readonly
from tests.api_world import World

ADDRESS = re.compile(rb"[\w.+%'-]+@[\w-]+(?:\.[\w-]+)+")


def emails_of(world: World) -> set[str]:
    """Every email that the sample's histories and profile files hold."""
    db = open_readonly(snapshot.current(world.data).database)
    rows = db.execute("select distinct lower(email) from signatures where email like '%@%.%'")
    found = {email for (email,) in rows.fetchall()}
    db.close()
    return found


def everything(world: World) -> Iterator[tuple[str, bytes]]:
    """What every route answers that reads the snapshot, for many questions and everybody."""
    client = world.client
    found = world.get("/search", q="kernels or serving or tests or docs", limit=100)
    ids = [entry["person"]["id"] for entry in found["entries"]]
    slug = world.post("/shortlists", {"name": "All"})["slug"]
    for person in ids[:40]:
        world.post(f"/shortlists/{slug}/people", {"person": person, "reason": "a@firm.example"})
    saved = world.post("/searches", {"name": "x@firm.example", "query": "who is x@firm.example"})
    world.post("/suppressions", {"who": "gone@firm.example"})
    for channel, target in (
        ("email", "ida@firm.example"),
        ("webhook", "https://x.y/a@firm.example"),
    ):
        world.post(
            f"/searches/{saved['slug']}/subscriptions", {"channel": channel, "target": target}
        )
    token = world.post(f"/searches/{saved['slug']}/links", {})["token"]
    client.post("/api/v1/notices", json={"people": ids[:3], "how": "to x@firm.example"})
    paths = [
        "/topics", "/status", "/shortlists", f"/shortlists/{slug}", "/searches", "/audit?limit=500",
        f"/shortlists/{slug}/history", f"/searches/{saved['slug']}/history", "/suppressions",
        "/pool?q=kernels&report=true&by=employer&by=school", "/merges", "/jobs", "/mentions",
        "/parse?q=who is x@firm.example", "/search?q=who is x@firm.example&limit=100",
        "/search?q=kernels&limit=100", "/imports/queue", "/people/x@firm.example",
        "/search?q=kernels&cursor=x@firm.example", "/nowhere/x@firm.example",
        "/search?q=kernels&limit=x@firm.example", "/users", "/tokens", "/session",
        f"/searches/{saved['slug']}/alerts", f"/searches/{saved['slug']}/subscriptions",
        f"/shared/{token}", f"/shared/{token}/feed.atom", "/deliveries/dead", "/runs",
        "/notices?limit=500", "/exposure?days=100", "/search?q=moe&blind=true",
        *(f"/people/{id_}/notice" for id_ in ids[:20]),
        *(f"/people/{id_}" for id_ in ids),
        *(f"/people/{id_}/commits?limit=100" for id_ in ids[:40]),
        *(f"/people/{id_}/screening?topic=moe" for id_ in ids[:20]),
        *(f"/shortlists/{slug}/export?format={name}" for name in FORMATS),
        *(f"/search/export?q=kernels&format={name}" for name in FORMATS),
    ]  # fmt: skip
    for path in paths:
        yield path, client.get(f"/api/v1{path}").content
    yield "/metrics", client.get("/metrics").content
    yield "/openapi.json", client.get("/openapi.json").content


def unzipped(body: bytes) -> bytes:
    if not body.startswith(b"PK"):
        return body
    with zipfile.ZipFile(io.BytesIO(body)) as book:
        return b"\n".join(book.read(name) for name in book.namelist())


def test_no_route_export_error_or_log_holds_an_email(
    fresh: World, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    known = emails_of(fresh)
    assert len(known) > 100
    for path, body in everything(fresh):
        text = unzipped(body)
        held = {address.decode().lower() for address in ADDRESS.findall(text)}
        assert not held & known, path
        assert not any(address.endswith(".example") for address in held), path
    said = "\n".join(
        record.getMessage() for record in caplog.records if not record.name.startswith("httpx")
    ).lower()
    assert not any(email in said for email in known)
    assert "firm.example" not in said


def test_the_log_holds_no_question_and_no_name(
    fresh: World, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, logger="api.requests")
    person = fresh.get("/search", q="a most secret question about kernels")["entries"][0]["person"]
    fresh.get(f"/people/{person['id']}")
    lines = [json.loads(line) for line in caplog.messages if line.startswith("{")]
    assert {line["route"] for line in lines} >= {"/api/v1/search", "/api/v1/people/{id}"}
    assert "secret" not in caplog.text
    assert person["id"] not in caplog.text
    assert person["name"] not in caplog.text


def test_who_asked_not_to_be_found_is_found_nowhere(fresh: World) -> None:
    found = fresh.get("/search", q="moe kernels", limit=50)
    gone = next(one["person"] for one in found["entries"] if one["person"]["logins"])
    other = next(one["person"] for one in found["entries"] if one["person"]["id"] != gone["id"])
    slug = fresh.post("/shortlists", {"name": "All"})["slug"]
    for person in (gone, other):
        fresh.post(f"/shortlists/{slug}/people", {"person": person["id"]})
    login = gone["logins"][0]
    saved = fresh.post("/searches", {"name": "MoE", "query": "moe kernels"})
    token = fresh.post(f"/searches/{saved['slug']}/links", {})["token"]
    told = fresh.post("/suppressions", {"who": login})
    assert told["people"] == 1
    words = {gone["id"], gone["name"], login}
    after = fresh.get("/search", q="moe kernels", limit=50)
    assert after["total"] == found["total"] - 1
    for path in (
        "/search?q=moe kernels&limit=100",
        f"/shortlists/{slug}",
        f"/people/{other['id']}",
        f"/people/{other['id']}/similar?limit=100",
        f"/shortlists/{slug}/export?format=json",
        "/search/export?q=moe kernels&format=csv",
        "/notices?limit=500",
        "/search?q=moe kernels&limit=100&blind=true",
        f"/shared/{token}",
        f"/shared/{token}/feed.atom",
        f"/searches/{saved['slug']}/alerts",
        "/exposure",
    ):
        text = fresh.client.get(f"/api/v1{path}").text
        assert not {word for word in words if word in text}, path
    alike = fresh.get("/search", q=f"people like {login}", limit=100)
    assert gone["id"] not in json.dumps(alike["entries"])
    for said in (gone["id"], login, login.upper(), f"@{login}"):
        for path in ("", "/similar", "/commits", "/screening?topic=moe", "/notice"):
            answer = fresh.client.get(f"/api/v1/people/{said}{path}")
            assert answer.status_code == 404, (said, path)


def test_who_asked_by_email_is_found_nowhere_and_may_come_back(fresh: World) -> None:
    db = open_readonly(snapshot.current(fresh.data).database)
    person, email = db.execute(
        """
        select person_id, email from person_signatures
        join signatures on signatures.id = signature_id join people on people.id = person_id
        where email like '%@%.%' and email not like '%noreply%' order by all limit 1
        """
    ).fetchall()[0]
    db.close()
    assert fresh.client.get(f"/api/v1/people/{person}").status_code == 200
    told = fresh.client.post("/api/v1/suppressions", json={"who": email})
    assert (told.status_code, email in told.text) == (201, False)
    assert fresh.client.get(f"/api/v1/people/{person}").status_code == 404
    listed = fresh.client.get("/api/v1/suppressions").text
    assert email not in listed
    assert person not in listed


def test_erasing_takes_the_person_off_every_list(fresh: World) -> None:
    gone = fresh.get("/search", q="moe kernels")["entries"][0]["person"]["id"]
    slug = fresh.post("/shortlists", {"name": "All"})["slug"]
    fresh.post(f"/shortlists/{slug}/people", {"person": gone, "reason": "wrote it"})
    told = fresh.post("/suppressions", {"who": gone, "erase": True})
    assert told["erasure"] is not None
    assert fresh.get(f"/shortlists/{slug}")["people"] == []
    assert gone not in fresh.client.get("/api/v1/audit?limit=500").text


def addresses(world: World, known: dict[str, str]) -> list[str]:
    """Every address that the app answers with GET, each with something that is there."""
    found = []
    included = [one for one in world.app.routes if hasattr(one, "effective_route_contexts")]
    for route in (each for one in included for each in one.effective_route_contexts()):
        path = route.path_format
        if "GET" not in route.methods or "/events" in path:
            continue
        slug = known["search" if "/searches" in path or path.startswith("/s/") else "shortlist"]
        words = {**dict.fromkeys(re.findall(r"{(\w+)}", path), "1"), **known, "slug": slug}
        said = "q=moe+kernels&topic=moe&with=x&days=100&titles=vllm&limit=100&size=500&report=true"
        found.append(f"{path.format_map(words)}?{said}&format=json&state=x&code=x")
    return found


def test_no_address_at_all_names_who_is_gone(fresh: World) -> None:
    found = fresh.get("/search", q="moe kernels", limit=50)["entries"]
    gone = next(one["person"] for one in found if len(one["person"]["logins"]) == 1)
    other = next(one["person"]["id"] for one in found if one["person"]["id"] != gone["id"])
    shortlist = fresh.post("/shortlists", {"name": "All"})["slug"]
    for person in (gone["id"], other):
        fresh.post(f"/shortlists/{shortlist}/people", {"person": person})
    search = fresh.post("/searches", {"name": "MoE", "query": "moe kernels"})["slug"]
    token = fresh.post(f"/searches/{search}/links", {})["token"]
    fresh.post("/suppressions", {"who": gone["logins"][0]})
    known = {"id": other, "shortlist": shortlist, "search": search, "token": token}
    asked = addresses(fresh, known)
    assert len(asked) > 70
    words = {gone["name"], gone["logins"][0]}
    for path in asked:
        for accept in ("application/json", "text/html"):
            answer = fresh.client.get(path, headers={"accept": accept})
            assert answer.status_code < 500, path
            assert not {word for word in words if word in answer.text}, path
