"""The catalogue says all that the pages ask for, and nothing that no page asks for."""

import re
from html import unescape
from pathlib import Path

from babel import Locale

from api.pages.words import catalogue, languages, words_for
from tests.api_world import World
from tests.test_pages import ASKED, HTML, PAGES, page
from tests.test_pages_acts import sent

ROOT = Path(__file__).parent.parent / "api"
KEY = re.compile(r"[\"']([a-z]+(?:-[a-z]+)*\.[a-z0-9_ -]+)[\"']")
MADE = ("field.", "filter.", "role.", "stage.", "error.", "export.", "job.", "hide.", "help.",
        "nav.", "chips.", "slices.", "results.by-", "queue.", "person.", "done.",
        "runs.", "exposure.", "subscribe.", "change.", "kind.", "user-role.", "pool.by-",
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
