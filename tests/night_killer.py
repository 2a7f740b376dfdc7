"""Kills nights at each step and at random moments, and looks each time at what is left.

    python -m tests.night_killer DIRECTORY KILLS SEED

The night runs in a child that is forked with everything imported already, so that a kill costs
little more than the night itself; the parent starts no thread.
"""

import importlib
import os
import random
import signal
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from sourcer import runs
from sourcer.cli.night import nightly
from sourcer.cli.night_steps import Surroundings
from sourcer.query import Query
from sourcer.runs import Outcome
from sourcer.workspace import Workspace, saved_searches
from sourcer.workspace.actors import LOCAL
from tests.nights import EMBEDDER, Installation

STEPS = (
    "check", "fetch", "mirror acme/engine", "crawl acme/engine", "profiles", "expire", "build",
    "load history", "owners", "people", "topics", "graph", "index", "lexical", "embedding", "guard",
    "publish", "alert", "prune",
)  # fmt: skip
LATER = (
    "alembic.command", "index.build", "index.embedder", "ingest.directions", "ingest.run",
    "ingest.profiles.retention", "ingest.soundness", "sourcer.workspace.alerts",
    "sourcer.workspace.deliveries", "sourcer.workspace.couriers", "sourcer.workspace.migrating",
)  # fmt: skip
"""What a night imports when it needs it."""


def main(root: Path, kills: int, seed: int) -> None:
    """Raises SystemExit with what went wrong."""
    for name in LATER:
        importlib.import_module(name)
    dice, here = random.Random(seed), Installation.start(root)
    longest = timed(lambda: night(here))
    for turn, step in enumerate(STEPS):
        here.commit("acme/engine", f"Fuse experts {turn}", turn)
        die_at(here, step)
        forked(lambda turn=turn: look(here, turn))
        forked(lambda: mend(here))
    killed = 0
    for turn in range(len(STEPS), len(STEPS) + kills):
        here.commit("acme/engine", f"Fuse experts {turn}", turn)
        killed += kill_after(dice.uniform(0, longest), lambda: night(here))
        forked(lambda turn=turn: look(here, turn))
    forked(lambda: night(here))
    forked(lambda: finish(here, len(STEPS) + kills))
    print(f"{killed} of {kills} nights were killed, the rest had ended")


def die_at(here: Installation, step: str) -> None:
    def progress(at: str, _done: int, _total: int) -> None:
        if at == step:
            os.kill(os.getpid(), signal.SIGKILL)

    status = os.waitpid(child(lambda: nightly(here.data, Surroundings(progress, {}, EMBEDDER))), 0)
    if not os.WIFSIGNALED(status[1]):
        raise SystemExit(f"the night never came to {step}")


def mend(here: Installation) -> None:
    """The next night publishes what the killed one could not, or finds that it did."""
    run = here.night()
    assert run.exit_code == 0, run
    assert runs.recent(here.data)[1].outcome is Outcome.KILLED


def night(here: Installation) -> None:
    assert here.night().exit_code in (0, 3)


def look(here: Installation, turn: int) -> None:
    """A whole snapshot answers, and all that recruiters wrote is there; then they write more."""
    assert here.current().manifest["counts"]["commits"] >= 18
    assert here.found("moe")
    with closing(Workspace.open(here.data)) as desk, desk.writing() as session:
        assert len(saved_searches.every(session, LOCAL)) == turn
        words = f"fuse experts {turn}"
        saved_searches.save(session, LOCAL, words, Query(words, semantic=words))


def finish(here: Installation, kills: int) -> None:
    """The last night, which nobody killed, has repaired everything and left no litter."""
    assert here.current().manifest["counts"]["commits"] == 18 + kills
    assert here.night().says.startswith("nothing new")
    hidden = [path.name for path in (here.data / "snapshots").iterdir() if path.name[0] == "."]
    assert hidden == [], hidden


def forked(do: Callable[[], None]) -> None:
    status = os.waitpid(child(do), 0)[1]
    if status:
        raise SystemExit(f"a child ended with {os.waitstatus_to_exitcode(status)}")


def child(do: Callable[[], object]) -> int:
    if pid := os.fork():
        return pid
    try:
        do()
    except BaseException as error:  # noqa: BLE001 - whatever it was, the parent must learn of it
        print(repr(error), file=sys.stderr, flush=True)
        os._exit(1)
    os._exit(0)


def kill_after(seconds: float, do: Callable[[], None]) -> bool:
    """Whether it was still running."""
    pid = child(do)
    time.sleep(seconds)
    os.kill(pid, signal.SIGKILL)
    status = os.waitpid(pid, 0)[1]
    if os.WIFSIGNALED(status):
        return True
    if status:
        raise SystemExit("a night that nobody killed failed")
    return False


def timed(do: Callable[[], None]) -> float:
    began = time.monotonic()
    forked(do)
    return time.monotonic() - began


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
