"""What the commands pool and screening print, and the questions for people of the sample."""

import json
from datetime import date
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from index.own_work import own_work, screening
from index.pool import Pools
from index.search import Searcher
from ingest.sample import truth
from sourcer.cli import pools as commands
from sourcer.cli.pool_printing import Answer, printed
from sourcer.errors import BadInput, NoSuchPerson
from sourcer.pool.slices import DIMENSIONS
from sourcer.query import Query, parse
from sourcer.screening import load


def asked(text: str) -> Query:
    return parse(text, today=date(2026, 6, 15))


@pytest.fixture(scope="module")
def answer(sample_searcher: Searcher) -> Answer:
    pools, query = Pools(sample_searcher), asked("MoE kernels in the US [b]")
    return Answer(
        tuple(DIMENSIONS),
        pools.of(query),
        pools.by_lane(query),
        pools.of(asked("KDA")),
        pools.report(query, "senior"),
    )


def test_every_part_is_printed(answer: Answer, capsys: pytest.CaptureFixture[str]) -> None:
    printed(answer)
    said = capsys.readouterr().out
    for part in ("Funnel", "all contributors", "In both", "Titles against artifacts", "snapshot"):
        assert part in said
    printed(Answer(("lane",), answer.pool, answer.lanes))
    assert "Left, by lane" in capsys.readouterr().out


def test_json_holds_the_tables_and_no_address(answer: Answer) -> None:
    text = json.dumps(answer.json())
    facts = json.loads(text)
    assert set(facts) == {
        *("question", "snapshot", "funnel", "slices", "notes", "funnel_by_lane"),
        *("beside", "side_by_side", "overlap", "report"),
    }
    assert [each["dimension"] for each in facts["slices"]] == list(DIMENSIONS)
    emails = {sign.email for person in truth().people.values() for sign in person.signatures}
    assert not any(email in text for email in emails if email)


def test_charts_are_written(answer: Answer, tmp_path: Path) -> None:
    answer.draw(tmp_path / "charts")
    names = {file.name for file in (tmp_path / "charts").iterdir()}
    assert names == {
        "funnel.svg",
        *(f"{each}.svg" for each in DIMENSIONS),
        *(f"{each}-beside.svg" for each in DIMENSIONS),
    }


def test_commands_explain_themselves() -> None:
    app = typer.Typer()
    app.command()(commands.pool)
    app.command()(commands.screening)
    for command, word in (("pool", "--beside"), ("screening", "--topic")):
        told = CliRunner().invoke(app, [command, "--help"], env={"COLUMNS": "200"})
        assert told.exit_code == 0
        assert word in told.output


@pytest.mark.parametrize("topic", ["fused-moe", "kv-transfer", "hybrid-prefix-caching", "eplb"])
def test_questions_grow_from_own_commits(sample_searcher: Searcher, topic: str) -> None:
    columns, details = sample_searcher.index.columns, sample_searcher.details
    commit = int(columns.topic_commits[details.topic_ordinals[topic]][-1])
    person = int(columns.people[commit][0])
    id_ = details.people["id"][person].as_py()
    first = screening(sample_searcher, id_, topic)[0]
    assert first.id in {one.id for one in load().of(topic)}
    assert first.opening.startswith("In ")
    own = {one.sha for one in own_work(sample_searcher, person, frozenset({topic}))}
    assert details.commits["sha"][commit].as_py() in own


def test_nobody_and_nothing_are_named(sample_searcher: Searcher) -> None:
    with pytest.raises(NoSuchPerson, match="nobody here has the login or id 'no-such-login'"):
        screening(sample_searcher, "no-such-login", "moe")
    id_ = sample_searcher.details.people["id"][0].as_py()
    with pytest.raises(BadInput, match="there is no topic 'astrology'"):
        screening(sample_searcher, id_, "astrology")
