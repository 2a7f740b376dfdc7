"""A server of ours on data of its own."""

import subprocess
import sys
from pathlib import Path
from shutil import copytree

from load import ROOT
from on_sample import DEMO

sys.path.insert(0, str(ROOT))

from sourcer import snapshot


def server(data: Path, port: int, workers: int) -> list[str]:
    """The command."""
    start = "from sourcer.cli import serving; from pathlib import Path; "
    start += f"serving.serve(port={port}, workers={workers}, data=Path({str(data)!r}))"
    return [sys.executable, "-c", start]


def copied(data: Path | None, scratch: Path) -> Path:
    """What a server needs of a data directory, as nothing is written into the one that was given;
    the sample when none was."""
    copy = scratch / "data"
    if data is None:
        subprocess.run([*DEMO, str(copy)], cwd=ROOT, check=True, capture_output=True)
        return copy
    live = snapshot.current(data)
    copytree(live.path, copy / "snapshots" / live.name)
    snapshot.point(copy, copy / "snapshots" / live.name)
    return copy
