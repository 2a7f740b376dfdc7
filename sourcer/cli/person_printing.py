"""One person as a terminal shows them."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape

from sourcer import companies
from sourcer.people import BY_DOMAIN

if TYPE_CHECKING:
    from index.person import PersonDetail
    from index.verdicts import Verdict
    from sourcer.store.person import AffiliationRow, FieldRow

MOST = 10
COLOURS = {"yes": "green", "no": "red", "unknown": "yellow", "by artifacts": "yellow"}


def printed(found: "PersonDetail", decided: "Iterable[Verdict]" = ()) -> None:
    console = Console(highlight=False, soft_wrap=True)
    logins = " ".join(f"@{login}" for login in found.shown.logins)
    console.print(f"[bold]{escape(found.shown.name)}[/bold]  [cyan]{escape(logins)}[/cyan]")
    console.print(f"[dim]{found.shown.id}[/dim]")
    for title, lines in sections(found, decided):
        kept = list(lines)
        if kept:
            console.print(f"\n[bold]{title}[/bold]")
        for line in kept:
            console.print(f"  {line}")


def sections(
    found: "PersonDetail", decided: "Iterable[Verdict]" = ()
) -> Iterator[tuple[str, Iterable[str]]]:
    yield "The question", map(_verdict, decided)
    yield "Who it is", _who(found)
    yield (
        "Declares",
        map(_declared, found.fields),
    )
    yield "Writes by", [escape(found.clock.says)] if found.clock else []
    yield "Employers", map(_affiliation, found.affiliations)
    yield (
        "Holds",
        (escape(f"{held.role} of {held.scope} in {held.repo}") for held in found.shown.roles_held),
    )
    yield "Did", [", ".join(f"{count} as {role}" for role, count in found.roles.items())]
    yield (
        "On",
        (
            escape(f"{row.name}: {row.commits}, {row.first:%Y-%m} to {row.last:%Y-%m}")
            for row in found.topics[:MOST]
        ),
    )
    yield "In", (escape(f"{row.repo} {row.directory}: {row.commits}") for row in found.areas[:MOST])
    yield (
        "Public work",
        (escape(f"{row.kind}: {row.title}  ({row.source})") for row in found.artifacts[:MOST]),
    )
    yield (
        "Last commits",
        (
            f"[dim]{row.date:%Y-%m-%d}[/dim] {row.role}  {escape(row.subject)}  "
            f"[dim]{escape(row.url or f'{row.repo}@{row.sha[:9]}')}[/dim]"
            for row in found.commits[:MOST]
        ),
    )


def _verdict(said: "Verdict") -> str:
    colour, how = COLOURS[said.answer], f"[dim]{escape(said.how)}[/dim]"
    return f"[{colour}]{said.answer:>12}[/{colour}]  {escape(said.says)}  {how}"


def _who(found: "PersonDetail") -> Iterator[str]:
    """Each name signed with, and the rule that ties it to this person."""
    for row in found.signatures:
        met = f", {row.first:%Y-%m} to {row.last:%Y-%m}" if row.first and row.last else ""
        yield escape(f"{row.name}: {row.rule}  ({row.commits} commits{met})")


def _declared(row: "FieldRow") -> str:
    standing = f"  {row.standing}" if row.standing else ""
    source = f"{row.source}, {row.method}, {row.fetched_at:%Y-%m-%d}"
    return escape(f"{row.field}: {row.value}  ({source}){standing}")


def _affiliation(row: "AffiliationRow") -> str:
    """
    >>> from datetime import datetime
    >>> from sourcer.store.person import AffiliationRow
    >>> days = datetime(2024, 3, 1), datetime(2025, 6, 30)
    >>> _affiliation(AffiliationRow("red hat", "email domain", *days, "12 commits from redhat.com"))
    'seen as Red Hat from 2024-03-01 to 2025-06-30  (12 commits from redhat.com)'
    """
    company = companies.shown_name(row.company)
    if row.how == BY_DOMAIN:
        said = f"seen as {company} from {row.first:%Y-%m-%d} to {row.last:%Y-%m-%d}"
    else:
        said = f"{company}, {row.how}"
    return escape(f"{said}  ({row.source})")
