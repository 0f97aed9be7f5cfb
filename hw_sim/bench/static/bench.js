// The page of the whole table: it shows what the bench tells, and sends what hands do. It decides nothing.
import "./theme.js";
import { misdeedName, misdeeds, plugs, showPlugs } from "./breaking.js";
import { Differs } from "./differs.js";
import { Director } from "./director.js";
import { byId } from "./dom.js";
import { Hands } from "./hands.js";
import { Inside } from "./inside.js";
import { Keys } from "./keys.js";
import { Lessons } from "./lessons.js";
import { Phases, phaseName } from "./phases.js";
import { Play } from "./play.js";
import { worded } from "./refusals.js";
import { tabs } from "./roving.js";
import { Scene, SEATS } from "./scene.js";
import { Script } from "./script.js";
import { whole } from "./seen.js";
import { Setup } from "./setup.js";
import { get, listen, post, tell } from "./wire.js";
import { clock, contractText, say } from "./words.js";

const send = (line) => post("/api/deed", { line });
const choices = await get("/api/choices");

let table = null;
let session = null;
let past = null;

const scene = new Scene(byId("table"), { act: (what, seat) => hands.touched(what, seat) });
const hands = new Hands({ seats: SEATS, table: () => table, send, onSeat: () => draw(), reads: () => session?.setup.table === "full" });
hands.onWrong = tell;
const phases = new Phases(byId("phases"));
const inside = new Inside({ onMove: (source, dest) => phases.moved(source, dest) });
const director = new Director(send);
const play = new Play({ onPast: (shown) => { past = shown; inside.until(past?.inside ?? null); draw(); }, onStart: () => setup.open("record") });
const setup = new Setup(choices);
const lessons = new Lessons(choices.lessons, () => chooseTab(byId("tab-flow")));
new Keys(hands, hands.send, play.keys);
tabs(document.querySelector(".hands .tabs"));
const chooseTab = tabs(document.querySelector(".inside .tabs"));
const script = new Script(chooseTab);
const differs = new Differs(choices.regulations, inside, (item) => { chooseTab(byId("tab-flow")); inside.pin(item); });
plugs();
misdeeds(choices);
byId("save").addEventListener("click", save);

function draw() {
  const shown = past ? whole(past.table) : table;
  if (!shown || !session) return;
  const phase = past ? past.phase : session.phase;
  const turn = past ? turnOf(shown, phase) : turnNow(shown, phase);
  if (!past) hands.turn(turn);
  scene.draw({ ...shown, chosen: hands.seat, turn, claims: !past && session.waits.code === "claimed" ? session.waits.seat : null });
  scene.describe();
  phases.light(phase || "setup");
  hands.refresh();
  byId("now").textContent = sentence(phase);
  const known = !past && session.contract && session.declarer;
  byId("contract").hidden = !known;
  if (known) byId("contract").textContent = say("now.contract", { contract: contractText(session.contract), seat: say(`seat.${session.declarer}`) });
  document.body.classList.toggle("in-the-past", past !== null);
}

// Whose call is due by rotation, from what lies on the tray; the controller is not asked.
function turnOf(shown, phase) {
  if (!phase.startsWith("auction") || !shown.board?.dealer) return null;
  const made = SEATS.reduce((sum, seat) => sum + shown.columns[seat].filter((card) => card !== "STOP").length, 0);
  return SEATS[(SEATS.indexOf(shown.board.dealer) + made) % 4];
}

// Lit at the table: whose call it is, or who has to lead, to face it, to announce it, to play.
const SOMEBODYS = new Set(["lead", "announce", "window_face", "face", "card"]);

function turnNow(shown, phase) {
  return SOMEBODYS.has(session.waits.code) ? session.waits.seat : turnOf(shown, phase);
}

function waiting() {
  const { code, seat, side } = session.waits;
  return say(`waits.${code}`, { seat: seat ? say(`seat.${seat}`) : "", side: side ? say(`side.${side}`) : "" });
}

function sentence(phase) {
  if (past) return say("now.past", { time: clock(past.ms * 1e6) });
  if (session.said) return worded(session.reason, session.said);
  if (session.state === "starting") return say("page.starting");
  if (session.misdeed) return say("now.waits", { name: misdeedName(session.misdeed) });
  const { playing } = session;
  if (playing.ended && playing.what !== "hand") return say("now.ended");
  if (playing.what === "lesson" && playing.paused && playing.line === null) return say("now.lesson");
  const waits = waiting();
  return waits ? say("now.phase", { phase: phaseName(phase || "setup"), waits }) : phaseName(phase || "setup");
}

function hear(news) {
  if (news.type === "hello") begin(news);
  else if (news.type === "table") { table = whole(news.table); play.reach(news.table.ms); draw(); }
  else if (news.type === "session") { follow(news.session); draw(); }
  else if (news.type === "inside") { inside.add(news.items); director.add(news.items); }
}

function begin(hello) {
  table = whole(hello.table);
  const regulations = session?.setup.regulations;
  play.begin();
  follow(hello.session);
  if (regulations !== session.setup.regulations || !phases.edges) drawPhases(session.setup.regulations);
  director.begin();
  inside.begin(hello);
  director.add(hello.inside);
  draw();
  byId("table").setAttribute("aria-busy", "false");
}

async function drawPhases(regulations) {
  const diagram = await get(`/api/diagram?regulations=${encodeURIComponent(regulations)}`);
  if (diagram) phases.draw(diagram);
}

function follow(next) {
  session = next;
  document.body.dataset.state = next.state;
  document.body.dataset.playing = next.playing.what;
  for (const part of [play, setup, lessons, director, differs, script]) part.session(next);
  byId("no-wire").hidden = next.setup.rig !== "gpio";
  showPlugs(next.plugs);
  if (next.state === "broken") tell(say("page.broken", { why: worded(next.reason, next.said) }), true);
}

async function save() {
  const text = await get("/api/scn");
  if (text === null) return;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = "bench.scn";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  tell(say("keep.saved"));
}

function linked(there) {
  byId("link").classList.toggle("bad", !there);
  byId("link").lastElementChild.textContent = say(there ? "page.connected" : "page.lost_short");
  if (!there) tell(say("page.lost"), true);
  else if (byId("said").textContent === say("page.lost")) byId("said").hidden = true;
}

listen("/ws", hear, linked);
