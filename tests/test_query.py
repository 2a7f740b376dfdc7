"""Every development and own question: exactly the filters that its words carry."""

import json
from datetime import date
from pathlib import Path

import pytest

from sourcer.query import Filter, Mode, Query, parse

CASES = Path(__file__).parent / "cases"
TODAY = date(2026, 6, 15)
FRAMING = {"working", "on", "engineers", "engneers", "who", "know", "the"}
"""Words that frame a question; whether they stay in what is searched is of no account."""


def cases(name: str) -> list[dict]:
    return [json.loads(line) for line in (CASES / name).read_text("utf-8").splitlines()]


def asked(text: str) -> Query:
    return parse(text, today=TODAY)


def plain(found: Filter) -> dict:
    return {key: value for key, value in found.json().items() if key != "span"}


def in_order(filters: list[dict]) -> list[str]:
    return sorted(json.dumps(one, ensure_ascii=False, sort_keys=True) for one in filters)


@pytest.mark.parametrize("case", cases("queries.jsonl"), ids=lambda case: case["id"])
def test_development_question(case: dict) -> None:
    query = parse(case["text"], today=date.fromisoformat(case["today"]))
    lenient = case.get("lenient", [])
    found = [plain(one) for one in query.filters if one.field not in lenient]
    assert in_order(found) == in_order([{**one, "mode": "must"} for one in case["filters"]])
    assert [one.trait for one in query.refused] == case.get("refused", [])
    said, wanted = (set(text.split()) - FRAMING for text in (query.semantic, case["semantic"]))
    assert said == wanted


OWN = cases("questions_own.jsonl") + cases("questions_varied.jsonl")
"""Questions of those who wrote the parser: whole ones, and one thing in all its wordings."""


@pytest.mark.parametrize("case", OWN, ids=lambda case: case["id"])
def test_own_question(case: dict) -> None:
    query = parse(case["text"], today=date.fromisoformat(case["today"]))
    assert in_order([plain(one) for one in query.filters]) == in_order(case["filters"])
    assert sorted({one.trait for one in query.refused}) == sorted(case.get("refused", []))


@pytest.mark.parametrize("case", cases("questions_blind.jsonl"), ids=lambda case: case["id"])
def test_blind_question(case: dict) -> None:
    query = asked(case["text"])
    lenient = case.get("lenient", [])
    found = [plain(one) for one in query.filters if one.field not in lenient]
    wanted = [{"mode": "must", **one} for one in case["filters"] if one["field"] not in lenient]
    assert in_order(found) == in_order(wanted)
    assert sorted({one.trait for one in query.refused}) == sorted(case.get("refused", []))


@pytest.mark.parametrize("case", cases("questions_fresh.jsonl"), ids=lambda case: case["id"])
def test_fresh_question(case: dict) -> None:
    query = asked(case["text"])
    lenient = case.get("lenient", [])
    found = in_order([plain(one) for one in query.filters if one.field not in lenient])
    wanted = in_order([one for one in case["filters"] if one["field"] not in lenient])
    assert sorted({one.trait for one in query.refused}) == sorted(case.get("refused", []))
    assert found == wanted


@pytest.mark.parametrize("case", cases("time_phrases.jsonl"), ids=lambda case: case["id"])
def test_time_phrase(case: dict) -> None:
    query = parse(case["text"], today=date.fromisoformat(case["today"]))
    windows = [one.value for one in query.filters if one.field == "window"]
    assert windows == ([(case["start"], case["end"])] if case["understood"] else [])


def test_every_part_says_where_it_stands() -> None:
    text = "ex-Meta people, ideally in Poland or Spain"
    spans = [text[slice(*one.span)] for one in asked(text).filters if one.span]
    assert spans == ["Meta", "Poland or Spain"]


def test_a_place_with_two_readings_is_shown_and_not_asserted() -> None:
    query = asked("engineers in Georgia")
    (ambiguity,) = query.ambiguous
    assert query.filters == ()
    assert (ambiguity.text, ambiguity.readings, ambiguity.read_as) == (
        "Georgia",
        ("Georgia, the country (GE)", "Georgia, the state (US-GA)"),
        None,
    )


def test_a_place_with_a_smaller_namesake_says_how_it_was_read() -> None:
    query = asked("engineers in London")
    assert [one.value for one in query.filters] == ["London"]
    assert query.ambiguous[0].read_as == "London, United Kingdom (GB)"


def test_a_slip_is_corrected_and_said() -> None:
    (correction,) = asked("engineers in Isreal").corrected
    assert (correction.found, correction.read_as, correction.applied) == ("Isreal", "Israel", True)


def test_a_near_miss_of_a_repository_only_suggests() -> None:
    query = asked("contributors to vlm")
    (suggestion,) = query.corrected
    assert query.filters == ()
    assert suggestion.says == "no repository 'vlm': did you mean vllm?"
    assert not suggestion.applied


@pytest.mark.parametrize(
    "text", ["in serial decoding", "at metal level", "in train loops", "goggle at intern code"]
)
def test_a_common_word_is_never_corrected(text: str) -> None:
    assert asked(text).corrected == ()


def test_a_refusal_says_why_and_what_to_ask_instead() -> None:
    (refusal,) = asked("Chinese engineers who know Triton").refused
    assert refusal.trait == "nationality"
    assert refusal.why.endswith("ask where people are located, as in 'located in China'")


def test_what_no_filter_can_hold_is_left_over_with_its_reason() -> None:
    query = asked("recently active in the scheduler since v0.6")
    assert [one.text for one in query.leftover] == ["recently active", "since v0.6"]


def test_words_that_nothing_knows_are_said_to_be_unknown() -> None:
    (leftover,) = asked("asdkjh qwoeiu").leftover
    assert leftover.why == "no word of this is known here; it is searched by meaning only"


def test_the_seed_question_names_its_topics_as_alternatives() -> None:
    query = asked("touching MoE, expert parallelism, or PD disaggregation")
    assert [topic.id for topic in query.topics] == [
        "moe",
        "expert-parallelism",
        "pd-disaggregation",
    ]
    assert not any(topic.negated for topic in query.topics)


def test_an_unwanted_topic_is_negated_and_not_searched_for() -> None:
    query = asked("speculative decoding people, no LoRA")
    assert [(topic.id, topic.negated) for topic in query.topics] == [
        ("speculative-decoding", False),
        ("lora", True),
    ]
    assert query.semantic == "speculative decoding"


def test_only_what_no_topic_holds_is_left_over() -> None:
    assert asked("not LoRA or FP8 kernels: people doing observability").leftover == ()
    rest = asked("people doing observability, not frobnication").leftover
    assert [one.text for one in rest] == ["frobnication"]


def test_how_many_are_to_be_hired_is_not_searched_for() -> None:
    assert asked("I need 3 senior engineers who can run PD disaggregation").semantic == (
        "run PD disaggregation"
    )
    assert asked("llama 3 engineers").semantic == "llama 3"


def test_dropping_a_filter_and_changing_its_mode_keep_the_query_valid() -> None:
    query = asked("senior people in Poland")
    senior, poland = query.filters
    edited = query.with_mode(senior, Mode.SHOULD).without(poland)
    assert [(one.field, one.mode) for one in edited.filters] == [("seniority", Mode.SHOULD)]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("who knows write-ahead log failover", "write-ahead log failover"),
        ("readers never block writers", "readers never block writers"),
        ("people who wrote Triton kernls", "Triton kernels"),
    ],
)
def test_what_is_searched_by_meaning_stays_whole(text: str, meant: str) -> None:
    query = parse(text, today=TODAY)
    assert (query.searched, query.leftover) == (meant, ())
