"""A connection for PyGithub that follows a 301 with all of its address.

PyGithub follows a redirect (a renamed repository answers with one) by its path alone, so that
`?per_page=100&page=3` is lost and the first page comes instead.
"""

from io import BufferedReader
from urllib.parse import SplitResult, urlsplit

from github.Requester import (
    HTTPRequestsConnectionClass,
    HTTPSRequestsConnectionClass,
    RequestsResponse,
)


class _KeepingQuery:
    """Mixed in before a connection of PyGithub's."""

    _moved: str | None = None
    """The query of the address that the last answer redirects to."""

    def request(
        self,
        verb: str,
        url: str,
        input: str | BufferedReader | None,
        headers: dict[str, str],
        stream: bool = False,
    ) -> None:
        moved, self._moved = self._moved, None
        if moved and "?" not in url:
            url = f"{url}?{moved}"
        self._asked = urlsplit(url).query
        super().request(verb, url, input, headers, stream)  # type: ignore[misc]

    def getresponse(self) -> RequestsResponse:
        response: RequestsResponse = super().getresponse()  # type: ignore[misc]
        if response.status == 301:
            self._moved = urlsplit(response.headers.get("location", "")).query or self._asked
        return response


class _Plain(_KeepingQuery, HTTPRequestsConnectionClass):
    pass


class _Secure(_KeepingQuery, HTTPSRequestsConnectionClass):
    pass


def keeping_query(api: SplitResult, timeout: int) -> _Plain | _Secure:
    """A connection to the host of the API."""
    kind = _Secure if api.scheme == "https" else _Plain
    return kind(api.hostname or "", api.port, timeout=timeout)
