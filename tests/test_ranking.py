"""The arithmetic of ranking, on arrays small enough to check by hand."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.columns import Rows
from sourcer import ranking
from sourcer.errors import BadInput
from sourcer.ranking import SIGNALS, Credit, Floats, Score, Weights

PLAIN = replace(Weights(), output=0.0, tenure=0.0, partners=0.0)


def floats(*values: float) -> Floats:
    return np.array(values, np.float32)


def rows(*lists: list[int]) -> Rows:
    owners = np.repeat(np.arange(len(lists)), [len(items) for items in lists])
    return Rows.of(owners, np.array([item for items in lists for item in items], int), len(lists))


def credit(
    *people: list[int],
    total: list[int],
    days: list[int] | None = None,
    partners: list[int] | None = None,
) -> Credit:
    lists = rows(*people)
    when = np.array(days or [0] * len(people), np.int32)
    others = np.array(partners or [0] * len(total), np.int32)
    worth = np.ones(len(lists.items), np.float32)
    return Credit(lists, worth, when, np.array(total, np.int32), others)


def test_fit_scales_words_and_topics_together() -> None:
    fit = ranking.fit(floats(2, 0, 0), floats(0, 3, 0), floats(0, 0, 0), Weights(topics=1.0))
    assert fit.tolist() == pytest.approx([2 / 3, 1, 0])


def test_meaning_counts_only_where_something_was_found_by_meaning() -> None:
    assert ranking.fit(floats(4), floats(0), floats(0), Weights(meaning=0.5)).tolist() == [1.0]


def test_stretched_gives_nothing_to_what_was_not_found() -> None:
    assert ranking.stretched(3, np.array([], int), floats()).tolist() == [0, 0, 0]


def test_each_person_of_a_commit_gets_all_of_it() -> None:
    found = ranking.votes(floats(0.5, 1.0), credit([0, 1], [1], total=[1, 2]), PLAIN)
    assert found.totals.tolist() == [0.5, 1.5]
    assert found.best().tolist() == [1, 0]
    assert [part.tolist() for part in found.of(1)] == [[1, 0], [1.0, 0.5]]


def test_a_role_without_worth_is_no_evidence() -> None:
    some = credit([0, 1], total=[1, 1])
    reviewer_only = replace(some, worth=floats(1, 0))
    found = ranking.votes(floats(1.0), reviewer_only, PLAIN)
    assert found.best().tolist() == [0]
    assert found.of(1)[0].tolist() == []


def test_output_divides_what_prolific_people_get() -> None:
    people = credit([0], [1], total=[1000, 10])
    found = ranking.votes(floats(1.0, 0.9), people, replace(PLAIN, output=0.5))
    assert found.best().tolist() == [1, 0]


def test_whoever_wrote_with_many_others_comes_before_whoever_wrote_alone() -> None:
    people = credit([0], [1], total=[1, 1], partners=[0, 40])
    assert ranking.votes(floats(1.0, 0.9), people, PLAIN).best().tolist() == [0, 1]
    lifted = ranking.votes(floats(1.0, 0.9), people, replace(PLAIN, partners=0.12))
    assert lifted.best().tolist() == [1, 0]


def test_tenure_lifts_who_came_back_month_after_month() -> None:
    at_once = credit([0], [0], [1], [1], total=[2, 2], days=[0, 1, 0, 400])
    found = ranking.votes(floats(1, 1, 1, 1), at_once, replace(PLAIN, tenure=1.0))
    assert found.totals.tolist() == [4.0, 6.0]


def test_only_the_best_commits_vote() -> None:
    found = ranking.votes(floats(0.2, 0.9, 0.5), credit([0], [1], [2], total=[1, 1, 1]), PLAIN, 2)
    assert found.best().tolist() == [1, 2]


def test_equal_scores_are_in_the_order_of_people() -> None:
    found = ranking.votes(floats(1, 1, 1), credit([2], [0], [1], total=[1, 1, 1]), PLAIN)
    assert found.best().tolist() == [0, 1, 2]


def test_of_commits_worth_the_same_the_first_vote() -> None:
    people = credit([0], [1], [2], [3], [4], total=[1, 1, 1, 1, 1])
    found = ranking.votes(floats(0.5, 0.0, 0.5, 0.9, 0.5), people, PLAIN, voters=3)
    assert found.commits.tolist() == [0, 2, 3]


def test_path_feedback_finds_the_place_that_the_best_commits_share() -> None:
    nodes = rows([0, 1], [0, 1], [0, 2], [0, 2])
    seeds = floats(1, 0, 0.1, 0)
    places = ranking.path_feedback(seeds, nodes, nodes.transposed(3), floats(1, 1, 1, 1), scope=4)
    assert places.nodes.tolist() == [1], "0 holds every commit and tells nothing"
    assert places.fits.tolist() == [1, 1, 0, 0], "the second commit is credited, however worded"


def test_a_sweep_belongs_less_to_a_place() -> None:
    nodes = rows([1], [1], [2], [2])
    width = ranking.width(np.array([1, 500, 1, 1], np.int32))
    places = ranking.path_feedback(floats(1, 0, 0, 0), nodes, nodes.transposed(3), width, 4)
    assert 0 < places.fits[1] < places.fits[0]


def test_path_feedback_of_nothing_is_nothing() -> None:
    nodes = rows([0])
    places = ranking.path_feedback(floats(0), nodes, nodes.transposed(1), floats(1), 1)
    assert (len(places.nodes), places.fits.tolist()) == (0, [0.0])


def test_every_signal_can_be_switched_off() -> None:
    for signal in SIGNALS:
        off = getattr(Weights().without(signal), signal)
        assert off == (np.inf if signal == "half_life" else 0.0)
    with pytest.raises(BadInput, match="no signal 'luck': use one of topics, "):
        Weights().without("luck")


def test_age_counts_for_nothing_when_switched_off() -> None:
    days = np.array([0, 9000], np.int32)
    assert ranking.faded(days, 9000, np.inf).tolist() == [1.0, 1.0]


def test_much_said_wants_close_commits_and_loses_nobody() -> None:
    fits = floats(1.0, 0.8, 0.1)
    broad, narrow = (ranking.focused(fits, terms, Weights()) for terms in (1, 9))
    assert broad.tolist() == fits.tolist()
    assert narrow[1] / narrow[0] < 0.78
    assert 0 < narrow[2] < 0.01


def test_a_score_shows_its_parts() -> None:
    tree = Score(0.75, "fits", (Score(0.5, "MoE: 38 commits", commits=("a@1",)),))
    parts = [{"value": 0.5, "says": "MoE: 38 commits", "parts": [], "commits": ["a@1"]}]
    assert tree.json() == {"value": 0.75, "says": "fits", "parts": parts, "commits": []}


@given(st.lists(st.floats(0, 100, width=32), min_size=1, max_size=50))
def test_fit_is_never_outside_0_and_1(values: list[float]) -> None:
    words = np.array(values, np.float32)
    fit = ranking.fit(words, words[::-1].copy(), np.zeros_like(words), Weights())
    assert np.isfinite(fit).all()
    assert ((fit >= 0) & (fit <= 1)).all()


@given(st.lists(st.floats(0, 1, width=32), min_size=1, max_size=30), st.integers(0, 29))
def test_more_worth_never_lowers_a_person(values: list[float], place: int) -> None:
    place %= len(values)
    everyone = credit(*([n % 3] for n in range(len(values))), total=[5, 5, 5])
    worth = np.array(values, np.float32)
    more = worth.copy()
    more[place] += 1
    before, after = (ranking.votes(each, everyone, PLAIN).totals for each in (worth, more))
    assert after[place % 3] > before[place % 3]
