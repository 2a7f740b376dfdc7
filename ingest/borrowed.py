"""A scratch repository that borrows a source's objects, so that the source is only ever read.

It has no remote (a partial clone fetches nothing behind our back), none of the source's
settings (its external diffs do not run), and works for a bare directory without a `config`.
"""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ingest.gitchild import answer
from sourcer.errors import CrawlFailed, NoSuchRepository

CONFIG = """[core]
\trepositoryFormatVersion = 1
\tbare = true
[extensions]
\tobjectFormat = """
FIRST_BRANCHES = ("refs/heads/main", "refs/heads/master")


@contextmanager
def borrowed(source: Path) -> Iterator[Path]:
    """The git directory of a scratch repository over `source`, removed at the end."""
    asked = ("--git-path", "objects", "--git-path", "shallow", "--show-object-format")
    objects, shallow, object_format = _ask(source, *asked).split("\n")
    with tempfile.TemporaryDirectory(prefix="sourcer-") as name:
        scratch = Path(name)
        for folder in ("objects/info", "refs"):
            (scratch / folder).mkdir(parents=True)
        (scratch / "HEAD").write_text("ref: refs/heads/none\n")
        (scratch / "objects/info/alternates").write_text(f"{Path(objects).resolve()}\n")
        (scratch / "config").write_text(f"{CONFIG}{object_format}\n")
        if Path(shallow).exists():
            shutil.copy(shallow, scratch / "shallow")
        yield scratch


def shallow_commits(scratch: Path) -> frozenset[str]:
    """Commits whose parents were left out: what they changed cannot be known."""
    listed = scratch / "shallow"
    return frozenset(listed.read_text().split() if listed.exists() else ())


def head(source: Path) -> str | None:
    """The commit at the head; None for a repository without commits.

    A HEAD that names no branch (the default branch was renamed) falls back to main, to master,
    then to the only branch there is.
    """
    named = (source / "HEAD").read_text("utf-8").strip()
    if not named.startswith("ref: "):
        return named
    listed = answer(source, "for-each-ref", "--format=%(objectname) %(refname)", "refs/heads/")
    branches = {name: sha for sha, _, name in (line.partition(" ") for line in listed.splitlines())}
    for branch in (named.removeprefix("ref: "), *FIRST_BRANCHES):
        if branch in branches:
            return branches[branch]
    return next(iter(branches.values())) if len(branches) == 1 else None


def _ask(source: Path, *arguments: str) -> str:
    try:
        return answer(source, "rev-parse", *arguments)
    except CrawlFailed as error:
        raise NoSuchRepository(
            f"{source} is not a git repository that can be read: {error}. "
            "Give a path to one, a URL, or owner/name for GitHub."
        ) from error
