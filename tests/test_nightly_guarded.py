"""What keeps a bad night from being published, and what a person can do about it."""

import json

import pytest
from typer.testing import CliRunner, Result

from sourcer import snapshot
from sourcer.cli import app
from sourcer.errors import HeldBack
from sourcer.runs import Outcome
from tests.nights import Installation


@pytest.fixture
def fallen(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """Published once; since then a force push took most of one history back."""
    here = Installation.start(tmp_path_factory.mktemp("fallen"))
    here.night()
    here.histories["acme/router"].git("reset", "-q", "--hard", "HEAD~7")
    return here


def test_a_drop_is_held_back_and_says_why(fallen: Installation) -> None:
    before = fallen.current().name
    run = fallen.night()
    assert (run.outcome, run.exit_code) == (Outcome.HELD, 4)
    assert "18 commits before, 11 now: 38.9 % fewer, of which 5 % are allowed" in run.says
    assert run.says.endswith("To publish it: sourcer publish --force")
    assert fallen.current().name == before
    assert fallen.current().manifest["counts"]["commits"] == 18


def test_what_is_held_is_not_built_again(fallen: Installation) -> None:
    first = fallen.night()
    again = fallen.night()
    assert (again.outcome, again.says) == (first.outcome, first.says)
    assert "build" not in again.seconds


def test_only_the_newest_is_held(fallen: Installation) -> None:
    fallen.night()
    fallen.commit("acme/engine", "Fuse experts")
    fallen.night()
    held = list((fallen.data / "snapshots").glob(".held-*"))
    assert len(held) == 1
    waiting = snapshot.held(fallen.data)
    assert waiting is not None
    assert waiting.manifest["counts"]["commits"] == 12


def test_publish_says_why_and_force_publishes(fallen: Installation) -> None:
    before = fallen.current().name
    fallen.night()
    refused = command(fallen, "publish")
    assert isinstance(refused.exception, HeldBack)
    assert "18 commits before, 11 now" in str(refused.exception)
    assert command(fallen, "publish", "--force").exit_code == 0
    assert fallen.current().manifest["counts"]["commits"] == 11
    assert fallen.current().name > before
    assert fallen.night().outcome is Outcome.NOTHING_NEW


def test_rollback_goes_back_to_any_snapshot_by_name(fallen: Installation) -> None:
    first = fallen.current().name
    fallen.night()
    command(fallen, "publish", "--force")
    second = fallen.current().name
    assert f"Current is {first}, not {second}." in command(fallen, "rollback").stdout
    assert fallen.current().name == first
    command(fallen, "rollback", "--to", second)
    assert fallen.current().name == second


def test_limits_are_settings(fallen: Installation) -> None:
    fallen.set(hold_commits=50, hold_topics=50)
    assert fallen.night().outcome is Outcome.PUBLISHED


def test_judged_questions_that_are_answered_worse_hold_it_back(tmp_path_factory) -> None:
    here = Installation.start(tmp_path_factory.mktemp("judged"), "acme/engine")
    here.histories["acme/engine"].commit(
        {"csrc/mxfp4.cu": "x"},
        "Quantize to MXFP4",
        "Dora Lind <7+dora-l@users.noreply.github.com>",
    )
    question = {"qid": "one", "repo": "acme/engine", "query": "mxfp4", "relevant": ["dora-l"]}
    (here.data / "judged.jsonl").write_text(json.dumps(question) + "\n")
    here.set(hold_commits=100, hold_people=100, hold_topics=100)
    here.night()
    assert here.current().manifest["judged"]["ndcg"] == 1.0
    here.histories["acme/engine"].git("reset", "-q", "--hard", "HEAD~1")
    run = here.night()
    assert run.outcome is Outcome.HELD
    assert "nDCG of the judged questions: 1.000 before, 0.000 now" in run.says


def test_judged_questions_that_cannot_be_read_are_a_failure_not_a_hold(fallen) -> None:
    (fallen.data / "judged.jsonl").write_text("{}\n")
    fallen.set(hold_commits=100, hold_topics=100)
    run = fallen.night()
    assert (run.outcome, run.exit_code) == (Outcome.PUBLISHED, 3)
    assert "expected" in run.failures["judged.jsonl"]


def command(here: Installation, *words: str) -> Result:
    return CliRunner().invoke(app, [*words, "--data", str(here.data)])


def test_status_tells_of_the_last_run_and_what_is_held_back(fallen: Installation) -> None:
    held = fallen.night()
    told = json.loads(command(fallen, "status", "--json").stdout)
    assert told["last_run"]["says"] == held.says
    assert "18 commits before, 11 now" in told["held_back"]["why"][0]
    assert "is held back" in command(fallen, "status").stdout
