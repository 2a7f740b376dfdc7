// What must be live. Everything here begins from links and forms that work without it.
import { follow, loadParts } from "./soft.js";
import { listenToKeys } from "./keys.js";
import { openPanel } from "./panel.js";

document.addEventListener("click", (event) => {
  const target = event.target.closest("[data-open], [data-close], [data-theme-toggle], [data-panel], [data-png], a[data-soft]");
  if (!target || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  if (target.dataset.open) document.getElementById(target.dataset.open).showModal();
  else if ("close" in target.dataset) close(target);
  else if ("themeToggle" in target.dataset) toggleTheme();
  else if ("panel" in target.dataset) openPanel(target.href);
  else if (target.dataset.png) savePng(target.dataset.png);
  else follow(target.href);
  event.preventDefault();
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  const button = event.submitter;
  if (refused(button)) return void event.preventDefault();
  if (!form.matches("form[data-soft]") && !button?.matches("[data-soft]")) return;
  if (!document.getElementById("live")) return;
  event.preventDefault();
  const sent = new URLSearchParams(new FormData(form, button));
  const own = button?.hasAttribute("formaction") ? button.formAction : form.action;
  if (form.method === "post") follow(own, { body: sent });
  else follow(`${form.action}?${sent}`);
});

document.addEventListener("change", (event) => {
  if (event.target.matches("[data-submit]")) event.target.form.requestSubmit();
  if (event.target.name === "id") sayPicked();
});

// By keyboard a list is opened and chosen from: each arrow would else be a choice, and sent.
document.addEventListener("keydown", (event) => {
  if (!event.target.matches?.("select[data-submit]") || !["ArrowUp", "ArrowDown"].includes(event.key)) return;
  if (!event.target.showPicker) return;
  event.preventDefault();
  event.target.showPicker();
});

document.addEventListener("keydown", (event) => {
  const box = event.target.closest?.(".ask textarea");
  if (box && event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    box.form.requestSubmit();
  }
});

// One open menu at a time, also where <details name> is not known; a click elsewhere closes it.
document.addEventListener("click", (event) => {
  for (const open of document.querySelectorAll(".chip[open], .hide[open], .view[open]"))
    if (!open.contains(event.target)) open.open = false;
});

for (const zone of document.querySelectorAll("[data-drop]")) {
  zone.addEventListener("dragover", (event) => { event.preventDefault(); zone.classList.add("over"); });
  zone.addEventListener("dragleave", () => zone.classList.remove("over"));
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.querySelector("input[type=file]").files = event.dataTransfer.files;
    zone.requestSubmit();
  });
}

function close(button) {
  const dialog = button.closest("dialog");
  if (dialog) dialog.close();
  else button.closest(".said").remove();
}

function toggleTheme() {
  const root = document.documentElement;
  const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = isDark ? "light" : "dark";
  localStorage.setItem("theme", root.dataset.theme);
}

const picked = () => document.querySelectorAll('input[name="id"]:checked').length;

function sayPicked(text) {
  const count = picked();
  for (const place of document.querySelectorAll("[data-picked]"))
    place.textContent = text ?? (count ? place.dataset.picked.replace("{n}", count) : "");
}

// A button that wants some number of people says so and keeps what is ticked.
function refused(button) {
  const { least, most, refuse } = button?.dataset ?? {};
  if (!least || (picked() >= Number(least) && picked() <= Number(most ?? Infinity))) return false;
  sayPicked(refuse);
  return true;
}

async function savePng(address) {
  const svg = await (await fetch(address)).text();
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.width * 2;
  canvas.height = image.height * 2;
  const context = canvas.getContext("2d");
  context.fillStyle = "#ffffff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  const link = document.createElement("a");
  link.href = canvas.toDataURL("image/png");
  link.download = "sourcer-funnel.png";
  link.click();
}

loadParts();
listenToKeys();
