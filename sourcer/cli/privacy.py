"""sourcer forget, sourcer access: what a person may ask for."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sourcer.cli.options import HERE, Data

if TYPE_CHECKING:
    from sourcer.workspace.identifiers import Identifier

Context = Annotated[
    str,
    typer.Option(metavar="WHERE", help="For a name: an employer, project or place of this bearer."),
]


def forget(
    who: Annotated[str, typer.Argument(metavar="LOGIN|URL|EMAIL|NAME", help="Whom to forget.")],
    erase: Annotated[
        bool, typer.Option("--erase", help="Also delete all that is held. Cannot be undone.")
    ] = False,
    context: Context = "",
    data: Data = HERE,
) -> None:
    """Suppress a person: gone from every answer at once, and from every later ingest.

    Only keyed hashes are kept, and the date. With --erase what is held is deleted as well: notes,
    imported rows, signatures in what was crawled, and every snapshot but a new one without them.
    Backups are yours to delete.

    [dim]sourcer forget mira-l     sourcer forget "Mira Lundgren" --context "Acme AG"[/dim]
    """
    from sourcer.cli import erasing, progress
    from sourcer.cli.deciding import desk
    from sourcer.workspace import erasures, suppressions
    from sourcer.workspace.actors import LOCAL
    from sourcer.workspace.suppressions import Channel

    known_by = _known_by(data, who, context)
    words = _words(data, known_by) if erase else []
    with desk(data) as workspace, workspace.writing() as session:
        if erase:
            made = erasures.erase(session, LOCAL, known_by, Channel.COMMAND_LINE, words)
        else:
            suppressions.suppress(session, LOCAL, known_by, Channel.COMMAND_LINE)
    print(f"Suppressed: {len(known_by)} things this person is known by are kept as hashes.")
    if erase:
        with progress.shown() as show:
            done = erasing.erase(data, show)
        print(
            "Erased. The mirrors of public histories still have the commits as they were published."
            if made.id in done
            else f"Erased from the workspace; erasure {made.id} is finished by the next ingest."
        )


def access(
    who: Annotated[
        str, typer.Argument(metavar="LOGIN|URL|EMAIL|NAME|ID", help="Whose data to gather.")
    ],
    context: Context = "",
    data: Data = HERE,
) -> None:
    """Print everything held on one person, as JSON for that person to read.

    [dim]sourcer access mira-l > mira.json[/dim]
    """
    from sourcer.cli.deciding import desk
    from sourcer.workspace import subject_access
    from sourcer.workspace.actors import LOCAL

    known_by = _known_by(data, who, context)
    with desk(data) as workspace, workspace.writing() as session:
        held = subject_access.held(session, LOCAL, known_by)
    told = {"snapshot": _in_snapshot(data, known_by), "workspace": held}
    print(json.dumps(told, ensure_ascii=False, indent=2, default=str))


def _known_by(data: Path, who: str, context: str) -> "list[Identifier]":
    """What was named, and all else that the people it leads to are known by."""
    from sourcer.cli.deciding import snapshot_open
    from sourcer.store import known_by, people
    from sourcer.workspace.identifiers import named, person, read

    with snapshot_open(data) as db:
        id_ = people.id_of(db, who) if db is not None and not context else None
        asked = named(who, context) if context else person(id_) if id_ else read(who)
        found = asked.also() if db is None else known_by.all_of(db, asked)
        return list(dict.fromkeys((*found, *(read(who).also() if id_ else ()))))


def _words(data: Path, known: "list[Identifier]") -> list[str]:
    """What the person goes by, as it is written."""
    from sourcer.cli.deciding import snapshot_open
    from sourcer.store import known_by
    from sourcer.workspace.identifiers import Kind

    with snapshot_open(data) as db:
        ids = [one.value for one in known if one.kind is Kind.PERSON]
        return [] if db is None else known_by.words_of(db, ids)


def _in_snapshot(data: Path, known: "list[Identifier]") -> dict[str, object]:
    from sourcer.cli.deciding import snapshot_open
    from sourcer.store import known_by, people
    from sourcer.workspace.identifiers import Kind

    named = [one.value for one in known if one.kind is Kind.PERSON]
    with snapshot_open(data) as db:
        if db is None:
            return {}
        ids = sorted({id_ for one in named if (id_ := people.id_of(db, one))})
        return {
            id_: {
                "signatures": [
                    {"key": key, "name": name, "linked by": rule, "commits": commits}
                    for key, name, rule, commits in known_by.signatures(db, id_)
                ],
                "emails": "kept to tell people apart; shown to nobody",
                **known_by.rows_about(db, id_),
            }
            for id_ in ids
        }
