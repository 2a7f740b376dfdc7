"""What artifacts show of seniority, and what they never show."""

from datetime import date

import pytest

from index.pool import Pools
from index.search import Searcher
from sourcer.query import Filter
from sourcer.shortlist import Holding
from sourcer.track_record import LABEL, TrackRecord, meets, senior

OWNER = Holding("acme/engine", "code owner", "/kv/", None)
BUILDER = TrackRecord(quarters=8, substantial=60, areas=("MoE", "Kernels", "KV cache", "CI"))


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (
            TrackRecord(quarters=4, substantial=20, holdings=(OWNER, OWNER)),
            "code owner of /kv/ in acme/engine and 1 more,"
            " with 20 substantial commits in 4 quarters",
        ),
        (
            TrackRecord(substantial=10, reviews=40, review_quarters=4),
            "reviewed 40 commits in 4 quarters",
        ),
        (BUILDER, "60 substantial commits in 8 quarters, across MoE, Kernels, KV cache"),
    ],
)
def test_each_way_is_enough_and_says_why(record: TrackRecord, reason: str) -> None:
    shown = senior(record)
    assert shown is not None
    assert shown.json() == {"label": LABEL, "reasons": [reason]}


@pytest.mark.parametrize(
    "record",
    [
        TrackRecord(),
        TrackRecord(quarters=3, substantial=20, holdings=(OWNER,)),
        TrackRecord(quarters=4, substantial=19, holdings=(OWNER,)),
        TrackRecord(substantial=10, reviews=400, review_quarters=3),
        TrackRecord(quarters=8, substantial=600, areas=("MoE", "Kernels")),
        TrackRecord(quarters=7, substantial=600, areas=("MoE", "Kernels", "CI")),
    ],
)
def test_less_than_that_says_nothing(record: TrackRecord) -> None:
    assert senior(record) is None


@pytest.mark.parametrize(
    ("op", "level", "is_met"),
    [
        (">=", "senior", True),
        (">=", "mid", True),
        (">", "mid", True),
        (">", "senior", False),
        (">=", "staff", False),
        (">=", "manager", False),
        ("=", "senior", False),
        ("<=", "senior", False),
    ],
)
def test_only_senior_or_above_is_met(op: str, level: str, is_met: bool) -> None:
    assert (meets(Filter("seniority", op, level), BUILDER) is not None) is is_met


def test_a_negated_condition_is_never_met_by_artifacts() -> None:
    assert meets(Filter("seniority", ">=", "senior", negated=True), BUILDER) is None


def test_records_of_the_sample_add_up(sample_searcher: Searcher) -> None:
    facts = Pools(sample_searcher).facts
    columns = sample_searcher.index.columns
    for person, commits in enumerate(columns.person_commits.tolist()):
        record = facts.record(person)
        assert record.substantial <= len(facts.commits(person)) == commits
        assert record.first is None or date(2023, 1, 1) < record.first <= (record.last or date.min)
        assert len(set(record.areas)) == len(record.areas)
