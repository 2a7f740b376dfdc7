"""Logging in at a login provider, played here by a local one."""

import base64
import json
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from joserfc import jwt
from joserfc.jwk import RSAKey

from api.serving import Serving
from sourcer.workspace import accounts
from sourcer.workspace.actors import LOCAL, Role
from tests.api_world import World, data_like, world

PUBLIC = "http://localhost"


@dataclass
class Provider:
    """What it will say next; `changed` are claims that differ from what is right."""

    url: str = ""
    key: RSAKey = field(default_factory=lambda: RSAKey.generate_key(2048, {"kid": "k1"}))
    signs_with: RSAKey | None = None
    challenge: str = ""
    nonce: str = ""
    changed: dict[str, Any] = field(default_factory=dict)

    def id_token(self) -> str:
        now = int(time.time())
        claims = {"iss": self.url, "aud": "us", "sub": "0b1c", "nonce": self.nonce,
                  "iat": now, "exp": now + 60, **self.changed}  # fmt: skip
        return jwt.encode({"alg": "RS256", "kid": "k1"}, claims, self.signs_with or self.key)

    def answer(self, path: str, body: dict[str, list[str]]) -> tuple[int, object]:
        if path == "/.well-known/openid-configuration":
            return 200, {
                "issuer": self.url, "authorization_endpoint": f"{self.url}/authorize",
                "token_endpoint": f"{self.url}/token", "jwks_uri": f"{self.url}/keys",
            }  # fmt: skip
        if path == "/keys":
            return 200, {"keys": [self.key.as_dict(private=False)]}
        digest = sha256(body["code_verifier"][0].encode()).digest()
        proven = base64.urlsafe_b64encode(digest).rstrip(b"=").decode() == self.challenge
        if body["code"] != ["c0de"] or not proven:
            return 400, {"error": "invalid_grant"}
        return 200, {"access_token": "a", "token_type": "Bearer", "id_token": self.id_token()}


@pytest.fixture
def provider() -> Iterator[Provider]:
    made = Provider()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            size = int(self.headers.get("Content-Length", 0))
            status, said = made.answer(self.path, parse_qs(self.rfile.read(size).decode()))
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(json.dumps(said).encode())

        do_POST = do_GET

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    made.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield made
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def company(sample_data: Path, tmp_path: Path, provider: Provider) -> Iterator[World]:
    set_up = {"oidc_issuer": provider.url, "oidc_client_id": "us", "oidc_client_secret": "s",
              "public_url": PUBLIC}  # fmt: skip
    with world(data_like(sample_data, tmp_path / "data"), Serving(accounts=True), **set_up) as made:
        with made.app.state.desk.workspace.writing() as session:
            accounts.add(session, LOCAL, "ida", Role.RECRUITER, identity=f"{provider.url} 0b1c")
        yield made


def come_back(company: World, provider: Provider, code: str = "c0de", state: str = "") -> Any:
    """The browser goes to the provider and comes back with a code."""
    begun = company.client.get("/api/v1/session/oidc", follow_redirects=False)
    assert begun.status_code == 303, begun.text
    asked = parse_qs(urlsplit(begun.headers["location"]).query)
    assert asked["redirect_uri"] == [f"{PUBLIC}/api/v1/session/oidc/callback"]
    assert asked["code_challenge_method"] == ["S256"]
    provider.challenge, provider.nonce = asked["code_challenge"][0], asked["nonce"][0]
    return company.client.get(
        "/api/v1/session/oidc/callback",
        params={"code": code, "state": state or asked["state"][0]},
        follow_redirects=False,
    )


def test_a_known_identity_is_let_in(company: World, provider: Provider) -> None:
    answer = come_back(company, provider)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert company.client.get("/api/v1/session").json()["name"] == "ida"


@pytest.mark.parametrize(
    "changed",
    [{"nonce": "x"}, {"aud": "them"}, {"iss": "https://evil.example"}, {"exp": 1}, {"sub": "?"}],
    ids=lambda changed: next(iter(changed)),
)
def test_a_token_that_does_not_fit(
    company: World, provider: Provider, changed: dict[str, Any]
) -> None:
    provider.changed = changed
    assert come_back(company, provider).status_code == 401
    assert company.client.get("/api/v1/session").status_code == 401


def test_a_token_signed_by_another(company: World, provider: Provider) -> None:
    provider.signs_with = RSAKey.generate_key(2048, {"kid": "k1"})
    assert come_back(company, provider).status_code == 401


def test_a_state_or_code_of_another_login(company: World, provider: Provider) -> None:
    assert come_back(company, provider, state="other").status_code == 401
    assert come_back(company, provider, code="other").status_code == 401


def test_without_a_provider(fresh: World) -> None:
    answer = fresh.client.get("/api/v1/session/oidc")
    assert (answer.status_code, answer.json()["detail"][:30]) == (
        400,
        "no login provider is set up: s",
    )
