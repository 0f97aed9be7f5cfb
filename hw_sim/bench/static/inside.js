// What the controller makes of it: cause and effect in three columns, the wire, the levels.
// All of it comes from the controller's own outputs; nothing is worked out here but how it hangs together.
import { Chain } from "./chain.js";
import { byId, make } from "./dom.js";
import { chipText, quiet } from "./telling.js";
import { roving } from "./roving.js";
import { clock, say } from "./words.js";

const MOST_ROWS = 250;
const MOST_FRAMES = 400;
const SAME_MOMENT_MS = 120;
const BROUGHT = new Set(["move", "effect", "entry", "fault", "visit", "other"]);

export class Inside {
  // `onMove(source, dest)`: the phase machine has moved.
  constructor({ onMove }) {
    this.onMove = onMove;
    this.chain = new Chain();
    this.rows = new Map();
    this.levels = new Map();
    this.pinned = null;
    for (const host of [byId("flow"), byId("wire")]) {
      host.addEventListener("pointerover", (event) => this._light(event.target));
      host.addEventListener("pointerleave", () => this._light(null));
      host.addEventListener("focusin", (event) => { if (event.target.matches(":focus-visible")) this._light(event.target); });
      host.addEventListener("focusout", () => this._light(null));
      host.addEventListener("click", (event) => this._pin(event.target));
    }
    this.settle = roving(byId("flow"), ".chip");
    this.settleWire = roving(byId("wire"), ".frame");
  }

  begin(hello) {
    this.chain.clear();
    this.rows.clear();
    this.pinned = null;
    byId("flow").replaceChildren();
    byId("wire").replaceChildren();
    this._levels(hello.levels);
    this.add(hello.inside);
  }

  add(items) {
    for (const item of items) {
      if (this.chain.items.has(item.id)) { this.chain.add(item); continue; }
      this.chain.add(item);
      if (item.layer === "level") this._level(item);
      else if (item.layer === "wire") this._frame(item);
      else this._row(item);
      if (item.layer === "move") this.onMove(item.body.source, item.body.dest);
    }
    this._trim(byId("flow"), MOST_ROWS);
    this._trim(byId("wire"), MOST_FRAMES);
    if (!byId("flow").querySelector('.chip[tabindex="0"]')) this.settle(byId("flow").querySelector(".chip"));
    if (!byId("wire").querySelector('.frame[tabindex="0"]')) this.settleWire(byId("wire").querySelector(".frame"));
    if (this.pinned !== null) this._show(this.pinned);
  }

  _trim(host, most) {
    while (host.children.length > most) {
      if (host.lastElementChild.contains(document.activeElement)) return;
      host.lastElementChild.remove();
    }
  }

  // ---- rows of cause and effect

  _row(item) {
    if (quiet(item)) return;
    if (BROUGHT.has(item.layer)) {
      const root = this.chain.ancestor(item, "event") ?? this.chain.ancestor(item, "command") ?? this.chain.ancestor(item, "reading");
      this._put(this._rowOf(root ?? item), 2, item);
      return;
    }
    if (item.layer === "event") this._event(item);
    else if (item.layer === "command" && this.chain.order(item) !== null) this._put(this._after(this.chain.order(item)), 2, item);
    else this._sensed(item);
  }

  // An event takes the row of what it came of; where that row is another's, it begins its own.
  _event(item) {
    const sensed = this.chain.ancestor(item, "reading") ?? this.chain.ancestor(item, "command") ?? this.chain.ancestor(item, "level");
    const before = sensed && this.rows.get(sensed.id);
    const alone = before && !before.dataset.event && before.firstElementChild.querySelectorAll(".chip").length === 1;
    const row = alone ? before : this._newRow(item);
    if (before && !alone && !before.dataset.event) before.querySelector(`[data-id="${sensed.id}"]`)?.remove();
    row.dataset.event = item.id;
    this.rows.set(item.id, row);
    if (sensed) this.rows.set(sensed.id, row);
    if (!alone && sensed) this._put(row, 0, sensed);
    this._put(row, 1, item);
  }

  // What brought about nothing shares a row with what was sensed at the same moment.
  _sensed(item) {
    const latest = byId("flow").firstElementChild;
    const shares = latest && !latest.dataset.event && item.layer === "reading" && item.ms - Number(latest.dataset.ms) < SAME_MOMENT_MS;
    const row = shares ? latest : this._newRow(item);
    this.rows.set(item.id, row);
    this._put(row, 0, item);
  }

