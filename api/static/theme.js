// Runs before the page is painted, so that neither a chosen theme flashes nor a button jumps in.
{
  const root = document.documentElement;
  const chosen = localStorage.getItem("theme");
  if (chosen) root.dataset.theme = chosen;
  root.dataset.script = "";
}
