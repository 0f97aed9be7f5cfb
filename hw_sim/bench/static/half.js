// What the players of one face see and hear: drawn from this face's frames, and nothing else is asked for.
import "./theme.js";
import { byId } from "./dom.js";
import { Hands } from "./hands.js";
import { FACE, Scene, SEATS } from "./scene.js";
import { near } from "./seen.js";
import { listen, post, tell } from "./wire.js";
import { say } from "./words.js";

const face = byId("table").dataset.side;
const seats = SEATS.filter((seat) => FACE[seat] === face);
let table = null;

// `N pushes the tray`: nobody here is told when it arrives.
const send = (line) => post(`/half/${face}/deed`, { line: line.startsWith("tray") ? `${seats.includes(hands.seat) ? hands.seat : seats[0]} pushes the tray` : line });
const scene = new Scene(byId("table"), { sides: [face], act: (what, seat) => hands.touched(what, seat) });
const hands = new Hands({ seats, table: () => table, send, onSeat: () => draw(), whole: false });
hands.onWrong = tell;

function draw() {
  if (!table) return;
  scene.draw({ ...table, chosen: hands.seat });
  hands.refresh();
  byId("hears").textContent = say(table.tray ? "half.here" : "half.away");
}

let last = "";
listen(`/half/${face}/ws`, (frame) => {
  const { tick, ...seen } = frame;
  const text = JSON.stringify(seen);
  if (text === last) return;
  last = text;
  table = near(frame);
  draw();
}, (there) => { if (!there) tell(say("page.lost"), true); else byId("said").hidden = true; });
