"""Which commits are shown, in which order, and what makes one tell more than another."""

from dataclasses import replace
from datetime import date, datetime

import pytest

from sourcer.commits import Role
from sourcer.evidence import Cited, choose, tellingness
from sourcer.explaining import Area, Case, explain
from sourcer.substance import Kind, is_chore, kind_of

KERNEL, CODE = "csrc/moe/topk.cu", "engine/scheduler.py"
ONE = Cited(
    0, "acme/engine", "9f1c2e", "Add grouped top-k", datetime(2026, 1, 2), Role.AUTHOR,
    (CODE,), 1, (), 1.0,
)  # fmt: skip


def cited(commit: int, subject: str, *paths: str, weight: float = 1.0) -> Cited:
    return ONE._replace(
        commit=commit, sha=f"{commit:06x}", subject=subject, paths=paths, weight=weight
    )


def test_the_weightiest_comes_first_and_repeats_are_left_for_later() -> None:
    commits = [
        cited(0, "Add EPLB rebalancing (#1)", "eplb/a.py", weight=1.0),
        cited(1, "Add EPLB rebalancing (#2)", "eplb/a.py", weight=0.95),
        cited(2, "Overlap dispatch with compute", "moe/b.py", weight=0.6),
    ]
    assert [one.commit for one in choose(commits, 2)] == [0, 2]
    assert [one.commit for one in choose(commits)] == [0, 2, 1]


def test_choosing_from_nothing() -> None:
    assert choose([]) == ()


@pytest.mark.parametrize(
    ("more", "less"),
    [
        (cited(0, "Add top-k", KERNEL), cited(0, "Add top-k", CODE)),
        (cited(0, "Add top-k", CODE), cited(0, "Add top-k", "docs/moe.md")),
        (cited(0, "Add top-k", CODE), cited(0, "Add top-k", "moe/configs/E=8,N=4096.json")),
        (cited(0, "Add top-k", CODE), cited(0, "[Bugfix] Fix top-k", CODE)),
        (cited(0, "Add top-k", CODE), cited(0, "Format with ruff", CODE)),
        (cited(0, "Add top-k", CODE), cited(0, "Add top-k", CODE)._replace(files=400)),
        (cited(0, "Add top-k", CODE), cited(0, "Add top-k", CODE)._replace(role=Role.CO_AUTHOR)),
        (cited(0, "Add top-k", CODE), cited(0, 'Revert "Add top-k"', CODE)),
    ],
)
def test_what_tells_more(more: Cited, less: Cited) -> None:
    assert tellingness(more) > tellingness(less)


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("csrc/attention/paged.cuh", Kind.KERNEL),
        ("vllm/attention/ops/triton_decode.py", Kind.KERNEL),
        ("vllm/model_executor/layers/fused_moe/configs/E=8,N=3584.json", Kind.CONFIGURATION),
        ("third_party/cub/block.h", Kind.GENERATED),
        ("proto/engine_pb2.py", Kind.GENERATED),
        ("uv.lock", Kind.GENERATED),
        ("tests/kernels/test_moe.py", Kind.TEST),
        ("docs/source/serving.md", Kind.DOCS),
        (".github/workflows/pr.yml", Kind.BUILD),
        ("docker/Dockerfile", Kind.BUILD),
        ("sgl-router/src/core/worker.rs", Kind.CODE),
        ("vllm/transformers_utils/configs/mllama.py", Kind.CODE),
    ],
)
def test_kinds_of_files(path: str, kind: Kind) -> None:
    assert kind_of(path) is kind


@pytest.mark.parametrize(
    ("subject", "chore"),
    [
        ("Run isort", True), ("[Doc] fix typo", True), ("Bump version to 0.9", True),
        ("Add JSON format string support", False), ("Fix format grammar", False),
        ("Reformat the code base", True), ("[Chore] remove logging lines", True),
        ("Add a typed config", False),
    ],
)  # fmt: skip
def test_chores(subject: str, chore: bool) -> None:
    assert is_chore(subject) is chore


CASE = Case(
    score=0.71,
    commits=(ONE,),
    count=38,
    is_worded=True,
    by_wording=0.6,
    topics={"PD disaggregation": 31, "LoRA": 0},
    cited_on={"PD disaggregation": ("acme/engine@9f1c2e",), "LoRA": ()},
    kinds={Kind.KERNEL: 3, Kind.CODE: 30, Kind.CONFIGURATION: 5},
    substance=0.9,
    faded=0.8,
    first=date(2025, 3, 1),
    last=date(2026, 1, 2),
    last_year=12,
    months=6,
    files=1,
    areas=(Area("engine/pd", 12, 40, 2, ("acme/engine@9f1c2e",)),),
)


def test_the_tree_can_be_read_aloud() -> None:
    tree = explain(CASE)
    assert tree.says == (
        "38 commits that answer the question, 31 on PD disaggregation, "
        "second to one person in engine/pd; "
        "the last in January 2026"
    )
    assert [part.says for part in tree.parts] == [
        "topic fit, 60% of the score: PD disaggregation: 31 commits",
        "ownership, 40% of the score: 12 of the 40 commits to engine/pd, second to one person",
        "depth: 3 commits to kernels, 30 commits to code, 5 commits to configuration tables alone; "
        "10% taken off for generated, configuration or bulk commits",
        "recency: 12 commits in the last 12 months, from March 2025 to January 2026; age left 80%",
        "breadth: 1 file over 6 months with commits",
    ]


@pytest.mark.parametrize(
    ("case", "says"),
    [
        (
            replace(CASE, topics={}, areas=(), count=1, kinds={Kind.CODE: 1}),
            "1 commit that answers the question; the last in January 2026",
        ),
        (
            replace(CASE, kinds={Kind.KERNEL: 20, Kind.CODE: 18}, areas=()),
            "38 commits that answer the question, 31 on PD disaggregation, 20 to kernels; "
            "the last in January 2026",
        ),
        (
            replace(CASE, kinds={Kind.CONFIGURATION: 30, Kind.CODE: 8}, areas=()),
            "38 commits that answer the question, 31 on PD disaggregation, "
            "mostly to configuration tables alone; the last in January 2026",
        ),
        (
            replace(CASE, topics={"LoRA": 38, "Prefill and decode": 38}, areas=()),
            "38 commits on LoRA as well as Prefill and decode; the last in January 2026",
        ),
    ],
)
def test_the_sentence_says_how_deep_the_work_is(case: Case, says: str) -> None:
    assert explain(case).says == says


def test_careers_show_over_years() -> None:
    old = cited(2, "Overlap dispatch", "a.py", weight=0.9)._replace(date=datetime(2024, 1, 2))
    commits = [cited(0, "Add EPLB", "b.py"), cited(1, "Fuse top-k", "c.py", weight=0.95), old]
    assert [one.commit for one in choose(commits, 2)] == [0, 2]


def test_shares_of_fit_and_ownership_make_the_whole() -> None:
    fit, ownership = explain(CASE).parts[:2]
    assert fit.value + ownership.value == pytest.approx(1)


def test_a_question_without_words_has_no_fit_to_tell_of() -> None:
    assert explain(replace(CASE, is_worded=False)).parts[0].says.startswith("depth")
