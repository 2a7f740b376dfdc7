"""Runs git as a child whose end is always checked: exit status and error text, both.

A git that cannot read a repository may print nothing and still look finished to a reader.
"""

import os
import re
import subprocess
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path

from sourcer.errors import CrawlFailed

BLOCK = 1 << 20
PIPE = 1 << 20
QUIET = {
    "LC_ALL": "C",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
}
CREDENTIALS = re.compile(r"(?<=://)[^/\s@']+@")
SERIOUS = re.compile(r"^(fatal|error): ", re.MULTILINE)


class GitFailed(CrawlFailed):
    """git itself ended badly, perhaps for want of an object that can be stood in for."""


def redact(words: str) -> str:
    """git's words without the user, password or token that a URL may carry.

    >>> redact("fatal: unable to access 'https://me:secret@host/a.git/'")
    "fatal: unable to access 'https://host/a.git/'"
    """
    return CREDENTIALS.sub("", words).strip()


def environment() -> dict[str, str]:
    """Ours without any GIT_* (a hook sets them) and with nobody's own git settings."""
    return {key: value for key, value in os.environ.items() if not key.startswith("GIT_")} | QUIET


def stream(git_dir: Path, arguments: list[str], feed: bytes = b"") -> Generator[bytes, None, None]:
    """Yields git's output in blocks. Raises GitFailed when git ended badly, at the end."""
    command = ["git", f"--git-dir={git_dir}", *arguments]
    with tempfile.TemporaryFile() as errors, tempfile.TemporaryFile() as source:
        source.write(feed)
        source.seek(0)
        child = subprocess.Popen(
            command,
            stdin=source,
            stdout=subprocess.PIPE,
            stderr=errors,
            env=environment(),
            pipesize=PIPE,
        )
        try:
            yield from _blocks(child)
        finally:
            status = _end(child)
        errors.seek(0)
        _check(status, errors.read().decode("utf-8", "replace"), git_dir)


def answer(git_dir: Path, *arguments: str, feed: bytes = b"") -> str:
    """Everything git says to a short question, without the last newline."""
    return b"".join(stream(git_dir, list(arguments), feed)).decode().removesuffix("\n")


def _blocks(child: subprocess.Popen[bytes]) -> Iterator[bytes]:
    assert child.stdout is not None
    while block := child.stdout.read(BLOCK):
        yield block


def _end(child: subprocess.Popen[bytes]) -> int:
    """Waits for a child; closing the pipe first stops one that nobody reads any more."""
    assert child.stdout is not None
    child.stdout.close()
    return child.wait()


def _check(status: int, words: str, git_dir: Path) -> None:
    if status == 0 and not SERIOUS.search(words):
        return
    said = redact(words) or "git said nothing"
    raise GitFailed(f"git ended with status {status} reading {git_dir}: {said}")
