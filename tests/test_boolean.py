"""Boolean search as recruiters type it, and what they mistype."""

from contextlib import suppress
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sourcer.boolean import LONGEST, SKILLS, TITLES, any_of, parse
from sourcer.errors import BadInput
from sourcer.people import Declared, Profile

AT = datetime(2026, 5, 1)
PROFILE = Profile(
    "p1",
    (
        ("title", Declared("Senior ML Engineer", "linkedin", AT, "imported")),
        ("skills", Declared("vLLM", "resume", AT, "imported")),
        ("location", Declared("Lyon", "github", AT, "declared")),
    ),
)


@pytest.mark.parametrize(
    ("search", "text", "found"),
    [
        ("vLLM", "we run VLLM", True),
        ("moe kernel", "MoE at work, kernels at home", True),
        ('"moe kernel"', "MoE at work, kernels at home", False),
        ('"moe kernel"', "fused MoE-kernels", True),
        ("“moe kernel”", "fused MoE kernels", True),
        ("cuda OR triton AND senior", "triton, junior", False),
        ("cuda OR triton AND senior", "cuda, junior", True),
        ("(cuda OR triton) AND senior", "cuda, junior", False),
        ("engineer NOT (intern OR student)", "engineering student, engineer", False),
        ("engineer -intern", "engineer", True),
        ("NOT NOT engineer", "engineer", True),
        ("infer*", "inference", True),
        ("cuda or triton", "cuda", False),
        ("cuda or triton", "CUDA or Triton", True),
    ],
)
def test_finds(search: str, text: str, found: bool) -> None:
    assert parse(search).found_in(text) is found


@pytest.mark.parametrize(
    ("search", "complaint"),
    [
        ("", "a word is missing before the end"),
        ("cuda AND", "a word is missing before the end"),
        ("OR cuda", "a word is missing before OR"),
        ("cuda OR OR triton", "a word is missing before OR"),
        ("()", r"a word is missing before \)"),
        ("(cuda", "a closing parenthesis is missing"),
        ("cuda)", r"'\)' has nothing before it"),
        ('"cuda', "a closing quotation mark is missing"),
        ("cu*da", "'cu\\*da' is no word"),
        ('""', "is no word"),
        ("(" * 50 + "cuda" + ")" * 50, "more than 40 parentheses within one another"),
        ("a" * (LONGEST + 1), "has at most 2000 characters, not 2001"),
    ],
)
def test_says_what_is_wrong(search: str, complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint):
        parse(search)


@given(st.text(alphabet='ab"()*- ANDORT', max_size=60))
def test_any_text_is_read_or_refused(search: str) -> None:
    with suppress(BadInput):
        assert parse(search).found_in("a b") in (True, False)


def test_looks_at_titles_and_skills_alone() -> None:
    assert parse("vLLM").matches(PROFILE, SKILLS)
    assert not parse("vLLM").matches(PROFILE, TITLES)
    assert parse("senior AND vLLM").matches(PROFILE)
    assert not parse("Lyon").matches(PROFILE)
    assert not parse("NOT Lyon").matches(Profile("p2"))


def test_phrases_become_a_search_for_any() -> None:
    assert parse(any_of(["fused moe", "OR"])).found_in("this or that")
