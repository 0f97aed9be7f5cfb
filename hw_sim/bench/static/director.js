// The director: who rules, his commonest orders, and any line of a scenario.
import { byId, make } from "./dom.js";
import { post } from "./wire.js";
import { entryOf } from "./chain.js";
import { clock, say, sayOr } from "./words.js";

const DEALT = 8;
const LEVELS = ["note", "report", "urgent", "hold"];
const isOpen = (entry) => (entry.standing ?? "open") === "open";
const level = (entry) => LEVELS[entry.level] ?? entry.level;
// What is only a note waits for nobody.
const waits = (entry) => isOpen(entry) && level(entry) !== "note";

export class Director {
  constructor(send) {
    this.send = send;
    this.entries = new Map();
    this.rulings = new Map();
    for (const who of ["scripted", "you"]) {
      byId("who").append(make("label", { class: "check" },
        make("input", { type: "radio", name: "who", value: who, on: { change: () => post("/api/control", { do: "director", who }) } }),
        make("span", { text: say(`director.${who}`) })));
    }
    for (const [order, line] of [["resume", "director resumes"], ["hold", "director holds"], ["back", "director sends the tray back"]]) {
      byId("orders").append(make("button", { type: "button", text: say(`director.${order}`), data: { order }, on: { click: () => send(line) } }));
    }
    byId("any").addEventListener("submit", async (event) => {
      event.preventDefault();
      const field = byId("any-line");
      if (field.value.trim() && await send(field.value.trim())) field.value = "";
    });
  }

  begin() {
    this.entries.clear();
    this.rulings.clear();
    this._draw();
  }

  add(items) {
    let changed = false;
    for (const item of items) {
      if (item.layer === "event" && item.name === "Ruled") for (const id of item.body.entries ?? []) this.rulings.set(id, item.body);
      if (item.layer !== "entry") continue;
      const entry = entryOf(item);
      this.entries.set(entry.id, { ...entry, ms: item.ms });
      changed = true;
    }
    if (changed) this._draw();
  }

  session(session) {
    for (const input of byId("who").querySelectorAll("input")) input.checked = input.value === session.director;
    byId("script-rules").hidden = session.playing.lines.length === 0 || session.playing.ended;
    byId("console").hidden = !session.console;
    byId("console").href = session.login || session.console || "#";
  }

  _draw() {
    const all = [...this.entries.values()];
    const open = all.filter((entry) => waits(entry));
    byId("entries").replaceChildren(...open.reverse().map((entry) => this._entry(entry)));
    byId("no-entries").hidden = open.length > 0;
    const dealt = all.filter((entry) => !waits(entry)).sort((one, other) => other.ms - one.ms);
    byId("dealt-title").hidden = dealt.length === 0;
    byId("dealt").replaceChildren(...dealt.slice(0, DEALT).map((entry) => this._dealt(entry)));
  }

  // What became of it, and when: the newest first.
  _dealt(entry) {
    const { verdict, text } = this.rulings.get(entry.id) ?? {};
    const what = [isOpen(entry) ? say("director.noted") : sayOr(`standing.${entry.standing}`, entry.standing), verdict ? sayOr(`verdict.${verdict}`, verdict) : "", text ?? ""].filter(Boolean).join(" · ");
    return make("li", {}, make("time", { text: clock(entry.ms * 1e6) }), ` #${entry.id} ${this._name(entry)} ${(entry.seats ?? []).join(" ")}`, make("b", { text: what }));
  }

  _name(entry) { return entry.kinds.map((kind) => sayOr(`kind.${kind}`, kind)).join(", "); }

  _entry(entry) {
    const rule = (key, line) => make("button", { type: "button", text: say(`director.${key}`, { n: entry.id }), on: { click: () => this.send(line) } });
    return make("li", { class: `lv-${level(entry)}` }, make("p", {}, make("b", { text: `#${entry.id} ${this._name(entry)}` }), ` ${(entry.seats ?? []).join(" ")}`),
      make("div", { class: "buttons" }, entry.call ? rule("accept", `director rules accept #${entry.id}`) : null, rule("other", `director rules on #${entry.id}`)));
  }
}
