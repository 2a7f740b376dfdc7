"""Whole refreshes against the local GitHub, every question checked by the published schema."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from ingest.batches import State, sweep, write_batch, write_state
from ingest.profiles import records
from ingest.profiles.from_github import commit_accounts, queries, reviews
from ingest.profiles.from_github.accounts import Account
from ingest.profiles.from_github.client import Client
from ingest.profiles.from_github.refresh import Plan, Report, refresh
from sourcer.commits import Commit, Depth, Signature
from sourcer.errors import GitHubRefused, GitHubUnreachable
from tests.github.server import FakeClock, LocalGitHub, Reply
from tests.github.world import NOW, Pull, Review, User, World, sha

pytestmark = pytest.mark.published
Connect = Callable[..., Client]
ADA = User(
    *(7, "ada", "Ada Roe", "@acme", "London", "Kernels"),
    *("https://ada.example", True, 42, ("acme", "moe-club")),
)
BO = User(8, "bo", "Bo Lind", location="Oslo")
TOO_HEAVY = Reply(502, "<html></html>")


def world(commits: int = 3) -> World:
    """Ada wrote every commit, Bo helped with the newest, and nobody knows a third author."""
    newest = (sha(commits), [("Ada Roe", "ada"), ("Bo Lind", "bo"), ("Someone", None)])
    older = [(sha(at), [("Ada Roe", "ada")]) for at in range(commits - 1, 0, -1)]
    return World(users=[replace(ADA), replace(BO)], commits=[newest, *older])


def crawled(folder: Path, world: World, newest: int = 0, batch: int = 1) -> Path:
    """Writes the crawl of the world's history as of its commit number `newest`."""
    folder.mkdir(parents=True, exist_ok=True)
    at = datetime(2026, 5, 1, tzinfo=UTC)
    who = Signature("Ada Roe", "ada@roe.example")
    pulls = {pull.sha: number for number, pull in world.pulls.items()}
    commits = [
        Commit(name, (), who, who, at, at, "Work", pull=pulls.get(name))
        for name, _ in world.commits[newest:]
    ]
    tally = write_batch(folder, batch, commits)
    write_state(folder, State(Depth.PATHS, head=world.commits[newest][0], batches=(tally,)))
    return folder


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    return Plan({"acme/engine": tmp_path / "crawl" / "acme+engine"}, tmp_path / "profiles")


def folder_of(plan: Plan) -> Path:
    return next(iter(plan.repositories.values()))


def run(server: LocalGitHub, plan: Plan, connect: Connect, **options: int) -> Report:
    return refresh(connect(server, **options), plan, lambda *_: None)


def held(plan: Plan) -> dict[str, records.Record]:
    return {record.key: record for record in records.load(plan.into)}


def test_everything_is_fetched(github: LocalGitHub, plan: Plan, connect: Connect) -> None:
    github.world = world()
    github.world.pulls = {
        5: Pull("ada", sha(3), [Review("bo"), Review("ada", "COMMENTED"), Review("merge-bot")]),
        4: Pull("ada", sha(2), [Review("bo", "CHANGES_REQUESTED"), Review("bo", "PENDING", None)]),
        3: Pull("ada", sha(1), [Review(None)]),
    }
    crawled(folder_of(plan), github.world)
    report = run(github, plan, connect)
    assert report.finished
    assert (report.requests, report.commits, report.pulls, report.reviews) == (5, 3, 3, 2)
    assert commit_accounts.load(folder_of(plan)).to_pylist()[:3] == [
        {"sha": sha(3), "role": "author", "name": "Ada Roe", "login": "ada", "github_id": 7},
        {"sha": sha(3), "role": "co-author", "name": "Bo Lind", "login": "bo", "github_id": 8},
        {"sha": sha(3), "role": "co-author", "name": "Someone", "login": None, "github_id": None},
    ]
    at = datetime(2026, 5, 2, 10)
    bo = {"login": "bo", "github_id": 8, "submitted_at": at}
    assert sorted(reviews.load(folder_of(plan)).to_pylist(), key=lambda row: row["pull"]) == [
        {"pull": 4, "sha": sha(2), "state": "CHANGES_REQUESTED", **bo},
        {"pull": 5, "sha": sha(3), "state": "APPROVED", **bo},
    ]
    assert dict(held(plan)["7"].fields) == {
        "name": "Ada Roe",
        "company": "@acme",
        "location": "London",
        "bio": "Kernels",
        "blog": "https://ada.example",
        "hireable": "true",
        "created": "2015-05-17T09:00:00Z",
        "followers": "42",
    }
    assert held(plan)["7/organizations"].fields == {"organizations": "@acme @moe-club"}
    assert held(plan)["7"].fetched_at == datetime.fromtimestamp(NOW, UTC)
    assert "hireable" not in held(plan)["8"].fields