  // The row of what a command did, or its own.
  _after(command) {
    const done = [...(this.chain.children.get(command) ?? [])].find((id) => this.chain.items.get(id).layer === "event");
    return this.rows.get(done ?? command);
  }

  _rowOf(item) { return this.rows.get(item.id) ?? this._newRow(item); }

  _newRow(item) {
    const row = make("tr", { data: { ms: item.ms } }, make("td"), make("td"), make("td"));
    row.firstElementChild.append(make("time", { text: clock(item.ms * 1e6) }));
    byId("flow").prepend(row);
    this.rows.set(item.id, row);
    return row;
  }

  _put(row, column, item) {
    const { text, kind, title } = chipText(item);
    row.children[column].append(make("button", { type: "button", class: `chip ${item.layer} ${kind}`, text, title, tabindex: -1, data: { id: item.id, name: item.name, ...(item.layer === "entry" && { kinds: item.name.replaceAll(",", " ") }) } }));
  }

  // ---- the wire

  _frame(item) {
    const out = item.body.sender !== "device";
    byId("wire").prepend(make("li", {}, make("button", {
      type: "button", class: `frame ${out ? "to" : "from"}`, tabindex: -1, data: { id: item.id },
      "aria-label": `${say(out ? "wire.to" : "wire.from")}: ${item.name} ${item.text}`,
    }, make("time", { text: clock(item.ms * 1e6) }), make("i", { "aria-hidden": "true", text: out ? "→" : "←" }), make("b", { text: item.name }), make("span", { text: item.body.text ?? item.text }))));
  }

  // ---- the levels

  _levels(levels) {
    this.levels.clear();
    const groups = new Map();
    for (const [signal, value] of Object.entries(levels)) {
      const group = signal.split(".")[0];
      if (!groups.has(group)) groups.set(group, make("ul", { "aria-label": group }));
      const shown = make("span", { class: "value" });
      groups.get(group).append(make("li", { data: { signal } }, make("i", { "aria-hidden": "true" }), make("span", { text: signal }), shown));
      this.levels.set(signal, shown);
      this._value(signal, value);
    }
    byId("levels").replaceChildren(...groups.values());
  }

  _level(item) {
    this._value(item.name, item.body.value, item.id);
  }

  _value(signal, value, id = null) {
    const shown = this.levels.get(signal);
    if (!shown) return;
    const row = shown.parentElement;
    row.classList.toggle("on", value === true || (typeof value === "string" && value !== "" && value !== "0"));
    shown.textContent = typeof value === "boolean" ? say(value ? "signal.active" : "signal.inactive") : value || say("signal.empty");
    if (id !== null) {
      row.dataset.id = id;
      row.classList.remove("fresh");
      void row.offsetWidth;
      row.classList.add("fresh");
    }
  }

  // ---- lighting a chain

  _light(target) {
    const thing = target?.closest?.("[data-id]");
    this._show(thing ? Number(thing.dataset.id) : this.pinned);
  }

  _pin(target) {
    const thing = target.closest("[data-id]");
    if (!thing) return;
    const id = Number(thing.dataset.id);
    this.pinned = this.pinned === id ? null : id;
    this._show(this.pinned);
  }

  // From elsewhere on the page: light it and bring it into sight.
  pin(id) {
    this.pinned = id;
    this._show(id);
    byId("flow").querySelector(`[data-id="${id}"]`)?.scrollIntoView({ block: "center" });
  }

  _show(id) {
    const lit = id === null ? null : this.chain.through(id);
    for (const host of [byId("flow"), byId("wire"), byId("levels")]) {
      host.classList.toggle("lighting", lit !== null);
      for (const thing of host.querySelectorAll("[data-id]")) {
        const on = lit?.has(Number(thing.dataset.id)) ?? false;
        if (thing.classList.contains("lit") !== on) thing.classList.toggle("lit", on);
      }
    }
  }

  // Looking back: what came later is pale. null: nothing is.
  until(last) {
    byId("flow").classList.toggle("back", last !== null);
    for (const thing of byId("flow").querySelectorAll(".chip")) thing.classList.toggle("later", last !== null && Number(thing.dataset.id) > last);
    if (last !== null) byId("flow").querySelector(".chip:not(.later)")?.scrollIntoView({ block: "center" });
  }

  // Where another authority would have said otherwise.
  mark(ids) {
    for (const thing of byId("flow").querySelectorAll(".chip")) thing.classList.toggle("differs", ids.has(Number(thing.dataset.id)));
  }
}
