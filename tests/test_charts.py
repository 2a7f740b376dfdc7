"""Charts stand alone, are named, and are the same each time."""

import xml.etree.ElementTree as ET

from sourcer.pool import charts
from sourcer.pool.funnel import Step
from sourcer.pool.slices import Member, side_by_side, sliced

STEPS = [
    Step("all contributors", "", 90, 0, 0, 0, ""),
    Step("MoE <script>alert(1)</script>", "topic", 20, 5, 10, 55, ""),
]
POOL = [Member("a", country="PL"), Member("b", country="US"), Member("c")]


def test_an_image_with_a_name_and_a_description() -> None:
    root = ET.fromstring(charts.funnel(STEPS))
    title, desc, *others = root
    assert (root.get("role"), title.text) == ("img", "Who is left after each word of the question")
    assert desc.text == (
        "all contributors: 90 matched, 0 by artifacts, 0 unknown, 0 dropped; "
        "MoE <script>alert(1)</script>: 20 matched, 5 by artifacts, 10 unknown, 55 dropped"
    )
    assert others


def test_nothing_is_run_or_fetched() -> None:
    drawn = [
        charts.funnel(STEPS),
        charts.slice_(sliced(POOL, "country")),
        charts.side_by_side(side_by_side({"x": POOL, "y": POOL[:1]}, "country")),
        charts.bars("Commits", ["2025-Q1"], {"vllm": [3]}),
    ]
    for text in drawn:
        assert "<script" not in text
        assert text.count("http") == text.count('xmlns="http://www.w3.org/2000/svg"') == 1


def test_the_same_numbers_give_the_same_file() -> None:
    assert charts.funnel(STEPS) == charts.funnel(STEPS)


def test_nobody_is_a_chart_too() -> None:
    one = charts.slice_(sliced([], "country"))
    assert ET.fromstring(one)[1].text == "not known: 0"


def test_bars_of_any_numbers_say_them() -> None:
    drawn = charts.bars("nDCG", ["all", "without paths"], {"mean": [0.7512, 0.7]}, decimals=3)
    title, desc, *_ = ET.fromstring(drawn)
    assert title.text == "nDCG"
    assert desc.text == "all: 0.751 mean; without paths: 0.700 mean"
    assert ET.fromstring(charts.bars("Empty", [], {}))[1].text in (None, "")
