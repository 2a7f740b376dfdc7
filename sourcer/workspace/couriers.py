"""How alerts leave the house: signed webhooks, and mail."""

import hashlib
import hmac
import http.client
import ipaddress
import json
import smtplib
import socket
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from email.message import EmailMessage
from typing import Self
from urllib.parse import parse_qs, unquote, urlsplit

from sourcer.errors import BadSettings
from sourcer.workspace.alerts import Event
from sourcer.workspace.deliveries import NotDelivered, Parcel

SECONDS = 15
ANSWER = 4096


@dataclass(frozen=True, slots=True)
class Webhook:
    """Posts JSON, signed so that the receiver knows who sent it and when.

    Addresses inside one's own network are refused unless `inside` allows them; redirects are not
    followed.
    """

    inside: bool = False
    page: str = ""
    """Where this installation's pages are, such as https://sourcer.example."""

    def take(self, parcel: Parcel) -> None:
        body = json.dumps(payload(parcel, self.page), ensure_ascii=False).encode()
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "sourcer",
            "X-Sourcer-Delivery": str(parcel.delivery),
            "X-Sourcer-Signature": signature(
                parcel.subscription.secret, int(parcel.at.timestamp()), body
            ),
        }
        status = self._post(parcel.subscription.target, body, headers)
        if not 200 <= status < 300:
            raise NotDelivered(f"the webhook answered {status}")

    def _post(self, url: str, body: bytes, headers: Mapping[str, str]) -> int:
        parts = urlsplit(url)
        kind = (
            http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        )
        path = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
        try:
            connection = kind(self._allowed(parts.hostname or ""), parts.port, timeout=SECONDS)
            try:
                connection.request("POST", path, body, dict(headers))
                answer = connection.getresponse()
                answer.read(ANSWER)
                return answer.status
            finally:
                connection.close()
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise NotDelivered(f"the webhook cannot be reached: {error}") from error

    def _allowed(self, host: str) -> str:
        for found in socket.getaddrinfo(host, None):
            address = ipaddress.ip_address(str(found[4][0]).partition("%")[0])
            if not (self.inside or address.is_global):
                raise NotDelivered("the webhook's address lies inside this network")
        return host


@dataclass(frozen=True, slots=True)
class Mail:
    """Sends plain text through an SMTP server."""

    host: str
    port: int
    sender: str
    user: str = ""
    password: str = ""
    tls: bool = False
    page: str = ""

    @classmethod
    def by_url(cls, url: str, page: str = "") -> Self:
        """
        >>> Mail.by_url("smtp://mail.example:25/?from=sourcer@firm.example").port
        25
        """
        parts = urlsplit(url)
        sender = parse_qs(parts.query).get("from", [""])[0]
        if parts.scheme not in ("smtp", "smtps") or not parts.hostname or "@" not in sender:
            raise BadSettings("mail_url: expected smtp[s]://host[:port]/?from=ADDRESS")
        tls = parts.scheme == "smtps"
        login = (unquote(parts.username or ""), unquote(parts.password or ""))
        return cls(parts.hostname, parts.port or (465 if tls else 25), sender, *login, tls, page)

    def take(self, parcel: Parcel) -> None:
        try:
            with self._server() as server:
                if self.user:
                    server.login(self.user, self.password)
                server.send_message(letter(parcel, self.sender, self.page))
        except smtplib.SMTPException as error:
            raise NotDelivered(f"the mail server refused: {type(error).__name__}") from None
        except OSError as error:
            raise NotDelivered(f"the mail server cannot be reached: {error}") from error

    def _server(self) -> smtplib.SMTP:
        context = ssl.create_default_context()
        if self.tls:
            return smtplib.SMTP_SSL(self.host, self.port, timeout=SECONDS, context=context)
        server = smtplib.SMTP(self.host, self.port, timeout=SECONDS)
        server.ehlo()
        if server.has_extn("starttls"):
            server.starttls(context=context)
        return server


def signature(secret: str, at: int, body: bytes) -> str:
    """The header that proves a webhook's body and when it was sent.

    >>> signature("s", 1780000000, b"{}")[:24]
    't=1780000000,v1=bba80071'
    """
    signed = hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256)
    return f"t={at},v1={signed.hexdigest()}"


def payload(parcel: Parcel, page: str) -> dict[str, object]:
    """A webhook's body."""
    slug = parcel.subscription.slug
    return {
        "delivery": parcel.delivery,
        "search": {"slug": slug, "name": parcel.search, "url": f"{page}/s/{slug}"},
        "events": [_event(event, name, page) for event, name in parcel.events],
    }


def letter(parcel: Parcel, sender: str, page: str) -> EmailMessage:
    """An alert as mail: who is new, why, and the commits that say so."""
    message = EmailMessage()
    count = len(parcel.events)
    message["Subject"] = f"{count} new {'person' if count == 1 else 'people'}: {parcel.search}"
    message["From"] = sender
    message["To"] = parcel.subscription.target
    message["X-Sourcer-Delivery"] = str(parcel.delivery)
    lines = [f"{page}/s/{parcel.subscription.slug}", ""]
    for event, name in parcel.events:
        lines += [f"{name}: {event.news.says}", f"  {page}/people/{event.person_id}"]
        lines += [f"  {one.repo} {one.sha[:12]} {one.subject}" for one in event.news.commits]
        lines += [f"  {one.field}: {one.value}" for one in event.news.fields]
        lines.append("")
    message.set_content("\n".join(lines))
    return message


def _event(event: Event, name: str, page: str) -> dict[str, object]:
    commits = [
        {"repo": one.repo, "sha": one.sha, "subject": one.subject, "date": one.at.isoformat()}
        for one in event.news.commits
    ]
    fields = [{"field": one.field, "value": one.value} for one in event.news.fields]
    person = {"id": event.person_id, "name": name, "url": f"{page}/people/{event.person_id}"}
    why = {"says": event.news.says, "commits": commits, "fields": fields}
    return {"id": event.id, "at": event.at.isoformat(), "person": person, "why": why}
