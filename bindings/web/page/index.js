// The page: the viewer on all of it, its theme, and what makes it work without a network.

import "./viewer.js";

const viewer = document.querySelector("scoresheet-viewer");
const system = matchMedia("(prefers-color-scheme: dark)");

function theme() {
  const chosen = viewer?.getAttribute("theme") ?? (system.matches ? "dark" : "light");
  document.documentElement.dataset.theme = chosen;
}
system.addEventListener("change", theme);
viewer?.addEventListener("scoresheet-theme", theme);
theme();

const src = new URLSearchParams(location.search).get("src");
if (src) viewer?.setAttribute("src", src);

if ("serviceWorker" in navigator) {
  navigator.serviceWorker.register("offline.js").catch(() => {
    // From a file, or where a browser forbids it: the page works, but not without its host.
  });
}
