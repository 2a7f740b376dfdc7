"""Who reviews gets credit where reviews were fetched: less than who writes, and said as such."""

from pathlib import Path

import pytest

from index.details import Details
from index.pool import Pools
from index.search import Searcher
from ingest.sample import truth
from ingest.sample.themes import REPOS
from sourcer import snapshot
from sourcer.query import Filter, Query, parse
from sourcer.ranking import Score, Weights
from sourcer.store import open_readonly
from tests.small_history import Change, History
from tests.test_query import TODAY

CORE = ["engine/core/sched/scheduler.py"]
QUERY = Query("scheduler", semantic="scheduler")


def world(fetched: bool) -> History:
    """Ada writes four changes to the scheduler; Bo reviews these and writes one; Cy reviews all."""
    history = History().add(
        *(
            Change("Ada", f"2026-01-0{day}", f"Scheduler step {day} (#{day})", CORE, pull=day,
                   reviewed_by=["Bo", "Cy"])
            for day in range(1, 5)
        ),
        Change("Bo", "2026-01-05", "Scheduler budget (#5)", CORE, pull=5, reviewed_by=["Cy"]),
        Change("Di", "2026-01-06", "Scheduler queue (#6)", CORE, pull=6),
    )  # fmt: skip
    if fetched:
        history.db.execute("insert into reviews_fetched values (0, 6)")
    return history


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Searcher:
    return world(fetched=True).searcher(tmp_path_factory.mktemp("world"))


def names(searcher: Searcher, query: Query, weights: Weights | None = None) -> list[str]:
    return [entry.person.name for entry in searcher.search(query, weights=weights).entries]


def why(searcher: Searcher, query: Query, name: str) -> Score:
    entries = searcher.search(query).entries
    return next(entry.why for entry in entries if entry.person.name == name)


def test_a_reviewer_comes_after_the_author_and_before_who_only_passed_by(
    searcher: Searcher,
) -> None:
    assert names(searcher, QUERY) == ["Ada", "Bo", "Di", "Cy"]
    assert names(searcher, QUERY, Weights().without("reviewing")) == ["Ada", "Di", "Bo"]


def test_without_fetched_reviews_nobody_gets_credit_for_any(tmp_path: Path) -> None:
    found = world(fetched=False).searcher(tmp_path)
    assert names(found, QUERY) == ["Ada", "Di", "Bo"]


def test_the_score_tells_reviews_from_commits(searcher: Searcher) -> None:
    told = why(searcher, QUERY, "Bo")
    assert told.says.startswith("1 commit on Scheduling")
    assert "reviewed 4 of the 6 pull requests on Scheduling" in told.says
    (part,) = [part for part in told.parts if part.says.startswith("reviewing")]
    assert (part.value, len(part.commits)) == (4 / 6, 3)


def test_who_only_reviews_is_told_by_reviews(searcher: Searcher) -> None:
    told = why(searcher, QUERY, "Cy")
    assert told.says.startswith("reviewed 5 of the 6 pull requests on Scheduling")
    entry = searcher.search(QUERY).entries[-1]
    assert {cited.role.value for cited in entry.evidence} == {"reviewer"}


def test_who_asks_for_authors_gets_no_reviewers(searcher: Searcher) -> None:
    authors = Query("scheduler", filters=(Filter("activity", "=", "author"),), semantic="scheduler")
    assert names(searcher, authors) == ["Ada", "Di", "Bo"]


def test_who_asks_for_reviewers_gets_whoever_reviewed_most(searcher: Searcher) -> None:
    query = parse("reviews most of the scheduler PRs", today=TODAY)
    assert names(searcher, query) == ["Cy", "Bo"]
    assert "reviewed 5 of the 6 pull requests" in why(searcher, query, "Cy").says


def test_a_window_bounds_what_was_reviewed(searcher: Searcher) -> None:
    window = Filter("window", "between", ("2026-01-02", "2026-01-05"))
    told = why(searcher, Query("scheduler", filters=(window,), semantic="scheduler"), "Bo")
    assert "reviewed 3 of the 4 pull requests" in told.says


@pytest.mark.parametrize("least", [3, 15, 30])
def test_at_least_so_many_reviews_on_the_sample(sample_searcher: Searcher, least: int) -> None:
    query = parse(f"people with at least {least} reviews", today=TODAY)
    found = sample_searcher.search(query, limit=100)
    named = {REPOS[repo] for one in truth().people.values() for repo in one.reviewed}
    assert named == set(REPOS.values())
    right = {
        login
        for one in truth().people.values()
        for login in one.logins[:1]
        if sum(one.reviewed.values()) >= least
    }
    assert {login for entry in found.entries for login in entry.person.logins} >= right
    assert found.notes == ()


def test_the_quiet_owner_of_the_samples_scheduler(sample_searcher: Searcher) -> None:
    query = parse("who reviews most of the scheduler PRs in vllm", today=TODAY)
    first = sample_searcher.search(query).entries[0]
    assert first.person.name == truth().people["perpetua-langrove"].name
    assert first.why.says.startswith("reviewed ")
    assert "pull requests" in first.why.says


def test_reviews_are_no_commits_for_who_must_have_merged_some(sample_searcher: Searcher) -> None:
    seed = truth().seed
    query = parse(seed.question, today=TODAY)
    names_found = {entry.person.name for entry in sample_searcher.search(query, limit=100).entries}
    assert truth().people["sabine-orlowood"].reviewed["vllm"] > 20
    assert truth().people["sabine-orlowood"].name not in names_found
    assert Pools(sample_searcher).of(query).steps[0].matched > 0


def test_reviews_are_a_role_of_their_own_in_the_snapshot(sample_data: Path) -> None:
    db = open_readonly(snapshot.current(sample_data).database)
    assert Details.read(db).reviews_fetched == frozenset({0, 1})
    ((reviewed,),) = db.execute(
        """
        select count(distinct commit_id) from roles join person_signatures using (signature_id)
        join people on people.id = person_id where role = 'reviewer' and name = ?
        """,
        [truth().people["perpetua-langrove"].name],
    ).fetchall()
    db.close()
    assert reviewed == truth().people["perpetua-langrove"].reviewed["vllm"]
