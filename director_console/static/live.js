// Changes from the server: a WebSocket, and plain requests where that will not do. Each push is a set of drawn
// fragments; the page says when it has put them in place, and only then gets the next.
import { words, say } from "./words.js";
import { setServerTime, tick } from "./clock.js";

const SILENT_MS = 15000;
const meta = (name) => Number(document.querySelector(`meta[name="${name}"]`)?.content ?? 0);
let rev = meta("rev");
let heard = Date.now();
let up = null;
let socket = null;
let failures = 0;
let changed = () => {};

const parts = () => new Map([...document.querySelectorAll("[data-fragment]")].map((element) => [element.dataset.fragment, element]));

function replace(element, html) {
  const holder = document.createElement("template");
  holder.innerHTML = html;
  const fresh = holder.content.firstElementChild;
  if (!fresh) return null;
  const active = document.activeElement;
  const inside = active && active !== element && element.contains(active);
  if (inside && active.matches("input:not([type=hidden]), textarea, select")) return null;
  const focus = (inside || active === element) ? active.id : "";
  const open = [...element.querySelectorAll("details")].map((details) => details.open);
  const scrolled = [...element.querySelectorAll(".scroll")].map((box) => box.scrollTop);
  element.replaceWith(fresh);
  [...fresh.querySelectorAll("details")].forEach((details, index) => { if (open[index]) details.open = true; });
  [...fresh.querySelectorAll(".scroll")].forEach((box, index) => { box.scrollTop = scrolled[index] ?? 0; });
  if (focus) document.getElementById(focus)?.focus({ preventScroll: true });
  return fresh;
}

function apply(push) {
  heard = Date.now();
  setServerTime(push.at);
  rev = push.rev;
  if (push.reload) { location.reload(); return; }
  const known = parts();
  const fresh = [];
  for (const [key, html] of Object.entries(push.html)) {
    const element = known.get(key);
    const put = element && html ? replace(element, html) : null;
    if (put) fresh.push(put);
  }
  const waiting = document.querySelector("[data-waiting]")?.dataset.waiting;
  const count = document.querySelector("[data-count=waiting]");
  if (count && waiting !== undefined && count.textContent !== waiting) count.textContent = waiting;
  showLink(true);
  if (fresh.length) changed(fresh);
  document.dispatchEvent(new CustomEvent("pushed", { detail: push }));
}

function showLink(now) {
  const link = document.querySelector("[data-link=page]");
  if (link) { link.classList.toggle("ok", now); link.classList.toggle("bad", !now); }
  if (up === now) return;
  document.body.classList.toggle("lost", !now);
  tick();
  if (!now) say(words.lost, true);
  else if (up === false) say(words.back);
  up = now;
}

function connect() {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  socket = new WebSocket(`${scheme}://${location.host}/live`);
  const mine = socket;
  mine.onopen = () => mine.send(JSON.stringify({ keys: [...parts().keys()], since: rev }));
  mine.onmessage = (message) => {
    failures = 0;
    apply(JSON.parse(message.data));
    if (mine.readyState === WebSocket.OPEN) mine.send(JSON.stringify({ seen: rev }));
  };
  mine.onclose = (event) => {
    if (event.code === 4401) { location.assign("/login"); return; }
    if (mine !== socket) return;
    failures += 1;
    showLink(false);
    if (failures > 1) poll();
    setTimeout(connect, Math.min(10000, 250 * 2 ** failures) * (0.5 + Math.random() / 2));
  };
}

async function poll() {
  const query = new URLSearchParams({ since: rev });
  parts().forEach((_, key) => query.append("key", key));
  try {
    const answer = await fetch(`/api/changes?${query}`, { headers: { accept: "application/json" } });
    if (answer.status === 401) location.assign("/login");
    else if (answer.ok) apply(await answer.json());
  } catch { showLink(false); }
}

function wake() {
  // A page that slept, or was frozen, asks at once instead of waiting for a socket that may be dead.
  if (Date.now() - heard < 3000) return;
  if (socket) { const old = socket; socket = null; old.onclose = null; old.close(); }
  poll().then(connect);
}

export function follow(hooks) {
  changed = hooks.changed;
  if (!document.querySelector("[data-fragment]")) return;
  connect();
  setInterval(() => { if (Date.now() - heard > SILENT_MS) { showLink(false); if (document.visibilityState === "visible") wake(); } }, 2000);
  document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible") wake(); });
  document.addEventListener("resume", wake);
  window.addEventListener("online", wake);
}
