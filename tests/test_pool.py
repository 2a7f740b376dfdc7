"""Pools counted by hand, and those of the sample against what is true of it."""

from datetime import date

import numpy as np
import pytest

from index.pool import Pools
from index.search import Searcher
from ingest.sample import truth
from sourcer.errors import BadInput
from sourcer.pool import Pool, overlap
from sourcer.pool.funnel import Mask, Standing, Word, funnel
from sourcer.pool.slices import DIMENSIONS, Member, side_by_side, sliced
from sourcer.query import Filter, Mode, Query, Topic, parse

TODAY = date(2026, 6, 15)


def mask(*ordinals: int) -> Mask:
    found = np.zeros(6, np.bool_)
    found[list(ordinals)] = True
    return found


def word(says: str, yes: Mask, unknown: Mask, by_artifacts: Mask | None = None) -> Word:
    return Word(says, "", "", yes, unknown, by_artifacts)


def test_the_worst_word_decides() -> None:
    steps, standings = funnel(
        mask(0, 1, 2, 3, 4),
        [
            word("US", mask(0, 1, 2), mask(3)),
            word("senior", mask(0), mask(1, 2, 3, 4), by_artifacts=mask(1, 3)),
        ],
    )
    assert [(s.matched, s.by_artifacts, s.unknown, s.dropped) for s in steps] == [
        (5, 0, 0, 0),
        (3, 0, 1, 1),
        (1, 1, 2, 0),
    ]
    assert [Standing(each).name for each in standings] == [
        *("MATCHED", "BY_ARTIFACTS", "UNKNOWN", "UNKNOWN", "DROPPED", "DROPPED")
    ]


def test_nobody_comes_back() -> None:
    steps, _ = funnel(mask(0, 1), [word("a", mask(), mask()), word("b", mask(0, 1), mask())])
    assert [step.left for step in steps] == [2, 0, 0]


def test_slices_count_the_rest_and_the_unknown() -> None:
    pool = [
        Member("a", employers=("Meta", "NVIDIA")),
        Member("b", employers=("NVIDIA",), standing=Standing.UNKNOWN),
        Member("c", employers=("AMD",)),
        Member("d"),
    ]
    one = sliced(pool, "employer", top=1)
    assert [(row.value, row.people, row.matched) for row in one.rows] == [("NVIDIA", 2, 1)]
    assert (one.others, one.unknown) == (1, 1)


def test_quarters_stand_in_order() -> None:
    pool = [Member("a", joined="2026-Q1"), Member("b", joined="2024-Q3"), Member("c")]
    assert [row.value for row in sliced(pool, "quarter").rows] == ["2024-Q3", "2026-Q1"]


def test_unknown_dimension_is_refused() -> None:
    with pytest.raises(BadInput, match=r"sliced by one of lane, employer, .*, not by 'age'"):
        sliced([], "age")


def test_pools_side_by_side_and_their_overlap() -> None:
    first, second = [Member("a", country="PL"), Member("b")], [Member("b", country="US")]
    both = side_by_side({"one": first, "two": second}, "country")
    assert both.rows == (("PL", (1, 0)), ("US", (0, 1)))
    assert both.unknown == (1, 0)
    assert overlap(first, second).json() == {
        "only_first": 1,
        "both": 1,
        "only_second": 0,
        "jaccard": 0.5,
    }


@pytest.fixture(scope="module")
def pools(sample_searcher: Searcher) -> Pools:
    return Pools(sample_searcher)


@pytest.fixture(scope="module")
def seed(pools: Pools) -> Pool:
    return pools.of(parse(truth().seed.question, today=TODAY))


def test_steps_follow_the_words(seed: Pool) -> None:
    assert [step.says for step in seed.steps] == [
        "all contributors",
        "US",
        "vLLM or SGLang",
        "Mixture of experts (MoE) or Expert parallelism (EP) or PD disaggregation",
        "senior or above",
        "open to talking",
    ]
    assert all(step.how for step in seed.steps)


def test_each_step_keeps_or_drops_everyone(seed: Pool) -> None:
    for before, after in zip(seed.steps, seed.steps[1:], strict=False):
        assert after.left + after.dropped == before.left
    assert seed.steps[-1].left == len(seed.members)


def test_the_seed_pool_is_what_the_sample_was_made_for(seed: Pool, pools: Pools) -> None:
    names = named(pools)
    known = truth().seed
    members = {names[member.id]: member for member in seed.members if member.id in names}
    matched = {slug for slug, member in members.items() if member.standing is Standing.MATCHED}
    assert matched == known.matches
    assert known.unknown.keys() <= members.keys()


def test_members_agree_with_the_last_step(seed: Pool) -> None:
    standings = [member.standing for member in seed.members]
    last = seed.steps[-1]
    assert standings.count(Standing.MATCHED) == last.matched
    assert standings.count(Standing.BY_ARTIFACTS) == last.by_artifacts
    assert standings.count(Standing.UNKNOWN) == last.unknown
    assert all(member.unknown for member in seed.members if member.standing is Standing.UNKNOWN)


