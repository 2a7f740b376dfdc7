"""sourcer person: everything on one person; gone at once when that person asks not to be found."""

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sourcer.cli import app
from sourcer.errors import NoSuchPerson
from sourcer.workspace import Workspace, identifiers, suppressions
from tests.sample_snapshot import Demo
from tests.workspaces import IDA

LOGIN = "xcalderwood-ng"
QUESTION = "US engineers who know LoRA, senior or above, open to talking"


def said(data: Path, *words: str) -> str:
    ran = CliRunner().invoke(app, [*words, "--data", str(data)], catch_exceptions=False)
    assert ran.exit_code == 0, ran.output
    return ran.output


@pytest.fixture(scope="module")
def text(demo: Demo) -> str:
    return said(demo.data, "person", LOGIN, "--question", QUESTION)


@pytest.mark.parametrize(
    "line",
    [
        "Ximena Calderwood  @xcalderwood-ng @ximecalder-01",
        ": one profile names both",
        "title: Senior Software Engineer, Inference  (table:ats-export, imported, ",
        "code owner of /python/sglang/srt/layers/moe in sgl-project/sglang",
        "no  LoRA",
        "yes  senior or above",
    ],
)
def test_each_fact_has_its_source(text: str, line: str) -> None:
    assert line in text


def test_no_email_is_shown(text: str) -> None:
    assert "@" not in text.replace(f"@{LOGIN}", "").replace("@ximecalder-01", "").replace(
        "sglang@", ""
    ).replace("vllm@", "")


def test_json_is_what_the_api_says_of_a_person(demo: Demo) -> None:
    facts = json.loads(said(demo.data, "person", LOGIN, "--json", "--question", QUESTION))
    assert facts["person"]["logins"] == [LOGIN, "ximecalder-01"]
    assert facts["person"]["open_to_offers"]["value"] == "open to offers"
    assert {row["rule"] for row in facts["signatures"]} >= {"one profile names both"}
    answers = {word["field"]: word["answer"] for word in facts["words"]}
    assert answers == {"country": "yes", "topic": "no", "seniority": "yes", "hireable": "yes"}


def test_whoever_asks_not_to_be_found_is_gone_at_once(demo: Demo, tmp_path: Path) -> None:
    data = tmp_path / "data"
    shutil.copytree(demo.data, data, ignore=shutil.ignore_patterns("embeddings"), symlinks=True)
    workspace = Workspace.open(data)
    with workspace.writing() as session:
        suppressions.suppress(session, IDA, [identifiers.login(LOGIN)], "API")
    workspace.close()
    with pytest.raises(NoSuchPerson):
        said(data, "person", LOGIN)
    found = json.loads(said(data, "search", "MoE", "--json", "--limit", "500"))
    names = {entry["person"]["name"] for entry in found["entries"]}
    assert "Ximena Calderwood" not in names
    assert names
