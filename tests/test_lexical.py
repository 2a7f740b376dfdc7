"""BM25 by tantivy: right scores, right ids, bounds and phrases."""

from math import log
from pathlib import Path

import numpy as np
import pytest

from index.lexical import Entry, LexicalIndex, Within, build
from index.passages import passage, spelled, terms

SUBJECTS = [
    "Fuse MoE routing kernel",
    "Support FlashMLA decode",
    "Fix typo in docs",
    "MoE: tune MoE block sizes",
    "flash attention without mla",
]


@pytest.fixture
def lexical(tmp_path: Path) -> LexicalIndex:
    entries = (
        Entry(commit, commit % 2, 20_000 + commit, passage(subject, []), spelled(subject))
        for commit, subject in enumerate(SUBJECTS)
    )
    assert build(entries, tmp_path / "lexical") == 5
    return LexicalIndex.open(tmp_path / "lexical")


def bm25(term: str, commit: int) -> float:
    texts = [passage(subject, []) for subject in SUBJECTS]
    having = sum(term in text for text in texts)
    mean = sum(map(len, texts)) / len(texts)
    often, length = texts[commit].count(term), len(texts[commit])
    rarity = log(1 + (len(texts) - having + 0.5) / (having + 0.5))
    return rarity * often * 2.2 / (often + 1.2 * (0.25 + 0.75 * length / mean))


def test_scores_are_bm25(lexical: LexicalIndex) -> None:
    hits = lexical.search({"moe": 1.0}, limit=10)
    assert hits.commits.tolist() == [3, 0]
    assert hits.scores.tolist() == pytest.approx([bm25("moe", 3), bm25("moe", 0)], rel=1e-5)


def test_weights_multiply_and_add(lexical: LexicalIndex) -> None:
    hits = lexical.search({"moe": 1.0, "kernel": 0.5}, limit=10)
    expected = bm25("moe", 0) + 0.5 * bm25("kernel", 0)
    assert dict(zip(hits.commits.tolist(), hits.scores.tolist(), strict=True))[0] == pytest.approx(
        expected, rel=1e-5
    )


def test_bounds_change_what_is_found_and_no_score(lexical: LexicalIndex) -> None:
    everywhere = lexical.search({"moe": 1.0}, limit=10)
    even = lexical.search({"moe": 1.0}, 10, Within(repos=frozenset({0})))
    late = lexical.search({"moe": 1.0}, 10, Within(since=20_001, until=20_003))
    assert even.commits.tolist() == [0]
    assert late.commits.tolist() == [3]
    assert late.scores.tolist() == everywhere.scores[:1].tolist()


def test_limit_keeps_the_best(lexical: LexicalIndex) -> None:
    assert lexical.search({"moe": 1.0}, limit=1).commits.tolist() == [3]


@pytest.mark.parametrize(
    ("text", "commits"),
    [("flash mla", [1]), ("FlashMLA", [1]), ("flash", [1, 4]), ("mla flash", []), ("", [])],
)
def test_phrase(lexical: LexicalIndex, text: str, commits: list[int]) -> None:
    assert sorted(lexical.phrase(spelled(text), limit=10).commits.tolist()) == commits


def test_nothing_asked_finds_nothing(lexical: LexicalIndex) -> None:
    assert lexical.search({}, limit=10).commits.tolist() == []
    assert lexical.search({"unheard": 1.0}, limit=10).commits.dtype == np.int32


def test_rarity(lexical: LexicalIndex) -> None:
    assert lexical.rarity("moe") == pytest.approx(log(1 + 3.5 / 2.5))
    assert lexical.rarity("typo") > lexical.rarity("moe")


def test_any_text_can_be_asked(lexical: LexicalIndex) -> None:
    weights = dict.fromkeys(terms('"AND (moe) OR \\ *:* 修复'), 1.0)
    assert lexical.search(weights, limit=10).commits.tolist()[0] == 3
