"""Killed at each step and at random moments, and out of disk: `current` answers, the next run
repairs, nothing that a recruiter wrote is lost.

`make test` kills 10 random nights; `make test-kills` kills 200.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sourcer import snapshot
from sourcer.runs import Outcome
from tests.nights import Installation

KILLS = int(os.environ.get("SOURCER_KILLS", "10"))


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    here = Installation.start(tmp_path_factory.mktemp("published"))
    here.night()
    here.commit("acme/engine", "Fuse experts")
    return here


@pytest.fixture
def here(published: Installation, tmp_path: Path) -> Installation:
    """Published once; a commit is new."""
    shutil.copytree(published.data, tmp_path / "data", symlinks=True)
    return Installation(tmp_path, published.histories)


@pytest.mark.slow
def test_killed_at_each_step_and_at_random(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.night_killer", tmp_path, str(KILLS), "7"],
        capture_output=True,
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
    )
    assert done.returncode == 0, done.stderr[-2000:]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 48 MB."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=48m", "tmpfs", str(place)]
    if shutil.which("mount") is None or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("mounting a small tmpfs needs root")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


@pytest.mark.slow
def test_out_of_disk_at_any_step(here: Installation, small_disk: Path) -> None:
    shutil.copytree(here.data, small_disk / "data", symlinks=True)
    full = Installation(small_disk, here.histories)
    outcomes = []
    for left in (0, 64, 1024, 3072, 5120):
        full.commit("acme/engine", f"Fuse experts with {left} kB left")
        fill(small_disk, leave=left << 10)
        outcomes.append(full.night().outcome)
        assert full.current().manifest["counts"]["commits"] >= 18
        (small_disk / "filler").unlink()
        assert full.night().outcome in (Outcome.PUBLISHED, Outcome.NOTHING_NEW)
        assert full.found("moe")
        snapshot.prune(full.data, 1)
    assert outcomes[0] is Outcome.FAILED


def fill(disk: Path, leave: int) -> None:
    free = shutil.disk_usage(disk).free
    with (disk / "filler").open("wb") as stream:
        stream.write(b"\0" * max(0, free - leave))
