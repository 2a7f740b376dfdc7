"""How many questions a server answers, beside a bare route that encodes the same question.

    python tests/bench/bench_api.py [--data DIR] [--seconds 20] [--clients 32] [--workers 2]

Without --data the sample is built first. Every question is new to the server in the first part;
in the second one question is asked again and again, so that the answer comes out of the cache. The
bare servers run the same way: `encode` turns each question into its vector and nothing else, and
`model` is an async FastAPI route that returns twenty hits by their response model.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import quantiles
from urllib.parse import quote

ROOT = Path(__file__).parent.parent.parent
WORDS = (
    "moe", "kernel", "prefix caching", "scheduler", "lora", "quantisation", "speculative decoding",
    "expert parallelism", "flash attention", "kv transfer", "triton", "rocm", "multimodal", "tests",
)  # fmt: skip
PLACES = ("", " in Europe", " in the US", " since 2025", ", senior or above", " in vLLM")
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


@dataclass(frozen=True)
class Figures:
    """What one load came to."""

    requests: int
    seconds: float
    errors: int
    p50: float
    p99: float

    @property
    def rate(self) -> float:
        return self.requests / self.seconds

    def says(self, what: str) -> str:
        return (
            f"{what:<34} {self.rate:8.0f}/s   p50 {self.p50 * 1000:6.1f} ms"
            f"   p99 {self.p99 * 1000:6.1f} ms   errors {self.errors}"
        )


def questions() -> Iterator[str]:
    """Questions no two of which are the same."""
    for number in count():
        word, place = WORDS[number % len(WORDS)], PLACES[number // len(WORDS) % len(PLACES)]
        yield f"{word} {WORDS[number * 7 % len(WORDS)]} {number}{place}"


async def asked(port: int, path: str) -> Callable[[], Awaitable[int]]:
    """One client that keeps its connection, as plain bytes: the client must not be the limit."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    paths = (path.replace("{q}", quote(question)) for question in questions())

    async def ask() -> int:
        writer.write(f"GET {next(paths)} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        length = head.lower().split(b"content-length: ")[1].split(b"\r\n")[0]
        await reader.readexactly(int(length))
        return int(head[9:12])

    return ask


async def _load(port: int, path: str, clients: int, seconds: float) -> Figures:
    took: list[float] = []
    errors = 0
    end = time.perf_counter() + seconds

    async def client(number: int) -> None:
        nonlocal errors
        ask = await asked(port, path.replace("{q}", f"{{q}}%20{number}"))
        while (began := time.perf_counter()) < end:
            errors += await ask() != 200
            took.append(time.perf_counter() - began)

    began = time.perf_counter()
    await asyncio.gather(*(client(number) for number in range(clients)))
    passed = time.perf_counter() - began
    cut = quantiles(took, n=100)
    return Figures(len(took), passed, errors, cut[49], cut[98])


def _child(pipe: Connection, *load: object) -> None:
    pipe.send(asyncio.run(_load(*load)))  # type: ignore[arg-type]


def load(port: int, path: str, clients: int, seconds: float) -> Figures:
    """The clients run in a process of their own."""
    here, there = multiprocessing.Pipe()
    child = multiprocessing.Process(target=_child, args=(there, port, path, clients, seconds))
    child.start()
    figures: Figures = here.recv()
    child.join()
    return figures


@contextmanager
def serving(command: list[str], port: int, **environment: str) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(
        command, cwd=ROOT, stderr=subprocess.DEVNULL, env={**os.environ, **environment}
    )
    try:
        _wait(port)
        yield process
    finally:
        process.terminate()
        process.wait(30)


def _wait(port: int) -> None:
    import socket

    for _ in range(600):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise TimeoutError(f"nothing listens on {port}")


def memory(process: subprocess.Popen[bytes]) -> int:
    """Resident megabytes of a process and its children."""
    total, wanted = 0, {process.pid}
    for entry in sorted(Path("/proc").glob("[0-9]*"), key=lambda path: int(path.name)):
        try:
            status = dict(
                line.split(":\t", 1) for line in (entry / "status").read_text().splitlines()
                if ":\t" in line
            )  # fmt: skip
        except OSError:
            continue
        if int(status["PPid"]) in wanted or int(entry.name) in wanted:
            wanted.add(int(entry.name))
            total += int(status.get("VmRSS", "0 kB").split()[0])
    return total // 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--clients", type=int, default=32)
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        data = given.data or _sample(Path(scratch) / "data")
        run(data.resolve(), Path(scratch), given)


def run(data: Path, scratch: Path, given: argparse.Namespace) -> None:
    ours, bare = 18_471, 18_472
    start = "from sourcer.cli import serving; from pathlib import Path; "
    start += f"serving.serve(port={ours}, workers={given.workers}, data=Path({str(data)!r}))"
    (scratch / "bare.py").write_text(BARE)
    encoder = data / "current" / "index" / "encoder"
    command = [
        sys.executable, "-m", "uvicorn", "bare:app", "--app-dir", str(scratch), "--port", str(bare),
        "--workers", str(given.workers), "--no-access-log",
    ]  # fmt: skip
    amount = (given.clients, given.seconds)
    with serving(command, bare, BENCH_ENCODER=str(encoder), PYTHONPATH=str(ROOT)):
        encoded = load(bare, "/encode?q={q}", *amount)
        modelled = load(bare, "/model?q=x", *amount)
    with serving([sys.executable, "-c", start], ours) as process:
        load(ours, "/api/v1/search?q={q}", 4, 2)
        before = memory(process)
        new = load(ours, "/api/v1/search?q={q}", *amount)
        repeated = load(ours, "/api/v1/search?q=moe%20kernels", *amount)
        after = memory(process)
    print(encoded.says("bare route that encodes"))
    print(new.says("search, every question new"))
    print(modelled.says("bare async route with a model"))
    print(repeated.says("search, one question repeated"))
    print(f"searches to bare encodings: {new.rate / encoded.rate:.2f}")
    print(f"repeats to bare models: {repeated.rate / modelled.rate:.2f}")
    print(
        f"memory {before} MB before, {after} MB after {new.requests + repeated.requests:,} answers"
    )
    print(json.dumps({"machine_cores": os.cpu_count(), "workers": given.workers}))


def _sample(data: Path) -> Path:
    start = "import sys; from sourcer.cli import main; sys.argv = ['sourcer', 'demo', '--data', "
    subprocess.run(
        [sys.executable, "-c", f"{start}{str(data)!r}]; main()"],
        cwd=ROOT, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    return data


if __name__ == "__main__":
    main()
