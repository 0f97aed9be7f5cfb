// Sound at the console: a level has its own pattern, it is unlocked by a touch, and silence ends by itself.
// The tables themselves never make a sound; this is for the director's room.
import { words } from "./words.js";

const MUTE_MS = 120000;
const PATTERN = { urgent: [[880, 0], [660, 0.22], [880, 0.5], [660, 0.72]], report: [[520, 0]] };
let context = null;
let urgent = null;
let waiting = null;
const mutedUntil = () => Number(sessionStorage.getItem("muted-until") ?? 0);
const onShift = () => localStorage.getItem("on-shift") === "1";

async function unlock() {
  context ??= new AudioContext();
  await context.resume();
  show();
}

function play(pattern) {
  if (!context || context.state !== "running" || Date.now() < mutedUntil()) return;
  for (const [pitch, after] of pattern) {
    const tone = context.createOscillator(), gain = context.createGain(), at = context.currentTime + after;
    tone.frequency.value = pitch;
    gain.gain.setValueAtTime(0, at);
    gain.gain.linearRampToValueAtTime(0.18, at + 0.02);
    gain.gain.exponentialRampToValueAtTime(0.001, at + 0.2);
    tone.connect(gain).connect(context.destination);
    tone.start(at);
    tone.stop(at + 0.22);
  }
  document.dispatchEvent(new CustomEvent("sounded"));
}

function show() {
  const box = document.querySelector("[data-sound]");
  if (!box) return;
  const left = Math.ceil((mutedUntil() - Date.now()) / 1000);
  if (left > 0) {
    if (box.dataset.shows !== "muted") { box.replaceChildren(Object.assign(document.createElement("span"), { className: "muted" })); box.dataset.shows = "muted"; }
    box.firstElementChild.textContent = `${words.muted} ${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    return;
  }
  const locked = onShift() && (!context || context.state !== "running");
  if (locked && box.dataset.shows !== "locked") {
    const button = Object.assign(document.createElement("button"), { className: "quiet", textContent: words.sound, type: "button" });
    button.addEventListener("click", unlock);
    box.replaceChildren(button);
    box.dataset.shows = "locked";
  } else if (!locked && box.dataset.shows) { box.replaceChildren(); delete box.dataset.shows; }
}

function listen() {
  const strip = document.querySelector(".strip");
  if (!strip) return;
  const nowUrgent = `${strip.dataset.urgent}:${strip.dataset.newest}`, nowWaiting = Number(strip.dataset.waitingSound);
  const more = Number(strip.dataset.urgent) > 0 && urgent !== null && nowUrgent !== urgent;
  if (onShift() && more) play(PATTERN.urgent);
  else if (onShift() && waiting !== null && nowWaiting > waiting) play(PATTERN.report);
  urgent = nowUrgent;
  waiting = nowWaiting;
  show();
}

export function sound() {
  listen();
  document.addEventListener("pushed", listen);
  setInterval(show, 1000);
  document.querySelector("[data-start-shift]")?.addEventListener("submit", () => { localStorage.setItem("on-shift", "1"); unlock(); });
  document.querySelector("[data-mute]")?.addEventListener("click", () => { sessionStorage.setItem("muted-until", Date.now() + MUTE_MS); show(); });
  document.querySelector("[data-test-sound]")?.addEventListener("click", async () => { await unlock(); play(PATTERN.urgent); });
  if (onShift()) { document.addEventListener("pointerdown", unlock, { once: true }); document.addEventListener("keydown", unlock, { once: true }); }
}
