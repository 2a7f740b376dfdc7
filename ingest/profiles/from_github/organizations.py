"""The organisations that accounts are publicly in.

Asked through REST, one account at a time, on purpose: it answers with public memberships alone,
whereas GraphQL shows a token's owner those of fellow members too. A record of its own each, as it
is fetched at another time than the profile; what has not changed costs nothing of the allowance.
"""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from ingest.profiles.from_github.answers import rows, text
from ingest.profiles.from_github.client import Client
from ingest.profiles.from_github.kept import SOURCE, Kept
from ingest.profiles.records import Record

PAGE = 100


def due(kept: Kept, now: datetime, older_than: timedelta) -> list[Record]:
    """The profiles whose organisations were never asked for, or too long ago."""

    def is_due(number: int) -> bool:
        held = kept.organizations.get(number)
        return held is None or now - held.fetched_at >= older_than

    return [profile for number, profile in kept.profiles.items() if is_due(number)]


def ask(client: Client, kept: Kept, profile: Record) -> None:
    """Keeps what one account is publicly in, all pages of it."""
    at = datetime.fromtimestamp(client.clock.now(), UTC)
    path = f"/users/{profile.login}/orgs"
    held = kept.organizations.get(profile.github_id or 0)
    page = client.get(path, kept.etags.get(path) if held else None, per_page=PAGE)
    if page.unchanged and held:
        kept.keep(replace(held, fetched_at=at))
        return
    if page.etag:
        kept.etags[path] = page.etag
    listed = found = rows(page.body)
    number = 1
    while len(found) == PAGE:
        number += 1
        found = rows(client.get(path, per_page=PAGE, page=number).body)
        listed = listed + found
    handles = " ".join(f"@{login}" for each in listed if (login := text(each, "login")))
    kept.keep(
        Record(
            source=SOURCE,
            key=f"{profile.key}/organizations",
            fetched_at=at,
            fields={"organizations": handles} if handles else {},
            login=profile.login,
            github_id=profile.github_id,
        )
    )
