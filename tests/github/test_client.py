"""What goes wrong between us and GitHub, one case each, with scripted answers and no real wait."""

import logging
from collections.abc import Callable

import pytest

from ingest.profiles.from_github import answers
from ingest.profiles.from_github.client import Client
from sourcer.errors import GitHubRefused, GitHubUnreachable
from tests.github.server import TOKEN, FakeClock, LocalGitHub, Reply
from tests.github.world import NOW

Connect = Callable[..., Client]
GOOD = Reply(200, {"data": {"user": {"login": "ada"}}})
SECONDARY = (
    "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
)
QUESTION = 'query { user(login: "ada") { login } }'


def ask(client: Client) -> object:
    return client.graphql(QUESTION, {}).data


def test_the_hourly_limit_is_waited_out(
    scripted: LocalGitHub, connect: Connect, clock: FakeClock
) -> None:
    spent = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(int(NOW) + 1800)}
    refusal = Reply(403, {"message": "API rate limit exceeded for user ID 7."}, spent)
    scripted.faults.extend([refusal, GOOD])
    notices: list[str] = []
    assert ask(connect(scripted, notice=notices.append)) == {"user": {"login": "ada"}}
    assert clock.waits == [1801.0]
    assert notices == ["waiting 1,801 s for its limit"]


def test_an_allowance_just_used_up_is_not_overdrawn(
    scripted: LocalGitHub, connect: Connect, clock: FakeClock
) -> None:
    last = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(int(NOW) + 60)}
    scripted.faults.extend([Reply(200, GOOD.body, last), GOOD, Reply(200, [])])
    client = connect(scripted)
    ask(client)
    client.get("/users/ada/orgs")
    assert clock.waits == []
    scripted.faults.append(GOOD)
    scripted.faults.rotate(1)
    ask(client)
    assert clock.waits == [61.0]


@pytest.mark.parametrize(
    ("refusal", "wait"),
    [
        (Reply(403, {"message": SECONDARY}, {"Retry-After": "90"}), 90.0),
        (Reply(403, {"message": SECONDARY}), 60.0),
        (Reply(429, {"message": "Too many requests"}), 60.0),
        (Reply(429, "slow down", {"Retry-After": "17"}), 17.0),
        (Reply(200, {"message": SECONDARY}), 60.0),
        (Reply(200, {"data": None, "errors": [{"message": SECONDARY}]}), 60.0),
        (Reply(200, {"errors": [{"type": "RATE_LIMITED", "message": "limit"}]}), 60.0),
        (Reply(200, {"errors": [{"type": "RATE_LIMIT", "message": "limit"}]}), 60.0),
        (
            Reply(
                200,
                {"errors": [{"type": "RATE_LIMITED", "message": "limit"}]},
                {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(int(NOW) + 100)},
            ),
            101.0,
        ),
    ],
    ids=[
        *("secondary with Retry-After", "secondary without", "429 without Retry-After"),
        *("429 with Retry-After", "200 with only a message", "200 with a nameless error"),
        *("200 RATE_LIMITED", "200 RATE_LIMIT", "200 RATE_LIMITED with headers"),
    ],
)
def test_a_limit_is_waited_for(
    refusal: Reply, wait: float, scripted: LocalGitHub, connect: Connect, clock: FakeClock
) -> None:
    scripted.faults.extend([refusal, GOOD])
    assert ask(connect(scripted)) == {"user": {"login": "ada"}}
    assert clock.waits == [wait]


def test_a_limit_meets_rest_too(scripted: LocalGitHub, connect: Connect, clock: FakeClock) -> None:
    scripted.faults.extend([Reply(429, {"message": "no"}), Reply(200, [{"login": "acme"}])])
    assert connect(scripted).get("/users/ada/orgs").body == [{"login": "acme"}]
    assert clock.waits == [60.0]


def test_waits_grow_and_end(scripted: LocalGitHub, connect: Connect, clock: FakeClock) -> None:
    scripted.faults.extend([Reply(429, {"message": "no"})] * 6)
    with pytest.raises(GitHubUnreachable, match="in 6 tries: its limit stays reached"):
        ask(connect(scripted))
    assert clock.waits == [60.0, 120.0, 240.0, 480.0, 960.0]


def test_rows_beside_an_error_are_in_the_exception(scripted: LocalGitHub, connect: Connect) -> None:
    errors = [{"type": "NOT_FOUND", "path": ["u1"], "message": "Could not resolve"}]
    body = {"data": {"u0": {"login": "ada"}, "u1": None}, "errors": errors}
    several = {**body, "errors": errors * 2}
    scripted.faults.extend([Reply(200, body), Reply(200, several)])
    client = connect(scripted)
    for _ in range(2):
        answer = client.graphql(QUESTION, {})
        assert answer.data["u0"] == {"login": "ada"}
        assert answer.why("u1") == "NOT_FOUND"
        assert answer.why("u0") is None


