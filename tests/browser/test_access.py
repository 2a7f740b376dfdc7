"""Pages that everyone can use: checked by axe, at a narrow width, zoomed, and without a jump."""

from collections.abc import Iterator
from urllib.parse import quote_plus

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from tests.test_pages import QUESTION

ASKED = f"q={quote_plus(QUESTION)}"
PAGES = (
    "/",
    f"/search?{ASKED}",
    "/search?q=young+moe+enginers+in+vllm",
    f"/pool?{ASKED}",
    "/graph",
    "/shortlists",
    "/searches",
    f"/searches/new?{ASKED}",
    "/imports",
    "/imports/queue",
    "/admin",
    "/admin/topics",
    "/admin/audit",
    "/admin/runs",
    "/admin/retention",
    "/admin/exposure",
    "/admin/alerts",
    "/notices?who=all",
    "/login",
    f"/export/people?{ASKED}",
    "/nowhere",
)
GRAVE = ("serious", "critical")


CUT_OFF = """[...document.querySelectorAll("main :is(button, a, h1, h2, p, input)")]
  .filter((one) => one.checkVisibility() && !one.closest(".wide, pre, svg, details:not([open])"))
  .map((one) => [one.getBoundingClientRect(), one.outerHTML.slice(0, 100)])
  .filter(([box]) => box.right > innerWidth || (box.left < 0 && box.right > 0))
  .map(([, html]) => html)"""
"""What stands beyond the window's sides and in nothing that scrolls."""


BROKEN_WORDS = """[...document.querySelectorAll("main :is(th, td)")].flatMap((cell) => {
  const found = [];
  const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    if (text.parentElement.closest("code, option, .loose, details:not([open])")) continue;
    for (const word of text.data.matchAll(/\\p{Script=Latin}+/gu)) {
      const range = document.createRange();
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      if (new Set([...range.getClientRects()].map((box) => box.top)).size > 1) found.push(word[0]);
    }
  }
  return found;
})"""
"""Words in tables that stand on two lines, where the script has words with spaces between."""


def grave(page: Page, only: list[str] | None = None) -> list[str]:
    """What axe finds that keeps somebody out, by all of its rules or only some."""
    options = {"runOnly": {"type": "rule", "values": only}} if only else None
    found = Axe().run(page, options=options).response["violations"]
    return [
        f"{one['id']}: {one['nodes'][0]['html'][:120]}" for one in found if one["impact"] in GRAVE
    ]


@pytest.fixture(scope="module")
def window(launched: Browser) -> Iterator[Page]:
    """One for all pages: opening another for each takes longer than what is looked at."""
    made = launched.new_page(reduced_motion="reduce")
    yield made
    made.close()


@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_nothing_grave(window: Page, address: str, path: str) -> None:
    """In light; in dark what can differ, the colours."""
    window.emulate_media(color_scheme="light")
    window.goto(f"{address}{path}", wait_until="networkidle")
    assert grave(window) == []
    window.emulate_media(color_scheme="dark")
    assert grave(window, only=["color-contrast"]) == []
    assert moving(window) == []


@pytest.mark.parametrize(("width", "scale"), [(360, 1), (640, 2)], ids=["narrow", "zoomed"])
def test_nothing_runs_over_the_side(
    launched: Browser, address: str, width: int, scale: int
) -> None:
    """At 360 px, and at 200 % of a window 1280 wide: half of it, each point drawn as four; in
    German, whose words are longer."""
    context = launched.new_context(
        base_url=address,
        locale="de-DE",
        viewport={"width": width, "height": 450},
        device_scale_factor=scale,
    )
    page = context.new_page()
    page.goto(f"/search?{ASKED}")
    person = page.locator(".who h2 a").first.get_attribute("href") or ""
    for path in (*PAGES, person):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
        assert page.evaluate(CUT_OFF) == [], path
        assert page.evaluate(BROKEN_WORDS) == [], path
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_grave_on_a_person(launched: Browser, address: str, scheme: str) -> None:
    page = launched.new_page(base_url=address, color_scheme=scheme)  # type: ignore[arg-type]
    page.goto(f"/search?{ASKED}")
    page.locator(".chip summary").first.click()
    assert grave(page) == []
    page.locator(".who h2 a").first.click()
    page.locator("#panel h1").wait_for()
    assert grave(page) == []
    page.goto(page.locator("#panel .panel-bar a").get_attribute("href") or "")
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    assert grave(page) == []
    page.close()


def moving(page: Page) -> list[str]:
    """What would move for somebody who asked for less of it."""
    return page.evaluate(  # type: ignore[no-any-return]
        "[...document.querySelectorAll('button, summary')].filter((one) =>"
        " getComputedStyle(one).transitionDuration !== '0s').map((one) => one.outerHTML)"
    )


def test_results_are_painted_without_a_jump(launched: Browser, address: str) -> None:
    """When the page is opened, and when a question is asked on it."""
    page = launched.new_page(base_url=address, viewport={"width": 1280, "height": 900})
    page.add_init_script(
        "window.moved = 0; new PerformanceObserver((list) => {"
        " for (const one of list.getEntries()) if (!one.hadRecentInput) window.moved += one.value;"
        "}).observe({type: 'layout-shift', buffered: true});"
    )
    page.goto("/search?q=moe+kernels", wait_until="networkidle")
    page.locator("#q").fill("speculative decoding")
    page.locator("#q").press("Enter")
    page.locator(".slices .histogram").first.wait_for()
    page.wait_for_load_state("networkidle")
    assert page.evaluate("window.moved") == 0
    page.close()


def test_a_page_weighs_little(launched: Browser, address: str) -> None:
    page = launched.new_page(base_url=address)
    page.goto(f"/search?{ASKED}", wait_until="networkidle")
    weight = page.evaluate(
        "performance.getEntries().filter((one) => one.transferSize)"
        ".reduce((sum, one) => sum + one.transferSize, 0)"
    )
    assert weight <= 150_000
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_grave_on_what_is_made_first(
    launched: Browser, address: str, scheme: str
) -> None:
    """A saved search with a subscription, a letter, a shortlist, the open menu of the view."""
    page = launched.new_page(base_url=address, color_scheme=scheme)  # type: ignore[arg-type]
    page.goto("/search?q=moe+kernels")
    page.locator(".view summary").click()
    assert grave(page) == []
    page.get_by_role("link", name="Save this search").click()
    page.locator("#save").get_by_label("Name").fill("MoE")
    page.locator("#save").get_by_role("button", name="Save").click()
    saved = page.url
    page.get_by_label("Address").fill("https://ats.example/hook")
    page.get_by_role("button", name="Send it there").click()
    page.locator("pre").wait_for()
    assert grave(page) == []
    page.goto(saved)
    assert grave(page) == []
    page.goto("/notices?who=all")
    page.get_by_role("link", name="Letter").first.click()
    page.locator("#letter").wait_for()
    assert grave(page) == []
    page.close()
