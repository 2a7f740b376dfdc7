"""What is owed to people: notices in time, and a look at who is shown."""

from datetime import UTC, datetime, timedelta

from sourcer import runs
from sourcer.pool.exposure import exposure
from sourcer.pool.slices import Member
from sourcer.runs import Journal, Outcome
from sourcer.workspace.actors import Role
from sourcer.workspace.tokens import Scope
from tests.api_world import World, world
from tests.test_pages import page
from tests.test_pages_acts import sent


def test_who_must_be_told_and_by_when(fresh: World) -> None:
    told = fresh.get("/notices", limit=500)
    assert told["total"] == len(told["notices"]) > 20
    for one in told["notices"]:
        obtained, due = (datetime.fromisoformat(one[name]) for name in ("obtained", "due"))
        assert timedelta(days=28) <= due - obtained <= timedelta(days=31)
        assert one["sources"][0] == "public commit history"
    assert told["late"] == sum(
        datetime.fromisoformat(one["due"]) < datetime.now(UTC) for one in told["notices"]
    )
    assert fresh.get("/notices", listed=True)["notices"] == []
    person = told["notices"][0]["person_id"]
    slug = fresh.post("/shortlists", {"name": "All"})["slug"]
    fresh.post(f"/shortlists/{slug}/people", {"person": person})
    assert [one["person_id"] for one in fresh.get("/notices", listed=True)["notices"]] == [person]


def test_telling_is_recorded_and_taken_back(fresh: World) -> None:
    person = fresh.get("/notices")["notices"][0]["person_id"]
    assert fresh.post("/notices", {"people": [person], "how": "letter"}) == {"people": 1}
    last = fresh.get("/notices", limit=500)["notices"][-1]
    assert (last["person_id"], last["told"]["how"]) == (person, "letter")
    assert fresh.post("/notices", {"people": [person]}) == {"people": 0}
    assert fresh.post("/notices/undo", {"people": [person]}, 200) == {"people": 1}
    assert fresh.get("/notices", limit=500)["notices"][-1]["told"] is None


def test_the_letter_says_all_that_must_be_said(fresh: World) -> None:
    with world(fresh.data, controller="Acme AG, 1 High Street") as told:
        one = told.get("/notices")["notices"][0]
        english = told.get(f"/people/{one['person_id']}/notice")["text"]
        german = told.get(f"/people/{one['person_id']}/notice", language="de")["text"]
    for said in (one["name"], "Acme AG, 1 High Street", one["sources"][-1], "legitimate interest",
                 "erased", "object", "supervisory authority"):  # fmt: skip
        assert said in english
    assert "Aufsichtsbehörde" in german


def test_a_page_of_notices_and_its_letter(fresh: World) -> None:
    text = page(fresh, "/notices?who=all")
    assert "set controller to your name and address" in text
    one = fresh.get("/notices")["notices"][0]
    assert one["name"] in text
    assert one["name"] in page(fresh, f"/notices/{one['person_id']}")
    said = sent(fresh, "/notices?who=all", "/notices", id=[one["person_id"]], how="by phone")
    assert "1 person was told." in said.text
    last = fresh.get("/notices", limit=500)["notices"][-1]
    assert (last["name"], last["told"]["how"]) == (one["name"], "by phone")


def test_exposure_counts_what_was_shown_against_the_pool(fresh: World) -> None:
    assert fresh.get("/exposure")["times"] == 0
    shown = fresh.get("/search", q="moe kernels", limit=10)["entries"]
    told = fresh.get("/exposure")
    assert told["times"] == len(shown)
    by = {one["dimension"]: one["shares"] for one in told["by"]}
    assert list(by) == ["country", "employer", "tenure"]
    assert sum(share["times"] for share in by["tenure"]) <= len(shown)
    unknown = by["country"][-1]
    assert unknown["value"] == ""
    assert "Who is shown" in page(fresh, "/admin/exposure?days=7")


def test_small_groups_are_left_out() -> None:
    pool = [Member("a", country="AD"), *(Member(f"p{n}", country="PL") for n in range(5))]
    (poland,) = exposure(pool, {"a": 3, "p1": 1}, "country").shares
    assert (poland.value, poland.pool, poland.times) == ("PL", 5, 1)


def test_exposure_is_for_admins(guarded: World) -> None:
    ida = guarded.token("ida", Scope.WRITE)
    assert guarded.client.get("/api/v1/exposure", headers=ida).status_code == 403
    guarded.user("eve", Role.ADMIN)
    admin = guarded.token("eve", Scope.ADMIN)
    assert guarded.client.get("/api/v1/exposure", headers=admin).status_code == 200


def test_runs_are_told_with_steps_and_failures(fresh: World) -> None:
    assert fresh.get("/runs") == {"runs": []}
    assert "No nightly run yet" in page(fresh, "/admin/runs")
    journal = Journal(fresh.data, datetime(2026, 6, 15, 2, tzinfo=UTC))
    with journal.step("fetch"):
        pass
    journal.run.failures["acme/engine"] = "it is gone"
    journal.run.did["new commits"] = 12
    journal.end(Outcome.PUBLISHED, "published 2026-06-15T020500Z")
    assert len(runs.recent(fresh.data)) == 1
    (told,) = fresh.get("/runs")["runs"]
    assert (told["outcome"], told["failures"]) == ("published", {"acme/engine": "it is gone"})
    text = page(fresh, "/admin/runs")
    for said in ("fetch", "it is gone", "new commits", "Jun 15, 2026", "1 failure"):
        assert said in text


def test_retention_says_what_goes_when(fresh: World) -> None:
    with world(fresh.data, retention="github=365 audit=30") as told:
        text = page(told, "/admin/retention")
    assert "365 days" in text
    assert "30 days" in text
