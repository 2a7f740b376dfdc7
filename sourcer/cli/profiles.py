"""sourcer profiles import | queue: files that a recruiter holds, and whom they may be about."""

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from sourcer.cli.options import HERE, AsJson, Data
from sourcer.errors import BadInput, SourcerError

app = typer.Typer(help="What people declare about themselves: import it, decide whose it is.")
SHOWN = 10
PROFILES = "profiles"
Ids = list[str] | None


@dataclass(frozen=True, slots=True)
class Asked:
    """How files are to be read."""

    kind: str | None
    columns: Sequence[str]
    yes: bool
    encoding: str | None
    as_of: datetime | None


@app.command("import")
def import_files(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE ...", help="What to import, as it was exported.")
    ],
    kind: Annotated[
        str | None,
        typer.Option(help="The format, where its content does not tell: github, linkedin, table …"),
    ] = None,
    columns: Annotated[
        list[str] | None,
        typer.Option("--map", metavar="FIELD=COLUMN", help="What a column of a table says."),
    ] = None,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Take the mapping as it was guessed.")
    ] = False,
    encoding: Annotated[
        str | None, typer.Option(help="The encoding of the text, where it is not told rightly.")
    ] = None,
    as_of: Annotated[
        datetime | None,
        typer.Option(formats=["%Y-%m-%d"], help="When the file was made, if not on its own date."),
    ] = None,
    data: Data = HERE,
    as_json: AsJson = False,
) -> None:
    """Import profiles: LinkedIn's own export, JSON Resume, People Data Labs, CSV, XLSX ...

    GitHub users, talks, papers and packages as JSON Lines and OpenAlex works come in the same way.
    A table of an unknown kind is shown with the mapping that was guessed; take it with --yes, or
    mend it with --map.

    [dim]sourcer profiles import Connections.csv resume.json

    sourcer profiles import export.xlsx --map title="Current role" --yes[/dim]
    """
    made = as_of.replace(tzinfo=UTC) if as_of else None
    asked = Asked(kind, columns or [], yes, encoding, made)
    done, failed = [], {}
    for file in files:
        try:
            done.append(imported(file, data, asked))
        except SourcerError as error:
            failed[str(file)] = str(error)
    if as_json:
        print(json.dumps({"imported": done, "failed": failed}, indent=2, ensure_ascii=False))
    else:
        for facts in done:
            print("\n".join(_sentences(facts)))
    for name, why in failed.items():
        print(f"sourcer: {name}: {why}", file=sys.stderr)
    if failed:
        raise typer.Exit(1)


@app.command()
def queue(
    accept: Annotated[Ids, typer.Option(metavar="ID", help="The row is about that person.")] = None,
    reject: Annotated[
        Ids, typer.Option(metavar="ID", help="It is not: never link or suggest it again.")
    ] = None,
    undo: Annotated[Ids, typer.Option(metavar="ID", help="Take a decision back.")] = None,
    data: Data = HERE,
    as_json: AsJson = False,
) -> None:
    """Show which imported rows may be about whom, and decide. Decisions act at the next ingest."""
    decide(data, {"accept": accept or [], "reject": reject or [], "undo": undo or []})
    rows = waiting(data)
    if as_json:
        print(json.dumps(rows, indent=2, ensure_ascii=False))
    else:
        _print_queue(rows)


Facts = dict[str, object]


def imported(file: Path, data: Path, asked: Asked) -> Facts:
    """Imports one file, and says what was in it."""
    from ingest import directions, erasing
    from ingest.profiles import importing, mappings
    from sourcer import settings
    from sourcer.settings import salt

    into = data / PROFILES
    changes = dict(map(_change, asked.columns))
    mapping = importing.mapping_of(file, into, asked.kind, asked.encoding)
    if mapping and changes:
        mapping = mappings.amended(mapping, changes)
    elif mapping and not asked.yes and not importing.is_confirmed(mapping, into):
        raise BadInput(
            f"read as a table: {mapping.says()}\n"
            "Import it so with --yes, or say what a column means: --map title='Current role'"
        )
    done = importing.import_file(
        file,
        into,
        salt(data),
        mapping=mapping,
        kind=asked.kind,
        encoding=asked.encoding,
        at=asked.as_of,
    )
    erased = directions.read(settings.read(data)).erased
    dropped = erasing.purge_profiles(into, erased) if erased.hashes.digests else 0
    return {
        "file": done.file,
        "kind": str(done.kind),
        "records": done.records - (0 if done.already else dropped),
        "duplicates": done.duplicates,
        "unread": [{"line": each.line, "reason": each.reason} for each in done.unread],
        "mapping": f"{done.mapping.name}: {done.mapping.says()}" if done.mapping else None,
        "already_imported": done.already,
    }


