"""One person over HTTP: by id, by login, by an id of earlier times; those alike; an interview."""

import pytest

from tests.api_world import World


@pytest.fixture(scope="module")
def somebody(shared: World) -> dict[str, object]:
    """The first with a login who answers a question."""
    found = shared.get("/search", q="moe kernels", limit=50)["entries"]
    return next(one["person"] for one in found if one["person"]["logins"])


def test_a_person_by_login_is_the_person_by_id(shared: World, somebody: dict) -> None:
    by_id = shared.get(f"/people/{somebody['id']}")
    assert shared.get(f"/people/{somebody['logins'][0].upper()}") == by_id
    assert by_id["person"] == somebody


def test_a_person_shows_what_is_held(shared: World, somebody: dict) -> None:
    held = shared.get(f"/people/{somebody['id']}")
    assert held["topics"][0]["commits"] >= held["topics"][-1]["commits"]
    assert sum(one["commits"] for one in held["quarters"]) > 0
    assert held["signatures"]
    assert len(held["commits"]) <= 50
    assert {commit["role"] for commit in held["commits"]} <= set(held["roles"])


def test_commits_come_in_pages(shared: World, somebody: dict) -> None:
    path = f"/people/{somebody['id']}/commits"
    first = shared.get(path, limit=3)
    second = shared.get(path, limit=3, cursor=first["next_cursor"])
    whole = shared.get(path, limit=6)
    assert first["commits"] + second["commits"] == whole["commits"]


def test_people_alike_leave_out_the_one_they_are_like(shared: World, somebody: dict) -> None:
    alike = shared.get(f"/people/{somebody['id']}/similar", limit=20)
    assert somebody["id"] not in {entry["person"]["id"] for entry in alike["entries"]}
    assert len(alike["entries"]) == 20


def test_an_interview_grows_from_the_persons_own_commits(shared: World, somebody: dict) -> None:
    asked = shared.get(f"/people/{somebody['id']}/screening", topic="moe-kernels")
    assert asked["person"]["id"] == somebody["id"]
    assert all(one["question"] and one["good"] for one in asked["questions"])


def test_an_interview_on_a_topic_that_there_is_not(shared: World, somebody: dict) -> None:
    answer = shared.client.get(
        f"/api/v1/people/{somebody['id']}/screening", params={"topic": "horoscopes"}
    )
    assert answer.status_code == 400
    assert "horoscopes" in answer.json()["detail"]


def test_fields_say_where_they_come_from_and_which_one_is_shown(shared: World) -> None:
    held = shared.get("/people/mtevenbrook-rx")
    said = {(one["source"], one["value"]): one for one in held["fields"] if one["field"] == "title"}
    assert said
    assert all(one["method"] and one["fetched_at"] for one in held["fields"])
    assert {"expires_at", "standing"} <= held["fields"][0].keys()
    places = [one["standing"] for one in held["fields"] if one["field"] == "location"]
    assert places[0] == "shown: the newest of 2 that agree"
    assert places[1].startswith("not shown: github says the same since ")


def test_the_clock_of_commits_is_a_hint_and_no_place(shared: World) -> None:
    held = shared.get("/people/mtevenbrook-rx")
    assert held["time_zone"]["offsets"] == ["UTC-5"]
    assert "weak hint: not where they live" in held["time_zone"]["says"]
    page = shared.client.get("/people/mtevenbrook-rx").text
    assert held["time_zone"]["says"] in page
    assert "shown: the newest of 2 that agree" in page
