import hmac
import json
import socket
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.message import Message
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from xml.etree import ElementTree

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.handlers import Message as Mailbox

from sourcer.errors import BadInput, NotAllowed
from sourcer.query import Query
from sourcer.workspace import Workspace, alerts, deliveries, saved_searches
from sourcer.workspace.actors import Sharing
from sourcer.workspace.alerts import Commit, Event, Field, Match
from sourcer.workspace.couriers import Mail, Webhook, signature
from sourcer.workspace.deliveries import Channel
from sourcer.workspace.feeds import ATOM, atom
from sourcer.workspace.following import follow
from sourcer.workspace.saved_searches import SavedSearch
from tests.workspaces import ADA, IDA, JON, Clock

APRIL, JUNE = (datetime(2026, month, 1, tzinfo=UTC) for month in (4, 6))
OLD = Commit("acme/engine", "a" * 40, "Route experts", APRIL)
NEW = Commit("acme/engine", "b" * 40, "Fuse the kernel\x07 <&> by x@y.example", JUNE)
MOVED = Field("location", "Oslo", JUNE)
NAMES = {"p1": "Mira Lundgren", "p2": "Jón Berg", "p3": "李雷"}


@pytest.fixture
def saved(desk: Workspace, clock: Clock) -> SavedSearch:
    """A search that found p1 in May; now it is June."""
    with desk.writing() as session:
        made = saved_searches.save(session, IDA, "MoE", Query("moe"))
        assert alerts.check(session, made, [Match("p1", (OLD,))], "s1") == ()
    clock.sleep(timedelta(days=40).total_seconds())
    return made


def check(desk: Workspace, saved: SavedSearch, *matches: Match) -> tuple[Event, ...]:
    with desk.writing() as session:
        events = alerts.check(session, saved, matches, "s2")
        deliveries.queue(session, saved.slug, events)
        return events


def test_who_is_new_and_why_and_once(desk: Workspace, saved: SavedSearch) -> None:
    matches = (Match("p1", (OLD, NEW)), Match("p2", (OLD, NEW), (MOVED,)), Match("p3", (OLD,)))
    events = check(desk, saved, *matches)
    assert [(one.person_id, one.news.says) for one in events] == [
        ("p2", "1 new commit and 1 new declared field"),
        ("p3", "matches now"),
    ]
    assert [one.sha for one in events[0].news.commits] == [NEW.sha]
    assert "@" not in events[0].news.commits[0].subject
    assert check(desk, saved, *matches) == ()
    assert check(desk, saved, matches[0]) == ()
    assert check(desk, saved, *matches) == ()


def test_a_commit_that_was_held_before_is_not_new_though_its_date_is(
    desk: Workspace, saved: SavedSearch
) -> None:
    with desk.writing() as session:
        held = {(NEW.repo, NEW.sha)}
        (event,) = alerts.check(session, saved, [Match("p2", (NEW, OLD))], "s2", held)
    assert [one.sha for one in event.news.commits] == [OLD.sha]


def test_a_changed_question_tells_nothing_the_first_time(
    desk: Workspace, saved: SavedSearch
) -> None:
    with desk.writing() as session:
        changed = saved_searches.change(session, IDA, saved.slug, query=Query("kernels"))
    assert check(desk, changed, Match("p2", (NEW,))) == ()
    assert [one.person_id for one in check(desk, changed, Match("p2"), Match("p3"))] == ["p3"]


def test_a_merged_person_is_not_new(desk: Workspace, saved: SavedSearch) -> None:
    with desk.writing() as session:
        follow(session, {"p1": "p9"}, {"p9"})
    assert check(desk, saved, Match("p9", (NEW,))) == ()


def test_each_user_sees_what_they_have_not_seen(desk: Workspace, saved: SavedSearch) -> None:
    check(desk, saved, Match("p2", (NEW,)), Match("p3", (NEW,)))
    with desk.writing() as session:
        assert alerts.unseen(session, JON) == {saved.slug: 2}
        alerts.mark_seen(session, JON, saved.slug)
        assert (alerts.unseen(session, JON), alerts.unseen(session, IDA)) == ({}, {saved.slug: 2})


