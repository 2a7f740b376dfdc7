import subprocess
import sys
from pathlib import Path

import pytest

from sourcer.errors import Busy
from sourcer.lock import exclusive

HOLD = """
import sys, time
from pathlib import Path
from sourcer.lock import exclusive
with exclusive(Path(sys.argv[1]), "nightly"):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_second_writer_is_told_who_holds_it(tmp_path: Path) -> None:
    with (
        exclusive(tmp_path, "ingest"),
        pytest.raises(Busy, match="being written: ingest, process"),
        exclusive(tmp_path, "demo"),
    ):
        pass
    with exclusive(tmp_path, "demo"):
        pass


def test_a_killed_holder_leaves_it_free(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(Busy, match="nightly"), exclusive(tmp_path, "ingest"):
            pass
        holder.kill()
        holder.wait()
    with exclusive(tmp_path, "ingest"):
        pass
