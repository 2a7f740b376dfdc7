"""Takes pictures of the pages at three widths, light and dark, of a server that shows the sample.

python -m tests.browser.screenshots http://localhost:8000 pictures/
"""

import sys
from pathlib import Path
from urllib.parse import quote_plus

from playwright.sync_api import Browser, Page

from tests.browser.chromium import browser

QUESTION = (
    "US engineers who have merged commits to vLLM or SGLang touching MoE, expert parallelism,"
    " or PD disaggregation, senior or above, open to talking"
)
WIDTHS = (360, 800, 1280)


def main(address: str, into: Path) -> None:
    into.mkdir(parents=True, exist_ok=True)
    with browser() as launched:
        for scheme in ("light", "dark"):
            for width in WIDTHS:
                _take(launched, address, into, scheme, width)


def _take(launched: Browser, address: str, into: Path, scheme: str, width: int) -> None:
    page = launched.new_page(
        viewport={"width": width, "height": 900},
        color_scheme=scheme,  # type: ignore[arg-type]
    )
    for name, path in _pages(page, address).items():
        page.goto(f"{address}{path}", wait_until="networkidle")
        page.screenshot(path=into / f"{name}-{width}-{scheme}.png")
    page.close()


def _pages(page: Page, address: str) -> dict[str, str]:
    asked = f"q={quote_plus(QUESTION)}"
    page.goto(f"{address}/search?{asked}")
    person = page.locator(".who h2 a").first.get_attribute("href") or "/"
    return {
        "home": "/",
        "search": f"/search?{asked}",
        "person": person,
        "pool": f"/pool?{asked}",
        "graph": "/graph?size=50",
        "shortlists": "/shortlists",
        "imports": "/imports",
        "admin": "/admin",
    }


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
