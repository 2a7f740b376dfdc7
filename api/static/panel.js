// A person's page as a panel over the list; the address is the page's own, so it can be shared.
import { fetchPart } from "./soft.js";

export async function openPanel(address) {
  const part = await fetchPart(address);
  if (!part) return void location.assign(address);
  const panel = document.getElementById("panel") ?? made();
  const bar = document.createElement("div");
  bar.className = "panel-bar";
  const whole = document.createElement("a");
  whole.href = address;
  whole.textContent = part.dataset.whole;
  const close = document.createElement("button");
  close.type = "button";
  close.dataset.close = "";
  close.textContent = "✕";
  close.setAttribute("aria-label", document.querySelector("#help form button").textContent);
  bar.append(whole, close);
  part.querySelector("[data-back]")?.parentElement.remove();
  panel.replaceChildren(bar, part);
  panel.setAttribute("aria-label", part.querySelector("h1").textContent);
  panel.scrollTop = 0;
  if (!panel.open) panel.showModal();
}

function made() {
  const panel = document.createElement("dialog");
  panel.id = "panel";
  panel.addEventListener("click", (event) => { if (event.target === panel && event.offsetX < 0) panel.close(); });
  document.body.append(panel);
  return panel;
}
