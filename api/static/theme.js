// Runs before the page is painted, so that a chosen theme does not flash.
{
  const chosen = localStorage.getItem("theme");
  if (chosen) document.documentElement.dataset.theme = chosen;
}
