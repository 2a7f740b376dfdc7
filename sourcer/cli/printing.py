"""A shortlist as a terminal shows it."""

from collections.abc import Iterator

from rich.console import Console
from rich.markup import escape

from sourcer.people import BY_DOMAIN, Declared
from sourcer.query import Filter, Query
from sourcer.shortlist import Entry, Shortlist

SHA = 9
SHOWN_COMMITS = 3
UNDECIDED = (
    "From here on, the data do not decide some word of the question. That is held against nobody."
)
OPERATORS = {"=": "", "in": "", "between": "", "under": "under ", "glob": "", "all": "all of "}


def shortlist(found: Shortlist) -> None:
    """Prints what was understood, then each person with why and with the telling commits."""
    console = Console(highlight=False, soft_wrap=True)
    for line in understood(found.query):
        console.print(line)
    for note in found.notes:
        console.print(f"[yellow]Note[/yellow]  {escape(note)}")
    console.print()
    if not found.entries:
        console.print("Nobody fits every word. See where they drop out: sourcer pool QUESTION")
    undecided = next((entry for entry in found.entries if entry.unknown), None)
    for place, entry in enumerate(found.entries, start=found.offset + 1):
        if entry is undecided:
            console.print(f"[yellow]{UNDECIDED}[/yellow]\n")
        _entry(console, place, entry)
    shown = len(found.entries)
    console.print(f"[dim]{shown} of {found.total} people, snapshot {found.snapshot}[/dim]")


def understood(query: Query) -> Iterator[str]:
    """Lines that say how a question was read."""
    read = [_filter(part) for part in query.filters]
    read += [f"{'not ' if topic.negated else ''}topic {topic.id}" for topic in query.topics]
    yield f"[bold]Read as[/bold]  {escape(' · '.join(read) or 'no filter')}"
    if query.searched:
        yield f"[bold]Ranked by[/bold]  {escape(query.searched)}"
    for correction in query.corrected:
        yield f"[yellow]Corrected[/yellow]  {escape(correction.says)}"
    for doubt in query.ambiguous:
        chosen = f", read as {doubt.read_as}" if doubt.read_as else ", not filtered on"
        readings = f"{doubt.text}: {', '.join(doubt.readings)}{chosen}"
        yield f"[yellow]Ambiguous[/yellow]  {escape(readings)}"
    for rest in query.leftover:
        yield f"[yellow]Left over[/yellow]  {escape(f'{rest.text}: {rest.why}')}"
    for refusal in query.refused:
        yield f"[red]Refused[/red]  {escape(f'{refusal.trait}: {refusal.why}')}"


def _filter(part: Filter) -> str:
    """
    >>> _filter(Filter("company", "=", "nvidia", negated=True))
    'not company nvidia'
    """
    value = part.value
    if isinstance(value, tuple):
        joined = " to " if part.op == "between" else " or "
        value = joined.join("…" if each is None else str(each) for each in value)
    words = [
        "not" if part.negated else "",
        "ideally" if part.mode == "should" else "",
        part.field.replace("_", " "),
        f"{OPERATORS.get(part.op, part.op + ' ')}{value}",
    ]
    return " ".join(word for word in words if word)


def _entry(console: Console, place: int, entry: Entry) -> None:
    person = entry.person
    logins = " ".join(f"@{login}" for login in person.logins)
    console.print(
        f"[bold]{place:>2}. {escape(person.name)}[/bold]  [cyan]{escape(logins)}[/cyan]"
        f"  [dim]{entry.score:.2f}  {person.id}[/dim]"
    )
    lines = [_declared(entry), escape(entry.why.says)]
    lines += [_cited(entry, commit) for commit in range(min(SHOWN_COMMITS, len(entry.evidence)))]
    if entry.unknown:
        unknown = ", ".join(entry.unknown).replace("_", " ")
        lines.append(f"[yellow]unknown: {escape(unknown)}[/yellow]")
    lines += [f"[dim]{escape(note)}[/dim]" for note in entry.notes]
    for line in lines:
        if line:
            console.print(f"    {line}")
    console.print()


def _declared(entry: Entry) -> str:
    person = entry.person
    facts = (person.title, person.employer, person.location, person.open_to_offers)
    return escape(" · ".join(_fact(fact) for fact in facts if fact))


def _fact(fact: Declared) -> str:
    """
    >>> from datetime import datetime
    >>> _fact(Declared("Modal", "github", datetime(2026, 5, 1), "declared"))
    'Modal (github)'
    >>> _fact(Declared("Red Hat", "12 commits from redhat.com", datetime(2025, 6, 1), BY_DOMAIN))
    'seen as Red Hat until June 2025 (12 commits from redhat.com)'
    """
    if fact.method == BY_DOMAIN:
        return f"seen as {fact.value} until {fact.fetched_at:%B %Y} ({fact.source})"
    return f"{fact.value} ({fact.source})"


def _cited(entry: Entry, number: int) -> str:
    commit = entry.evidence[number]
    where = commit.url or f"{commit.repo}@{commit.sha[:SHA]}"
    return (
        f"[dim]{commit.date:%Y-%m-%d}[/dim] {commit.role}  {escape(commit.subject)}"
        f"  [dim]{escape(where)}[/dim]"
    )
