"""Where GitHub's API is, and which of our repositories lie there."""

from urllib.parse import urlsplit

from sourcer.errors import BadSettings

HOSTED = ("github.com", "www.github.com", "api.github.com")
HERE = ("127.0.0.1", "localhost", "::1")


def api_url(written: str) -> str:
    """The address of the API, from however a person wrote it.

    >>> api_url("https://github.com/"), api_url("https://git.corp.example")
    ('https://api.github.com', 'https://git.corp.example/api/v3')
    >>> api_url("https://git.corp.example/api/v3/"), api_url("https://acme.ghe.com")
    ('https://git.corp.example/api/v3', 'https://api.acme.ghe.com')
    """
    parts = urlsplit(written.strip())
    host = parts.hostname or ""
    if not host or parts.scheme not in {"http", "https"} or parts.username:
        raise BadSettings(f"github_url is {written!r}; expected such as https://HOST/api/v3")
    if parts.scheme == "http" and host not in HERE:
        raise BadSettings(
            f"github_url is {written!r}: over http the token could be read; use https"
        )
    path = parts.path.rstrip("/")
    if host in HOSTED:
        return "https://api.github.com"
    if host.endswith(".ghe.com"):
        return f"https://{host if host.startswith('api.') else f'api.{host}'}"
    return f"{parts.scheme}://{parts.netloc}{path or '/api/v3'}"


def repository_at(api: str, page: str | None) -> str | None:
    """The owner/name that the web page of a repository has at this GitHub; None: it is elsewhere.

    >>> repository_at("https://api.github.com", "https://github.com/vllm-project/vllm")
    'vllm-project/vllm'
    >>> repository_at("https://git.corp.example/api/v3", "https://github.com/vllm-project/vllm")
    """
    parts = urlsplit(page or "")
    name = parts.path.strip("/")
    host = (urlsplit(api).hostname or "").removeprefix("api.")
    return name if (parts.hostname or "") == host and name.count("/") == 1 else None
