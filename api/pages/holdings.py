"""What the installation holds, for the first page and for admins."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from api.pages.words import Words
from api.snapshots import Opened
from sourcer.settings import Repository, Settings


@dataclass(frozen=True, slots=True)
class Held:
    """A snapshot in a few numbers."""

    snapshot: str
    made: str
    repositories: tuple[tuple[str, str], ...]
    """Name, and the head it was read to."""
    commits: int
    people: int
    is_sample: bool


def holdings(opened: Opened, settings: Settings, words: Words) -> Held:
    manifest = opened.snapshot.manifest
    inputs: Mapping[str, Mapping[str, object]] = manifest.get("inputs", {}).get("repositories", {})
    heads = tuple((name, str(at.get("head") or "")[:9]) for name, at in inputs.items())
    made = manifest.get("made")
    return Held(
        snapshot=opened.name,
        made=words.day(str(made)) if made else opened.name,
        repositories=heads or tuple((one.name, "") for one in opened.known.repos.values()),
        commits=opened.known.commits.num_rows,
        people=int((opened.searcher.index.columns.person_commits > 0).sum()),
        is_sample=any(_is_sample(one, settings) for one in settings.repositories),
    )


def _is_sample(repository: Repository, settings: Settings) -> bool:
    """The made-up histories lie in the data directory itself."""
    return Path(repository.source).resolve().is_relative_to((settings.data / "sample").resolve())
