"""The catalogue says all that the pages ask for, and nothing that no page asks for."""

import re
from pathlib import Path

from api.pages.words import catalogue, words_for

ROOT = Path(__file__).parent.parent / "api"
KEY = re.compile(r"[\"']([a-z]+(?:-[a-z]+)*\.[a-z0-9_ -]+)[\"']")
MADE = ("field.", "filter.", "role.", "stage.", "error.", "export.", "job.", "hide.", "help.",
        "nav.", "chips.", "slices.", "results.by-", "queue.", "person.", "done.")  # fmt: skip
"""Beginnings of keys that are put together from parts."""


def asked_for() -> set[str]:
    files = [*ROOT.glob("templates/*.html"), *ROOT.glob("pages/*.py")]
    return {key for file in files for key in KEY.findall(file.read_text("utf-8"))}


def test_whatever_a_template_asks_for_is_there() -> None:
    texts = catalogue("en")
    for file in ROOT.glob("templates/*.html"):
        for key in re.findall(r"\bt\('([a-z-]+\.[a-z0-9_-]*[a-z0-9])'", file.read_text("utf-8")):
            assert key in texts, f"{file.name} asks for {key}"


def test_nothing_is_said_that_nobody_asks_for() -> None:
    unasked = set(catalogue("en")) - asked_for()
    assert sorted(key for key in unasked if not key.startswith(MADE)) == []


def test_a_language_without_a_catalogue_is_answered_in_english() -> None:
    assert words_for("fi-FI, fi;q=0.9").language == "en"
    assert words_for("fi, en-GB;q=0.5").language == "en-GB"
    assert words_for("").language == "en"


def test_numbers_dates_and_plurals_go_by_locale() -> None:
    british, american = words_for("en-GB"), words_for("en-US")
    assert british.day("2026-06-05") == "5 Jun 2026"
    assert american.day("2026-06-05") == "Jun 5, 2026"
    assert american("results.people", n=12_345) == "12,345 people"
    assert american("results.people", n=1) == "1 person"