def test_nothing_new_asks_nothing(github: LocalGitHub, plan: Plan, connect: Connect) -> None:
    github.world = world()
    crawled(folder_of(plan), github.world)
    run(github, plan, connect)
    again = run(github, plan, connect)
    assert (again.requests, again.finished) == (0, True)


def test_a_long_history_takes_a_request_per_hundred_commits(
    github: LocalGitHub, plan: Plan, connect: Connect
) -> None:
    github.world = world(commits=250)
    crawled(folder_of(plan), github.world)
    report = run(github, plan, connect)
    assert (report.commits, report.requests) == (250, 3 + 1 + 2)


@pytest.mark.parametrize("budget", [1, 2, 3, 4, 5, 6])
def test_a_budget_stops_it_and_the_next_run_goes_on(
    budget: int, github: LocalGitHub, plan: Plan, connect: Connect
) -> None:
    github.world = world(commits=250)
    github.world.pulls = {9: Pull("ada", sha(250), [Review("bo")])}
    crawled(folder_of(plan), github.world)
    first = run(github, plan, connect, max_requests=budget)
    assert (first.requests, first.finished) == (budget, False)
    second = run(github, plan, connect)
    assert (second.requests, second.finished) == (7 - budget, True)
    assert len(commit_accounts.load(folder_of(plan))) == 252
    assert not (folder_of(plan) / commit_accounts.POSITION).exists()


def test_a_run_resumed_after_a_push_loses_nothing(
    github: LocalGitHub, plan: Plan, connect: Connect
) -> None:
    github.world = world(commits=250)
    crawled(folder_of(plan), github.world, newest=20)
    run(github, plan, connect, max_requests=1)
    crawled(folder_of(plan), github.world)
    run(github, plan, connect)
    read = commit_accounts.load(folder_of(plan))["sha"].to_pylist()
    assert sorted(set(read)) == sorted(sha(at) for at in range(1, 251))
    assert len(read) == 252


def test_a_crawl_keeps_what_github_said(github: LocalGitHub, plan: Plan, connect: Connect) -> None:
    github.world = world()
    folder = crawled(folder_of(plan), github.world)
    run(github, plan, connect)
    (folder / "commits-000009.parquet").touch()
    sweep(folder, State(Depth.PATHS))
    assert [file.name for file in sorted(folder.glob("*.parquet"))] == ["accounts.parquet"]


def test_commits_that_github_does_not_have_are_asked_for_once(
    github: LocalGitHub, plan: Plan, connect: Connect
) -> None:
    mine = world(commits=5)
    crawled(folder_of(plan), mine)
    github.world = replace(mine, commits=mine.commits[2:])
    assert run(github, plan, connect).commits == 3
    unknown = [
        row for row in commit_accounts.load(folder_of(plan)).to_pylist() if row["login"] is None
    ]
    assert {row["sha"] for row in unknown} == {sha(4), sha(5)}
    assert run(github, plan, connect).requests == 0


def test_long_lists_are_read_to_their_end(
    github: LocalGitHub, plan: Plan, connect: Connect
) -> None:
    crowd = [("Ada Roe", "ada"), *((f"Helper {at}", None) for at in range(250))]
    github.world = World([replace(ADA), replace(BO)], [(sha(1), crowd)])
    said = [
        Review("bo", "COMMENTED", f"2026-05-02T10:{at // 60:02}:{at % 60:02}Z") for at in range(170)
    ]
    github.world.pulls = {2: Pull("ada", sha(1), said)}
    github.world.users[0].organizations = tuple(f"org-{at}" for at in range(201))
    crawled(folder_of(plan), github.world)
    report = run(github, plan, connect)
    assert len(commit_accounts.load(folder_of(plan))) == 251
    assert report.reviews == len(reviews.load(folder_of(plan))) == 170
    organizations = held(plan)["7/organizations"].fields["organizations"].split()
    assert organizations == [f"@org-{at}" for at in range(201)]


