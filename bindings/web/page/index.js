// The page: a full-size viewer, the theme, and offline support.

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
    // Opened from a file, or forbidden by the browser: the page works, but not offline.
  });
}
