"""The catalogue says all that the pages ask for, and nothing that no page asks for."""

import re
from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from babel import Locale

from api.pages.saying import said
from api.pages.words import catalogue, languages, words_for
from tests.api_world import World
from tests.test_pages import ASKED, HTML, PAGES, QUESTION, page, person_of
from tests.test_pages_acts import sent

ROOT = Path(__file__).parent.parent / "api"
KEY = re.compile(r"[\"']([a-z]+(?:-[a-z]+)*\.[a-z0-9_ -]+)[\"']")
MADE = ("field.", "filter.", "role.", "stage.", "error.", "export.", "job.", "hide.", "help.",
        "nav.", "chips.", "slices.", "results.by-", "queue.", "person.", "done.",
        "runs.", "exposure.", "subscribe.", "change.", "kind.", "user-role.", "pool.by-", "act.",
        )  # fmt: skip
"""Beginnings of keys that are put together from parts."""


def asked_for() -> set[str]:
    files = [*ROOT.glob("templates/*.html"), *ROOT.glob("pages/*.py")]
    return {key for file in files for key in KEY.findall(file.read_text("utf-8"))}


def test_whatever_a_template_asks_for_is_there() -> None:
    texts = catalogue("en")
    for file in ROOT.glob("templates/*.html"):
        for key in re.findall(r"\bt\('([a-z-]+\.[a-z0-9_-]*[a-z0-9])'", file.read_text("utf-8")):
            assert key in texts, f"{file.name} asks for {key}"


def test_nothing_is_said_that_nobody_asks_for() -> None:
    unasked = set(catalogue("en")) - asked_for()
    assert sorted(key for key in unasked if not key.startswith(MADE)) == []


def placeholders(text: object) -> set[str]:
    texts = [text] if isinstance(text, str) else list(text.values())  # type: ignore[attr-defined]
    return {name for one in texts for name in re.findall(r"{(\w+)}", one)}


def test_every_language_says_all_of_it_with_the_same_values() -> None:
    english = catalogue("en")
    assert languages() == {"de", "en"}
    for language in languages() - {"en"}:
        other = catalogue(language)
        assert set(other) == set(english)
        for key, text in english.items():
            assert placeholders(other[key]) == placeholders(text), key
            assert isinstance(other[key], str) is isinstance(text, str), key


def test_every_plural_of_a_language_has_its_form() -> None:
    for language in languages():
        forms = set(Locale.parse(language).plural_form.tags) | {"other"}
        for key, text in catalogue(language).items():
            assert isinstance(text, str) or set(text) == forms, key


def test_german_by_the_browser_or_by_choice(fresh: World) -> None:
    german = {**HTML, "accept-language": "de-AT,de;q=0.9,en;q=0.5"}
    text = fresh.client.get(ASKED, headers=german).text
    assert '<html lang="de-AT">' in text
    assert "Treffer" in text
    assert sent(fresh, "/", "/look", language="de", back="/shortlists").text.count("Auswahlliste")
    text = page(fresh, ASKED)
    assert '<html lang="de">' in text
    sent(fresh, "/", "/look", language="en", back="/")
    assert '<html lang="en">' in fresh.client.get("/", headers=german).text


def test_german_numbers_dates_and_plurals() -> None:
    words = words_for("de")
    assert words.day("2026-06-05") == "05.06.2026"
    assert words("results.people", n=12_345) == "12.345 Personen"
    assert words("results.people", n=1) == "1 Person"
    assert words.territory("DE") == "Deutschland"


def test_every_page_is_german_throughout(shared: World) -> None:
    """No sentence of the English catalogue is left over."""
    english = {text for text in catalogue("en").values() if isinstance(text, str)}
    english = {text for text in english if len(text.split()) > 3 and "{" not in text}
    same = {text for text in catalogue("de").values() if isinstance(text, str)}
    for path in PAGES:
        text = unescape(shared.client.get(path, headers={**HTML, "accept-language": "de"}).text)
        assert [one for one in english - same if one in text] == [], path


class English(HTMLParser):
    """The texts of a page that a reader would take for our own; not code, subjects or questions,
    and nothing that says of itself that it is English."""

    LEFT = frozenset({"code", "script", "style", "kbd", "pre", "textarea", "option"})
    DATA = frozenset({"subject", "question", "fact", "examples", "chip", "card"})
    VOID = frozenset({"input", "br", "link", "meta", "hr", "img", "col"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.above: list[tuple[str, bool]] = []
        self.found: set[str] = set()
        self.feed(text.partition("<main")[2].partition("</main>")[0])

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = dict(attrs)
        classes = set((said.get("class") or "").split())
        left = tag in self.LEFT or bool(classes & self.DATA) or said.get("lang") == "en"
        left = left or any(one for _, one in self.above)
        if not left:
            self.found |= {said[name] or "" for name in ("title", "aria-label") if name in said}
        if tag not in self.VOID:
            self.above.append((tag, left))

    def handle_endtag(self, tag: str) -> None:
        while self.above and self.above.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not any(left for _, left in self.above):
            self.found.add(" ".join(data.split()))


OURS = re.compile(
    r"\b(the|that|their|commits? (on|to|that)|is|are|was|by|from|with|no|unknown)\b", re.I
)
"""Words by which an English sentence of ours is known; names of topics and titles hold none."""


def test_what_the_data_say_is_german_too(shared: World) -> None:
    """Sentences of a score, a funnel, a refusal: all but names, code and what is marked English."""
    person = person_of(shared)
    ids = re.findall(r"/people/(p\w+)\?", page(shared, ASKED))[:2]
    more = (
        person,
        "/search?q=young+moe+enginers+in+vllm+at+some+recent+time",
        "/search?q=who+reviewed+scheduling+in+vllm",
        f"/compare?id={ids[0]}&id={ids[1]}&{urlencode({'q': QUESTION})}",
    )
    for path in (*PAGES, *more):
        german, english = (
            English(shared.client.get(path, headers={**HTML, "accept-language": language}).text)
            for language in ("de", "en")
        )
        same = german.found & english.found
        left = [one for one in same if OURS.search(one) and QUESTION not in one]
        assert left == [], path


def test_every_sentence_of_a_score_is_known_in_german(shared: World) -> None:
    def sentences(score: dict[str, Any]) -> Iterator[str]:
        yield score["says"]
        for part in score["parts"]:
            yield from sentences(part)

    for question in (
        "moe kernels",
        "people like mtevenbrook-rx",
        "who reviewed scheduling",
        QUESTION,
    ):
        for one in shared.get("/search", q=question, limit=50)["entries"]:
            for text in (*sentences(one["why"]), *one.get("notes", ())):
                assert said(text, Locale("de")), text


def test_a_language_without_a_catalogue_is_answered_in_english() -> None:
    assert words_for("fi-FI, fi;q=0.9").language == "en"
    assert words_for("fi, en-GB;q=0.5").language == "en-GB"
    assert words_for("").language == "en"


def test_numbers_dates_and_plurals_go_by_locale() -> None:
    british, american = words_for("en-GB"), words_for("en-US")
    assert british.day("2026-06-05") == "5 Jun 2026"
    assert american.day("2026-06-05") == "Jun 5, 2026"
    assert american("results.people", n=12_345) == "12,345 people"
    assert american("results.people", n=1) == "1 person"
