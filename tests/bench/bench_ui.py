"""From submitting a question to its results painted, in Chromium, beside the API call alone.

    python tests/bench/bench_ui.py [--data DIR] [--questions 30] [--run]

Without --data the sample is built first. No question is asked twice. Each is submitted as somebody
would, by Enter in the box of the results before. Painted is when Chromium says that it showed the
first person's name (Element Timing): the screen is full then. Whole is when the last of the twenty
was there and two more frames were drawn. The API is asked by the same browser, in turns, while
nothing else goes on; it gives twenty people too. Alone is what Chromium takes to show an answer
that is there at once, as the page is given the last one again: no page can be faster than that and
the call.
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
window.shifted = 0;
const tell = (name, at) => document.documentElement.setAttribute(`data-${name}`, at - asked);
const afterTwoFrames = (then) => requestAnimationFrame(() => requestAnimationFrame(then));
addEventListener("submit", () => {
  asked = performance.now();
  for (const name of ["painted", "whole"]) document.documentElement.removeAttribute(`data-${name}`);
}, true);
new MutationObserver((changes) => {
  if (!asked) return;
  const added = changes.flatMap((one) => [...one.addedNodes]);
  const live = added.find((node) => node.id === "live");
  live?.querySelector(".entry h2")?.setAttribute("elementtiming", "first");
  if (added.some((node) => node.matches?.("aside.slices")) || live?.querySelector("aside.slices"))
    afterTwoFrames(() => tell("whole", performance.now()));
}).observe(document, { childList: true, subtree: true });
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) tell("painted", one.renderTime);
}).observe({ type: "element" });
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) if (!one.hadRecentInput) shifted += one.value;
}).observe({ type: "layout-shift", buffered: true });
"""
REPLAY = """() => {
  const held = window.fetch, seen = "<!-- seen -->";
  window.fetch = async (address, options) => {
    if (new URL(address, location.href).pathname !== "/search") return held(address, options);
    if (window.replayed) {
      const at = window.replayed.indexOf(seen) + seen.length;
      const parts = [window.replayed.slice(0, at), window.replayed.slice(at)];
      const stream = new ReadableStream({
        pull: (to) => parts.length ? to.enqueue(parts.shift()) : to.close(),
      });
      return new Response(stream.pipeThrough(new TextEncoderStream()));
    }
    const answer = await held(address, options);
    answer.clone().text().then((text) => window.last = text);
    return answer;
  };
}"""
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
    page.evaluate(REPLAY)
    painted, whole, called, alone = [], [], [], []
    for by_page, by_api in zip(asked[::2], asked[1::2], strict=True):
        seen, all_there = _painted(page, by_page)
        painted.append(seen)
        whole.append(all_there)
        called.append(page.evaluate(ASK, by_api))
        page.evaluate("window.replayed = window.last")
        alone.append(_painted(page, f"{by_page} again")[0])
        page.evaluate("window.replayed = null")
    painted, whole, called, alone = painted[2:], whole[2:], called[2:], alone[2:]
    limit = float(np.median(alone) + np.median(called))
    return {
        "questions": count,
        "painted_p50_ms": round(float(np.median(painted)), 1),
        "painted_p90_ms": round(float(np.quantile(painted, 0.9)), 1),
        "whole_p50_ms": round(float(np.median(whole)), 1),
        "api_p50_ms": round(float(np.median(called)), 1),
        "ratio": round(float(np.median(painted) / np.median(called)), 2),
        "alone_p50_ms": round(float(np.median(alone)), 1),
        "ratio_to_alone_and_api": round(float(np.median(painted)) / limit, 2),
        "ratio_whole": round(float(np.median(whole) / np.median(called)), 2),
        "shifted": round(page.evaluate("shifted"), 4),
    }


def _painted(page: Page, question: str) -> tuple[float, float]:
    box = page.locator("#q")
    box.fill(question)
    box.press("Enter")
    done = page.locator("html[data-painted][data-whole]")
    done.wait_for()
    page.locator(".slices .histogram").first.wait_for()
    seen, whole = (
        float(done.get_attribute(f"data-{one}") or "nan") for one in ("painted", "whole")
    )
    return seen, whole


if __name__ == "__main__":
    main()
