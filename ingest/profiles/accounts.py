"""Addresses of profiles on GitHub and LinkedIn, in the many ways that people write them."""

import re

LOGIN = re.compile(r"[a-z\d](?:[a-z\d]|[-_](?=[a-z\d])){0,38}", re.I)
GITHUB = re.compile(r"(?:^|//|\.)github\.com/(?:users/|orgs/)?([\w-]+)", re.I)
PAGES = re.compile(r"(?:^|//)([\w-]+)\.github\.io\b", re.I)
LINKEDIN = re.compile(r"linkedin\.com/(?:in|pub)/([^/?#\s,;)\]>]+)", re.I)
NOT_PEOPLE = {
    "about", "apps", "collections", "enterprise", "explore", "features", "issues", "login",
    "marketplace", "notifications", "orgs", "pricing", "pulls", "search", "settings", "sponsors",
    "topics", "trending", "users",
}  # fmt: skip


def github_login(text: str) -> str | None:
    """The login that an address, a handle or a bare login names.

    >>> [github_login(text) for text in ("https://github.com/Ada/engine", "@ada", "ada.github.io")]
    ['Ada', 'ada', 'ada']
    >>> [github_login(text) for text in ("https://firm.example/ada", "see resume", "", "n/a")]
    [None, None, None, None]
    """
    plain = text.strip()
    found = GITHUB.search(plain) or PAGES.search(plain)
    login = found[1] if found else plain.removeprefix("@")
    is_login = LOGIN.fullmatch(login) and login.lower() not in NOT_PEOPLE
    return login if is_login else None


def github_in(text: str) -> str | None:
    """The login that an address names; a bare word is none.

    >>> github_in("github.com/ada"), github_in("ada")
    ('ada', None)
    """
    return github_login(text) if GITHUB.search(text) or PAGES.search(text) else None


def linkedin_url(text: str) -> str | None:
    """A LinkedIn profile's address, always written alike.

    >>> linkedin_url("http://de.linkedin.com/in/Mira-Lund-12/?trk=x")
    'https://www.linkedin.com/in/mira-lund-12'
    >>> linkedin_url("mira") is None
    True
    """
    found = LINKEDIN.search(text)
    return f"https://www.linkedin.com/in/{found[1].lower()}" if found else None
