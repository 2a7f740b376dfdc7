"""CODEOWNERS and the committers' and maintainers' pages, as the projects rewrite them over time."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time

from ingest.sample.cast import Person, table
from ingest.sample.crowd import everyone
from ingest.sample.ordinary import zone_of
from ingest.sample.planned import Edit, Planned, Put

RENAMED_ON = date(2025, 1, 1)
"""Before this day people with an old login were named by it."""


def standing(repo: str) -> Iterator[Planned]:
    """One commit for each rewriting of a page."""
    for row in table("owners.toml")["codeowners"]:
        if row["repo"] == repo:
            text = _codeowners(row["lines"], row["day"])
            yield _rewritten(row, ".github/CODEOWNERS", text, "[Misc] Update CODEOWNERS")
    for row in table("owners.toml")["page"]:
        if row["repo"] == repo:
            draw = _committers if row["path"].endswith("committers.md") else _maintainers
            subject = f"[Docs] Update {row['path'].rpartition('/')[2]}"
            yield _rewritten(row, row["path"], draw(row["lines"], row["day"]), subject)


def person(slug: str) -> Person:
    """
    >>> person("eldon-kurtzmere").name
    'Eldon Kurtzmere'
    """
    return next(each for each in everyone() if each.slug == slug)


def by(
    slug: str, day: date, subject: str, *edits: Edit, case: str, hour: int = 12, theme: str = ""
) -> Planned:
    """A commit by one of the people; its key is its case and subject."""
    who = person(slug)
    when = datetime.combine(day, time(hour), zone_of(who))
    author = who.signature(when.astimezone(UTC).date(), 0)
    people, key = (slug,), f"{case}/{subject.removesuffix(' (#{pull})')}"
    return Planned(when, author, subject, edits, people=people, theme=theme, case=case, key=key)


def _rewritten(row: dict[str, str], path: str, text: str, subject: str) -> Planned:
    who, day = person(row["by"]), row["day"]
    when = datetime.combine(date.fromisoformat(str(day)), time(11, 30), zone_of(who))
    return Planned(
        when=when,
        author=who.signature(when.date(), 0),
        subject=subject + " (#{pull})",
        edits=(Put(path, text.encode()),),
        people=(who.slug,),
        case="CODEOWNERS" if path.endswith("CODEOWNERS") else "committers page",
        key=f"{row['repo']}/{path}/{day}",
    )


def _login(slug: str, day: date) -> str:
    who = person(slug)
    return who.old_logins[0] if who.old_logins and day < RENAMED_ON else who.login


def _codeowners(lines: list[list[str]], day: date) -> str:
    rows = ["# Each line: a pattern and who must review it", ""]
    for path, slugs in lines:
        rows.append(" ".join([path, *(f"@{_login(slug, day)}" for slug in slugs.split())]))
    return "\n".join(rows) + "\n"


def _committers(lines: list[list[str]], day: date) -> str:
    rows = ["# Committers", "", "## Active Committers", ""]
    for scope, slug in lines:
        login = _login(slug, day)
        rows.append(f"- [@{login}](https://github.com/{login}): {scope}")
    return "\n".join(rows) + "\n"


def _maintainers(lines: list[list[str]], day: date) -> str:
    rows = ["# Maintainers", ""]
    for scope, slug in lines:
        login = _login(slug, day)
        rows += [
            f"### {scope}",
            f"[@{login}](https://github.com/{login}) ({person(slug).name})",
            "",
        ]
    return "\n".join(rows)
