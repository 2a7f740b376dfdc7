"""Who may do what: tokens, browsers, roles, limits, and a server that only loopback reaches."""

from pathlib import Path

import pytest

from api.serving import Serving
from sourcer.workspace.tokens import Scope
from tests.api_world import PASSWORD, World, data_like, world

LOGIN = "/api/v1/session"


def logged_in(guarded: World, name: str) -> dict[str, str]:
    """Logs the client's browser in; the headers that its changes must send."""
    answer = guarded.client.post(LOGIN, json={"name": name, "password": PASSWORD})
    assert answer.status_code == 201
    return {"X-CSRF-Token": answer.json()["csrf"]}


def test_nobody_comes_in_without_a_login(guarded: World) -> None:
    for path in ("/api/v1/search?q=moe", "/api/v1/people/x", "/api/v1/shortlists", "/metrics"):
        answer = guarded.client.get(path)
        assert answer.status_code == 401, path
        assert answer.headers["www-authenticate"] == "Bearer"
    assert guarded.client.get("/healthz").status_code == 200
    assert guarded.client.get("/readyz").json()["status"] == "ready"


def test_a_token_lets_in_as_far_as_its_scope(guarded: World) -> None:
    reads, writes = guarded.token("ida", Scope.READ), guarded.token("ida", Scope.WRITE)
    start = {"name": "Kernel people"}
    assert guarded.client.get("/api/v1/shortlists", headers=reads).status_code == 200
    refused = guarded.client.post("/api/v1/shortlists", json=start, headers=reads)
    assert (refused.status_code, refused.json()["detail"]) == (
        403,
        "ida is a viewer; this needs a recruiter. An admin can change roles",
    )
    assert guarded.client.post("/api/v1/shortlists", json=start, headers=writes).status_code == 201
    assert guarded.client.get("/api/v1/audit", headers=writes).status_code == 403


def test_a_revoked_token_does_not_hold(guarded: World) -> None:
    admin = guarded.token("ada", Scope.ADMIN)
    given = guarded.client.post(
        "/api/v1/tokens", json={"label": "nightly", "scope": "read"}, headers=admin
    ).json()
    theirs = {"Authorization": f"Bearer {given['secret']}"}
    assert guarded.client.get("/api/v1/topics", headers=theirs).status_code == 200
    number = given["token"]["id"]
    assert guarded.client.delete(f"/api/v1/tokens/{number}", headers=admin).status_code == 200
    assert guarded.client.get("/api/v1/topics", headers=theirs).status_code == 401


@pytest.mark.parametrize("token", ["", "x", "sourcer_nonsense", "\u00e9", "a" * 5000])
def test_a_token_made_up_does_not_hold(guarded: World, token: str) -> None:
    headers = {"Authorization": f"Bearer {token}".encode()}
    assert guarded.client.get("/api/v1/topics", headers=headers).status_code == 401


def test_a_browser_logs_in_and_out(guarded: World) -> None:
    logged_in(guarded, "ida")
    cookie = next(iter(guarded.client.cookies.jar))
    assert cookie.has_nonstandard_attr("HttpOnly")
    assert guarded.client.get(LOGIN).json()["name"] == "ida"
    csrf = guarded.client.get(LOGIN).json()["csrf"]
    stolen = dict(guarded.client.cookies)
    out = guarded.client.delete(LOGIN, headers={"X-CSRF-Token": csrf})
    assert out.status_code == 200
    guarded.client.cookies.update(stolen)
    assert guarded.client.get(LOGIN).status_code == 401


def test_a_browsers_change_needs_its_secret(guarded: World) -> None:
    headers = logged_in(guarded, "ida")
    start = {"name": "Kernel people"}
    assert guarded.client.post("/api/v1/shortlists", json=start).status_code == 403
    other = {"X-CSRF-Token": "0" * 64}
    assert guarded.client.post("/api/v1/shortlists", json=start, headers=other).status_code == 403
    assert guarded.client.post("/api/v1/shortlists", json=start, headers=headers).status_code == 201


