// Opens the module of the page, and switches between light and dark.

import { make } from "/assets/kit.js";

/** The module of each address. */
const PAGES = {
  play: "play.js",
  watch: "watch.js",
  runs: "runs.js",
  run: "run.js",
  compare: "compare.js",
  start: "start.js",
};

// Light or dark: the system's choice, unless the button was used.
const stored = () => { try { return localStorage.getItem("theme"); } catch { return null; } };
const apply = (theme) => {
  if (theme) document.documentElement.dataset.theme = theme;
};
apply(stored());
document.getElementById("theme").addEventListener("click", () => {
  const dark = document.documentElement.dataset.theme
    ? document.documentElement.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  const theme = dark ? "light" : "dark";
  apply(theme);
  try { localStorage.setItem("theme", theme); } catch { /* Only this visit. */ }
});

const main = document.getElementById("main");
const path = location.pathname.replace(/^\//, "") || "play";
if (PAGES[path]) {
  const page = await import(`/assets/${PAGES[path]}`);
  page.open(main);
} else {
  main.replaceChildren(make("p", { class: "empty" }, "Nothing here yet."));
}
