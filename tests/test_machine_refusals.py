"""What the command line says when the machine itself says no."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-c", "from sourcer.cli import main; main()"]


def said(*words: str) -> tuple[int, str]:
    ran = subprocess.run([*COMMAND, *words], capture_output=True, text=True, check=False)
    return ran.returncode, ran.stderr


def test_a_data_directory_that_is_a_file_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "data").touch()
    code, stderr = said("ingest", str(tmp_path), "--data", str(tmp_path / "data"))
    where = tmp_path / "data"
    assert (code, stderr) == (
        1,
        f"sourcer: {where}: File exists. What was published stays as it was\n",
    )


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_data_directory_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    code, stderr = said("ingest", str(tmp_path), "--data", str(tmp_path / "data"))
    assert (code, stderr.count("\n"), "Permission denied" in stderr) == (1, 1, True)


def test_a_reader_that_leaves_early_sees_no_traceback() -> None:
    ran = subprocess.run(
        ["bash", "-c", f'"{COMMAND[0]}" -c "{COMMAND[2]}" --help | head -1'],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stderr == ""
