// Single keys for everything at the table. They can be switched off, and are off while a field is written in.
import { byId, make } from "./dom.js";
import { say } from "./words.js";

const SUIT_KEYS = { c: "C", d: "D", h: "H", s: "S", n: "NT" };
const HELP = [
  [["Alt", "N E S W"], "seats"], [["1–7", "C D H S N"], "call"], [["P", "X", "R"], "pass"], [["Backspace"], "back"],
  [["T"], "tray"], [["A"], "alert"], [["L"], "lead"], [["U"], "announce"], [["O", "K"], "window"], [["B"], "board"],
  [["G"], "clear"], [["M"], "claim"], [["!"], "summon"], [["Space", "."], "play"], [["−", "+"], "speed"],
  [["← ↑ → ↓"], "arrows"], [["Enter"], "chain"], [["?"], "this"],
];
const KEPT = "bench.keys";

const writes = (target) => target.closest("input:not([type=range]):not([type=checkbox]), select, textarea, dialog");

export class Keys {
  constructor(hands, send, play) {
    Object.assign(this, { hands, send, play });
    this.on = localStorage.getItem(KEPT) !== "off";
    this.level = null;
    document.addEventListener("keydown", (event) => this._down(event));
    this._sheet();
    byId("help-open").addEventListener("click", () => byId("help").showModal());
  }

  _sheet() {
    const box = make("input", { type: "checkbox", checked: this.on, on: { change: (event) => {
      this.on = event.target.checked;
      localStorage.setItem(KEPT, this.on ? "on" : "off");
    } } });
    const list = make("dl", { class: "keys" });
    for (const [keys, what] of HELP) {
      list.append(make("div", {}, make("dt", {}, ...keys.map((key) => make("kbd", { text: key }))), make("dd", { text: say(`help.${what}`) })));
    }
    byId("help").append(
      make("h2", { id: "help-title", text: say("help.title") }), list,
      make("label", { class: "check" }, box, make("span", { text: say("help.on") })),
      make("form", { method: "dialog" }, make("button", { class: "primary", text: say("help.close") })),
    );
  }

  _down(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || writes(event.target)) return;
    if (event.altKey) {
      const seat = /^Key([NESW])$/.exec(event.code)?.[1];
      if (seat) { event.preventDefault(); this.hands.choose(seat); }
      return;
    }
    if (event.key === "?") { event.preventDefault(); byId("help").showModal(); return; }
    if (!this.on) return;
    const act = this._act(event.key, event);
    if (act) { event.preventDefault(); act(); }
  }

  _act(key, event) {
    const { hands } = this;
    const low = key.toLowerCase();
    if (/^[1-7]$/.test(key)) return () => this._begin(key);
    if (this.level && low in SUIT_KEYS) {
      const call = this.level + SUIT_KEYS[low];
      return () => { this._begin(null); hands.call(call); };
    }
    if (key === " " && event.target.closest("button, a, [role=button], [role=tab], summary")) return null;
    const { seat } = hands;
    const does = (line) => () => this.send(line());
    return {
      p: () => hands.call("P"), x: () => hands.call("X"), r: () => hands.call("XX"),
      backspace: does(() => hands.lineBack()), t: does(() => hands.linePush()), a: does(() => hands.lineAlert()),
      l: does(() => hands.lineLead()), u: does(() => `${seat} announces the lead`), b: does(() => hands.lineBoard()),
      o: does(() => hands.lineWindow(seat, true)), k: does(() => hands.lineWindow(seat, false)),
      g: does(() => `${seat} clears his cards`), m: does(() => `${seat} claims`), "!": does(() => `${seat} calls the director`),
      ...this.play,
    }[low] ?? null;
  }

  // A number waits two seconds for its denomination.
  _begin(level) {
    this.level = level;
    byId("box").dataset.level = level ?? "";
    clearTimeout(this.waiting);
    if (level) this.waiting = setTimeout(() => this._begin(null), 2000);
  }
}
