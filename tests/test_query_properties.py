"""What holds for every question, however it is put."""

import json
from datetime import date
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sourcer.query import Query, parse, read_query

TODAY = date(2026, 6, 15)
QUESTIONS = [
    json.loads(line)["text"]
    for name in ("queries", "questions_own")
    for line in (Path(__file__).parent / f"cases/{name}.jsonl").read_text("utf-8").splitlines()
]
PARTS = {
    "in Germany": ("country", "=", "DE"),
    "in India or Singapore": ("country", "in", ("IN", "SG")),
    "in the SF Bay Area": ("location", "in", "US-CA:SF Bay Area"),
    "in Europe": ("region", "=", "Europe"),
    "in Berlin": ("city", "=", "Berlin"),
    "at NVIDIA": ("company", "=", "nvidia"),
    "from Hugging Face or Mistral": ("company", "in", ("hugging face", "mistral")),
    "formerly at Google": ("past_company", "=", "google"),
    "who contributed to vLLM": ("repo", "=", "vllm"),
    "open to work": ("hireable", "=", True),
    "with at least 20 reviews": ("reviews", ">=", 20),
    "with more than 10 merged PRs": ("merged_prs", ">", 10),
    "with fewer than 100 commits": ("commits", "<", 100),
    "since March 2025": ("window", "between", ("2025-03-01", "2026-06-15")),
    "in the last 12 months": ("window", "between", ("2025-06-15", "2026-06-15")),
    "under csrc/moe": ("path", "under", "csrc/moe"),
    "written in Rust": ("language", "=", "Rust"),
}
NEGATED = {
    "not in Germany": ("country", "=", "DE"),
    "outside Europe": ("region", "=", "Europe"),
    "not in the SF Bay Area": ("location", "in", "US-CA:SF Bay Area"),
    "not at NVIDIA": ("company", "=", "nvidia"),
    "excluding Hugging Face or Mistral": ("company", "in", ("hugging face", "mistral")),
    "not open to work": ("hireable", "=", True),
    "not in vLLM": ("repo", "=", "vllm"),
    "no Rust": ("language", "=", "Rust"),
}
WORDS = sorted({word for text in QUESTIONS for word in text.split()} | set('",.()-+@#/'))
FILLERS = ["please", "find me", "I am looking for", "thanks", "hi, could you show me"]
some = st.lists(st.sampled_from(sorted(PARTS)), min_size=1, max_size=4, unique=True)
in_time = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


def asked(text: str) -> Query:
    return parse(text, today=TODAY)


def conditions(query: Query) -> set[tuple[object, ...]]:
    return {(one.field, one.op, one.value, one.negated, one.mode.value) for one in query.filters}


def distinct_fields(parts: list[str]) -> list[str]:
    """At most one part of a field, and one of place: two would be read as a list."""
    places = {"country", "location", "region", "city"}
    kept: dict[str, str] = {}
    for part in parts:
        field = PARTS[part][0]
        kept.setdefault("place" if field in places else field, part)
    return list(kept.values())


@in_time
@given(some)
def test_parts_compose(parts: list[str]) -> None:
    chosen = distinct_fields(parts)
    expected = {(*PARTS[part], False, "must") for part in chosen}
    assert conditions(asked("engineers " + " ".join(chosen))) == expected
    assert conditions(asked("engineers " + ", ".join(chosen))) == expected


@in_time
@given(some, st.sampled_from(sorted(NEGATED)))
def test_a_negation_turns_round_exactly_its_part(parts: list[str], negated: str) -> None:
    places = {"country", "location", "region", "city"}
    field = NEGATED[negated][0]
    clash = places if field in places else {field, "past_company" if field == "company" else field}
    chosen = [part for part in distinct_fields(parts) if PARTS[part][0] not in clash]
    expected = {(*PARTS[part], False, "must") for part in chosen}
    found = conditions(asked("engineers " + ", ".join([*chosen, negated])))
    assert found == expected | {(*NEGATED[negated], True, "must")}
    found = conditions(asked("engineers " + ", ".join([negated, *chosen])))
    assert found == expected | {(*NEGATED[negated], True, "must")}


@in_time
@given(some, st.sampled_from(sorted(PARTS)))
def test_a_wish_makes_should_of_exactly_its_part(parts: list[str], wish: str) -> None:
    chosen = [part for part in distinct_fields([wish, *parts]) if part != wish]
    expected = {(*PARTS[part], False, "must") for part in chosen}
    text = "engineers " + ", ".join([*chosen, f"ideally {wish}"])
    assert conditions(asked(text)) == expected | {(*PARTS[wish], False, "should")}


@in_time
@given(st.sampled_from(QUESTIONS), st.sampled_from(FILLERS))
def test_filler_changes_no_filter(text: str, filler: str) -> None:
    if text.isupper() or text[:1].isdecimal() or not text.strip():
        return
    assert conditions(asked(f"{filler} {text}")) == conditions(asked(text))


@in_time
@given(some)
def test_case_changes_nothing_that_is_clear(parts: list[str]) -> None:
    clear = [part for part in distinct_fields(parts) if "csrc" not in part]
    text = "engineers " + ", ".join(clear)
    assert conditions(asked(text.lower())) == conditions(asked(text))
    assert conditions(asked(text.upper())) == conditions(asked(text))


@in_time
@given(st.one_of(st.text(max_size=300), st.sampled_from(QUESTIONS)))
def test_anything_parses_and_comes_back(text: str) -> None:
    query = asked(text)
    assert query.text == text
    assert read_query(query.to_json()) == query
    assert asked(text) == query


@in_time
@given(st.sampled_from(QUESTIONS), st.sampled_from(QUESTIONS))
def test_spans_index_the_words(one: str, other: str) -> None:
    text = f"{one}. {other}"
    query = asked(text)
    for part in (*query.filters, *query.topics, *query.refused, *query.ambiguous, *query.leftover):
        assert part.span is not None
        start, end = part.span
        assert text[start:end] == text[start:end].strip() != ""


@in_time
@given(st.lists(st.sampled_from(WORDS), max_size=30))
def test_any_order_of_words_parses(words: list[str]) -> None:
    query = asked(" ".join(words))
    assert read_query(query.to_json()) == query


@pytest.mark.parametrize(
    "piece", ["not ", "in ", '"', "(", "ex-", "中", "5 ", "@a ", "or Germany "]
)
def test_a_hostile_question_of_5000_characters_is_read_in_time(piece: str) -> None:
    query = asked((piece * 5000)[:5000])
    assert len(query.text) == 5000


def test_a_long_question_keeps_what_it_says() -> None:
    text = "We build things. " * 290 + "Must be in Poland."
    assert conditions(asked(text)) == {("country", "=", "PL", False, "must")}