def test_wrong_passwords_have_to_wait(guarded: World) -> None:
    for _ in range(5):
        answer = guarded.client.post(LOGIN, json={"name": "ida", "password": "wrong"})
        assert (answer.status_code, answer.json()["detail"]) == (
            401,
            "the name or the password is wrong",
        )
    answer = guarded.client.post(LOGIN, json={"name": "ida", "password": PASSWORD})
    assert answer.status_code == 429
    assert int(answer.headers["retry-after"]) > 0


def test_a_stranger_and_a_wrong_password_are_told_the_same(guarded: World) -> None:
    known = guarded.client.post(LOGIN, json={"name": "ida", "password": "wrong"})
    stranger = guarded.client.post(LOGIN, json={"name": "nobody", "password": "wrong"})
    assert known.json()["detail"] == stranger.json()["detail"]


def test_a_token_asks_no_more_than_it_may(sample_data: Path, tmp_path: Path) -> None:
    data = data_like(sample_data, tmp_path / "data")
    with world(data, Serving(accounts=True), rate_limit=3) as limited:
        from sourcer.workspace.actors import Role

        limited.user("ida", Role.RECRUITER)
        headers = limited.token("ida", Scope.READ)
        answers = [limited.client.get("/api/v1/topics", headers=headers) for _ in range(5)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429, 429]
    assert [answer.headers["ratelimit-remaining"] for answer in answers] == list("21000")
    assert answers[0].headers["ratelimit-limit"] == "3"


def test_anothers_private_shortlist_is_not_there(guarded: World) -> None:
    ida, jon = guarded.token("ida", Scope.WRITE), guarded.token("jon", Scope.WRITE)
    body = {"name": "Secret", "sharing": "private"}
    slug = guarded.client.post("/api/v1/shortlists", json=body, headers=ida).json()["slug"]
    for method, path, sent in (
        ("GET", "", None),
        ("GET", "/history", None),
        ("GET", "/notes", None),
        ("GET", "/export?format=csv", None),
        ("PATCH", "", {"name": "Mine"}),
        ("DELETE", "", None),
        ("POST", "/undo", {}),
        ("POST", "/recover", None),
    ):
        answer = guarded.client.request(
            method, f"/api/v1/shortlists/{slug}{path}", json=sent, headers=jon
        )
        assert answer.status_code == 404, (method, path, answer.text)
    assert slug not in guarded.client.get("/api/v1/shortlists", headers=jon).text
    assert guarded.client.get(f"/api/v1/shortlists/{slug}", headers=ida).status_code == 200


def test_a_viewer_changes_nothing(guarded: World) -> None:
    viewer = guarded.token("vera", Scope.READ)
    for method, path in every_write(guarded):
        answer = guarded.client.request(method, path, json={}, headers=viewer)
        assert answer.status_code in (403, 422, 404), (method, path, answer.status_code)
    assert guarded.client.get("/api/v1/shortlists", headers=viewer).json() == {"shortlists": []}


def every_write(guarded: World) -> list[tuple[str, str]]:
    paths = guarded.client.get("/openapi.json").json()["paths"]
    filled = ("{slug}", "x"), ("{person}", "x"), ("{number}", "1"), ("{id}", "x"), ("{name}", "x")
    found = []
    for path, methods in paths.items():
        if path.startswith(("/api/v1/session", "/api/v1/tokens")) or path == "/api/v1/search":
            continue
        for old, new in filled:
            path = path.replace(old, new)
        found += [(method.upper(), path) for method in methods if method != "get"]
    return found


def test_without_accounts_only_loopback_is_answered(shared: World) -> None:
    for host in ("evil.example", "evil.example:8000", "10.0.0.7", ""):
        answer = shared.client.get("/api/v1/topics", headers={"Host": host})
        assert answer.status_code == 403, host
    for host in ("localhost:8000", "127.0.0.1", "[::1]:8000"):
        assert shared.client.get("/api/v1/topics", headers={"Host": host}).status_code == 200


def test_another_site_makes_no_change(shared: World) -> None:
    answer = shared.client.post(
        "/api/v1/shortlists", json={"name": "x"}, headers={"Origin": "https://evil.example"}
    )
    assert answer.status_code == 403
    assert answer.json()["detail"] == "another site may not make changes here"
