"""Titles, against labelled cases; what they must not be read for; the order of levels."""

import json
from pathlib import Path
from typing import Any

import pytest

from sourcer.titles import Seniority, read

CASES = Path(__file__).parent / "cases" / "titles.jsonl"


@pytest.mark.parametrize(
    "case",
    [json.loads(line) for line in CASES.read_text("utf-8").splitlines()],
    ids=lambda case: case["text"] or "empty",
)
def test_title(case: dict[str, Any]) -> None:
    title = read(case["text"])
    assert (title.role, title.seniority) == (case["role"], case["seniority"])


@pytest.mark.parametrize(
    ("text", "seniority", "role"),
    [
        ("Senior Staff Software Engineer", "staff", "software engineer"),
        ("Software Engineer, Staff", "staff", "software engineer"),
        ("Staff Machine Learning Engineer @ Acme", "staff", "machine learning engineer"),
        ("Senior Member of Technical Staff", "senior", "member of technical staff"),
        ("Member of Technical Staff, Inference", None, "member of technical staff"),
        ("Principal MTS", "principal", "member of technical staff"),
        ("DMTS", "distinguished", "member of technical staff"),
        ("Software Engineer II", "mid", "software engineer"),
        ("SDE 2", "mid", "software engineer"),
        ("Former Staff Engineer, now founder", "founder", None),
        ("ex-Principal Engineer | Open source", None, None),
        ("Aspiring Senior Engineer", None, None),
        ("Software Engineer at Senior Corp", None, "software engineer"),
        ("Senior at Example University", None, None),
        ("Principal Investigator", None, None),
        ("Senior Product Manager", "senior", "product manager"),
        ("Product Manager", None, "product manager"),
        ("Sr. Director of Engineering", "director", None),
        ("Co-Founder", "founder", None),
        ("Co-founder & CEO", "executive", None),
        ("Founding Engineer", None, "engineer"),
        ("Graduate Student Researcher", "student", None),
        ("PhD Candidate, Example Institute", "student", None),
        ("Associate Professor of Computer Science", "faculty", None),
        ("Associate Software Engineer", "junior", "software engineer"),
        ("Research Associate", "researcher", None),
        ("Software Engineering Intern", "intern", "software engineer"),
        ("算法实习生", "intern", None),
        ("资深算法工程师", "senior", "algorithm engineer"),
        ("シニアエンジニア", "senior", "engineer"),
        ("Leading the kernel team", None, None),
        ("Open source maintainer", None, None),
    ],
)
def test_stated_or_not(text: str, seniority: str | None, role: str | None) -> None:
    title = read(text)
    assert (title.seniority, title.role) == (seniority, role)


def test_senior_or_above() -> None:
    above = [level.value for level in Seniority if level.at_least(Seniority.SENIOR)]
    assert above == [
        "senior",
        "lead",
        "staff",
        "principal",
        "distinguished",
        "fellow",
        "manager",
        "director",
        "executive",
        "founder",
    ]
    undecided = [level.value for level in Seniority if level.at_least(Seniority.SENIOR) is None]
    assert undecided == ["researcher", "faculty"]


@pytest.mark.parametrize(
    ("level", "least", "answer"),
    [
        ("manager", "senior", True),
        ("manager", "staff", None),
        ("staff", "manager", False),
        ("director", "manager", True),
        ("lead", "staff", False),
        ("intern", "junior", False),
        ("faculty", "senior", None),
    ],
)
def test_at_least(level: str, least: str, answer: bool | None) -> None:
    assert Seniority(level).at_least(Seniority(least)) is answer
