"""What benches say of the machine, and where they keep their figures."""

import json
import os
import platform
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

RUNS = Path(__file__).parent / "runs"


def memory_mb(process: int) -> tuple[int, int]:
    """What a process holds now, pages shared with others counted in part, and the most it held."""
    shared = _fields(Path(f"/proc/{process}/smaps_rollup"))
    own = _fields(Path(f"/proc/{process}/status"))
    return shared["Pss"] // 1024, own["VmHWM"] // 1024


def _fields(file: Path) -> dict[str, int]:
    """The lines of a status file that are kilobytes."""
    lines = (line.split() for line in file.read_text("utf-8").splitlines())
    return {words[0].rstrip(":"): int(words[1]) for words in lines if words[-1] == "kB"}


def write_run(name: str, figures: Mapping[str, object]) -> Path:
    """Keeps a run as dated JSON with the machine it ran on and how busy that was."""
    now = datetime.now(UTC)
    machine = {
        "cores": os.cpu_count(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "load": [round(load, 1) for load in os.getloadavg()],
    }
    file = RUNS / f"{now:%Y-%m-%dT%H%M%SZ}-{name}.json"
    said = {"at": now.isoformat(timespec="seconds"), "machine": machine, **figures}
    file.write_text(json.dumps(said, indent=1) + "\n", "utf-8")
    return file
