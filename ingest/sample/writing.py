"""Writes the sample to disk: two bare repositories, three profile files, GitHub's answers."""

import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

from ingest.sample.crowd import everyone
from ingest.sample.github import FILES, write_answers
from ingest.sample.history import history, tags
from ingest.sample.profiles import write_profiles
from ingest.sample.stream import write_repository
from ingest.sample.themes import REPOS
from sourcer.errors import BadInput

STAMP = "MADE-UP"
PROFILES = ("github.jsonl", "linkedin_connections.csv", "ats_export.csv")


@dataclass(frozen=True, slots=True)
class Sample:
    """Where the sample lies: repositories by the product's names for them, and profile files."""

    repositories: Mapping[str, Path]
    profiles: tuple[Path, ...]
    answers: Path
    """What GitHub would say of each repository, in a folder of the repository's name."""

    def beside(self, crawls: Path) -> None:
        """Puts GitHub's answers where a fetch would have left them: no network is asked."""
        for name in self.repositories:
            into = crawls / name.replace("/", "+")
            into.mkdir(parents=True, exist_ok=True)
            for file in FILES:
                shutil.copyfile(self.answers / into.name / file, into / file)


def write(into: Path) -> Sample:
    """Writes the sample into a directory of its own, unless it is there already.

    Built beside and renamed, so that a killed run leaves nothing half done. A directory that holds
    anything else is refused, never replaced.
    """
    if _stamp(into) != fingerprint():
        _refuse_if_foreign(into)
        into.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{into.name}-", dir=into.parent) as draft:
            _build(Path(draft) / "new")
            _swap(Path(draft), into)
    return Sample(
        {name: into / f"{short}.git" for short, name in REPOS.items()},
        tuple(into / "profiles" / name for name in PROFILES),
        into / "github",
    )


@cache
def fingerprint() -> str:
    """A hash of the code and data that make the sample: another one means another sample."""
    digest = sha256()
    for part in sorted(files("ingest.sample").iterdir(), key=lambda part: part.name):
        if part.name.endswith((".py", ".toml")):
            digest.update(part.read_bytes())
    return digest.hexdigest()


def _stamp(directory: Path) -> str:
    stamp = directory / STAMP
    return stamp.read_text("utf-8").strip() if stamp.is_file() else ""


def _refuse_if_foreign(into: Path) -> None:
    if into.exists() and not _stamp(into) and (not into.is_dir() or any(into.iterdir())):
        raise BadInput(f"{into} holds something else than the sample. Name an empty directory.")


def _build(into: Path) -> None:
    into.mkdir()
    for short, name in REPOS.items():
        shas = write_repository(history(short), tags(short), into / f"{short}.git")
        write_answers(short, shas, into / "github" / name.replace("/", "+"))
    write_profiles(everyone(), into / "profiles")
    (into / STAMP).write_text(fingerprint() + "\n", "utf-8")


def _swap(draft: Path, into: Path) -> None:
    """An older sample is moved away first; whoever wrote the same one meanwhile is believed."""
    if into.exists():
        into.rename(draft / "old")
    try:
        (draft / "new").rename(into)
    except OSError:
        if _stamp(into) != fingerprint():
            raise
        shutil.rmtree(draft / "new")
