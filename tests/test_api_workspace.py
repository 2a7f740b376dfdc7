"""What recruiters write, over HTTP: saved searches, shortlists, notes, merges, jobs."""

import pytest

from tests.api_world import World


@pytest.fixture
def people(fresh: World) -> list[str]:
    found = fresh.get("/search", q="moe kernels", limit=5)["entries"]
    return [entry["person"]["id"] for entry in found]


def test_a_saved_search_can_be_asked_again_changed_and_shared(fresh: World) -> None:
    saved = fresh.post("/searches", {"name": "MoE", "query": "moe kernels in the US"})
    path = f"/searches/{saved['slug']}"
    assert fresh.get(path) == saved
    asked = fresh.get(f"{path}/results")
    assert asked["entries"] == fresh.get("/search", q="moe kernels in the US")["entries"]
    changed = fresh.client.patch(f"/api/v1{path}", json={"query": "lora", "sharing": "private"})
    assert (changed.json()["version"], changed.json()["sharing"]) == (2, "private")
    versions = fresh.get(f"{path}/history")["versions"]
    assert [one["query"]["text"] for one in versions] == ["lora", "moe kernels in the US"]
    link = fresh.post(f"{path}/links", {})["token"]
    assert fresh.get(f"/shared/{link}")["name"] == "MoE"
    assert fresh.client.delete(f"/api/v1{path}/links").json() == {"links": 1}
    assert fresh.client.get(f"/api/v1/shared/{link}").status_code == 404
    assert fresh.client.delete(f"/api/v1{path}").json() == {"done": True}
    assert fresh.client.get(f"/api/v1{path}").status_code == 404
    assert fresh.post(f"{path}/recover", None, 200)["version"] == 2


def test_a_shortlist_from_start_to_undo(fresh: World, people: list[str]) -> None:
    slug = fresh.post("/shortlists", {"name": "Kernel people"})["slug"]
    path = f"/shortlists/{slug}"
    for person in people[:3]:
        fresh.post(f"{path}/people", {"person": person, "reason": "wrote the kernel"})
    again = fresh.client.post(f"/api/v1{path}/people", json={"person": people[0]})
    assert again.status_code == 409
    fresh.client.put(f"/api/v1{path}/order", json={"people": [people[2]]})
    listed = fresh.get(path)["people"]
    assert [one["person_id"] for one in listed] == [people[2], people[0], people[1]]
    assert listed[0]["person"]["id"] == people[2]
    moved = fresh.client.patch(f"/api/v1{path}/people/{people[0]}", json={"stage": "contacted"})
    assert moved.json()["stage"] == "contacted"
    fresh.client.delete(f"/api/v1{path}/people/{people[1]}")
    assert [one["person_id"] for one in fresh.get(f"{path}/removed")["people"]] == [people[1]]
    undone = fresh.post(f"{path}/undo", {}, 200)
    assert undone["kind"] == "undo of removed"
    assert len(fresh.get(path)["people"]) == 3
    assert fresh.get(f"{path}/history")["changes"][0]["id"] == undone["id"]


def test_notes(fresh: World, people: list[str]) -> None:
    slug = fresh.post("/shortlists", {"name": "Kernel people"})["slug"]
    fresh.post(f"/shortlists/{slug}/people", {"person": people[0]})
    note = fresh.post(
        f"/shortlists/{slug}/people/{people[0]}/notes",
        {"text": "ask her, at mira@firm.example, in autumn"},
    )
    assert note["text"] == "ask her, at •••••••••••••••••, in autumn"
    fresh.client.patch(f"/api/v1/notes/{note['id']}", json={"text": "in winter"})
    assert [one["text"] for one in fresh.get(f"/shortlists/{slug}/notes")["notes"]] == ["in winter"]
    fresh.client.delete(f"/api/v1/notes/{note['id']}")
    assert fresh.get(f"/shortlists/{slug}/notes") == {"notes": []}


def test_two_shortlists_side_by_side(fresh: World, people: list[str]) -> None:
    slugs = [fresh.post("/shortlists", {"name": name})["slug"] for name in ("one", "two")]
    for slug, chosen in zip(slugs, (people[:2], people[1:3]), strict=True):
        for person in chosen:
            fresh.post(f"/shortlists/{slug}/people", {"person": person})
    found = fresh.get(f"/shortlists/{slugs[0]}/compare", **{"with": slugs[1]})
    assert found == {
        "only_first": [people[0]],
        "only_second": [people[2]],
        "both": [{"person_id": people[1], "first": "found", "second": "found"}],
    }


def test_a_write_sent_twice_is_done_once(fresh: World) -> None:
    headers, body = {"Idempotency-Key": "5a0e"}, {"name": "Kernel people"}
    first = fresh.client.post("/api/v1/shortlists", json=body, headers=headers)
    again = fresh.client.post("/api/v1/shortlists", json=body, headers=headers)
    assert (again.status_code, again.json()) == (201, first.json())
    assert len(fresh.get("/shortlists")["shortlists"]) == 1
    other = fresh.client.post("/api/v1/shortlists", json={"name": "Other"}, headers=headers)
    assert other.status_code == 409


def test_a_write_that_failed_may_be_sent_again(fresh: World, people: list[str]) -> None:
    headers = {"Idempotency-Key": "5a0e"}
    slug = fresh.post("/shortlists", {"name": "Kernel people"})["slug"]
    path, body = f"/api/v1/shortlists/{slug}/people", {"person": people[0]}
    fresh.post(f"/shortlists/{slug}/people", body)
    assert fresh.client.post(path, json=body, headers=headers).status_code == 409
    fresh.client.delete(f"{path}/{people[0]}")
    assert fresh.client.post(path, json=body, headers=headers).status_code == 201


def test_a_merge_is_recorded_and_undone(fresh: World, people: list[str]) -> None:
    body = {"person": people[0], "other": people[1], "reason": "says so on her page"}
    made = fresh.post("/merges", body)
    assert (made["kind"], made["people"]) == ("merge", people[:2])
    undone = fresh.client.delete(f"/api/v1/merges/{made['id']}").json()
    assert undone["undone_by"] == "local"
    assert [one["id"] for one in fresh.get("/merges")["merges"]] == [made["id"]]


def test_a_split_names_signatures(fresh: World) -> None:
    several = (
        entry["person"]["id"] for entry in fresh.get("/search", q="kernels", limit=50)["entries"]
    )
    held = next(
        found for id_ in several if len((found := fresh.get(f"/people/{id_}"))["signatures"]) > 1
    )
    person, key = held["person"]["id"], held["signatures"][-1]["key"]
    made = fresh.post("/merges", {"person": person, "signatures": [key], "reason": "a namesake"})
    assert made["kind"] == "split"
    wrong = {"person": person, "signatures": ["0" * 16], "reason": "a namesake"}
    assert fresh.client.post("/api/v1/merges", json=wrong).status_code == 400


def test_who_asked_what_is_in_the_log(fresh: World) -> None:
    for _ in range(3):
        shown = fresh.get("/search", q="moe kernels", limit=2)["entries"]
    logged = [one for one in fresh.get("/audit")["entries"] if one["action"] == "searched"]
    details = logged[-1]["details"]
    assert details["question"] == "moe kernels"
    assert details["shown"] == [entry["person"]["id"] for entry in shown]
    assert sum(one["details"].get("times", 1) for one in logged) == 3
    assert fresh.get("/audit/verify") == {"holds": True, "first_broken": None}