@pytest.mark.parametrize(
    "question",
    [
        truth().seed.question,
        "who worked on MoE",
        "KV cache in sglang in the last 12 months, not at NVIDIA",
        "CUDA kernels or speculative decoding, senior",
    ],
)
def test_a_search_finds_the_people_whom_the_pool_counts(
    pools: Pools, sample_searcher: Searcher, question: str
) -> None:
    query = parse(question, today=TODAY)
    found = sample_searcher.search(query, limit=500).entries
    assert {one.person.id for one in found} == {one.id for one in pools.of(query).members}


def test_every_slice_counts_everyone(seed: Pool) -> None:
    for by in DIMENSIONS:
        one = seed.sliced(by, top=None)
        known = sum(bool(DIMENSIONS[by].values(member)) for member in seed.members)
        assert known + one.unknown == len(seed.members), by
        assert sum(row.people for row in one.rows) >= known, by


def test_a_topic_holds_its_narrower_ones(pools: Pools) -> None:
    wide = pools.of(Query("moe", topics=(Topic("moe"),)))
    narrow = pools.of(Query("deepep", topics=(Topic("deepep"),)))
    assert overlap(wide.members, narrow.members).only_second == ()
    assert 0 < narrow.steps[-1].left < wide.steps[-1].left


def test_conditions_on_commits_hold_of_one_commit(pools: Pools) -> None:
    """Who did MoE in one repository and docs in the other did no MoE in the other."""
    in_one = pools.of(
        Query("", topics=(Topic("moe"),), filters=(Filter("repo", "=", "sglang"),))
    ).members
    columns, details = pools.facts._columns, pools.facts._details
    family = {details.topic_ordinals[id_] for id_ in pools._searcher.taxonomy.family("moe")}
    sglang = next(iter(details.repos_named("sglang")))
    by_hand = set()
    for person, id_ in enumerate(details.people["id"].to_pylist()):
        for commit in pools.facts.commits(person):
            if columns.repo[commit] == sglang and family & set(columns.topics[commit].tolist()):
                by_hand.add(id_)
    assert {member.id for member in in_one} == by_hand


def test_unwanted_words_and_wishes(pools: Pools) -> None:
    everyone = len(pools.of(Query("")).members)
    in_us = Filter("country", "=", "US")
    wanted = pools.of(Query("", filters=(in_us,))).steps[-1]
    unwanted = pools.of(Query("", filters=(Filter("country", "=", "US", negated=True),))).steps[-1]
    assert unwanted.says == "not country = US"
    assert wanted.matched + unwanted.matched + wanted.unknown == everyone
    wish = pools.of(Query("", filters=(Filter("country", "=", "US", mode=Mode.SHOULD),)))
    assert len(wish.members) == everyone
    assert wish.notes == ("'country = US' is a wish: it ranks, and drops nobody",)


def test_what_cannot_be_counted_is_said(pools: Pools) -> None:
    pool = pools.of(parse("who wrote the bread machine in vllm", today=TODAY))
    assert any("searched by meaning" in note for note in pool.notes)


def test_the_report_puts_titles_beside_artifacts(pools: Pools) -> None:
    query = parse("MoE kernels in the US", today=TODAY)
    report = pools.report(query, '"software engineer" OR "ML engineer"')
    count = {figure.says: figure.number for figure in report.figures}
    of = {figure.says: figure.of for figure in report.figures}
    assert count["title match"] > 0
    assert count["title-only search"] == count["skill listed"] + count["title match"]
    assert count["artifact search"] == count["found by both"] + count["found by artifacts alone"]
    assert count["title-only search"] == count["found by both"] + count["found by titles alone"]
    assert count["kernel-capable"] <= count["commits in kernel paths"]
    assert of["skill listed"] == count["with any declared field"]
    assert count["in the pool"] < (of["in the pool, of the same pool anywhere"] or 0)
    assert all(figure.how for figure in report.figures)


def test_the_usual_title_search_comes_from_the_question(pools: Pools) -> None:
    report = pools.report(parse("KDA in sglang", today=TODAY))
    assert report.titles.startswith("vllm OR sglang OR kda")
    assert report.titles.endswith('"inference engineer"')


def named(pools: Pools) -> dict[str, str]:
    """Person ids to the sample's slugs, by names that only one of its people bears."""
    people = pools.facts._details.people.to_pylist()
    by_name: dict[str, set[str]] = {}
    for slug, person in truth().people.items():
        for name in {signature.name for signature in person.signatures} | {person.name}:
            by_name.setdefault(name, set()).add(slug)
    return {
        row["id"]: next(iter(by_name[row["name"]]))
        for row in people
        if len(by_name.get(row["name"], ())) == 1
    }
