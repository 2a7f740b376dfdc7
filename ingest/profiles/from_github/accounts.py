"""The accounts whose profiles are wanted, each once, those with the most work first."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ingest.profiles.from_github import commit_accounts, reviews

LOGIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,38}")
"""Of a person's account: those of bots end in [bot]."""


@dataclass(frozen=True, slots=True)
class Account:
    """A login as last seen, and the number that stays when the login changes hands."""

    login: str
    github_id: int | None = None


def wanted(folders: Iterable[Path], known: Iterable[Account]) -> list[Account]:
    """Whoever wrote or reviewed in these repositories, then whoever else is `known`.

    >>> wanted([], [Account("ada"), Account("Ada", 7), Account("dependabot[bot]")])
    [Account(login='Ada', github_id=7)]
    """
    work: Counter[Account] = Counter()
    for folder in folders:
        for table in (commit_accounts.load(folder), reviews.load(folder)):
            pairs = zip(table["login"].to_pylist(), table["github_id"].to_pylist(), strict=True)
            work.update(Account(login, number) for login, number in pairs if login)
    for account in known:
        work.setdefault(account, 0)
    return _once(account for account, _ in work.most_common())


def _once(accounts: Iterable[Account]) -> list[Account]:
    """An account that is known by its number wins over the same login without."""
    usable = [each for each in accounts if LOGIN.fullmatch(each.login)]
    by_number: dict[int, Account] = {}
    for each in usable:
        if each.github_id is not None:
            by_number.setdefault(each.github_id, each)
    numbered = {each.login.casefold() for each in by_number.values()}
    nameless: dict[str, Account] = {}
    for each in usable:
        if each.github_id is None and each.login.casefold() not in numbered:
            nameless.setdefault(each.login.casefold(), each)
    return [*by_number.values(), *nameless.values()]
