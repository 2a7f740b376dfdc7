"""What accounts declare of themselves. The number of an account is its key, never its login."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from ingest.profiles import github_users
from ingest.profiles.from_github import queries
from ingest.profiles.from_github.accounts import Account
from ingest.profiles.from_github.answers import (
    NOT_FOUND,
    Answer,
    Rows,
    TooHeavy,
    number,
    text,
    within,
)
from ingest.profiles.from_github.client import Client, chunks
from ingest.profiles.from_github.kept import Kept
from ingest.profiles.records import Record

AT_ONCE = 100


@dataclass(slots=True)
class Tally:
    """What came of asking."""

    profiles: int = 0
    renamed: int = 0
    reclaimed: int = 0
    """Logins that somebody else holds by now; what that person declares is not taken."""
    gone: int = 0
    """Deleted, suspended, or never there."""
    unanswered: int = 0
    """Not told this time; asked again the next."""


def fetch(
    client: Client,
    kept: Kept,
    due: list[Account],
    tally: Tally,
    progress: Callable[[int, int], None],
) -> None:
    """Asks for each account, by login in bulk, by number where the login leads elsewhere."""
    waiting = deque(chunks(due, AT_ONCE))
    done = 0
    while waiting:
        accounts = waiting.popleft()
        try:
            answer = client.graphql(*queries.profiles([each.login for each in accounts]))
        except TooHeavy:
            half = len(accounts) // 2
            waiting.extendleft([accounts[half:], accounts[:half]] if half else [])
            tally.unanswered += 0 if half else 1
            continue
        for place, account in enumerate(accounts):
            _take(client, kept, tally, account, answer, f"u{place}")
        done += len(accounts)
        progress(done, len(due))


def _take(
    client: Client, kept: Kept, tally: Tally, account: Account, answer: Answer, alias: str
) -> None:
    user = within(answer.data, alias)
    if user is None and answer.why(alias) != NOT_FOUND:
        tally.unanswered += 1
    elif isinstance(user, dict) and account.github_id in {None, number(user, "databaseId")}:
        kept.keep(of_graphql(user, _now(client)))
        tally.profiles += 1
    elif account.github_id is None:
        kept.lose(account, _now(client))
        tally.gone += 1
    else:
        tally.reclaimed += user is not None
        _by_number(client, kept, tally, account)


def _by_number(client: Client, kept: Kept, tally: Tally, account: Account) -> None:
    """GraphQL finds nobody by number; REST does, and says the login of today."""
    path = f"/user/{account.github_id}"
    held = kept.profiles.get(account.github_id or 0)
    page = client.get(path, kept.etags.get(path) if held else None)
    if page.unchanged and held:
        kept.keep(replace(held, fetched_at=_now(client)))
        tally.profiles += 1
    elif isinstance(page.body, dict) and page.status == 200:
        kept.keep(_dated(github_users.record(page.body, _now(client)), page.body))
        kept.etags[path] = page.etag or ""
        tally.profiles += 1
        tally.renamed += 1
    else:
        kept.lose(account, _now(client))
        tally.gone += 1


def of_graphql(user: Rows, at: datetime) -> Record:
    """A user of GraphQL's as the record that the same user of REST's would be.

    GraphQL says "not hireable" of everybody who never said anything about it: that is nothing
    declared.

    >>> ada = {"databaseId": 7, "login": "ada", "websiteUrl": "https://ada.example"}
    >>> dict(of_graphql({**ada, "isHireable": False}, datetime(2026, 1, 1)).fields)
    {'blog': 'https://ada.example'}
    """
    as_rest: Rows = {
        **user,
        "id": user["databaseId"],
        "blog": user.get("websiteUrl"),
        "hireable": True if user.get("isHireable") else None,
        "created_at": user.get("createdAt"),
        "followers": number(user, "followers", "totalCount"),
    }
    return _dated(github_users.record(as_rest, at), as_rest)


def _dated(record: Record, user: Rows) -> Record:
    facts = {
        "created": text(dict(user), "created_at"),
        "followers": number(dict(user), "followers"),
    }
    told = {name: str(fact) for name, fact in facts.items() if fact is not None}
    return replace(record, fields={**record.fields, **told})


def _now(client: Client) -> datetime:
    return datetime.fromtimestamp(client.clock.now(), UTC)
