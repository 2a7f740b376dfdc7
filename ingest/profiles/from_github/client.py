"""One connection to GitHub through PyGithub: patient, counted, and silent about its token."""

import hashlib
import hmac
import json
import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar
from urllib.parse import urlsplit

import requests
from github import Auth, Github
from github.GithubException import GithubException

from ingest.profiles.from_github import answers, limits
from ingest.profiles.from_github.answers import Answer, Limited, Unavailable
from ingest.profiles.from_github.limits import Clock, WallClock
from ingest.profiles.from_github.queries import Variables
from ingest.profiles.from_github.redirects import keeping_query
from ingest.profiles.json_values import Json
from sourcer.errors import GitHubUnreachable

T = TypeVar("T")
SECONDS = 30
TALKATIVE = ("github.Requester", "urllib3.connectionpool")
"""Loggers that write whole answers and addresses, with the emails and logins in them."""
Notice = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Page:
    """A REST answer; body None: nothing has changed since the ETag that was sent."""

    status: int
    body: Json
    etag: str | None

    @property
    def unchanged(self) -> bool:
        return self.status == 304


class Client:
    """Puts questions until they are answered, or it is clear that they will not be.

    `notice` is told when there is waiting to be done. Raises GitHubRefused, GitHubUnreachable,
    answers.TooHeavy, and answers.BudgetSpent before a request too many.
    """

    def __init__(
        self,
        api: str,
        token: str,
        max_requests: int | None = None,
        notice: Notice = lambda _: None,
        clock: Clock | None = None,
    ) -> None:
        for name in TALKATIVE:
            logging.getLogger(name).setLevel(logging.WARNING)
        self.clock = clock or WallClock()
        self.requests = 0
        self._left = max_requests
        self._notice = notice
        self._token = token
        self._resumes = {"graphql": 0.0, "rest": 0.0}
        self._github = Github(
            auth=Auth.Token(token),
            base_url=api,
            timeout=SECONDS,
            user_agent="sourcer",
            retry=None,  # PyGithub's own retries sleep where nobody can see or stop it
            seconds_between_requests=None,
            seconds_between_writes=None,
        )
        self._rest = keeping_query(urlsplit(api), SECONDS)

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self._rest.close()
        self._github.close()

    def fingerprint(self, salt: bytes) -> str:
        """Tells tokens apart without giving them away: an ETag holds for one token only."""
        return hmac.new(salt, self._token.encode(), hashlib.sha256).hexdigest()[:12]

    def graphql(self, query: str, variables: Variables) -> Answer:
        """The answer to one GraphQL question, which may lack some rows."""
        return self._patiently("graphql", lambda: self._graphql(query, variables))

    def get(self, path: str, etag: str | None = None, **parameters: str | int) -> Page:
        """A REST answer with status 200, 304 or 404."""
        return self._patiently("rest", lambda: self._get(path, etag, parameters))

    def _graphql(self, query: str, variables: Variables) -> Answer:
        try:
            headers, body = self._github.requester.graphql_query(query, dict(variables))
            status = 200
        except GithubException as error:
            # rows that came in spite of an error are nowhere but in the exception
            status, headers, body = error.status, error.headers or {}, error.data
        self._note("graphql", headers)
        return answers.read(status, headers, body)

    def _get(self, path: str, etag: str | None, parameters: dict[str, str | int]) -> Page:
        headers = {"If-None-Match": etag} if etag else {}
        status, told, text = self._github.requester.requestJson(
            "GET", path, dict(parameters), headers, cnx=self._rest
        )
        self._note("rest", told)
        body: Json = json.loads(text) if text and status != 304 else None
        message = answers.text(body, "message") or ""
        if status in {200, 304, 404}:
            return Page(status, body, told.get("etag"))
        if limits.is_limit(status, told, message):
            raise Limited(told)
        answers.refuse(status, message)
        if status >= 500:
            raise Unavailable(f"GitHub answered with HTTP {status}")
        raise GitHubUnreachable(f"GitHub answered {path} with HTTP {status}: {message}")

    def _patiently(self, allowance: str, ask: Callable[[], T]) -> T:
        self._sleep(self._resumes[allowance] - self.clock.now(), "its hourly limit")
        why = ""
        for attempt in range(limits.TRIES):
            self._spend()
            try:
                return ask()
            except Limited as limited:
                why = "its limit stays reached"
                wait, reason = limits.pause(limited.headers, attempt, self.clock.now()), "its limit"
            except (Unavailable, requests.RequestException, ValueError) as error:
                why = _said(error)
                wait, reason = limits.backoff(attempt), "the connection"
            except RuntimeError as error:  # PyGithub's, for a redirect to another host
                raise GitHubUnreachable(f"{error}. The setting is github_url") from error
            if attempt + 1 < limits.TRIES:
                self._sleep(wait, reason)
        raise GitHubUnreachable(
            f"GitHub did not answer in {limits.TRIES} tries: {why}. "
            "What was fetched is kept; run the same command again later"
        )

    def _spend(self) -> None:
        if self._left is not None:
            if self._left <= 0:
                raise answers.BudgetSpent
            self._left -= 1
        self.requests += 1

    def _sleep(self, seconds: float, reason: str) -> None:
        if seconds > 0:
            self._notice(f"waiting {seconds:,.0f} s for {reason}")
            self.clock.sleep(seconds)

    def _note(self, allowance: str, headers: dict[str, str]) -> None:
        self._resumes[allowance] = limits.spent_until(headers, self.clock.now())


def _said(error: Exception) -> str:
    """Why a connection failed, without the address and what was sent to it.

    >>> _said(requests.ConnectTimeout("https://..."))
    'ConnectTimeout'
    """
    return str(error) if isinstance(error, Unavailable) else type(error).__name__


def chunks(items: list[T], size: int) -> Iterator[list[T]]:
    """
    >>> list(chunks([1, 2, 3], 2))
    [[1, 2], [3]]
    """
    for start in range(0, len(items), size):
        yield items[start : start + size]
