// Ages and waiting times are counted here, from moments the server has drawn, on the server's clock.
import { words } from "./words.js";

const STALE_MS = 45000;
let ahead = Number(document.querySelector('meta[name="now"]')?.content ?? Date.now()) - Date.now();

export function setServerTime(at) { ahead = at - Date.now(); }
export const now = () => Date.now() + ahead;

function length(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const hours = Math.floor(seconds / 3600), minutes = Math.floor(seconds / 60) % 60, rest = String(seconds % 60).padStart(2, "0");
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

// A countdown: what is left until a moment, or what was left when it was stopped.
function countdown(element, at) {
  const left = element.dataset.until ? Number(element.dataset.until) - at : Number(element.dataset.left);
  put(element, length(Math.ceil(left / 1000) * 1000));
  const warnings = (element.dataset.warnings ?? "").split(" ").filter(Boolean).map(Number);
  const reached = warnings.filter((minutes) => left <= minutes * 60000);
  element.dataset.warning = left <= 0 ? "up" : !reached.length ? "" : reached.length === warnings.length ? "last" : "early";
}

function put(element, text) { if (element.textContent !== text) element.textContent = text; }

export function tick() {
  const at = now();
  for (const element of document.querySelectorAll("[data-since]")) {
    const since = Number(element.dataset.since);
    if (!since) { put(element, element.classList.contains("t-clock") ? "" : "–"); continue; }
    if (element.classList.contains("t-clock")) put(element, `${Math.max(0, Math.floor((at - since) / 60000))}′`);
    else put(element, length(at - since));
  }
  const lost = document.body.classList.contains("lost");  // then nothing here is known to be so now
  for (const element of document.querySelectorAll("[data-heard]")) {
    const heard = Number(element.dataset.heard);
    const stale = lost || !heard || element.dataset.presence === "offline" || Math.abs(at - heard) > STALE_MS;
    if (element.classList.contains("stale") !== stale) element.classList.toggle("stale", stale);
    const age = element.querySelector(".t-age");
    if (age) { age.hidden = !stale; if (stale) put(age, heard ? length(at - heard) : "?"); }
  }
  for (const element of document.querySelectorAll("[data-left]")) countdown(element, at);
  for (const element of document.querySelectorAll("[data-clock]")) put(element, new Date(at).toTimeString().slice(0, 8));
}
setInterval(tick, 1000);
