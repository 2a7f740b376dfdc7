"""GitHub's user objects, as its API returns them and as they lie in a JSON Lines file."""

from collections.abc import Mapping
from datetime import datetime

from ingest.profiles.json_values import Json, text
from ingest.profiles.records import Record, declared

DECLARED = ("name", "company", "location", "bio", "blog")


def is_user(row: Mapping[str, Json]) -> bool:
    return isinstance(row.get("login"), str) and isinstance(row.get("id"), int)


def record(user: Mapping[str, Json], fetched_at: datetime) -> Record:
    """The public, declared part of a user object; its email is not read.

    >>> user = {"login": "ada", "id": 7, "location": "London", "hireable": True, "bio": None}
    >>> dict(record(user, datetime(2026, 1, 1)).fields)
    {'location': 'London', 'hireable': 'true'}
    """
    login, number = user.get("login"), user.get("id")
    if not isinstance(login, str) or not isinstance(number, int):
        raise ValueError("a GitHub user has a login and a numeric id")
    fields = declared(**{key: text(user, key) for key in DECLARED})
    if user.get("hireable") is not None:
        fields["hireable"] = "true" if user["hireable"] else "false"
    return Record("github", str(number), fetched_at, fields, login, number)
