// Follows a link or form without leaving the page: only #live and what was done are replaced.

let asked = 0;

export async function follow(address, { push = true, body } = {}) {
  const own = ++asked;
  const method = body ? "POST" : "GET";
  const answer = await fetch(address, { method, body, headers: { accept: "text/html" } });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (own !== asked) return;
  const fresh = page.getElementById("live");
  const live = document.getElementById("live");
  if (!fresh || !live) return void location.assign(answer.url);
  if (push && answer.url !== location.href) history.pushState({ soft: true }, "", answer.url);
  tell(page.querySelector(".said"));
  const before = document.activeElement;
  live.replaceWith(fresh);
  document.title = page.title;
  settle(before, fresh);
  fill(page.querySelector(".ask textarea"));
  loadParts();
}

// Who changed a chip stays at it; who asked a new question goes on to the answer.
function settle(before, fresh) {
  if (before?.closest(".ask")) {
    before.blur();
    return void scrollTo(0, 0);
  }
  const focused = before?.closest(".chip")?.querySelector("summary")?.textContent;
  const chips = [...fresh.querySelectorAll(".chip > summary")];
  (chips.find((each) => each.textContent === focused) ?? chips[0])?.focus({ preventScroll: true });
}

// The box says what is answered, also after going back.
function fill(said) {
  const box = document.querySelector(".ask textarea");
  if (said && box) box.value = said.value;
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
  const answer = await fetch(address, { headers: { accept: "text/html" } });
  if (!answer.ok) return null;
  return new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("[data-part]");
}
