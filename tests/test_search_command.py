"""sourcer search, parse, pool: what a terminal shows."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sourcer.cli import app
from sourcer.cli.printing import UNDECIDED
from tests.sample_snapshot import Demo


def said(data: Path, *words: str) -> str:
    ran = CliRunner().invoke(app, [*words, "--data", str(data)], catch_exceptions=False)
    assert ran.exit_code == 0, ran.output
    return ran.output


@pytest.mark.parametrize("command", ["search", "parse", "pool"])
def test_a_question_needs_no_quotes(demo: Demo, command: str) -> None:
    words = ["MoE", "kernels", "in", "the", "US"]
    bare, quoted = (
        json.loads(said(demo.data, command, *question, "--json"))
        for question in (words, [" ".join(words)])
    )
    assert bare == quoted


def test_a_line_parts_who_meets_every_word_from_who_is_undecided(demo: Demo) -> None:
    text = said(demo.data, "search", "MoE people in the US, open to talking", "--limit", "40")
    above, below = text.split(UNDECIDED)
    assert " 1. " in above
    assert "unknown: " not in above
    assert "unknown: " in below


def test_what_is_unknown_is_said_in_words(demo: Demo) -> None:
    assert "unknown: past company" in said(demo.data, "search", "formerly at NVIDIA, MoE")


def test_no_line_where_everything_is_decided(demo: Demo) -> None:
    assert UNDECIDED not in said(demo.data, "search", "MoE kernels")