def previewed(file: Path, data: Path) -> Facts:
    """What a file is; of a table also its header, first rows and how each column would be read."""
    from ingest.profiles import importing, mappings

    into = data / PROFILES
    seen = importing.looked_at(file)
    mapping = importing.mapping_of(file, into)
    return {
        "kind": str(seen.kind),
        "header": list(mapping.header) if mapping else [],
        "rows": [list(row) for row in seen.rows],
        "columns": dict(mapping.columns) if mapping else {},
        "fields": list(mappings.FIELDS),
        "is_confirmed": mapping is None or importing.is_confirmed(mapping, into),
    }


def _change(text: str) -> tuple[str, str]:
    field, given, column = text.partition("=")
    if not given:
        raise BadInput(f"--map {text!r} is not FIELD=COLUMN, such as title='Current role'")
    return field.strip(), column.strip()


def _sentences(facts: Facts) -> list[str]:
    """
    >>> _sentences({"file": "a.csv", "already_imported": "2026-05-01T09:00:00+00:00"})
    ['a.csv: imported already on 2026-05-01; nothing was done.']
    """
    if facts["already_imported"]:
        day = str(facts["already_imported"])[:10]
        return [f"{facts['file']}: imported already on {day}; nothing was done."]
    also = f", {facts['duplicates']:,} of the same" if facts["duplicates"] else ""
    said = [f"{facts['file']}: {facts['records']:,} records ({facts['kind']}){also}."]
    if facts["mapping"]:
        said.append(f"  Read as {facts['mapping']}")
    unread = facts["unread"] if isinstance(facts["unread"], list) else []
    said += [f"  line {row['line']} was not read: {row['reason']}" for row in unread[:SHOWN]]
    if len(unread) > SHOWN:
        said.append(f"  and {len(unread) - SHOWN:,} more lines; --json lists them all")
    return said


def decide(data: Path, wanted: Mapping[str, Sequence[str]]) -> None:
    """Accepts, rejects or undoes rows of the queue, by their ids."""
    from ingest.profiles import decisions
    from ingest.profiles.decisions import Pair, Verdict
    from sourcer import snapshot
    from sourcer.store import open_readonly, profiles

    folder = data / PROFILES
    with open_readonly(snapshot.current_good(data).database) as db:
        waiting = {each.id: each for each, _ in profiles.suggestions(db)}
        for verdict, ids in wanted.items():
            for id_ in ids:
                row = waiting.get(id_) or profiles.link(db, id_)
                found = Pair(row.source, row.key, row.person_id) if row else None
                pair = found or decisions.found(folder, id_)
                if pair is None:
                    raise BadInput(f"nothing is called {id_!r}. See: sourcer profiles queue")
                decisions.decide(folder, Verdict(verdict), pair)


def waiting(data: Path) -> list[Facts]:
    """The queue, each row with what was decided about it since the snapshot was made."""
    from ingest.profiles import decisions
    from sourcer import snapshot
    from sourcer.store import open_readonly, profiles

    last = {each.pair.id: str(each.verdict) for each in decisions.history(data / PROFILES)}
    with open_readonly(snapshot.current_good(data).database) as db:
        held = profiles.suggestions(db)
    return [
        {
            "id": each.id,
            "row": each.says,
            "source": each.source,
            "person": each.person_id,
            "name": name,
            "for": list(each.reasons),
            "against": list(each.against),
            "decided": last[each.id] if last.get(each.id, "undo") != "undo" else None,
        }
        for each, name in held
    ]


def _print_queue(waiting: Sequence[Facts]) -> None:
    from rich.console import Console
    from rich.markup import escape

    console = Console(highlight=False, soft_wrap=True)
    for row in waiting:
        shown = {key: escape(str(value)) for key, value in row.items()}
        console.print(
            f"[bold]{shown['id']}[/bold]  {shown['row']}  [dim]{shown['source']}[/dim]"
            f"  may be [bold]{shown['name']}[/bold]"
        )
        for label, colour in (("for", "green"), ("against", "yellow")):
            said = row[label]
            text = escape("; ".join(said)) if isinstance(said, list) else ""
            console.print(f"    [{colour}]{label}[/{colour}] {text or 'nothing'}")
        if row["decided"]:
            console.print(f"    [cyan]{shown['decided']}ed[/cyan], done at the next ingest")
    undecided = sum(row["decided"] is None for row in waiting)
    console.print(f"[dim]{undecided} waiting. Decide: sourcer profiles queue --accept ID[/dim]")
