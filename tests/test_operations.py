"""The operations page: its commands exist and, where they can run here, do what it says."""

import re
import shlex
import subprocess
import tarfile
from contextlib import closing
from pathlib import Path

from typer.main import get_command
from typer.testing import CliRunner

from sourcer import runs, settings
from sourcer.cli import app
from sourcer.query import Query
from sourcer.runs import Outcome
from sourcer.workspace import Workspace, saved_searches
from sourcer.workspace.actors import LOCAL
from tests.nights import Installation

PAGE = (Path(__file__).parent.parent / "docs" / "operations.md").read_text("utf-8")
BLOCKS = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)


def test_every_command_and_option_exists() -> None:
    commands = get_command(app).commands  # type: ignore[attr-defined]
    found = [line for block in BLOCKS for line in block.splitlines() if line.startswith("sourcer ")]
    assert len(found) >= 6
    for line in found:
        name, *words = shlex.split(line.partition("#")[0])[1:]
        known = {option for param in commands[name].params for option in param.opts}
        assert {word for word in words if word.startswith("--")} <= known


def test_exit_codes_and_settings_are_those_of_the_code() -> None:
    assert set(re.findall(r"^\| (\d) \|", PAGE, re.M)) == {"0", "1", "3", "4", "5"}
    assert (runs.WITH_FAILURES, runs.BUSY, runs.EXIT["held back"]) == (3, 5, 4)
    rows = {row.name for row in settings.TABLE}
    for name in re.findall(r"`((?:hold|keep|ping|metrics)_\w+)`", PAGE):
        assert name in rows


def test_metrics_that_are_watched_are_written(tmp_path: Path) -> None:
    here = Installation.start(tmp_path, "acme/engine")
    here.night()
    written = (here.data / "metrics.prom").read_text()
    for name in re.findall(r"^\| `(sourcer_nightly_[^`]+)`", PAGE, re.M):
        assert name in written


def test_backup_and_restore_as_written(tmp_path: Path) -> None:
    here = Installation.start(tmp_path, "acme/engine")
    here.night()
    with closing(Workspace.open(here.data)) as desk, desk.writing() as session:
        saved_searches.save(session, LOCAL, "Kernels", Query("moe kernels"))
    new = tmp_path / "var"
    for block in (_block("sourcer backup workspace"), _block("mkdir -p")):
        _run(block, here.data if "backup" in block else new, tmp_path)
    with tarfile.open(tmp_path / "settings.tar.gz") as kept:
        assert {"sourcer.toml", "salt"} <= set(kept.getnames())
    with closing(Workspace.open(new)) as desk, desk.reading() as session:
        assert [one.name for one in saved_searches.every(session, LOCAL)] == ["Kernels"]


def test_a_moved_directory_answers_and_has_nothing_new(tmp_path: Path) -> None:
    here = Installation.start(tmp_path / "old", "acme/engine")
    here.night()
    subprocess.run(["cp", "-a", here.data, tmp_path / "data"], check=True)
    moved = Installation(tmp_path, here.histories)
    assert moved.night().outcome is Outcome.NOTHING_NEW
    assert moved.found("moe")


def _block(beginning: str) -> str:
    [found] = [block for block in BLOCKS if block.startswith(beginning) and "git -C" not in block]
    return found


def _run(block: str, data: Path, cwd: Path) -> None:
    """Our commands in this process, the shell's in a shell; a night is run elsewhere."""
    for line in block.replace("/var/lib/sourcer", str(data)).splitlines():
        words = shlex.split(line, comments=True)
        if words[:2] == ["sourcer", "nightly"]:
            continue
        if words[0] == "sourcer":
            words[2] = str(cwd / words[2])
            assert CliRunner().invoke(app, words[1:]).exit_code == 0
        else:
            subprocess.run(line, shell=True, check=True, cwd=cwd)