def test_a_connection_lost_in_the_middle_is_tried_again(
    scripted: LocalGitHub, connect: Connect, clock: FakeClock
) -> None:
    cut = Reply(200, GOOD.body, cut=True)
    scripted.faults.extend([cut, Reply(200, '{"data": {"us'), Reply(503, "down"), GOOD])
    assert ask(connect(scripted)) == {"user": {"login": "ada"}}
    assert clock.waits == [1.0, 2.0, 4.0]


def test_nobody_there(connect: Connect, clock: FakeClock) -> None:
    server = LocalGitHub()
    server.close()
    with pytest.raises(GitHubUnreachable, match="in 6 tries: ConnectionError"):
        ask(connect(server))
    assert len(clock.waits) == 5


@pytest.mark.parametrize(
    "reply",
    [
        Reply(502, "<html>bad gateway</html>"),
        Reply(504, {"message": "timeout"}),
        Reply(200, {"data": None, "errors": [{"message": "Something went wrong while executing"}]}),
        Reply(
            200, {"errors": [{"type": "RESOURCE_LIMITS_EXCEEDED", "message": "Resource limits"}]}
        ),
    ],
)
def test_a_question_too_heavy_is_told_apart(
    reply: Reply, scripted: LocalGitHub, connect: Connect
) -> None:
    scripted.faults.append(reply)
    with pytest.raises(answers.TooHeavy):
        ask(connect(scripted))


def test_a_wrong_token_is_said_without_showing_it(scripted: LocalGitHub, connect: Connect) -> None:
    client = connect(scripted, token="wrong-token")
    for question in (ask, lambda client: client.get("/users/ada/orgs")):
        with pytest.raises(GitHubRefused, match="does not accept the token") as refused:
            question(client)
        assert "wrong-token" not in str(refused.value)
    assert client.requests == 2


@pytest.mark.parametrize(
    "reply",
    [
        Reply(403, {"message": "Resource not accessible by personal access token"}),
        Reply(
            200,
            {"errors": [{"type": "INSUFFICIENT_SCOPES", "message": "not accessible: read:org"}]},
        ),
    ],
)
def test_a_token_that_may_not(reply: Reply, scripted: LocalGitHub, connect: Connect) -> None:
    scripted.faults.append(reply)
    with pytest.raises(GitHubRefused, match="not accessible"):
        ask(connect(scripted))


def test_a_redirect_keeps_its_query(scripted: LocalGitHub, connect: Connect) -> None:
    scripted.world.repositories["old/engine"] = "acme/engine"
    page = connect(scripted).get("/repos/old/engine/commits", per_page=100, page=3)
    assert answers.within(page.body, "path") == "/repositories/1/commits"
    assert answers.within(page.body, "parameters") == {"page": "3", "per_page": "100"}


def test_a_redirect_to_another_host_names_the_setting(
    scripted: LocalGitHub, connect: Connect
) -> None:
    scripted.faults.append(Reply(301, {}, {"Location": "http://elsewhere.example/x"}))
    with pytest.raises(GitHubUnreachable, match="The setting is github_url"):
        connect(scripted).get("/users/ada/orgs")


def test_no_request_too_many(scripted: LocalGitHub, connect: Connect) -> None:
    scripted.faults.extend([Reply(503), GOOD])
    client = connect(scripted, max_requests=2)
    ask(client)
    with pytest.raises(answers.BudgetSpent):
        ask(client)
    assert (client.requests, len(scripted.asked)) == (2, 2)


def test_no_token_login_or_email_is_in_any_log(
    scripted: LocalGitHub, connect: Connect, caplog: pytest.LogCaptureFixture
) -> None:
    client = connect(scripted)
    caplog.set_level(logging.DEBUG)
    scripted.faults.extend([GOOD, Reply(200, {"login": "ada", "email": "ada@roe.example"})])
    ask(client)
    client.get("/users/ada")
    assert [secret for secret in (TOKEN, "ada", "roe.example") if secret in caplog.text] == []


def test_tokens_are_told_apart_by_what_does_not_give_them_away(
    scripted: LocalGitHub, connect: Connect
) -> None:
    mine, other = connect(scripted), connect(scripted, token="another-token")
    assert mine.fingerprint(b"salt") == connect(scripted).fingerprint(b"salt")
    assert len({mine.fingerprint(b"salt"), mine.fingerprint(b"s"), other.fingerprint(b"salt")}) == 3
