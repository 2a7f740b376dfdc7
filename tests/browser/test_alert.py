"""Ask, save, let new commits come in, and see on the page who is new and why."""

import subprocess
from collections.abc import Iterator
from dataclasses import replace
from shutil import which

import pytest
from playwright.sync_api import Browser, Page, expect

from api.app import create_app
from api.serving import Serving
from api.work import Doing
from index.commit_index import CommitIndex
from index.details import Details
from index.search import Searcher
from sourcer import settings
from sourcer.snapshot import Snapshot
from sourcer.topics import Taxonomy
from tests.browser.conftest import served
from tests.nights import EMBEDDER, Installation

GERMAN_PAGES = (
    "/", "/search?q=moe+kernel", "/pool?q=moe", "/shortlists", "/searches", "/imports", "/admin",
    "/admin/runs", "/admin/retention", "/admin/exposure", "/admin/alerts", "/notices?who=all",
)  # fmt: skip
NAME, SUBJECT = "王小明 (Xiaoming)", "优化 MoE kernel 的内存布局"
GERMAN = "Jürgen Großmüller-Weiß"


def opened(live: Snapshot, taxonomy: Taxonomy) -> Searcher:
    index = CommitIndex.open(live.index, EMBEDDER)
    return Searcher(index, Details.open(live.database), taxonomy, live.name)


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    made = Installation.start(tmp_path_factory.mktemp("alert"), "acme/engine")
    made.night()
    return made


@pytest.fixture(scope="module")
def address(here: Installation) -> Iterator[str]:
    """The installation served; its button to ingest runs a whole night."""

    def night(_progress: object) -> dict[str, object]:
        run = here.night()
        return {"snapshot": run.snapshot, "new": run.outcome == "published"}

    serving = Serving(doing=Doing(ingest=night), open_snapshot=opened)
    held = replace(settings.read(here.data), rate_limit=0)
    with served(create_app(held, serving)) as place:
        yield place


def ingest(page: Page) -> None:
    page.goto("/admin")
    page.get_by_role("button", name="Bring all up to date").click()
    expect(page.get_by_role("status")).to_contain_text("Done", timeout=30_000)


def until_answered_by(page: Page, name: str) -> None:
    """The server opens what was published a moment later."""
    for _ in range(50):
        page.goto("/search?q=moe+kernel")
        if page.locator(".entry h2 a", has_text=name).count():
            return
        page.wait_for_timeout(200)
    raise AssertionError(f"{name} never answered")


def test_who_is_new_after_an_ingest_and_why(page: Page, here: Installation) -> None:
    page.goto("/search?q=moe+kernel")
    page.get_by_role("link", name="Save this search").click()
    page.locator("#save").get_by_label("Name").fill("Kernels")
    page.locator("#save").get_by_role("button", name="Save").click()
    expect(page.locator("main")).to_contain_text("Not checked yet")
    ingest(page)
    page.goto("/searches")
    expect(page.locator("tbody tr td.n")).to_have_text("0")

    for person, subject in ((NAME, SUBJECT), (GERMAN, "Tune MoE kernel für Blöcke")):
        author = f"{person} <{person.split()[0].encode().hex()[:8]}@dev.example.org>"
        here.histories["acme/engine"].commit({"csrc/moe/topk_9.cu": subject}, subject, author)
    ingest(page)
    until_answered_by(page, NAME)
    page.goto("/searches")
    expect(page.locator("tbody tr td.n")).to_have_text("2")
    page.get_by_role("link", name="Kernels").click()
    news = page.locator("main section").first
    for person in (NAME, GERMAN):
        expect(news.get_by_role("link", name=person)).to_be_visible()
    expect(news).to_contain_text("1 new commit")
    expect(news).to_contain_text(SUBJECT)
    page.goto("/searches")
    expect(page.locator("tbody tr td.n")).to_have_text("0")


def test_chinese_questions_and_names_are_shown_right(page: Page) -> None:
    page.goto("/")
    page.locator("#q").fill("谁写了 MoE kernel 的内存布局")
    page.keyboard.press("Enter")
    first = page.locator(".entry").first
    expect(first.locator("h2 a")).to_have_text(NAME)
    expect(first).to_contain_text(SUBJECT)
    expect(page.locator("p.question")).to_contain_text("谁写了 MoE kernel 的内存布局")
    first.locator("h2 a").click()
    expect(page.locator("#panel h1")).to_have_text(NAME)


def has_chinese_letters() -> bool:
    listed = which("fc-list") and subprocess.run(
        ["fc-list", ":lang=zh"], capture_output=True, check=True
    )
    return bool(listed and listed.stdout)


@pytest.mark.skipif(not has_chinese_letters(), reason="no font here has Chinese letters")
def test_the_pages_fonts_reach_chinese_letters(page: Page) -> None:
    page.goto("/")
    for selector in ("h1", "body"):
        assert page.evaluate(DIFFERENT, selector)


DIFFERENT = """(selector) => {
  const style = getComputedStyle(document.querySelector(selector));
  const drawn = (letter) => {
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = 40;
    const context = canvas.getContext('2d');
    context.font = `28px ${style.fontFamily}`;
    context.fillText(letter, 4, 30);
    return canvas.toDataURL();
  };
  return new Set(['王', '小', '明', '谁'].map(drawn)).size === 4;
}"""
"""Where no font has a letter, each is drawn as the same box."""


@pytest.mark.parametrize("width", [360, 1280])
def test_german_pages_fit(launched: Browser, address: str, width: int) -> None:
    context = launched.new_context(
        base_url=address, locale="de-DE", viewport={"width": width, "height": 800}
    )
    page = context.new_page()
    for path in GERMAN_PAGES:
        page.goto(path, wait_until="networkidle")
        assert page.evaluate("document.documentElement.lang") == "de-DE"
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
    page.goto("/search?q=moe+kernel")
    expect(page.locator(".total")).to_contain_text("Personen")
    expect(page.locator(".entry h2 a", has_text=GERMAN)).to_be_visible()
    context.close()


def test_a_language_is_chosen_on_the_page(page: Page) -> None:
    page.goto("/shortlists")
    page.locator(".view summary").click()
    page.get_by_label("Language").select_option("de")
    page.locator(".view").get_by_role("button", name="Change").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Auswahllisten")
