"""The documentation builds without a warning, and what it shows is so."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from docs import generated
from sourcer import settings
from sourcer.cli import app
from sourcer.topics import file as topics_file
from tests.sample_snapshot import Demo

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = sorted(path for path in DOCS.rglob("*.md") if "_build" not in path.parts)
BLOCK = re.compile(r"(<!-- runs -->\n)?^( *)```(\w+)\n(.*?)^ *```", re.DOTALL | re.MULTILINE)
FOLDERS = ("sourcer/", "ingest/", "index/", "api/", "tests/", "deploy/", "notebooks/", "docs/")
HOSTS = {"127.0.0.1", "HOST", "...", "api.github.com", "download.pytorch.org"}
BESIDE = {"SOURCER_DATA", "SOURCER_LLM_KEY"}
"""Variables that are no setting."""


@dataclass(frozen=True)
class Block:
    """What stands between two fences."""

    page: Path
    language: str
    text: str
    runs: bool

    @property
    def commands(self) -> Iterator[list[str]]:
        for line in self.text.replace("\\\n", " ").splitlines():
            words = shlex.split(line.partition(" > ")[0], comments=True)
            if words[:1] == ["sourcer"]:
                yield words[1:]


def blocks(*languages: str) -> list[Block]:
    return [
        Block(page, language, re.sub(rf"^{indent}", "", text, flags=re.M), bool(runs))
        for page in PAGES
        for runs, indent, language, text in BLOCK.findall(page.read_text("utf-8"))
        if language in languages
    ]


def each(found: list[Block]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("block", found, ids=lambda block: block.page.stem)


@pytest.mark.slow
def test_builds_without_a_warning_and_takes_nothing_from_elsewhere(tmp_path: Path) -> None:
    built = subprocess.run(
        [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", DOCS, tmp_path],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert built.returncode == 0, built.stderr
    for page in tmp_path.rglob("*.html"):
        fetched = re.findall(
            r'<(?:script|link|img)[^>]+(?:src|href)="(https?:[^"]+)', page.read_text("utf-8")
        )
        assert fetched == [], page
    made = (tmp_path / "reference" / "command-line.html").read_text("utf-8")
    for path, command in generated.every_command():
        assert f">{path}<" in made
        options = [option for one in command.params for option in one.opts if option[0] == "-"]
        assert [option for option in options if option not in made] == []
    shown = (tmp_path / "reference" / "settings.html").read_text("utf-8")
    assert all(row.variable in shown for row in settings.TABLE)


def test_pages_are_there() -> None:
    folders = {"tutorials": 2, "how-to": 9, "reference": 5, "explanation": 5}
    for folder, count in folders.items():
        assert sum(page.parent.name == folder for page in PAGES) == count


@each(blocks("sh"))
def test_commands_and_options_are_those_of_the_code(block: Block) -> None:
    for words in block.commands:
        parsed(words)


def test_every_command_says_what_each_of_its_words_means() -> None:
    for path, command in generated.every_command():
        assert [one.name for one in command.params if not one.help] == [], path


def test_commands_in_sentences_exist() -> None:
    known = [path.split()[1:] for path, _ in generated.every_command()]
    for page in PAGES:
        for said in re.findall(r"`sourcer ([a-z][^`]*)`", page.read_text("utf-8")):
            words = said.split()
            assert any(words[: len(path)] == path for path in known), f"{page}: {said}"


@pytest.mark.slow
@pytest.mark.parametrize(
    "page", sorted({b.page for b in blocks("sh") if b.runs}), ids=lambda page: page.stem
)
def test_marked_commands_run_on_the_sample(page: Path, own: Path, judged: Path) -> None:
    for block in blocks("sh"):
        if block.page == page and block.runs:
            for words in block.commands:
                ran = CliRunner().invoke(app, words, catch_exceptions=False)
                assert ran.exit_code == 0, (words, ran.output)


@pytest.mark.slow
@each(blocks("python"))
def test_python_runs_on_the_sample(block: Block, own: Path, capsys: Any) -> None:
    exec(compile(block.text, str(block.page), "exec"), {})
    assert capsys.readouterr().out


@each(blocks("toml"))
def test_toml_is_read(block: Block, tmp_path: Path) -> None:
    if "[topics." in block.text:
        assert topics_file.parse(block.text).topics
    else:
        (tmp_path / settings.FILE).write_text(block.text, "utf-8")
        settings.read(tmp_path, {})


@each(blocks("json"))
def test_json_is_json(block: Block) -> None:
    for line in block.text.splitlines():
        json.loads(line)


def test_addresses_are_served() -> None:
    served = set(generated.openapi()["paths"])
    for page in PAGES:
        for path in re.findall(r"/api/v1/[a-z/_{}-]+", page.read_text("utf-8")):
            assert path.rstrip("/") in served, f"{page}: {path}"


def test_variables_are_settings() -> None:
    known = {row.variable for row in settings.TABLE} | BESIDE
    for page in PAGES:
        assert set(re.findall(r"SOURCER_[A-Z_]+", page.read_text("utf-8"))) <= known, page


def test_pages_lead_nowhere_outside_that_could_go_away() -> None:
    """Nobody can follow links from here, so there are none but to addresses that are examples."""
    for page in [*PAGES, ROOT / "README.md"]:
        for host in re.findall(r"https?://([\w.-]+)", page.read_text("utf-8")):
            assert host in HOSTS or host.endswith(".example"), f"{page}: {host}"


def test_links_of_the_readme_are_there() -> None:
    for to in re.findall(r"\]\(([^)#]+)", (ROOT / "README.md").read_text("utf-8")):
        assert (ROOT / to).exists(), to


def test_files_that_are_named_are_there() -> None:
    for page in [*PAGES, *(ROOT / "notebooks").glob("*.ipynb")]:
        for path in re.findall(r"`([\w./-]+)`", page.read_text("utf-8")):
            if path.startswith(FOLDERS):
                assert (ROOT / path).exists(), f"{page}: {path}"


@pytest.mark.slow
def test_the_data_directory_has_nothing_that_its_page_does_not_name(demo: Demo) -> None:
    page = (DOCS / "reference" / "data-directory.md").read_text("utf-8")
    named = {path.partition("/")[0] for path in re.findall(r"^\| `([^`]+)`", page, re.MULTILINE)}
    assert {path.name for path in demo.data.iterdir()} - named <= {"said", "building"}


def parsed(words: list[str]) -> None:
    """Raises what typer says of a command line; nothing is run, nobody is asked."""
    paths = sorted(generated.every_command(), key=lambda one: -len(one[0]))
    name, command = next(
        (path, command)
        for path, command in paths
        if words[: len(path.split()) - 1] == path.split()[1:]
    )
    rest = words[len(name.split()) - 1 :]
    asked = [one for one in command.params if getattr(one, "prompt", None)]
    answers = [word for one in asked for word in (one.opts[0], "x")]
    command.make_context(name, [*rest, *answers])


@pytest.fixture
def own(demo: Demo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory with the sample's data directory in it, where everything is run."""
    shutil.copytree(demo.data, tmp_path / "data", symlinks=True, copy_function=os.link)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SOURCER_DATA", raising=False)
    return tmp_path / "data"


@pytest.fixture
def judged(own: Path) -> Path:
    """The question of the engineer's tutorial, saved as it says."""
    [block] = [block for block in blocks("json") if block.page.stem == "engineer"]
    Path("judged.jsonl").write_text(block.text, "utf-8")
    return Path("judged.jsonl")
