"""Alerts over HTTP: who is new and why, where it is sent, and the feed."""

import re
from xml.etree import ElementTree as Xml

import pytest

from sourcer.workspace import alerts, deliveries, saved_searches
from sourcer.workspace.actors import LOCAL
from sourcer.workspace.alerts import Match
from sourcer.workspace.tokens import Scope
from tests.api_world import World
from tests.test_pages import page
from tests.test_pages_acts import sent

ATOM = "{http://www.w3.org/2005/Atom}"


def with_news(world: World) -> tuple[str, str, str]:
    """A saved search for which one person is new: its slug, the person's id and name."""
    person = world.get("/search", q="moe kernels")["entries"][0]["person"]
    slug = world.post("/searches", {"name": "MoE", "query": "moe kernels"})["slug"]
    with world.app.state.desk.workspace.writing() as session:
        saved = saved_searches.get(session, LOCAL, slug)
        alerts.check(session, saved, [], "s1")
        events = alerts.check(session, saved, [Match(person["id"])], "s2")
        deliveries.queue(session, slug, events)
    return slug, person["id"], person["name"]


def test_who_is_new_and_why(fresh: World) -> None:
    slug, person, name = with_news(fresh)
    told = fresh.get(f"/searches/{slug}/alerts")
    assert [(one["person_id"], one["name"], one["says"]) for one in told["alerts"]] == [
        (person, name, "matches now")
    ]
    assert fresh.get(f"/searches/{slug}/alerts", after=told["alerts"][0]["id"])["alerts"] == []
    fresh.post("/suppressions", {"who": person})
    assert fresh.get(f"/searches/{slug}/alerts")["alerts"] == []


def test_a_feed_by_a_shared_link_until_it_is_revoked(fresh: World) -> None:
    slug, _, name = with_news(fresh)
    token = fresh.post(f"/searches/{slug}/links", {})["token"]
    answer = fresh.client.get(f"/api/v1/shared/{token}/feed.atom")
    assert answer.headers["content-type"] == "application/atom+xml"
    titles = [one.text for one in Xml.fromstring(answer.text).iter(f"{ATOM}title")]
    assert titles == ["MoE", f"{name}: matches now"]
    assert name in page(fresh, f"/shared/{token}")
    fresh.client.delete(f"/api/v1/searches/{slug}/links")
    assert fresh.client.get(f"/api/v1/shared/{token}/feed.atom").status_code == 404
    assert fresh.client.get(f"/shared/{token}").status_code == 404


def test_subscriptions_are_made_seen_and_ended(fresh: World) -> None:
    slug = fresh.post("/searches", {"name": "MoE", "query": "moe kernels"})["slug"]
    url = "https://ats.example/hook"
    made = fresh.post(f"/searches/{slug}/subscriptions", {"channel": "webhook", "target": url})
    assert len(made["secret"]) == 64
    mail = fresh.client.post(
        f"/api/v1/searches/{slug}/subscriptions",
        json={"channel": "email", "target": "ida@firm.example"},
    )
    assert mail.status_code == 201
    listed = fresh.get(f"/searches/{slug}/subscriptions")["subscriptions"]
    assert [one["target"] for one in listed] == [url, "a mailbox"]
    for one in listed:
        assert fresh.client.delete(f"/api/v1/subscriptions/{one['id']}").status_code == 200
    assert fresh.get(f"/searches/{slug}/subscriptions")["subscriptions"] == []


@pytest.mark.parametrize("target", ["ftp://ats.example", "javascript:alert(1)"])
def test_only_web_addresses_take_webhooks(fresh: World, target: str) -> None:
    slug = fresh.post("/searches", {"name": "MoE", "query": "moe kernels"})["slug"]
    body = {"channel": "webhook", "target": target}
    answer = fresh.client.post(f"/api/v1/searches/{slug}/subscriptions", json=body)
    assert answer.status_code == 400


def test_another_users_subscription_is_theirs(guarded: World) -> None:
    ida, jon = guarded.token("ida", Scope.WRITE), guarded.token("jon", Scope.WRITE)
    client = guarded.client
    saved = client.post("/api/v1/searches", json={"name": "x", "query": "moe"}, headers=ida)
    path = f"/api/v1/searches/{saved.json()['slug']}/subscriptions"
    body = {"channel": "webhook", "target": "https://ats.example/hook"}
    number = client.post(path, json=body, headers=ida).json()["subscription"]["id"]
    assert client.get(path, headers=jon).json()["subscriptions"] == []
    assert client.delete(f"/api/v1/subscriptions/{number}", headers=jon).status_code == 403


def test_a_dead_delivery_is_shown_and_tried_again(fresh: World) -> None:
    slug, _, _ = with_news(fresh)
    body = {"channel": "webhook", "target": "https://ats.example/hook"}
    number = fresh.post(f"/searches/{slug}/subscriptions", body)["subscription"]["id"]
    with fresh.app.state.desk.workspace.writing() as session:
        events = alerts.events(session, LOCAL, slug)
        deliveries.queue(session, slug, events)
        deliveries.end(session, LOCAL, number)
    (dead,) = fresh.get("/deliveries/dead")["deliveries"]
    assert dead["said"] == "the subscription ended"
    text = page(fresh, "/admin/alerts")
    assert "https://ats.example/hook" in text
    revive = re.search(r'action="(/admin/alerts/\d+/revive)"', text)
    assert revive
    assert "It is tried again." in sent(fresh, "/admin/alerts", revive.group(1)).text
    assert fresh.get("/deliveries/dead")["deliveries"] == []


def test_a_page_subscribes_links_and_shows_secrets_once(fresh: World) -> None:
    slug, _, name = with_news(fresh)
    on = f"/searches/{slug}"
    assert name in page(fresh, f"/s/{slug}")
    url = "https://ats.example/hook"
    made = sent(fresh, on, f"{on}/subscribe", channel="webhook", target=url)
    assert re.search(r"<pre>[0-9a-f]{64}</pre>", made.text)
    text = page(fresh, on)
    assert url in text
    number = re.search(r'name="number" value="(\d+)"', text)
    assert number
    sent(fresh, on, f"{on}/unsubscribe", number=number.group(1))
    assert url not in page(fresh, on)
    linked = sent(fresh, on, f"{on}/link")
    paths = re.findall(r"<pre>http://localhost(/[^<]+)</pre>", linked.text)
    assert [fresh.client.get(path).status_code for path in paths] == [200, 200]
