"""How many questions a server answers, beside a bare route that encodes the same question.

    python tests/bench/bench_api.py [--data DIR] [--seconds 20] [--long 600] [--workers 2] [--run]

Without --data the sample is built first. Every question is new to the server in the first part;
in the second one question is asked again and again, so that the answer comes out of the cache; in
the third, questions are new again while one snapshot after another is published. The bare servers
run the same way: `encode` turns each question into its vector with the same model and nothing
else, and `model` is an async FastAPI route that returns twenty hits by their response model.

Clients and server share the machine: the processor time that the server took for one answer is
given too, as it says what the rate would be on cores of its own.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread, get_native_id

from load import ROOT, Figures, cpu_seconds, load, memory, serving
from measured import write_run
from served import copied, server

sys.path.insert(0, str(ROOT))

from sourcer import snapshot

OURS, BARE_PORT = 18_471, 18_472
NICE = 10
SEARCH = "/api/v1/search?q="
BARE = """
import os
from pathlib import Path
from fastapi import FastAPI
from pydantic import BaseModel
from index.onnx_embedder import OnnxEmbedder

app = FastAPI()
held = OnnxEmbedder.for_questions(Path(os.environ["BENCH_ENCODER"]))

class Hit(BaseModel):
    name: str
    score: float

class Hits(BaseModel):
    hits: list[Hit]

@app.get("/encode")
def encode(q: str) -> list[float]:
    return held.encode([q])[0].tolist()[:3]

@app.get("/model")
async def model(q: str) -> Hits:
    return Hits(hits=[Hit(name=f"n{i}", score=i / 20) for i in range(20)])
"""
Load = Callable[[int, str, float], Figures]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--long", type=float, help="Seconds of new questions; usual: as others.")
    parser.add_argument("--clients", type=int, default=32)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--run", action="store_true", help="Keep the figures.")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        scratch = Path(place)
        data = copied(given.data, scratch)
        figures: dict[str, object] = {"workers": given.workers, "clients": given.clients}

        def loaded(port: int, path: str, seconds: float) -> Figures:
            return load(port, path, given.clients, seconds or given.seconds)

        figures |= bare(data, scratch, given.workers, loaded)
        figures |= ours(data, given.workers, loaded, given.long or given.seconds)
    if given.run:
        print(write_run("api", figures))


def bare(data: Path, scratch: Path, workers: int, loaded: Load) -> dict[str, object]:
    (scratch / "bare.py").write_text(BARE)
    command = [
        sys.executable, "-m", "uvicorn", "bare:app", "--app-dir", str(scratch), "--port",
        str(BARE_PORT), "--workers", str(workers), "--no-access-log",
    ]  # fmt: skip
    encoder = str(data / "current" / "index" / "encoder")
    with serving(command, BARE_PORT, BENCH_ENCODER=encoder, PYTHONPATH=str(ROOT)) as process:
        load(BARE_PORT, "/encode?q={q}", 4, 2)
        return {
            "bare_encode": _told("bare route that encodes", process, loaded, "/encode?q={q}"),
            "bare_model": _told("bare async route with a model", process, loaded, "/model?q=x"),
        }


def ours(data: Path, workers: int, loaded: Load, long: float) -> dict[str, object]:
    with serving(server(data, OURS, workers), OURS) as process:
        load(OURS, SEARCH + "{q}", 4, 4)
        with _memory_watched(process) as memories:
            new = _told("search, every question new", process, loaded, SEARCH + "{q}", long)
        repeated = _told("search, one question repeated", process, loaded, f"{SEARCH}moe%20kernels")
        with _publishing(data) as published:
            during = _told("search, while publishing", process, loaded, SEARCH + "again%20{q}")
    print(f"memory by time {memories} MB; {len(published)} snapshots published")
    print(f"p99 while publishing: {during['p99'] / new['p99']:.2f} x")
    return {
        "new": new,
        "repeated": repeated,
        "while_publishing": {**during, "published": len(published)},
        "memory_mb": memories,
    }


def _told(
    what: str, process: "subprocess.Popen[bytes]", loaded: Load, path: str, seconds: float = 0
) -> dict[str, float]:
    began = cpu_seconds(process)
    figures = loaded(BARE_PORT if "bare" in what else OURS, path, seconds)
    cpu_ms = (cpu_seconds(process) - began) * 1000 / figures.requests
    print(f"{figures.says(what)}   processor time {cpu_ms:5.2f} ms each", flush=True)
    return {**figures.json(), "cpu_ms": round(cpu_ms, 2)}


@contextmanager
def _memory_watched(process: "subprocess.Popen[bytes]") -> Iterator[list[int]]:
    """Megabytes now and every tenth of a long load, or second of a short one."""
    seen, ended = [memory(process)], Event()

    def watch() -> None:
        while not ended.wait(max(1.0, 10.0 * (len(seen) > 20))):
            seen.append(memory(process))

    thread = Thread(target=watch)
    thread.start()
    yield seen
    ended.set()
    thread.join()


@contextmanager
def _publishing(data: Path) -> Iterator[list[str]]:
    """The current snapshot is published again and again, as soon as servers had time for it, and as
    politely as the unit in deploy/ lets a night do it."""
    done, ended = [], Event()

    def again() -> None:
        os.setpriority(os.PRIO_PROCESS, get_native_id(), NICE)
        while not ended.wait(3):
            now = snapshot.current(data)
            with snapshot.draft(data) as draft:
                shutil.copy2(now.database, draft / now.database.name)
                shutil.copytree(now.index, draft / now.index.name)
                done.append(snapshot.publish(data, draft, now.manifest).name)
            snapshot.prune(data, keep=2)

    thread = Thread(target=again)
    thread.start()
    yield done
    ended.set()
    thread.join()


if __name__ == "__main__":
    main()