def test_the_feed_is_atom_and_leaves_out_who_may_not_be_shown(
    desk: Workspace, saved: SavedSearch
) -> None:
    check(desk, saved, Match("p2", (NEW,)), Match("p3", (NEW,)))
    with desk.reading() as session:
        events = alerts.events(session, JON, saved.slug)
    text = atom(saved, events, {"p2": "Jón \x00<Berg>"}, "https://sourcer.example")
    feed = ElementTree.fromstring(text)
    assert [one.text for one in feed.iterfind(f"{{{ATOM}}}entry/{{{ATOM}}}title")] == [
        "Jón <Berg>: 1 new commit"
    ]
    assert feed.findtext(f"{{{ATOM}}}title") == "MoE"
    assert "@" not in text


class Sink(BaseHTTPRequestHandler):
    """Answers with the statuses it is told to, the last for ever, and keeps what it got."""

    answers: list[int]
    got: list[tuple[dict[str, str], bytes]]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.got.append((dict(self.headers), body))
        self.send_response(self.answers.pop(0) if len(self.answers) > 1 else self.answers[0])
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def sink() -> Iterator[tuple[str, type[Sink]]]:
    handler = type("OneSink", (Sink,), {"answers": [204], "got": []})
    with HTTPServer(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/hook?x=1", handler
        server.shutdown()
        thread.join()


def subscribe(
    desk: Workspace, saved: SavedSearch, channel: Channel, target: str
) -> deliveries.Subscription:
    with desk.writing() as session:
        return deliveries.subscribe(session, IDA, saved.slug, channel, target)


INSIDE = {Channel.WEBHOOK: Webhook(inside=True, page="https://sourcer.example")}


def test_a_webhook_is_signed(
    desk: Workspace, saved: SavedSearch, sink: tuple[str, type[Sink]], clock: Clock
) -> None:
    url, handler = sink
    subscription = subscribe(desk, saved, Channel.WEBHOOK, url)
    check(desk, saved, Match("p2", (NEW,)), Match("p3", (NEW,)))
    shown = {"p2": "Jón Berg"}
    assert deliveries.deliver(desk, INSIDE, shown, clock.sleep) == 1
    assert deliveries.deliver(desk, INSIDE, shown, clock.sleep) == 0
    ((headers, body),) = handler.got
    at = int(clock().timestamp())
    expected = hmac.new(subscription.secret.encode(), f"{at}.".encode() + body, sha256).hexdigest()
    assert headers["X-Sourcer-Signature"] == f"t={at},v1={expected}"
    assert headers["X-Sourcer-Signature"] == signature(subscription.secret, at, body)
    said = json.loads(body)
    assert said["search"]["url"] == f"https://sourcer.example/s/{saved.slug}"
    assert [one["person"]["name"] for one in said["events"]] == ["Jón Berg"]
    assert said["events"][0]["why"]["commits"][0]["sha"] == NEW.sha


def test_a_webhook_is_tried_again_with_longer_waits_and_then_dead(
    desk: Workspace, saved: SavedSearch, sink: tuple[str, type[Sink]], clock: Clock
) -> None:
    url, handler = sink
    handler.answers = [503, 500, 204]
    subscribe(desk, saved, Channel.WEBHOOK, url)
    check(desk, saved, Match("p2", (NEW,)))
    began = clock()
    assert deliveries.deliver(desk, INSIDE, NAMES, clock.sleep) == 1
    assert (clock() - began, len(handler.got)) == (timedelta(minutes=6), 3)
    assert len({headers["X-Sourcer-Delivery"] for headers, _ in handler.got}) == 1

    handler.answers = [302]
    check(desk, saved, Match("p3", (NEW,)))
    assert deliveries.deliver(desk, INSIDE, NAMES, clock.sleep, timedelta(days=3)) == 0
    assert len(handler.got) == 3 + 1 + len(deliveries.WAITS)
    with desk.writing() as session:
        (dead,) = deliveries.dead(session, ADA)
        assert (dead.said, dead.attempts) == ("the webhook answered 302", 6)
        with pytest.raises(NotAllowed):
            deliveries.dead(session, IDA)
        handler.answers = [200]
        deliveries.revive(session, ADA, dead.id)
    assert deliveries.deliver(desk, INSIDE, NAMES, clock.sleep) == 1


def test_a_webhook_into_ones_own_network_is_refused(
    desk: Workspace, saved: SavedSearch, sink: tuple[str, type[Sink]]
) -> None:
    url, handler = sink
    subscribe(desk, saved, Channel.WEBHOOK, url)
    check(desk, saved, Match("p2", (NEW,)))
    assert deliveries.deliver_due(desk, {Channel.WEBHOOK: Webhook()}, NAMES) == 0
    assert handler.got == []
    with desk.reading() as session:
        assert deliveries.get(session, 1).said == "the webhook's address lies inside this network"


class Box(Mailbox):
    def __init__(self) -> None:
        super().__init__()
        self.letters: list[Message] = []

    def handle_message(self, message: Message) -> None:
        self.letters.append(message)


def test_an_alert_by_email(desk: Workspace, saved: SavedSearch, clock: Clock) -> None:
    box = Box()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    controller = Controller(box, hostname="127.0.0.1", port=port)
    controller.start()
    try:
        mail = Mail.by_url(f"smtp://127.0.0.1:{port}/?from=sourcer@firm.example")
        subscribe(desk, saved, Channel.EMAIL, "ida@firm.example")
        check(desk, saved, Match("p2", (NEW,)))
        assert deliveries.deliver(desk, {Channel.EMAIL: mail}, NAMES, clock.sleep) == 1
    finally:
        controller.stop()
    (letter,) = box.letters
    assert (letter["Subject"], letter["To"]) == ("1 new person: MoE", "ida@firm.example")
    words = letter.get_payload(decode=True)
    assert isinstance(words, bytes)
    assert "Jón Berg: 1 new commit" in words.decode()
    assert "@" not in words.decode()


def test_a_mail_server_that_is_down_is_tried_again(desk: Workspace, saved: SavedSearch) -> None:
    subscribe(desk, saved, Channel.EMAIL, "ida@firm.example")
    check(desk, saved, Match("p2", (NEW,)))
    mail = Mail("127.0.0.1", 1, "sourcer@firm.example")
    assert deliveries.deliver_due(desk, {Channel.EMAIL: mail}, NAMES) == 0
    assert deliveries.deliver_due(desk, {}, NAMES) == 0
    with desk.reading() as session:
        waiting = deliveries.get(session, 1)
    assert (waiting.state, waiting.attempts) == (deliveries.State.WAITING, 1)
    assert "@" not in str(waiting.said)


def test_alerts_stop_with_the_subscription_or_the_right_to_see(
    desk: Workspace, saved: SavedSearch
) -> None:
    with desk.writing() as session:
        own = deliveries.subscribe(session, IDA, saved.slug, Channel.EMAIL, "ida@firm.example")
        others = deliveries.subscribe(session, JON, saved.slug, Channel.EMAIL, "jon@firm.example")
        assert deliveries.subscribed(session, JON, saved.slug) == (others,)
        with pytest.raises(NotAllowed):
            deliveries.end(session, JON, own.id)
        saved_searches.share(session, IDA, saved.slug, Sharing.PRIVATE)
        (event,) = alerts.check(session, saved, [Match("p2", (NEW,))], "s2")
        assert deliveries.queue(session, saved.slug, (event,)) == 1
        deliveries.end(session, IDA, own.id)
        assert deliveries.get(session, 1).state is deliveries.State.DEAD
        assert deliveries.queue(session, saved.slug, (event,)) == 0
        for channel, target in ((Channel.WEBHOOK, "file:///etc/passwd"), (Channel.EMAIL, "ida")):
            with pytest.raises(BadInput):
                deliveries.subscribe(session, IDA, saved.slug, channel, target)
