// Light, dark, or as the device: kept in a cookie, so that the next page comes right at once.
import { byId } from "./dom.js";

const NEXT = { auto: "dark", dark: "light", light: "auto" };
const SIGN = { auto: "◐", dark: "●", light: "○" };
const html = document.documentElement;

function show(theme) {
  html.dataset.theme = theme;
  byId("theme").firstElementChild.textContent = SIGN[theme];
}

show(html.dataset.theme in NEXT ? html.dataset.theme : "auto");
byId("theme").addEventListener("click", () => {
  const theme = NEXT[html.dataset.theme] ?? "auto";
  document.cookie = `theme=${theme}; path=/; max-age=31536000; samesite=strict`;
  show(theme);
});
