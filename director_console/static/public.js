// The public screen: asks for the little it may show, and counts the time in between. Knows nothing else.
const ASK_MS = 2000, LOST_MS = 12000, MINUTE_MS = 60000;
const words = document.body.dataset;
const round = document.getElementById("round"), left = document.getElementById("left"), tables = document.getElementById("tables");
let state = null, ahead = 0, heard = Date.now(), drawn = "";

const two = (n) => String(n).padStart(2, "0");

function length(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000)), hours = Math.floor(seconds / 3600), minutes = Math.floor(seconds / 60) % 60;
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

function put(element, text) { if (element.textContent !== text) element.textContent = text; }

function tick() {
  document.body.classList.toggle("lost", Date.now() - heard > LOST_MS);
  if (!state) return;
  document.body.classList.toggle("noclock", !state.round);
  if (state.round) put(round, words.round.replace("#", state.round));
  const ms = !state.round ? null : state.ends === null ? state.left : state.ends - (Date.now() + ahead);
  put(left, ms === null ? "" : length(ms));
  const reached = ms === null ? [] : state.warnings.filter((minutes) => ms <= minutes * MINUTE_MS);
  const last = reached.length > 0 && reached.length === state.warnings.length;
  left.dataset.warning = ms !== null && ms <= 0 ? "up" : last ? "last" : reached.length ? "early" : "";
}

function tile(name, late) {
  const item = document.createElement("li");
  const number = document.createElement("b"), word = document.createElement("span");
  number.textContent = name;
  word.textContent = late ? words.delayed : words.ontime;
  item.className = late ? "delayed" : "ontime";
  item.append(number, word);
  return item;
}

function draw() {
  const all = Object.entries(state.delayed);
  const text = JSON.stringify(all);
  if (text === drawn) return;
  drawn = text;
  const many = all.length > Number(words.most);
  const shown = many ? all.filter(([, late]) => late) : all;
  tables.replaceChildren(...shown.map(([name, late]) => tile(name, late)));
  if (many) {
    const rest = document.createElement("li");
    rest.className = "rest";
    rest.textContent = words.rest.replace("#", all.length - shown.length);
    tables.append(rest);
  }
  document.body.dataset.size = shown.length <= 8 ? "l" : shown.length <= 24 ? "m" : "s";
  tables.hidden = !all.length;
}

async function ask() {
  try {
    const answer = await fetch("/public/state", { headers: { accept: "application/json" }, cache: "no-store" });
    if (answer.ok) {
      state = await answer.json();
      heard = Date.now();
      ahead = state.at - heard;
      draw();
    }
  } catch { /* said by its age */ }
  tick();
}

ask();
setInterval(ask, ASK_MS);
setInterval(tick, 250);
document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible") ask(); });
