"""Bare mirrors of what is crawled, fetched incrementally; a local repository is used where it is.

Network sources are cloned one branch deep in refs, and without blobs at depth paths: a tenth of
the download. An init and a fetch do it, so that a killed clone is simply fetched again.
"""

import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, cast

from git import Git, GitCommandError

from ingest.gitchild import answer, redact
from sourcer.commits import Depth
from sourcer.errors import CrawlFailed, NoSuchRepository

GITHUB = "https://github.com"
NAME = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9_.][\w.-]*")
URL = re.compile(r"(?:https?|ssh|git|file)://.+|[\w.-]+@[\w.-]+:.+")
HOSTED = re.compile(
    r"(?:https?://(?:[^@/]*@)?(?P<host>[^/:@]+)(?P<port>:\d+)?/"
    r"|ssh://(?:[^@/]*@)?(?P<ssh>[^/:@]+)(?::\d+)?/|[\w.-]+@(?P<scp>[^/:@]+):)(?P<path>.+)"
)
"""What is served on the web too; a port of ssh is not the web's."""
FILTER = "remote.origin.partialCloneFilter"
ASK_FOR = ("-c", "fetch.negotiationAlgorithm=noop")
"""Objects are asked for by name, so there is no history to compare first."""
AT_ONCE = 500
SHA1 = 40
SCHEMES = "file:git:http:https:ssh"
ENVIRONMENT = {
    "LC_ALL": "C",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_SSH_COMMAND": "ssh -oBatchMode=yes -oConnectTimeout=30 -oServerAliveInterval=30",
    "GIT_HTTP_LOW_SPEED_LIMIT": "1000",  # bytes a second, for a minute: then it is given up
    "GIT_HTTP_LOW_SPEED_TIME": "60",
    "GIT_ALLOW_PROTOCOL": SCHEMES,
}


def address(source: str) -> str | Path:
    """Where a source is: the git directory of a local repository, or a URL to clone.

    >>> address("vllm-project/vllm")
    'https://github.com/vllm-project/vllm.git'
    """
    local = Path(source).expanduser()
    if source and local.is_dir():
        return _git_directory(local)
    if URL.fullmatch(source):
        return source
    if NAME.fullmatch(source):
        return f"{GITHUB}/{source.removesuffix('.git')}.git"
    raise NoSuchRepository(
        f"{redact(source)!r} is no local repository, URL or owner/name. Check the spelling."
    )


def page(source: str) -> str | None:
    """Where a source can be looked at on the web; None for what has no page.

    A directory's page is that of its remote, if it was cloned from somewhere.

    >>> page("vllm-project/vllm"), page("git@github.com:vllm-project/vllm.git")
    ('https://github.com/vllm-project/vllm', 'https://github.com/vllm-project/vllm')
    >>> page("https://me:secret@git.example:8443/a/b.git"), page("ssh://git@git.example:22/a/b")
    ('https://git.example:8443/a/b', 'https://git.example/a/b')
    """
    local = Path(source).expanduser()
    if local.is_dir():
        return _page_of(_origin(local))
    return f"{GITHUB}/{source.removesuffix('.git')}" if NAME.fullmatch(source) else _page_of(source)


def _page_of(url: str) -> str | None:
    found = HOSTED.fullmatch(url)
    if not found:
        return None
    path = found["path"].removesuffix("/").removesuffix(".git")
    host = found["host"] or found["ssh"] or found["scp"]
    return f"https://{host}{found['port'] or ''}/{path}"


def _origin(local: Path) -> str:
    """What a local repository was cloned from; empty for nothing."""
    try:
        place = _git_directory(local)
    except NoSuchRepository:
        return ""
    common = place / "commondir"  # a linked work tree has no config of its own
    config = (place / common.read_text().strip() if common.is_file() else place) / "config"
    asked = ["--file", str(config), "--default", "", "--get", "remote.origin.url"]
    return _run(place, ["git", "config", *asked]) if config.is_file() else ""


def name_of(source: str) -> str:
    """The name people use for a source: its last two parts.

    >>> name_of("https://github.com/vllm-project/vllm.git"), name_of("/srv/git/engine")
    ('vllm-project/vllm', 'git/engine')
    """
    parts = [part for part in re.split(r"[/:]", source.rstrip("/").removesuffix(".git")) if part]
    return "/".join(parts[-2:])


def usual_depth(source: str) -> Depth:
    """Lines where the contents are on this machine already, paths where they would be fetched."""
    return Depth.LINES if Path(source).expanduser().is_dir() else Depth.PATHS


def held(source: str, mirrors: Path, name: str) -> Path | None:
    """The git directory of a source as it lies on this machine, asking nobody; None: nowhere."""
    place = _mirror_of(mirrors, name)
    if Path(source).expanduser().is_dir():
        return _git_directory(Path(source).expanduser())
    return place if (place / "HEAD").exists() else None


