import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from sourcer import settings
from sourcer.commits import Depth
from sourcer.errors import BadSettings
from sourcer.settings import Repository


def test_later_sources_win(tmp_path: Path) -> None:
    (tmp_path / "sourcer.toml").write_text("[settings]\nkeep_snapshots = 5\nthreads = 1\n")
    read = settings.read(tmp_path, {"SOURCER_THREADS": "2"})
    assert (read.keep_snapshots, read.threads, read.workers) == (5, 2, 2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[settings\n", "is not valid TOML"),
        ("[settings]\nthraeds = 2\n", "has no 'thraeds'; the settings are model, threads"),
        ("[settings]\nthreads = 'many'\n", "threads is 'many'; expected a whole number"),
        ("[settings]\nthreads = -1\n", "threads is -1; expected a whole number"),
        ("[[repositories]]\nname = 'a/b'\n", "expected name, source"),
        (
            "[[repositories]]\nname = 'a/b'\nsource = 'x'\ndepth = 'deep'\n",
            "a/b: depth is 'deep'; expected 'paths' or 'lines'",
        ),
        (
            "[[repositories]]\nname = 'a/b'\nsource = 'x'\nurl = 'git@x'\n",
            "a/b: url is 'git@x'; expected https://",
        ),
        ("settings = 3\n", "settings is 3; expected [settings]"),
        ("repositories = 3\n", "repositories is 3; expected [[repositories]]"),
    ],
)
def test_a_bad_file_is_named_with_its_value(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "sourcer.toml").write_text(text)
    with pytest.raises(BadSettings, match=message.replace("[", r"\[")):
        settings.read(tmp_path, {})


def test_remembering_keeps_what_a_person_wrote(tmp_path: Path) -> None:
    (tmp_path / "sourcer.toml").write_text("# ours\n[settings]\nthreads = 1\n")
    first = Repository("a/b", "https://git.example/a/b", Depth.PATHS)
    settings.remember(tmp_path, first)
    settings.remember(tmp_path, Repository("c/d", "/srv/c", Depth.LINES))
    moved = Repository("a/b", "/srv/a", Depth.LINES, "https://git.example/a/b")
    settings.remember(tmp_path, moved)
    assert (tmp_path / "sourcer.toml").read_text().startswith("# ours\n[settings]\nthreads = 1\n")
    assert settings.read(tmp_path, {}).repositories == (
        moved,
        Repository("c/d", "/srv/c", Depth.LINES),
    )


def test_the_salt_is_made_once_and_private(tmp_path: Path) -> None:
    salt = settings.salt(tmp_path / "new")
    assert len(salt) == 32
    assert settings.salt(tmp_path / "new") == salt
    assert settings.salt(tmp_path / "other") != salt
    assert stat.S_IMODE((tmp_path / "new" / "salt").stat().st_mode) == 0o600
    assert [file.name for file in (tmp_path / "new").iterdir()] == ["salt"]


def test_the_readme_lists_every_setting() -> None:
    readme = (Path(__file__).parent.parent / "README.md").read_text("utf-8")
    for row in settings.TABLE:
        assert f"| `{row.name}` | `{row.variable}` |" in readme


def test_however_many_make_the_salt_at_once_there_is_one(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        for number in range(100):
            data = tmp_path / str(number)
            made = set(pool.map(settings.salt, [data] * 8))
            assert made == {(data / "salt").read_bytes()}
            assert [file.name for file in data.iterdir()] == ["salt"]
