"""GitHub on 127.0.0.1: GraphQL and REST over a made-up world, and whatever is to go wrong."""

import hashlib
import json
import re
import threading
from collections import deque
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import jsonschema
from graphql import GraphQLSchema

from tests.github import resolvers
from tests.github.world import NOW, User, World

TOKEN = "made-up-token"
SIMPLE = ("url", "repos_url", "events_url", "hooks_url", "issues_url", "members_url")
LINKS = (
    *("avatar_url", "url", "html_url", "followers_url", "following_url", "gists_url"),
    *("starred_url", "subscriptions_url", "organizations_url", "repos_url", "events_url"),
    "received_events_url",
)


@dataclass
class Reply:
    """What is sent instead of an answer; `cut` closes the connection in the middle of it."""

    status: int = 200
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    cut: bool = False


@dataclass
class Asked:
    """One request as it came."""

    method: str
    path: str
    parameters: dict[str, str]
    headers: dict[str, str]
    body: Any = None


class LocalGitHub:
    """Serves until `close`. `faults` are sent first, in order, one a request."""

    def __init__(
        self,
        world: World | None = None,
        schema: GraphQLSchema | None = None,
        description: dict[str, Any] | None = None,
        prefix: str = "",
    ) -> None:
        self.world = world or World()
        self.faults: deque[Reply | None] = deque()
        """None: this request is answered as usual."""
        self.asked: list[Asked] = []
        self.token = TOKEN
        self._schema, self._description, self._prefix = schema, description, prefix
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()

    @property
    def api(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}{self._prefix}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def reply(self, asked: Asked) -> Reply:
        fault = self.faults.popleft() if self.faults else None
        if fault is not None:
            return fault
        if asked.headers.get("authorization") != f"token {self.token}":
            return Reply(401, {"message": "Bad credentials"})
        if asked.method == "POST":
            return self._graphql(asked)
        return self._conditional(asked, self._rest(asked))

    def _graphql(self, asked: Asked) -> Reply:
        expected = f"{self._prefix.removesuffix('/v3')}/graphql"
        if asked.path != expected or self._schema is None:
            return Reply(404, {"message": "Not Found"})
        question = asked.body
        body = resolvers.answer(self._schema, self.world, question["query"], question["variables"])
        return Reply(200, body, {"X-RateLimit-Remaining": "4999", "X-RateLimit-Limit": "5000"})

    def _rest(self, asked: Asked) -> Reply:
        path = asked.path.removeprefix(self._prefix)
        if found := re.fullmatch(r"/user/(\d+)", path):
            user = self.world.by_number(int(found[1]))
            return self._described("/user/{account_id}", _rest_user(user) if user else None)
        if found := re.fullmatch(r"/users/([^/]+)/orgs", path):
            return self._described("/users/{username}/orgs", self._organizations(found[1], asked))
        if found := re.fullmatch(r"/repos/([^/]+/[^/]+)/(.*)", path):
            return self._moved(found[1], found[2], asked)
        return Reply(200, {"path": path, "parameters": asked.parameters})

    def _organizations(self, login: str, asked: Asked) -> list[dict[str, Any]] | None:
        user = self.world.user(login)
        if user is None:
            return None
        size, page = (int(asked.parameters.get(key, usual)) for key, usual in PAGING)
        mine = user.organizations[(page - 1) * size : page * size]
        return [_organization(name) for name in mine]

    def _moved(self, name: str, rest: str, asked: Asked) -> Reply:
        if self.world.repositories.get(name) in {None, name}:
            return Reply(404, {"message": "Not Found"})
        query = "&".join(f"{key}={value}" for key, value in asked.parameters.items())
        location = f"{self.api}/repositories/1/{rest}?{query}"
        return Reply(301, {"message": "Moved Permanently"}, {"Location": location})

    def _described(self, path: str, body: Any) -> Reply:
        """A body is sent only if GitHub's own description allows it."""
        if body is None:
            return Reply(404, {"message": "Not Found"})
        if self._description is not None:
            answer = self._description["paths"][path]["get"]["responses"]["200"]
            schema = answer["content"]["application/json"]["schema"]
            jsonschema.validate(body, {**schema, "components": self._description["components"]})
        return Reply(200, body)

    def _conditional(self, asked: Asked, reply: Reply) -> Reply:
        """ETags are other ones for another token, as they are at GitHub."""
        if reply.status != 200:
            return reply
        told = json.dumps([reply.body, self.token]).encode()
        etag = f'W/"{hashlib.sha256(told).hexdigest()}"'
        if asked.headers.get("if-none-match") == etag:
            return Reply(304, None, {"ETag": etag})
        return Reply(200, reply.body, {"ETag": etag})

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        github = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = 65536  # unbuffered, head and body go in two packets, 40 ms apart

            def do_GET(self) -> None:
                self._serve("GET")

            def do_POST(self) -> None:
                self._serve("POST")

            def _serve(self, method: str) -> None:
                parts = urlsplit(self.path)
                length = int(self.headers.get("content-length") or 0)
                asked = Asked(
                    method,
                    parts.path,
                    {key: values[0] for key, values in parse_qs(parts.query).items()},
                    {key.lower(): value for key, value in self.headers.items()},
                    json.loads(self.rfile.read(length)) if length else None,
                )
                github.asked.append(asked)
                _send(self, github.reply(asked))

            def log_message(self, *_: object) -> None:
                pass

        return Handler


PAGING = (("per_page", "30"), ("page", "1"))


def _send(handler: BaseHTTPRequestHandler, reply: Reply) -> None:
    text = reply.body if isinstance(reply.body, str) else json.dumps(reply.body)
    sent = b"" if reply.status == 304 else text.encode()
    handler.send_response(reply.status)
    for name, value in reply.headers.items():
        handler.send_header(name, value)
    handler.send_header("Content-Length", str(len(sent)))
    handler.end_headers()
    handler.wfile.write(sent[: len(sent) // 2] if reply.cut else sent)
    handler.close_connection = reply.cut


def _rest_user(user: User) -> dict[str, Any]:
    return {
        **dict.fromkeys(LINKS, "https://api.github.example/x"),
        "login": user.login,
        "id": user.id,
        "node_id": "U_x",
        "gravatar_id": None,
        "type": "User",
        "site_admin": False,
        "name": user.name,
        "company": user.company,
        "blog": user.blog,
        "location": user.location,
        "email": user.email,
        "hireable": user.hireable or None,
        "bio": user.bio,
        "public_repos": 1,
        "public_gists": 0,
        "followers": user.followers,
        "following": 0,
        "created_at": "2015-05-17T09:00:00Z",
        "updated_at": "2026-05-17T09:00:00Z",
    }


def _organization(name: str) -> dict[str, Any]:
    return {
        **dict.fromkeys((*SIMPLE, "public_members_url", "avatar_url"), "https://x.example/x"),
        "login": name,
        "id": 1,
        "node_id": "O_x",
        "description": None,
    }


@dataclass
class FakeClock:
    """Time that passes only while somebody waits."""

    at: float = NOW
    waits: list[float] = field(default_factory=list)

    def now(self) -> float:
        return self.at

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.at += seconds
