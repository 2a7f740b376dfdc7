"""Denials of every make: what is unwanted is never read as wanted, nor the other way round."""

from datetime import date

import pytest

from sourcer.query import parse

TODAY = date(2026, 6, 15)
UNWANTED = [
    ("anyone but not Google", "google"),
    ("shouldn't be at Red Hat", "red hat"),
    ("any company but Intel", "intel"),
    ("anywhere in Europe but Germany", "DE"),
    ("Google alumni excluded", "google"),
    ("除了英伟达以外的工程师", "nvidia"),
    ("who has not committed to SGLang", "sglang"),
    ("Candidates currently at Meta will not be considered.", "meta"),
    ("unless they work at Meta", "meta"),
    ("exclude: Red Hat", "red hat"),
    ("excluded: India", "IN"),
    ("drop the NVIDIA people", "nvidia"),
    ("no students, at least 20 commits, not in India", "IN"),
    ("no MoE people from China", "CN"),
    ("nobody doing MoE at NVIDIA", "nvidia"),
    ("excluding Meta employees and people in China", "CN"),
    ("leave NVIDIA and AMD people out of it; Google, too", ("nvidia", "amd")),
]
WANTED = [
    ("people no longer at NVIDIA", "nvidia"),
    ("no students, at least 20 commits", 20),
    ("keine Studenten, mindestens 20 Commits", 20),
    ("without exception in the UK", "GB"),
    ("no exceptions: in the US", "US"),
    ("besides vLLM they should also know SGLang", "vllm"),
    ("not only in vLLM but also in SGLang", "vllm"),
    ("nobody but NVIDIA engineers", "nvidia"),
    ("people who have never worked on quantization in Germany", "DE"),
    ("who haven't touched LoRA at NVIDIA", "nvidia"),
    ("engineers without CUDA experience in Poland", "PL"),
    ("not at NVIDIA and in Berlin", "Berlin"),
    ("nowhere but the US", "US"),
]
FREE = [
    "not only NVIDIA people: anyone on CUTLASS",
    "it isn't important whether they're at Google",
    "not limited to Meta people",
    "don't care where they live",
    "no need for Rust",
    "it's not a problem if they are senior",
]


@pytest.mark.parametrize(("text", "value"), UNWANTED)
def test_what_is_unwanted_is_negated(text: str, value: object) -> None:
    assert (value, True) in signs(text)
    assert (value, False) not in signs(text)


@pytest.mark.parametrize(("text", "value"), WANTED)
def test_what_is_wanted_is_not_negated(text: str, value: object) -> None:
    assert (value, False) in [
        (one, negated)
        for said, negated in signs(text)
        for one in (said, *(said if isinstance(said, tuple) else ()))
    ]
    assert (value, True) not in signs(text)


@pytest.mark.parametrize("text", FREE)
def test_what_may_be_either_way_filters_nothing(text: str) -> None:
    assert signs(text) == []


def test_a_hyphened_non_reaches_its_word_only() -> None:
    assert parse("non-NVIDIA GPU backends", today=TODAY).semantic == "GPU backends"


def signs(text: str) -> list[tuple[object, bool]]:
    return [(one.value, one.negated) for one in parse(text, today=TODAY).filters]
