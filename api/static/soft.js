// Follows a link or form without leaving the page: only #live and what was done are replaced.

// A part never goes into the browser's cache, where it would stand for the whole page.
const ASKING = { headers: { accept: "text/html", "sourcer-part": "yes" }, cache: "no-store" };
const SEEN = "<!-- seen -->";
let asked = 0;

export async function follow(address, { push = true, body } = {}) {
  const own = ++asked;
  const answer = await fetch(address, { ...ASKING, method: body ? "POST" : "GET", body });
  const page = document.implementation.createHTMLDocument();
  const parts = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  await readUntil(SEEN, parts, page);
  if (own !== asked) return void parts.cancel();
  const fresh = page.getElementById("live");
  const live = document.getElementById("live");
  if (!answer.ok && body) return void tell(fault(page));
  if (!fresh || !live) return void location.assign(answer.url);
  if (push && answer.url !== location.href) history.pushState({ soft: true }, "", answer.url);
  document.title = page.title;
  tell(page.querySelector(".said"));
  const before = document.activeElement;
  const ticked = body ? [...live.querySelectorAll("[data-entry] input:checked")].map((each) => each.value) : [];
  const row = entries().findIndex((each) => each.contains(before));
  fresh.style.minHeight = `${live.offsetHeight}px`;
  live.replaceWith(fresh);
  settle(before, fresh);
  await painted();
  await readUntil(null, parts, page);
  fresh.style.minHeight = "";
  tick(ticked);
  stay(before, row);
  loadParts();
}

// What is written into the page goes on arriving where its beginning was moved to.
async function readUntil(mark, parts, page) {
  for (let part = await parts.read(); !part.done; part = await parts.read()) {
    page.write(part.value);
    if (mark && part.value.includes(mark)) return;
  }
  page.close();
}

// A tab in the background draws nothing, and is not waited for.
const painted = () => Promise.race([
  new Promise((then) => requestAnimationFrame(() => setTimeout(then))),
  new Promise((then) => setTimeout(then, 50)),
]);

// Who changed a chip stays at it; who asked a new question goes on to the answer.
function settle(before, fresh) {
  if (before?.closest(".ask")) return void scrollTo(0, 0);
  if (before?.closest("[data-entry]")) return;
  const focused = before?.closest(".chip")?.querySelector("summary")?.textContent;
  const chips = [...fresh.querySelectorAll(".chip > summary")];
  (chips.find((each) => each.textContent === focused) ?? chips[0])?.focus({ preventScroll: true });
}

const entries = () => [...document.querySelectorAll("[data-entry]")];

// Who did something to a person stays at that person, or goes on to the next where they are gone.
function stay(before, row) {
  if (row < 0 || before.isConnected) return;
  const same = document.getElementById(before.closest("[data-entry]").id);
  const entry = same ?? entries()[row] ?? entries().at(-1);
  const again = same && (before.id ? document.getElementById(before.id) : before.dataset.key && same.querySelector(`[data-key="${before.dataset.key}"]`));
  (again || entry?.querySelector("h2 a, h3 a, th a"))?.focus({ preventScroll: true });
}

function tick(values) {
  for (const each of document.querySelectorAll("[data-entry] input"))
    if (values.includes(each.value)) each.click();
}

function fault(page) {
  const said = document.createElement("div");
  said.className = "said fault";
  said.role = "alert";
  said.textContent = page.querySelector("main p").textContent;
  return said;
}

function tell(said) {
  document.querySelector(".said")?.remove();
  if (said) document.getElementById("main").before(said);
}

window.addEventListener("popstate", () => {
  if (document.getElementById("live")) follow(location.href, { push: false });
});

// Fills what comes a moment later, and looks again at what is not done yet.
export async function loadParts() {
  for (const place of document.querySelectorAll("[data-load]")) {
    const address = place.dataset.load;
    delete place.dataset.load;
    const part = await fetchPart(address);
    if (part) place.replaceChildren(part);
  }
  for (const place of document.querySelectorAll("[data-again]")) {
    setTimeout(async () => {
      const part = await fetchPart(location.href);
      if (part) place.replaceWith(part);
      loadParts();
    }, Number(place.dataset.again));
    delete place.dataset.again;
  }
}

export async function fetchPart(address) {
  const answer = await fetch(address, ASKING);
  return answer.ok ? read(await answer.text()).querySelector("[data-part]") : null;
}

const read = (text) => new DOMParser().parseFromString(text, "text/html");