def test_one_missing_login_loses_nobody_else(
    github: LocalGitHub, plan: Plan, connect: Connect
) -> None:
    people = [User(100 + at, f"dev-{at}") for at in range(99)]
    github.world = World(people, [(sha(1), [("Nobody", None)])])
    crawled(folder_of(plan), github.world)
    known = (*(Account(each.login) for each in people), Account("never-was"))
    report = run(github, replace(plan, known=known), connect)
    assert (report.accounts.profiles, report.accounts.gone) == (99, 1)
    assert len([key for key in held(plan) if "/" not in key]) == 99


def test_a_renamed_account_keeps_its_number(
    github: LocalGitHub, plan: Plan, connect: Connect
) -> None:
    github.world = world()
    github.world.users[0].login = "ada-roe"
    crawled(folder_of(plan), github.world)
    report = run(github, replace(plan, known=(Account("ada", 7),)), connect)
    assert report.accounts.renamed == 1
    assert (held(plan)["7"].login, held(plan)["7"].fields["location"]) == ("ada-roe", "London")


def test_a_login_that_somebody_else_took_is_not_believed(
    github: LocalGitHub, plan: Plan, connect: Connect
) -> None:
    github.world = world()
    github.world.users[0].login = "ada-roe"
    github.world.users.append(User(99, "ada", "Another Ada", location="Lima"))
    github.world.commits = [(sha(1), [("Nobody", None)])]
    crawled(folder_of(plan), github.world)
    report = run(github, replace(plan, known=(Account("ada", 7),)), connect)
    assert (report.accounts.reclaimed, report.accounts.renamed) == (1, 1)
    assert [(key, record.login) for key, record in held(plan).items() if "/" not in key] == [
        ("7", "ada-roe")
    ]


def test_what_a_deleted_or_suspended_account_declared_is_dropped(
    github: LocalGitHub, plan: Plan, connect: Connect
) -> None:
    github.world = world()
    crawled(folder_of(plan), github.world)
    run(github, plan, connect)
    del github.world.users[0]
    report = run(github, replace(plan, older_than=timedelta(0)), connect)
    assert report.accounts.gone == 1
    assert [key for key in held(plan) if key.startswith("7")] == []
    assert run(github, plan, connect).requests == 0


def test_only_old_profiles_are_asked_for_again(
    github: LocalGitHub, plan: Plan, connect: Connect, clock: FakeClock
) -> None:
    github.world = world()
    crawled(folder_of(plan), github.world)
    run(github, plan, connect)
    github.world.users[0].location = "Paris"
    clock.at += 29 * 86400
    assert run(github, plan, connect).requests == 0
    clock.at += 86400
    report = run(github, plan, connect)
    assert (report.accounts.profiles, report.organizations) == (2, 2)
    assert held(plan)["7"].fields["location"] == "Paris"


def test_etags_are_sent_by_the_token_that_got_them_only(
    github: LocalGitHub, plan: Plan, connect: Connect, clock: FakeClock
) -> None:
    github.world = world()
    crawled(folder_of(plan), github.world)
    run(github, plan, connect)
    always = replace(plan, older_than=timedelta(0))
    clock.at += 86400
    run(github, always, connect)
    sent = [each.headers.get("if-none-match") for each in github.asked[-2:]]
    assert all(sent)
    kept = held(plan)["7/organizations"]
    assert kept.fields == {"organizations": "@acme @moe-club"}
    assert kept.fetched_at == datetime.fromtimestamp(NOW + 86400, UTC)
    github.token = "another-token"
    refresh(connect(github, token="another-token"), always, lambda *_: None)
    assert [each.headers.get("if-none-match") for each in github.asked[-2:]] == [None, None]
    assert "token" not in (plan.into / "github-api.json").read_text().replace('"token":', "")


