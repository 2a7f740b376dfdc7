"""From submitting a question to its results painted, in Chromium, beside the API call alone.

    python tests/bench/bench_ui.py [--data DIR] [--questions 30] [--run]

Without --data the sample is built first. No question is asked twice. Each is submitted as somebody
would, by Enter in the box of the results before; painted means that the new ones are there and two
frames were drawn. The API is asked by the same browser, in turns, while nothing else goes on.
"""

import argparse
import sys
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from load import ROOT, questions, serving
from measured import write_run
from served import copied, server

sys.path.insert(0, str(ROOT))

from playwright.sync_api import Page

from tests.browser.chromium import browser

PORT = 18_473
WATCH = """
let asked = 0;
const afterTwoFrames = (then) => requestAnimationFrame(() => requestAnimationFrame(then));
addEventListener("submit", () => {
  asked = performance.now();
  delete document.documentElement.dataset.painted;
}, true);
new MutationObserver((changes) => {
  const fresh = changes.some((one) => [...one.addedNodes].some((node) => node.id === "live"));
  if (asked && fresh) afterTwoFrames(() => {
    document.documentElement.dataset.painted = performance.now() - asked;
  });
}).observe(document, { childList: true, subtree: true });
"""
ASK = """async (question) => {
  const began = performance.now();
  const answer = await fetch("/api/v1/search?q=" + encodeURIComponent(question));
  await answer.text();
  return performance.now() - began;
}"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path)
    parser.add_argument("--questions", type=int, default=30)
    parser.add_argument("--run", action="store_true", help="Keep the figures.")
    given = parser.parse_args()
    with TemporaryDirectory() as scratch:
        data = copied(given.data, Path(scratch))
        with serving(server(data, PORT, workers=1), PORT), browser() as launched:
            page = launched.new_page(base_url=f"http://localhost:{PORT}")
            page.add_init_script(WATCH)
            figures = measured(page, given.questions)
    print(figures)
    if given.run:
        print(write_run("ui", figures))


def measured(page: Page, count: int) -> dict[str, float]:
    asked = list(islice(questions(), 2 * count + 4))
    page.goto("/search?q=kernels", wait_until="networkidle")
    painted, called = [], []
    for by_page, by_api in zip(asked[::2], asked[1::2], strict=True):
        painted.append(_painted(page, by_page))
        called.append(page.evaluate(ASK, by_api))
    painted, called = painted[2:], called[2:]
    return {
        "questions": count,
        "painted_p50_ms": round(float(np.median(painted)), 1),
        "painted_p90_ms": round(float(np.quantile(painted, 0.9)), 1),
        "api_p50_ms": round(float(np.median(called)), 1),
        "ratio": round(float(np.median(painted) / np.median(called)), 2),
    }


def _painted(page: Page, question: str) -> float:
    box = page.locator("#q")
    box.fill(question)
    box.press("Enter")
    painted = page.locator("html[data-painted]")
    painted.wait_for()
    took = float(painted.get_attribute("data-painted") or "nan")
    page.locator(".slices .histogram").first.wait_for()
    return took


if __name__ == "__main__":
    main()
