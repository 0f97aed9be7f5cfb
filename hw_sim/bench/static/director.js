// The director: who rules, his commonest orders, and any line of a scenario.
import { byId, make } from "./dom.js";
import { post } from "./wire.js";
import { entryOf } from "./chain.js";
import { say, sayOr } from "./words.js";

const LEVELS = ["note", "report", "urgent", "hold"];

export class Director {
  constructor(send) {
    this.send = send;
    this.entries = new Map();
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
    this._draw();
  }

  add(items) {
    let changed = false;
    for (const item of items) {
      if (item.layer !== "entry") continue;
      const entry = entryOf(item);
      this.entries.set(entry.id, entry);
      changed = true;
    }
    if (changed) this._draw();
  }

  session(session) {
    for (const input of byId("who").querySelectorAll("input")) input.checked = input.value === session.director;
    byId("console").hidden = !session.console;
    byId("console").href = session.login || session.console || "#";
  }

  _draw() {
    const open = [...this.entries.values()].filter((entry) => (entry.standing ?? "open") === "open");
    byId("entries").replaceChildren(...open.reverse().map((entry) => this._entry(entry)));
    byId("no-entries").hidden = open.length > 0;
  }

  _entry(entry) {
    const level = LEVELS[entry.level] ?? entry.level;
    const name = entry.kinds.map((kind) => sayOr(`kind.${kind}`, kind)).join(", ");
    const rule = (key, line) => make("button", { type: "button", text: say(`director.${key}`, { n: entry.id }), on: { click: () => this.send(line) } });
    return make("li", { class: `lv-${level}` }, make("p", {}, make("b", { text: `#${entry.id} ${name}` }), ` ${(entry.seats ?? []).join(" ")}`),
      make("div", { class: "buttons" }, entry.call ? rule("accept", `director rules accept #${entry.id}`) : null, rule("other", `director rules on #${entry.id}`)));
  }
}