def _mirror_of(mirrors: Path, name: str) -> Path:
    return mirrors / f"{name.replace('/', '+')}.git"


def mirror(source: str, mirrors: Path, name: str, depth: Depth = Depth.PATHS) -> Path:
    """The git directory to crawl for `source`; up to date, and never the user's to write to.

    Raises NoSuchRepository for what is no repository, CrawlFailed when a fetch fails.
    """
    place = address(source)
    if isinstance(place, Path):
        return place
    target = _mirror_of(mirrors, name)
    branch, git_format = _remote_head(place)
    if not (target / "HEAD").exists():
        mirrors.mkdir(parents=True, exist_ok=True)
        init = ["git", "init", "--quiet", "--bare", f"--object-format={git_format}"]
        _run(mirrors, [*init, str(target)])
    if branch:
        _fetch(target, place, branch, depth)
    return target


def fetch_contents(target: Path, names: Sequence[str]) -> None:
    """Brings files of a clone without blobs here, in one fetch; `names` are like "sha:path".

    Does nothing for a repository that is whole, or that is the user's own.
    """
    if not names or not _is_partial(target):
        return
    asked = (answer(target, "rev-parse", *some).split() for some in _some(names))
    shas = sorted({sha for found in asked for sha in found})
    options = ("--no-tags", "--no-write-fetch-head", "--filter=blob:none", "--stdin")
    fetch = ["git", f"--git-dir={target}", *ASK_FOR, "fetch", "--quiet", *options, "origin"]
    with tempfile.TemporaryFile() as wanted:
        wanted.write("\n".join(shas).encode())
        wanted.seek(0)
        _run(target, fetch, cast(BinaryIO, wanted))


def _git_directory(local: Path) -> Path:
    """A bare directory is known by what is in it: git itself wants a `config` to believe it."""
    for candidate in (local / ".git", local):
        if (candidate / "HEAD").is_file() and (candidate / "objects").is_dir():
            return candidate.resolve()
    if (local / ".git").is_file():
        return Path(_run(local, ["git", "rev-parse", "--absolute-git-dir"]))
    raise NoSuchRepository(
        f"{local} is not a git repository. Give a path to one, a URL, or owner/name for GitHub."
    )


def _remote_head(url: str) -> tuple[str, str]:
    """The default branch of a remote (empty when it has no commits) and its object format."""
    try:
        said = _run(Path.cwd(), ["git", "ls-remote", "--symref", "--", url, "HEAD"])
    except CrawlFailed as error:
        raise NoSuchRepository(f"{redact(url)} does not answer: {error}") from error
    named = re.search(r"^ref: refs/heads/(\S+)\tHEAD$", said, re.MULTILINE)
    sha = re.search(r"^([0-9a-f]+)\tHEAD$", said, re.MULTILINE)
    return named[1] if named else "", "sha256" if sha and len(sha[1]) > SHA1 else "sha1"


def _fetch(target: Path, url: str, branch: str, depth: Depth) -> None:
    git = ["git", f"--git-dir={target}"]
    _run(target, [*git, "config", "remote.origin.url", url])
    _run(target, [*git, "symbolic-ref", "HEAD", f"refs/heads/{branch}"])
    whole = depth is Depth.LINES and _is_partial(target)
    if whole:
        _run(target, [*git, "config", "--unset-all", "remote.origin.partialCloneFilter"])
    only = ["--filter=blob:none"] if depth is Depth.PATHS else ["--refetch"] if whole else []
    refs = f"+refs/heads/{branch}:refs/heads/{branch}"
    _run(target, [*git, "fetch", "--quiet", "--no-tags", "--force", *only, "origin", refs])
    if only and not whole:
        listed = _run(target, [*git, "ls-tree", "HEAD", "--", ".mailmap"])
        fetch_contents(target, ["HEAD:.mailmap"] if listed else [])


def _is_partial(target: Path) -> bool:
    asked = ["git", f"--git-dir={target}", "config", "--default", "", "--get", FILTER]
    return bool(_run(target, asked))


def _some(names: Sequence[str]) -> Iterator[Sequence[str]]:
    yield from (names[start : start + AT_ONCE] for start in range(0, len(names), AT_ONCE))


def _run(place: Path, command: list[str], feed: BinaryIO | None = None) -> str:
    try:
        said = Git(place).execute(command, istream=feed, env=ENVIRONMENT)
    except GitCommandError as error:
        words = redact(str(error.stderr).removeprefix("\n  stderr: ").strip("'"))
        raise CrawlFailed(f"git {_verb(command)} failed: {words}") from None
    return str(said)


def _verb(command: list[str]) -> str:
    """What git was asked to do, without the options that may hold a URL."""
    return next(word for word in command[1:] if word.isalpha() or word == "ls-remote")
