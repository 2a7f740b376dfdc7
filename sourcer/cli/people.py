"""sourcer people: saying that two people are one, or that one is two."""

from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from sourcer.cli.options import HERE, Data
from sourcer.errors import BadInput

app = typer.Typer(help="Say that two people are one, or that one is two; every decision is undone.")
Reason = Annotated[str, typer.Option(help="Why; somebody will ask.")]
Person = Annotated[str, typer.Argument(metavar="PERSON", help="A login or a person's id.")]


@app.command()
def merge(
    a: Annotated[str, typer.Argument(metavar="A", help="A login or a person's id.")],
    b: Annotated[str, typer.Argument(metavar="B", help="Who is the same person.")],
    reason: Reason,
    data: Data = HERE,
) -> None:
    """Two people are one, from the next ingest on.

    [dim]sourcer people merge mira-l mlundgren --reason "says so on her page"[/dim]
    """
    from sourcer.cli.deciding import desk, side
    from sourcer.workspace import decisions
    from sourcer.workspace.actors import LOCAL

    first, second = side(data, a), side(data, b)
    with desk(data) as workspace, workspace.writing() as session:
        made = decisions.merge(session, LOCAL, first, second, reason)
    print(f"Decision {made.id}. Run: sourcer ingest. To undo: sourcer people undo {made.id}")


@app.command()
def split(
    person: Person,
    keys: Annotated[
        list[str] | None,
        typer.Argument(metavar="[KEY ...]", help="Signatures that are somebody else's."),
    ] = None,
    reason: Annotated[str, typer.Option(help="Why; somebody will ask.")] = "",
    data: Data = HERE,
) -> None:
    """One person is two, from the next ingest on. Without keys: show the person's signatures.

    [dim]sourcer people split mira-l 9f1c22 --reason "a namesake at another firm"[/dim]
    """
    from sourcer.cli.deciding import desk, side
    from sourcer.workspace import decisions
    from sourcer.workspace.actors import LOCAL
    from sourcer.workspace.decisions import Side

    whole = side(data, person)
    if not keys:
        _show(data, whole.person_id)
        return
    goes = tuple(key for key in whole.keys if any(key.startswith(one) for one in keys))
    unknown = [one for one in keys if not any(key.startswith(one) for key in whole.keys)]
    if unknown:
        raise BadInput(
            f"{person} has no signature {unknown[0]}. See: sourcer people split {person}"
        )
    stays = Side(whole.person_id, tuple(key for key in whole.keys if key not in goes))
    with desk(data) as workspace, workspace.writing() as session:
        made = decisions.split(session, LOCAL, stays, Side(whole.person_id, goes), reason)
    print(f"Decision {made.id}. Run: sourcer ingest. To undo: sourcer people undo {made.id}")


@app.command()
def undo(
    number: Annotated[
        int, typer.Argument(metavar="DECISION", help="Its number, from sourcer people decisions.")
    ],
    data: Data = HERE,
) -> None:
    """Take a decision back, from the next ingest on; nothing that was there before it is lost."""
    from sourcer.cli.deciding import desk
    from sourcer.workspace import decisions
    from sourcer.workspace.actors import LOCAL

    with desk(data) as workspace, workspace.writing() as session:
        made = decisions.undo(session, LOCAL, number)
    print(f"Undone: {made.says}. Run: sourcer ingest")


@app.command("decisions")
def listed(data: Data = HERE) -> None:
    """Every decision: who made it, when and why."""
    from sourcer.cli.deciding import desk
    from sourcer.workspace import decisions

    table = Table("", "", "people", "by", "on", "why", box=None, header_style="bold")
    with desk(data) as workspace, workspace.reading() as session:
        for one in decisions.every(session):
            kind = f"{one.kind}, undone by {one.undone_by}" if one.undone_at else str(one.kind)
            people = " ".join(one.people)
            table.add_row(str(one.id), kind, people, one.author, f"{one.at:%Y-%m-%d}", one.reason)
    Console().print(table)


def _show(data: Data, person_id: str) -> None:
    from sourcer.cli.deciding import snapshot_open
    from sourcer.store import known_by

    table = Table("key", "name", "linked by", "commits", box=None, header_style="bold")
    with snapshot_open(data) as db:
        if db is not None:
            for key, name, rule, commits in known_by.signatures(db, person_id):
                table.add_row(key, name, rule, f"{commits:,}")
    Console().print(table)
