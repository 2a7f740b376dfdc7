// One letter, one act; never while somebody types or a dialog is open.
import { openPanel } from "./panel.js";

let at = -1;

export function listenToKeys() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.target.matches("input:not([type=checkbox]), textarea, select")) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    if (document.querySelector("dialog[open]")) return;
    const act = ACTS[event.key];
    if (act && act() !== false) event.preventDefault();
  });
}

const ACTS = {
  "/": () => focusOn(document.getElementById("q")),
  j: () => move(1),
  k: () => move(-1),
  Enter: () => open(),
  o: () => peek(),
  s: () => press('[data-key="shortlist"]'),
  x: () => press('input[name="id"]'),
  h: () => press('[data-key="hide"]'),
  a: () => press('[data-key="accept"]'),
  r: () => press('[data-key="reject"]'),
  e: () => pressAnywhere('[data-key="export"]'),
  "?": () => document.getElementById("help").showModal(),
};

const all = () => [...document.querySelectorAll("[data-entry]")];

function current() {
  const entries = all();
  return entries.find((each) => each.contains(document.activeElement)) ?? entries[at];
}

function move(step) {
  const entries = all();
  if (!entries.length) return false;
  const here = entries.indexOf(current());
  at = Math.max(0, Math.min(entries.length - 1, here + step));
  for (const each of entries) each.classList.toggle("at", each === entries[at]);
  entries[at].querySelector("h2 a, h3 a, th a, button, a")?.focus({ preventScroll: true });
  entries[at].scrollIntoView({ block: "nearest" });
}

function open() {
  const on = document.activeElement;
  if (on !== document.body && on?.matches("a, button, summary, input")) {
    if (!on.matches("[data-panel]")) return false;
    location.assign(on.href);
    return;
  }
  const link = current()?.querySelector("h2 a, h3 a, th a");
  if (!link) return false;
  location.assign(link.href);
}

function peek() {
  const link = current()?.querySelector("[data-panel]");
  return link ? void openPanel(link.href) : false;
}

function press(selector) {
  const target = current()?.querySelector(selector) ?? (all().length ? null : document.querySelector(selector));
  if (!target) return false;
  target.focus({ preventScroll: true });
  target.click();
}

function pressAnywhere(selector) {
  const target = document.querySelector(selector);
  if (!target) return false;
  target.click();
}

function focusOn(target) {
  if (!target) return false;
  target.focus();
  target.select();
}
