"""Clients that ask a server as fast as it answers, from a process of their own."""

import asyncio
import multiprocessing
import os
import socket
import subprocess
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import quantiles
from urllib.parse import quote

from measured import memory_mb

ROOT = Path(__file__).parent.parent.parent
WORDS = (
    "moe", "kernel", "prefix caching", "scheduler", "lora", "quantisation", "speculative decoding",
    "expert parallelism", "flash attention", "kv transfer", "triton", "rocm", "multimodal", "tests",
)  # fmt: skip
PLACES = ("", " in Europe", " in the US", " since 2025", ", senior or above", " in vLLM")


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

    def json(self) -> dict[str, float]:
        said = {name: round(value, 4) for name, value in asdict(self).items()}
        return {**said, "per_second": round(self.rate, 1)}

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
            status = await ask()
            errors += status != 200  # in one step: `errors += await` reads it too early
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
    for _ in range(600):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise TimeoutError(f"nothing listens on {port}")


def memory(process: subprocess.Popen[bytes]) -> int:
    """Megabytes of a process and its children, what they share counted once."""
    return sum(memory_mb(one)[0] for one in family(process.pid))


def cpu_seconds(process: subprocess.Popen[bytes]) -> float:
    """Processor time that a process and its children took so far."""
    ticks = 0
    for one in family(process.pid):
        fields = Path(f"/proc/{one}/stat").read_text("utf-8").rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def family(process: int) -> list[int]:
    """A process and all that it started."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text("utf-8").split()
    return [process, *(one for child in children for one in family(int(child)))]