def test_a_renamed_repository_is_followed(
    github: LocalGitHub, plan: Plan, connect: Connect
) -> None:
    github.world = world()
    github.world.repositories = {"old/engine": "acme/engine", "acme/engine": "acme/engine"}
    plan = replace(plan, repositories={"old/engine": folder_of(plan)})
    crawled(folder_of(plan), github.world)
    report = run(github, plan, connect)
    assert (report.commits, report.renamed) == (3, {"old/engine": "acme/engine"})
    assert "old/engine is acme/engine by now." in report.sentence()


def test_a_repository_that_is_not_there_stops_no_other(
    github: LocalGitHub, plan: Plan, connect: Connect, tmp_path: Path
) -> None:
    github.world = world()
    crawled(folder_of(plan), github.world)
    gone = crawled(tmp_path / "gone", github.world)
    plan = replace(plan, repositories={"acme/gone": gone, **plan.repositories})
    report = run(github, plan, connect)
    assert list(report.failures) == ["acme/gone"]
    assert (report.commits, report.accounts.profiles) == (3, 2)


def test_a_page_too_heavy_is_asked_for_in_halves(
    github: LocalGitHub, plan: Plan, connect: Connect
) -> None:
    github.world = world(commits=60)
    crawled(folder_of(plan), github.world)
    github.faults.extend([TOO_HEAVY, None, None, TOO_HEAVY])
    report = run(github, plan, connect)
    assert (report.commits, report.accounts.profiles) == (60, 2)
    sizes = [each.body["variables"].get("first") for each in github.asked if each.method == "POST"]
    assert sizes == [100, 50, 50, None, None, None]


def test_a_network_lost_mid_page_loses_nothing(
    github: LocalGitHub, plan: Plan, connect: Connect, clock: FakeClock
) -> None:
    github.world = world(commits=250)
    crawled(folder_of(plan), github.world)
    github.faults.extend([None, Reply(200, {"data": {"repository": {}}}, cut=True), None])
    github.faults.extend([Reply(503)] * 6)
    with pytest.raises(GitHubUnreachable, match="What was fetched is kept"):
        run(github, plan, connect)
    assert len(set(commit_accounts.load(folder_of(plan))["sha"].to_pylist())) == 200
    report = run(github, plan, connect)
    assert (report.commits, report.finished) == (50, True)


def test_a_token_revoked_midway_keeps_what_was_fetched(
    github: LocalGitHub, plan: Plan, connect: Connect
) -> None:
    github.world = world(commits=250)
    crawled(folder_of(plan), github.world)
    github.faults.extend([None, Reply(401, {"message": "Bad credentials"})])
    with pytest.raises(GitHubRefused):
        run(github, plan, connect)
    assert len(set(commit_accounts.load(folder_of(plan))["sha"].to_pylist())) == 100


def test_a_read_only_token_will_do(github: LocalGitHub, plan: Plan, connect: Connect) -> None:
    github.world = world()
    crawled(folder_of(plan), github.world)
    run(github, plan, connect)
    for asked in github.asked:
        assert asked.method == "GET" or asked.body["query"].lstrip().startswith("query")


def test_no_email_is_asked_for_or_kept(github: LocalGitHub, plan: Plan, connect: Connect) -> None:
    github.world = world()
    github.world.users[0].login = "ada-roe"
    crawled(folder_of(plan), github.world)
    run(github, replace(plan, known=(Account("ada", 7),)), connect)
    texts = [queries.HISTORY, queries.MORE_AUTHORS, queries.MORE_REVIEWS]
    texts += [queries.profiles(["a"])[0], queries.pulls("a/b", [1])[0]]
    assert not any(re.search("email", text, re.IGNORECASE) for text in texts)
    kept = [file.read_bytes() for file in plan.into.parent.rglob("*") if file.is_file()]
    assert not any(b"never.example" in each for each in kept)


def test_github_enterprise_server(
    schema: object, description: object, plan: Plan, connect: Connect
) -> None:
    server = LocalGitHub(world(), schema, description, prefix="/api/v3")
    try:
        crawled(folder_of(plan), server.world)
        assert run(server, plan, connect).finished
        paths = {asked.path for asked in server.asked}
        assert paths == {"/api/graphql", "/api/v3/users/ada/orgs", "/api/v3/users/bo/orgs"}
    finally:
        server.close()
