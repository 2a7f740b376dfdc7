"""Takes pictures of the pages, of a server that shows the sample: made-up people only.

python -m tests.browser.screenshots http://localhost:8000 pictures/     to look at: three
                                                                      widths, light and dark
python -m tests.browser.screenshots http://localhost:8000 docs/ --readme   the README's own
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote_plus

from PIL import Image
from playwright.sync_api import Browser, Page

from tests.browser.chromium import browser

QUESTION = (
    "US engineers who have merged commits to vLLM or SGLang touching MoE, expert parallelism,"
    " or PD disaggregation, senior or above, open to talking"
)
ASKED = f"q={quote_plus(QUESTION)}"
WIDTHS = (360, 800, 1280)
README = (("search", "light"), ("person", "light"), ("graph", "dark"))
COLOURS = 64


def main(address: str, into: Path, *, readme: bool) -> None:
    into.mkdir(parents=True, exist_ok=True)
    with browser() as launched:
        if readme:
            for name, scheme in README:
                page = _opened(launched, scheme, 1280)
                _shrink(_shoot(page, address, name, into / f"{name}.png"))
            return
        for scheme in ("light", "dark"):
            for width in WIDTHS:
                page = _opened(launched, scheme, width)
                for name, _ in _pages(page, address):
                    _shoot(page, address, name, into / f"{name}-{width}-{scheme}.png")


def _opened(launched: Browser, scheme: str, width: int) -> Page:
    viewport = {"width": width, "height": 900}
    return launched.new_page(viewport=viewport, color_scheme=scheme)  # type: ignore[arg-type]


def _shoot(page: Page, address: str, name: str, file: Path) -> Path:
    page.goto(f"{address}{dict(_pages(page, address))[name]}", wait_until="networkidle")
    page.screenshot(path=file)
    return file


def _pages(page: Page, address: str) -> Iterator[tuple[str, str]]:
    yield "home", "/"
    yield "search", f"/search?{ASKED}"
    yield "person", _first_person(page, address)
    yield "pool", f"/pool?{ASKED}"
    yield "graph", "/graph?size=50"
    yield "shortlists", "/shortlists"
    yield "imports", "/imports"
    yield "admin", "/admin"


def _first_person(page: Page, address: str) -> str:
    page.goto(f"{address}/search?{ASKED}")
    return page.locator(".who h2 a").first.get_attribute("href") or "/"


def _shrink(file: Path) -> None:
    """A picture of a page needs few colours."""
    with Image.open(file) as picture:
        small = picture.convert("RGB").quantize(COLOURS)
    small.save(file, optimize=True)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), readme="--readme" in sys.argv)
