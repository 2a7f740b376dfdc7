"""A saved search's alerts as an Atom feed (RFC 4287)."""

import re
from collections.abc import Iterable, Mapping
from xml.etree import ElementTree as Xml

from sourcer.workspace.alerts import Event
from sourcer.workspace.saved_searches import SavedSearch

NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
ATOM = "http://www.w3.org/2005/Atom"


def atom(saved: SavedSearch, events: Iterable[Event], names: Mapping[str, str], page: str) -> str:
    """The feed. `names` has the name of each person who may be shown; others are left out."""
    shown = [event for event in events if event.person_id in names]
    updated = max((event.at for event in shown), default=saved.changed_at)
    feed = Xml.Element("feed", xmlns=ATOM)
    _text(feed, "id", f"urn:sourcer:search:{saved.slug}")
    _text(feed, "title", saved.name)
    _text(feed, "updated", updated.isoformat())
    Xml.SubElement(feed, "link", href=f"{page}/s/{saved.slug}")
    _text(Xml.SubElement(feed, "author"), "name", "sourcer")
    for event in shown:
        _entry(feed, event, names[event.person_id], page)
    return Xml.tostring(feed, encoding="unicode", xml_declaration=True)


def _entry(feed: Xml.Element, event: Event, name: str, page: str) -> None:
    entry = Xml.SubElement(feed, "entry")
    _text(entry, "id", f"urn:sourcer:search:{event.slug}:event:{event.id}")
    _text(entry, "title", f"{name}: {event.news.says}")
    _text(entry, "updated", event.at.isoformat())
    Xml.SubElement(entry, "link", href=f"{page}/people/{event.person_id}")
    lines = [f"{one.repo} {one.sha[:12]} {one.subject}" for one in event.news.commits]
    lines += [f"{one.field}: {one.value}" for one in event.news.fields]
    _text(entry, "content", "\n".join(lines))


def _text(parent: Xml.Element, tag: str, text: str) -> None:
    Xml.SubElement(parent, tag).text = NOT_XML.sub("", text)
