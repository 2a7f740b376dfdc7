"""What a bench runs on when nobody says: the sample, as `sourcer demo` publishes it."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from ingest import sample

DEMO = (sys.executable, "-c", "from sourcer.cli import main; main()", "demo", "--data")


@contextmanager
def data_directory(given: Path | None) -> Iterator[Path]:
    """The given data directory, or one that holds the sample for as long as this lasts."""
    if given is not None:
        yield given
        return
    with TemporaryDirectory() as place:
        subprocess.run([*DEMO, place], check=True, capture_output=True)
        yield Path(place)


@contextmanager
def history(given: Path | None) -> Iterator[Path]:
    """The given git directory, or the larger history of the sample."""
    if given is not None:
        yield given
        return
    with TemporaryDirectory() as place:
        yield Path(sample.write(Path(place)).repositories["vllm-project/vllm"])
