"""sourcer serve, from outside: refusing to be open to others, and a real server answering."""

import socket
import subprocess
import sys
import threading
from pathlib import Path
from time import sleep

import httpx2
import pytest

from sourcer.cli import serving
from sourcer.errors import BadInput, BadSettings


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.7", "example.com"])
def test_no_server_for_others_without_users(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    monkeypatch.setattr(serving, "_run", lambda *_: pytest.fail("it was started"))
    with pytest.raises(BadSettings, match="there are no users yet"):
        serving.serve(host=host, data=tmp_path)


def test_with_users_everybody_logs_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[tuple[object, ...]] = []
    monkeypatch.setattr(serving, "_run", lambda *given: started.append(given))
    monkeypatch.setenv("SOURCER_SERVE_ACCOUNTS", "")
    monkeypatch.setenv("SOURCER_SERVE_THREADS", "")
    monkeypatch.setenv("SOURCER_DATA", "")
    serving.add_user("ada", "admin", "correct horse battery", tmp_path)
    serving.serve(host="0.0.0.0", data=tmp_path)
    assert started == [("0.0.0.0", 8000, 1)]
    assert serving.serving(tmp_path, {"SOURCER_SERVE_ACCOUNTS": "1"}).accounts
    assert not serving.serving(tmp_path, {}).accounts


def test_a_role_that_there_is_not(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="'king' is not viewer, recruiter or admin"):
        serving.add_user("ada", "king", "correct horse battery", tmp_path)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def started(data: Path, port: int) -> subprocess.Popen[bytes]:
    """A server process that answers."""
    start = "from sourcer.cli import serving; from pathlib import Path; "
    start += f"serving.serve(port={port}, data=Path({str(data)!r}))"
    process = subprocess.Popen([sys.executable, "-c", start], stderr=subprocess.DEVNULL)
    for _ in range(600):
        try:
            if httpx2.get(f"http://127.0.0.1:{port}/healthz").status_code == 200:
                break
        except httpx2.TransportError:
            sleep(0.1)
    return process


@pytest.mark.slow
def test_a_killed_server_loses_no_write_that_it_acknowledged(tmp_path: Path) -> None:
    port = free_port()
    process = started(tmp_path, port)
    acknowledged: list[str] = []

    def write() -> None:
        with httpx2.Client(base_url=f"http://127.0.0.1:{port}/api/v1") as client:
            try:
                for number in range(10_000):
                    answer = client.post("/shortlists", json={"name": f"n{number}"})
                    acknowledged.append(answer.json()["slug"])
            except httpx2.TransportError:
                return

    writing = threading.Thread(target=write)
    writing.start()
    while len(acknowledged) < 20:
        sleep(0.01)
    process.kill()
    writing.join()
    process.wait()
    again = started(tmp_path, port)
    found = httpx2.get(f"http://127.0.0.1:{port}/api/v1/shortlists").json()["shortlists"]
    log = httpx2.get(f"http://127.0.0.1:{port}/api/v1/audit/verify").json()
    again.terminate()
    again.wait(30)
    assert set(acknowledged) <= {one["slug"] for one in found}
    assert log["holds"]
