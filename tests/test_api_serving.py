"""sourcer serve, from outside: refusing to be open to others, and a real server answering."""

from pathlib import Path

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
    monkeypatch.setenv("SOURCER_DATA", "")
    serving.add_user("ada", "admin", "correct horse battery", tmp_path)
    serving.serve(host="0.0.0.0", data=tmp_path)
    assert started == [("0.0.0.0", 8000, 1)]
    assert serving.serving(tmp_path, {"SOURCER_SERVE_ACCOUNTS": "1"}).accounts
    assert not serving.serving(tmp_path, {}).accounts


def test_a_role_that_there_is_not(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="'king' is not viewer, recruiter or admin"):
        serving.add_user("ada", "king", "correct horse battery", tmp_path)
