"""sourcer serve, mcp, users: the API over HTTP, the tools over stdio, and who may come in."""

import json
import logging
import os
import sys
from collections.abc import Mapping
from ipaddress import ip_address
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from sourcer.cli.options import HERE, AsJson, Data
from sourcer.errors import BadInput, BadSettings

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from api.serving import Serving
    from api.work import Doing, Progress
    from sourcer.workspace.actors import Role

LOOPBACK = ("localhost", "127.0.0.1", "::1")
VARIABLES = {
    "data": "SOURCER_DATA",
    "accounts": "SOURCER_SERVE_ACCOUNTS",
    "threads": "SOURCER_SERVE_THREADS",
}
"""How each worker is told what the command line said."""

users = typer.Typer(help="Who may use a server that more than this machine can reach.")
Name = Annotated[str, typer.Argument(metavar="NAME", help="The name that they log in with.")]


def serve(
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="The port to listen on; 0 takes a free one.")
    ] = 8000,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Processes that answer.")] = 1,
    accounts: Annotated[
        bool, typer.Option("--accounts", help="Ask for a login on loopback too.")
    ] = False,
    data: Data = HERE,
) -> None:
    """Serve the API, its documentation at /docs, and the tools for assistants at /mcp.

    On loopback nobody has to log in. On any other address everybody does, so add users first.

    [dim]sourcer serve     sourcer serve --host 0.0.0.0 --workers 2[/dim]
    """
    needed = accounts or not is_loopback(host)
    if needed and not _has_users(data):
        raise BadSettings(
            f"{host} can be reached by others, and there are no users yet. "
            "Add one first: sourcer users add NAME --role admin"
        )
    os.environ[VARIABLES["data"]] = str(data)
    os.environ[VARIABLES["accounts"]] = "1" if needed else ""
    os.environ[VARIABLES["threads"]] = str(max(1, (os.cpu_count() or 1) // workers))
    with TemporaryDirectory(prefix="sourcer-metrics-") as metrics:
        if workers > 1:
            os.environ["PROMETHEUS_MULTIPROC_DIR"] = metrics
        _run(host, port, workers)


def mcp(data: Data = HERE) -> None:
    """Serve the tools for assistants over stdio, to whatever started this command.

    [dim]In the assistant's settings: command "sourcer", arguments ["mcp", "--data", "DIR"][/dim]
    """
    from api.app import open_desk
    from api.mcp import server
    from api.serving import Serving
    from sourcer import settings

    logging.basicConfig(stream=sys.stderr, level=logging.WARNING)
    desk = open_desk(settings.read(data), Serving())
    desk.auditing.start()
    try:
        server(desk).run("stdio")
    finally:
        desk.close()


def app() -> "ASGIApp":
    """What each worker serves; it reads what `serve` was told from the environment."""
    from api.app import create_app
    from sourcer import settings

    _log_as_json()
    data = Path(os.environ.get(VARIABLES["data"], str(HERE)))
    return create_app(settings.read(data), serving(data, os.environ))


def serving(data: Path, environment: Mapping[str, str]) -> "Serving":
    """How the app is served, with what only the command line knows of: ingest."""
    from api.serving import Serving

    return Serving(
        accounts=bool(environment.get(VARIABLES["accounts"])),
        threads=int(environment.get(VARIABLES["threads"], "2")),
        doing=doing(data),
    )


def doing(data: Path) -> "Doing":
    """The long work that a server can start."""
    from api.work import Doing
    from sourcer.cli import profiles

    def import_file(
        file: Path, options: Mapping[str, object], progress: "Progress"
    ) -> profiles.Facts:
        progress(f"reading {file.name}", 0, 1)
        kind, encoding, columns = options["kind"], options["encoding"], options["columns"]
        asked = profiles.Asked(
            kind=None if kind is None else str(kind),
            columns=[f"{key}={value}" for key, value in dict(columns).items()]
            if isinstance(columns, Mapping)
            else [],
            yes=bool(options["yes"]),
            encoding=None if encoding is None else str(encoding),
            as_of=None,
        )
        return profiles.imported(file, data, asked)

    def ingest(progress: "Progress") -> profiles.Facts:
        from sourcer.cli import publishing

        outcome = publishing.ingest(data, [], progress)
        return {"snapshot": outcome.snapshot.name, "new": outcome.is_new}

    def decide(verdict: str, row: str) -> None:
        profiles.decide(data, {verdict: [row]})

    def add(source: str, progress: "Progress") -> profiles.Facts:
        from sourcer.cli import publishing

        outcome = publishing.ingest(data, [source], progress)
        failed = "; ".join(f"{name}: {why}" for name, why in outcome.failures.items())
        if failed:
            raise BadInput(failed)
        return {"snapshot": outcome.snapshot.name, "new": outcome.is_new}

    def erase(progress: "Progress") -> profiles.Facts:
        from sourcer.cli import erasing

        return {"erasures": erasing.erase(data, progress)}

    return Doing(
        import_file=import_file,
        erase=erase,
        ingest=ingest,
        add=add,
        preview=lambda file: profiles.previewed(file, data),
        queue=lambda: list(profiles.waiting(data)),
        decide=decide,
    )


def is_loopback(host: str) -> bool:
    """
    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    if host in LOOPBACK:
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


@users.command("add")
def add_user(
    name: Name,
    role: Annotated[str, typer.Option(help="viewer, recruiter or admin.")] = "recruiter",
    password: Annotated[
        str,
        typer.Option(
            prompt=True,
            hide_input=True,
            confirmation_prompt=True,
            help="What they log in with; asked for when it is not given.",
        ),
    ] = "",
    data: Data = HERE,
) -> None:
    """Add somebody who may use the server."""
    from sourcer.cli.deciding import desk
    from sourcer.workspace import accounts
    from sourcer.workspace.actors import LOCAL

    with desk(data) as workspace, workspace.writing() as session:
        made = accounts.add(session, LOCAL, name, _role(role), password=password)
    print(f"{made.name} is {made.role.named}. Serve with: sourcer serve --host 0.0.0.0")


@users.command("list")
def list_users(data: Data = HERE, as_json: AsJson = False) -> None:
    """Say who may use the server."""
    from sourcer.cli.deciding import desk
    from sourcer.workspace import accounts

    with desk(data) as workspace, workspace.reading() as session:
        found = accounts.every(session)
    rows = [
        {"name": one.name, "role": one.role, "disabled": bool(one.disabled_at)} for one in found
    ]
    print(
        json.dumps(rows, indent=2)
        if as_json
        else "\n".join(f"{r['name']}  {r['role']}" for r in rows)
    )


@users.command("disable")
def disable_user(name: Name, data: Data = HERE) -> None:
    """Let somebody in no more; their work stays."""
    from sourcer.cli.deciding import desk
    from sourcer.workspace import accounts
    from sourcer.workspace.actors import LOCAL

    with desk(data) as workspace, workspace.writing() as session:
        accounts.disable(session, LOCAL, name)
    print(f"{name} is let in no more.")


@users.command("token")
def give_token(
    name: Name,
    label: Annotated[str, typer.Option(help="What it is for.")] = "command line",
    scope: Annotated[str, typer.Option(help="read, write or admin.")] = "read",
    data: Data = HERE,
) -> None:
    """Give a program a token of somebody's; it is shown only now."""
    from sourcer.cli.deciding import desk
    from sourcer.workspace import accounts, tokens
    from sourcer.workspace.tokens import Scope

    try:
        wanted = Scope(scope)
    except ValueError:
        raise BadInput(f"{scope!r} is not read, write or admin") from None
    with desk(data) as workspace, workspace.writing() as session:
        _, secret = tokens.give(session, accounts.get(session, name).actor, label, wanted)
    print(secret)


def _role(text: str) -> "Role":
    from sourcer.workspace.actors import Role

    try:
        return Role(text)
    except ValueError:
        raise BadInput(f"{text!r} is not viewer, recruiter or admin") from None


def _has_users(data: Path) -> bool:
    from sourcer.cli.deciding import desk
    from sourcer.workspace import accounts

    with desk(data) as workspace, workspace.reading() as session:
        return any(user.disabled_at is None for user in accounts.every(session))


def _run(host: str, port: int, workers: int) -> None:
    import uvicorn

    uvicorn.run(
        "sourcer.cli.serving:app",
        factory=True,
        host=host,
        port=port,
        workers=workers,
        http="api.patience:Patient",
        access_log=False,
        server_header=False,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=20,
        limit_concurrency=1000,
    )


def _log_as_json() -> None:
    """One JSON object a line, on standard error; what is in it is chosen where it is made."""

    class AsLine(logging.Formatter):
        def format(self, record: logging.LogRecord) -> str:
            said = record.getMessage()
            if not said.startswith("{"):
                said = json.dumps({"says": said})
            at, level = self.formatTime(record), record.levelname.lower()
            return f'{{"at": "{at}", "level": "{level}", {said[1:]}'

    handler = logging.StreamHandler()
    handler.setFormatter(AsLine())
    for name in ("api", "api.requests"):
        log = logging.getLogger(name)
        log.setLevel(logging.INFO)
    logging.getLogger("api").handlers = [handler]
    logging.getLogger("api").propagate = False
