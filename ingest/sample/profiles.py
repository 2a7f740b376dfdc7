"""Profile files in the shapes that a recruiter holds, for some of the made-up people."""

import csv
import json
from collections.abc import Iterable, Iterator
from io import StringIO
from pathlib import Path

from ingest.sample.cast import Person
from ingest.sample.dice import pick, roll
from ingest.sample.robots import TUNER

PREAMBLE = (
    "Notes:\r\n"
    '"When exporting your connection data, you may notice that some of the email addresses are '
    "missing. You will only see email addresses for connections who have allowed their connections "
    'to see or download their email address using this setting."\r\n'
    "\r\n"
)
LINKEDIN_COLUMNS = (
    *("First Name", "Last Name", "URL", "Email Address"),
    *("Company", "Position", "Connected On"),
)
ATS_COLUMNS = (
    *("name", "email", "github url", "title", "location"),
    *("open_to_offers", "last_contacted"),
)
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def write_profiles(people: Iterable[Person], into: Path) -> tuple[Path, ...]:
    """github.jsonl, linkedin_connections.csv and ats_export.csv in a new directory."""
    into.mkdir(parents=True)
    people = list(people)
    texts = {
        "github.jsonl": "".join(f"{line}\n" for line in _github(people)),
        "linkedin_connections.csv": PREAMBLE + _csv(LINKEDIN_COLUMNS, _linkedin(people)),
        "ats_export.csv": _csv(ATS_COLUMNS, _ats(people)),
    }
    for name, text in texts.items():
        (into / name).write_bytes(text.encode())
    return tuple(into / name for name in texts)


def _github(people: list[Person]) -> Iterator[str]:
    for person in people:
        if person.github:
            page = person.github
            yield json.dumps(
                {
                    "login": person.login,
                    "id": person.id,
                    "name": person.name,
                    "company": page.company or None,
                    "location": page.location or None,
                    "bio": page.bio or None,
                    "blog": "",
                    "hireable": page.hireable,
                    "created_at": f"20{12 + roll(11, 'created', person.slug)}-05-17T09:00:00Z",
                    "followers": roll(900, "followers", person.slug),
                },
                ensure_ascii=False,
            )
    yield json.dumps(_bot())


def _bot() -> dict[str, str | int | bool]:
    """A bot whose profile satisfies every word of the seed question but that it is nobody."""
    return {
        "login": "moe-tuner[bot]",
        "id": 799000111,
        "name": TUNER.name,
        "company": "NVIDIA",
        "location": "San Francisco, CA",
        "bio": "Senior tuning bot",
        "blog": "",
        "hireable": True,
        "created_at": "2025-01-01T00:00:00Z",
        "followers": 3,
    }


def _linkedin(people: list[Person]) -> Iterator[tuple[str, ...]]:
    for person in people:
        if person.linkedin:
            first, _, last = person.name.partition(" ")
            url = f"https://www.linkedin.com/in/{person.slug}-{roll(9000, person.slug) + 1000}"
            row, day = person.linkedin, person.linkedin.connected
            connected = f"{day.day:02} {MONTHS[day.month - 1]} {day.year}"
            yield first, last, url, "", row.company, row.position, connected


def _ats(people: list[Person]) -> Iterator[tuple[str, ...]]:
    """Most rows carry a GitHub address, some only an email, as such exports do."""
    for person in people:
        if person.ats:
            row = person.ats
            url = f"https://github.com/{person.login}"
            known = pick(("both", "url", "email"), "ats", person.slug)
            email = person.email_on(person.active[1]) if known != "url" else ""
            yield (
                person.name,
                email,
                url if known != "email" else "",
                row.title,
                row.location,
                row.open,
                row.contacted.isoformat(),
            )


def _csv(columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """
    >>> _csv(("a", "b"), [("1", "x, y")])
    'a,b\\r\\n1,"x, y"\\r\\n'
    """
    out = StringIO()
    csv.writer(out).writerows([columns, *rows])
    return out.getvalue()
