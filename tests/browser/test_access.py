"""Pages that everyone can use: checked by axe, at a narrow width, zoomed, and without a jump."""

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


def grave(page: Page) -> list[str]:
    """What axe finds that keeps somebody out."""
    found = Axe().run(page).response["violations"]
    return [
        f"{one['id']}: {one['nodes'][0]['html'][:120]}" for one in found if one["impact"] in GRAVE
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_nothing_grave(launched: Browser, address: str, path: str, scheme: str) -> None:
    page = launched.new_page(base_url=address, color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
    page.goto(path, wait_until="networkidle")
    assert grave(page) == []
    page.close()


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


@pytest.mark.parametrize("path", PAGES)
def test_nothing_runs_over_the_side_at_360_px(launched: Browser, address: str, path: str) -> None:
    page = launched.new_page(base_url=address, viewport={"width": 360, "height": 700})
    page.goto(path, wait_until="networkidle")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.close()


def test_results_are_painted_without_a_jump(launched: Browser, address: str) -> None:
    page = launched.new_page(base_url=address, viewport={"width": 1280, "height": 900})
    page.add_init_script(
        "window.moved = 0; new PerformanceObserver((list) => {"
        " for (const one of list.getEntries()) if (!one.hadRecentInput) window.moved += one.value;"
        "}).observe({type: 'layout-shift', buffered: true});"
    )
    page.goto(f"/search?{ASKED}", wait_until="networkidle")
    assert page.evaluate("window.moved") < 0.01
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
