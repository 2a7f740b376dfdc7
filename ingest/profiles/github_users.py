"""GitHub's user objects, as its API returns them and as they lie in a JSON Lines file."""

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from ingest.profiles.records import Record
from sourcer.errors import BadInput

DECLARED = ("name", "company", "location", "bio", "blog")


def records(lines: Iterable[str], fetched_at: datetime) -> Iterator[Record]:
    """One record a line; raises BadInput naming the line that is no user object."""
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            user = json.loads(line)
            yield record(user, fetched_at)
        except (json.JSONDecodeError, KeyError, TypeError, ValueError) as error:
            raise BadInput(f"line {number} is not a GitHub user object: {error!r}") from error


def record(user: Mapping[str, Any], fetched_at: datetime) -> Record:
    """The public, declared part of a user object; its email is not read.

    >>> user = {"login": "ada", "id": 7, "location": "London", "hireable": True, "bio": None}
    >>> dict(record(user, datetime(2026, 1, 1)).fields)
    {'location': 'London', 'hireable': 'true'}
    """
    fields = {key: str(user[key]).strip() for key in DECLARED if user.get(key)}
    if user.get("hireable") is not None:
        fields["hireable"] = "true" if user["hireable"] else "false"
    return Record(
        source="github",
        key=str(int(user["id"])),
        fetched_at=fetched_at,
        fields=fields,
        login=user["login"],
        github_id=int(user["id"]),
    )
