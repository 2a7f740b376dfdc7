"""A question asked again at the same address: the same answer, to whoever may have it."""

from pathlib import Path

from api.serving import Serving
from sourcer.workspace import audit
from sourcer.workspace.actors import LOCAL, Role
from sourcer.workspace.tokens import Scope
from tests.api_world import World, data_like, world

AGAIN = "/api/v1/search?q=moe+kernels&limit=3"


def test_an_answer_at_hand_goes_out_as_it_did(shared: World) -> None:
    first, again = shared.client.get(AGAIN), shared.client.get(AGAIN)
    both = [dict(answer.headers) for answer in (first, again)]
    assert both[0].pop("x-request-id") != both[1].pop("x-request-id")
    assert (again.content, both[1]) == (first.content, both[0])
    held = shared.client.get(AGAIN, headers={"If-None-Match": first.headers["etag"]})
    assert (held.status_code, held.content) == (304, b"")


def test_it_is_counted_and_audited_every_time(fresh: World) -> None:
    for _ in range(3):
        fresh.client.get(AGAIN)
    told = fresh.client.get("/metrics").text
    route = 'sourcer_requests_total{method="GET",route="/api/v1/search",status="200"} 3.0'
    assert route in told
    assert 'sourcer_searches_total{remembered="yes"} 2.0' in told
    desk = fresh.app.state.desk
    desk.auditing.flush()
    with desk.workspace.reading() as session:
        (entry,) = audit.entries(session, LOCAL)
    assert entry.details is not None
    assert (entry.details["times"], len(entry.details["shown"])) == (3, 3)  # type: ignore[arg-type]
    assert entry.details["query"]["topics"][0]["id"] == "moe-kernels"  # type: ignore[index]


def test_it_is_nobodys_who_may_not_ask(guarded: World) -> None:
    held = guarded.token("vera", Scope.READ)
    assert [guarded.client.get(AGAIN, headers=held).status_code for _ in range(2)] == [200, 200]
    assert guarded.client.get(AGAIN).status_code == 401
    assert guarded.client.get(AGAIN, headers={"Authorization": "Bearer x"}).status_code == 401


def test_it_takes_from_the_rate_once(sample_data: Path, tmp_path: Path) -> None:
    data = data_like(sample_data, tmp_path / "data")
    with world(data, Serving(accounts=True), rate_limit=3) as limited:
        limited.user("ida", Role.RECRUITER)
        token = limited.token("ida", Scope.READ)
        answers = [limited.client.get(AGAIN, headers=token) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    left = [answer.headers["ratelimit-remaining"] for answer in answers]
    assert left == ["2", "1", "0", "0"]


def test_it_is_forgotten_with_who_is_in_it(fresh: World) -> None:
    shown = [fresh.client.get(AGAIN).json()["entries"][0]["person"] for _ in range(2)][1]
    fresh.post("/suppressions", {"who": shown["logins"][0]})
    people = [entry["person"]["id"] for entry in fresh.client.get(AGAIN).json()["entries"]]
    assert shown["id"] not in people


def test_it_stays_covered_where_everybody_is(sample_data: Path, tmp_path: Path) -> None:
    data = data_like(sample_data, tmp_path / "data")
    with world(data, blind=True) as blind:
        said = [blind.client.get(AGAIN).json()["entries"][0]["person"] for _ in range(3)]
    assert {person["name"] for person in said} == {f"Person {said[0]['id'][1:6]}"}
