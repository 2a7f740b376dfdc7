"""The terms of a commit: one thing written in many ways must meet."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.passages import sentence, terms, word_terms


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("MoE", ("moe",)),
        ("FusedMoE", ("fusedmo", "fuse", "moe")),
        ("fused_moe", ("fusedmo", "fuse", "moe")),
        ("LoRA", ("lora",)),
        ("LLMs", ("llm",)),
        ("vLLM", ("vllm",)),
        ("cuBLAS", ("cubla", "cu", "blas")),
        ("fp8", ("fp8",)),
        ("MXFP4", ("mxfp4", "mxfp")),
        ("b200", ("b200",)),
        ("e4m3", ("e4m3",)),
        ("mi300x", ("mi300x",)),
        ("v1", ("v1",)),
        ("Qwen2.5", ("qwen25", "qwen2", "qwen")),
        ("all-to-all", ("alltoal", "all", "to")),
        ("NVLink", ("nvlink", "nv", "link")),
        ("über", ("über",)),
        ("12345", ()),
        ("x", ()),
    ],
)
def test_word(word: str, expected: tuple[str, ...]) -> None:
    assert word_terms(word) == expected


def test_chinese_is_read_character_by_character() -> None:
    assert terms("修复MoE路由") == ["修", "复", "moe", "路", "由"]


def test_pull_number_is_no_term_of_a_subject() -> None:
    assert terms("Fix (#123)") == terms("Fix")
    assert sentence("Fix (#123)") == "Fix"


def test_kernels_and_kernel_meet() -> None:
    assert terms("kernels") == terms("Kernel")


@given(st.text(max_size=60))
def test_any_text_gives_lower_case_terms(text: str) -> None:
    assert [term for term in terms(text) if term != term.lower() or not term] == []


@given(st.text(alphabet="abXY_-.19 ", max_size=40))
def test_terms_of_terms_hold_no_separator(text: str) -> None:
    assert all(term.isalnum() for term in terms(text))
