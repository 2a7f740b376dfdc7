"""The figures, checked by hand, and the runs that are kept."""

import json
from datetime import datetime
from pathlib import Path

import pytest

from index.evaluate import (
    Judged,
    Measured,
    Report,
    ablate,
    compare,
    evaluate,
    measure,
    named_only_after,
    read_judged,
    write_run,
)  # fmt: skip
from index.search import Searcher
from sourcer.errors import BadInput, NoSuchRepository
from sourcer.query import Query
from sourcer.ranking import SIGNALS
from tests.small_history import Change, History


def as_it_stands(text: str) -> Query:
    return Query(text, semantic=text)


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Searcher:
    history = History().add(
        Change("Ada", "2024-01-01", "Add MoE kernel", ["moe.cu"]),
        Change("Bo", "2025-01-01", "Add LoRA layer", ["lora.py"]),
        Change("Cy", "2026-01-01", "Add MoE kernel again", ["moe.cu"]),
    )
    history.hold("Ada", "moe.cu", "2024-02-01").hold("Cy", "moe.cu", "2026-02-01")
    return history.searcher(tmp_path_factory.mktemp("world"))


LORA = Judged("lora", "engine", "LoRA layer", ("Bo",))
MOE = Judged("moe", "acme/engine", "MoE kernel", ("Ada", "Cy", "nobody"))


def test_a_perfect_ranking_measures_1() -> None:
    assert measure("q", [4, 2], {4, 2}, 2) == Measured("q", 1.0, 1.0, 1.0, 0.4)


def test_nothing_found_measures_0() -> None:
    assert measure("q", [], {4}, 1) == Measured("q", 0.0, 0.0, 0.0, 0.0)


def test_rank_11_is_too_late_for_all_but_the_reciprocal_rank() -> None:
    assert measure("q", list(range(11)), {10}, 1) == Measured("q", 0.0, 0.0, round(1 / 11, 4), 0.0)


def test_people_who_are_not_resolved_count_against_the_ranking(searcher: Searcher) -> None:
    report = evaluate(searcher, [MOE], as_it_stands)
    assert report.unresolved == ("nobody",)
    assert report.measured[0].recall == pytest.approx(2 / 3, abs=1e-4)


def test_a_short_repository_name_will_do(searcher: Searcher) -> None:
    assert evaluate(searcher, [LORA], as_it_stands).mean("ndcg") == 1.0
    with pytest.raises(NoSuchRepository, match="'nowhere' in the snapshot; there are: acme/engine"):
        evaluate(searcher, [LORA], as_it_stands, repo="nowhere")


def test_commits_after_the_day_are_not_seen(searcher: Searcher) -> None:
    day = (datetime(2025, 6, 1) - datetime(1970, 1, 1)).days
    only_cy = [Judged("moe", "engine", "MoE kernel", ("Cy",))]
    assert evaluate(searcher, only_cy, as_it_stands, until=day).mean("recall") == 0.0
    assert evaluate(searcher, only_cy, as_it_stands).mean("recall") == 1.0


def test_named_only_after_leaves_whom_the_project_named_later(searcher: Searcher) -> None:
    found = list(named_only_after(searcher, [MOE, LORA], datetime(2025, 1, 1)))
    assert [one.relevant for one in found] == [("Cy", "nobody"), ("Bo",)]


def test_ablation_switches_each_signal_off(searcher: Searcher) -> None:
    reports = ablate(searcher, [LORA, MOE], as_it_stands)
    assert [report.variant for report in reports[:3]] == [
        "all signals", "without topics", "without meaning",
    ]  # fmt: skip
    assert len(reports) == 1 + len(SIGNALS)


def test_one_signal_can_be_switched_off_as_of_a_day(searcher: Searcher) -> None:
    day = (datetime(2025, 6, 1) - datetime(1970, 1, 1)).days
    only_cy = [Judged("moe", "engine", "MoE kernel", ("Cy",))]
    reports = ablate(searcher, only_cy, as_it_stands, until=day, without=("half_life",))
    assert [(one.variant, one.mean("recall")) for one in reports] == [
        ("all signals", 0.0),
        ("without half life", 0.0),
    ]


def report(variant: str, *ndcg: float) -> Report:
    return Report(
        variant, tuple(Measured(str(n), value, 0, 0, 0) for n, value in enumerate(ndcg)), ()
    )


def test_the_interval_is_of_the_same_questions() -> None:
    better, plain = report("better", *[0.6] * 30), report("plain", *[0.5] * 30)
    found = compare(better, plain)
    assert (found.mean, found.low, found.high) == pytest.approx((0.1, 0.1, 0.1))
    noisy = compare(report("noisy", 0.0, 1.0, 0.5), report("plain", 0.5, 0.5, 0.5))
    assert noisy.low < 0 < noisy.high


def test_a_run_is_kept_without_logins(searcher: Searcher, tmp_path: Path) -> None:
    reports = [evaluate(searcher, [MOE], as_it_stands), report("other", 0.1)]
    file = write_run(reports, tmp_path, "small", {"snapshot": "s"})
    text = file.read_text("utf-8")
    kept = json.loads(text)
    assert [one["variant"] for one in kept["reports"]] == ["all signals", "other"]
    assert kept["reports"][0]["unresolved"] == 1
    assert kept["differences"][0]["against"] == "all signals"
    assert "Ada" not in text
    assert "nobody" not in text


@pytest.mark.parametrize("line", ["nonsense", "{}", '{"qid": 1}', "[1]"])
def test_a_line_that_cannot_be_read_is_named(tmp_path: Path, line: str) -> None:
    file = tmp_path / "judged.jsonl"
    file.write_text(f'{{"qid": "a", "repo": "r", "query": "q", "relevant": []}}\n\n{line}\n')
    with pytest.raises(BadInput, match=r"judged.jsonl:3: expected"):
        read_judged(file)
