"""Logging in at the company's own provider: OpenID Connect, code flow with PKCE, through Authlib.

Nobody is added by logging in: an admin adds a user with the identity that the provider gives them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from secrets import token_urlsafe

import httpx2
from authlib.common.errors import AuthlibBaseError  # type: ignore[import-untyped]
from authlib.integrations.httpx_client import AsyncOAuth2Client  # type: ignore[import-untyped]
from itsdangerous import BadData, URLSafeTimedSerializer
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet, KeySetSerialization
from joserfc.jwt import JWTClaimsRegistry

from sourcer.errors import BadInput, NotLoggedIn
from sourcer.settings import Settings

CALLBACK = "/api/v1/session/oidc/callback"
LASTS = 600
"""Seconds that logging in at the provider may take."""
ALGORITHMS = ["RS256", "ES256", "PS256", "EdDSA"]
PATIENCE = 10.0
AGAIN = "the login did not hold. Begin again: GET /api/v1/session/oidc"


@dataclass(frozen=True, slots=True)
class Begun:
    """Where the browser goes next, and what it must bring back."""

    url: str
    cookie: str


class OpenId:
    """One provider, as the settings name it."""

    def __init__(self, settings: Settings, secret: bytes) -> None:
        self._issuer = settings.oidc_issuer.rstrip("/")
        self._client_id = settings.oidc_client_id
        self._client_secret = settings.oidc_client_secret
        self._public_url = settings.public_url.rstrip("/")
        self._signer = URLSafeTimedSerializer(secret, salt="oidc")

    async def begin(self) -> Begun:
        """Raises BadInput where no provider is set up."""
        async with self._client() as client:
            endpoints = await self._endpoints(client)
            verifier, nonce = token_urlsafe(48), token_urlsafe(24)
            url, state = client.create_authorization_url(
                endpoints["authorization_endpoint"], code_verifier=verifier, nonce=nonce
            )
        return Begun(url, str(self._signer.dumps([state, verifier, nonce])))

    async def finish(self, cookie: str, state: str, code: str) -> str:
        """The identity that the provider vouches for: its own address and its name for the user.

        Raises NotLoggedIn when anything does not fit.
        """
        begun, verifier, nonce = self._read(cookie)
        if begun != state:
            raise NotLoggedIn(AGAIN)
        async with self._client() as client:
            endpoints = await self._endpoints(client)
            try:
                token = await client.fetch_token(
                    endpoints["token_endpoint"], code=code, code_verifier=verifier
                )
                keys = (
                    await client.request("GET", endpoints["jwks_uri"], withhold_token=True)
                ).json()
            except (AuthlibBaseError, httpx2.HTTPError, ValueError):
                raise NotLoggedIn(AGAIN) from None
        return f"{self._issuer} {self._subject(token.get('id_token', ''), keys, nonce)}"

    def _subject(self, id_token: str, keys: KeySetSerialization, nonce: str) -> str:
        expected = JWTClaimsRegistry(
            iss={"essential": True, "value": self._issuer},
            aud={"essential": True, "value": self._client_id},
            nonce={"essential": True, "value": nonce},
            sub={"essential": True},
            exp={"essential": True},
        )
        try:
            read = jwt.decode(id_token, KeySet.import_key_set(keys), algorithms=ALGORITHMS)
            expected.validate(read.claims)
        except (JoseError, ValueError, KeyError, TypeError):
            raise NotLoggedIn(AGAIN) from None
        return str(read.claims["sub"])

    def _client(self) -> AsyncOAuth2Client:
        if not (self._issuer and self._client_id and self._public_url):
            raise BadInput(
                "no login provider is set up: set oidc_issuer, oidc_client_id, "
                "oidc_client_secret and public_url"
            )
        return AsyncOAuth2Client(
            self._client_id,
            self._client_secret,
            redirect_uri=f"{self._public_url}{CALLBACK}",
            scope="openid",
            code_challenge_method="S256",
            timeout=PATIENCE,
        )

    async def _endpoints(self, client: AsyncOAuth2Client) -> Mapping[str, str]:
        address = f"{self._issuer}/.well-known/openid-configuration"
        try:
            found: Mapping[str, str] = (
                await client.request("GET", address, withhold_token=True)
            ).json()
        except (httpx2.HTTPError, ValueError):
            raise NotLoggedIn("the login provider does not answer. Try again later") from None
        if str(found.get("issuer", "")).rstrip("/") != self._issuer:
            raise NotLoggedIn("the login provider calls itself otherwise than oidc_issuer does")
        return found

    def _read(self, cookie: str) -> tuple[str, str, str]:
        try:
            state, verifier, nonce = self._signer.loads(cookie, max_age=LASTS)
        except (BadData, ValueError):
            raise NotLoggedIn(AGAIN) from None
        return state, verifier, nonce
