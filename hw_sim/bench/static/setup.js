// Choosing what is on the bench, and who plays there.
import { byId, make, options } from "./dom.js";
import { post } from "./wire.js";
import { say, sayOr } from "./words.js";

const LARGEST = 200000;
const MOST_FOUND = 60;

export class Setup {
  constructor(choices) {
    this.choices = choices;
    this.sheet = byId("setup");
    this.sheet.append(
      make("header", {}, make("h2", { id: "setup-title", text: say("setup.title") }), this._close()),
      this._table(), this._record(), this._scenario(),
      make("p", { class: "refused", id: "setup-wrong", role: "alert", hidden: true }),
    );
    byId("setting").addEventListener("click", () => this.open());
  }

  open(first = null) {
    this.wrong("");
    this.sheet.showModal();
    if (first) this.sheet.querySelector(`[name=${first}]`).focus();
  }

  wrong(text) {
    byId("setup-wrong").textContent = text;
    byId("setup-wrong").hidden = !text;
  }

  _close() {
    return make("form", { method: "dialog" }, make("button", { class: "quiet", text: say("setup.close") }));
  }

  async _send(path, body) {
    if (await post(path, body)) this.sheet.close();
  }

  _form(title, act, ...fields) {
    return make("form", { class: "part", on: { submit: (event) => { event.preventDefault(); act(new FormData(event.target)); } } },
      make("h3", { text: title }), ...fields);
  }

  _choice(name, pairs, chosen) {
    const select = make("select", { name });
    options(select, pairs, chosen);
    return make("label", { class: "field" }, make("span", { text: say(`setup.${name}`) }), select);
  }

  _table() {
    const { tables, rigs, regulations } = this.choices;
    return this._form(say("setup.table"),
      (given) => this._send("/api/control", { do: "setup", table: given.get("table"), rig: given.get("rig"), regulations: given.get("regulations") }),
      make("div", { class: "fields" },
        this._choice("table", tables.map((table) => [table, say(`setup.${table}`)]), "full"),
        this._choice("rig", rigs.map((rig) => [rig, say(`setup.${rig}`)]), "wire"),
        this._choice("regulations", regulations.map((id) => [id, id]), "ccba-2006")),
      make("p", { class: "hint", text: say("setup.again") }),
      make("button", { class: "primary", text: say("setup.make") }));
  }

  _record() {
    const { records, styles } = this.choices;
    const boards = (id) => (records.find((record) => record.id === id)?.boards ?? []).map((board, index) => [String(index), `${board.number ?? index + 1} · ${board.title}`]);
    const board = this._choice("board", boards(records[0]?.id), "0");
    const record = this._choice("record", records.map(({ id }) => [id, id]), records[0]?.id);
    record.querySelector("select").addEventListener("change", (event) => options(board.querySelector("select"), boards(event.target.value), "0"));
    return this._form(say("setup.play_title"),
      (given) => this._send("/api/control", {
        do: "record", record: given.get("record"), board: Number(given.get("board")), style: given.get("style"), speed: Number(byId("speed").value),
      }),
      make("div", { class: "fields" }, record, board, this._choice("style", styles.map((style) => [style, sayOr(`setup.${style}`, style)]), "steady")),
      make("div", { class: "buttons" }, make("button", { class: "primary", text: say("setup.play") }),
        make("button", { type: "button", text: say("setup.hand"), on: { click: () => this._send("/api/control", { do: "stop" }) } })));
  }

  _scenario() {
    const found = make("select", { name: "scenario", size: 6, "aria-label": say("setup.scenario") });
    const whole = make("p", { class: "hint shows" });
    const tell = () => {
      const chosen = this.choices.scenarios.find(({ id }) => id === found.value);
      whole.textContent = chosen ? `${chosen.id} · ${chosen.regulations} · ${chosen.shows}` : "";
    };
    found.addEventListener("change", tell);
    const none = make("p", { class: "hint", hidden: true });
    const show = (text) => {
      const words = text.toLowerCase().split(/\s+/);
      const fits = this.choices.scenarios.filter(({ id, shows, regulations }) => words.every((word) => `${id} ${shows} ${regulations}`.toLowerCase().includes(word)));
      options(found, fits.slice(0, MOST_FOUND).map(({ id, shows }) => [id, `${id} — ${shows}`]), fits[0]?.id);
      for (const option of found.options) option.title = option.text;
      tell();
      none.hidden = fits.length > 0;
      none.textContent = say("setup.none_found", { text });
    };
    show("");
    const find = make("input", { name: "find", type: "search", autocomplete: "off", on: { input: (event) => show(event.target.value.trim()) } });
    const file = make("input", { name: "file", type: "file", accept: ".scn,text/plain", on: { change: () => this._upload(file) } });
    return this._form(say("setup.scenario"),
      (given) => { if (given.get("scenario")) this._send("/api/control", { do: "scenario", scenario: given.get("scenario") }); },
      make("label", { class: "field" }, make("span", { text: say("setup.find") }), find), found, whole, none,
      make("div", { class: "buttons" }, make("button", { class: "primary", text: say("setup.scenario_play") })),
      make("label", { class: "field" }, make("span", { text: say("setup.upload") }), file));
  }

  // What was chosen stays chosen where it cannot be played: nothing is lost.
  async _upload(input) {
    const file = input.files[0];
    if (!file) return;
    this.wrong("");
    if (!file.name.endsWith(".scn")) { this.wrong(say("setup.upload_wrong", { name: file.name })); return; }
    if (file.size > LARGEST) { this.wrong(say("setup.upload_large", { name: file.name })); return; }
    await this._send("/api/scn", { text: await file.text(), name: file.name.slice(0, 80) });
    input.value = "";
  }

  // The sheet shows what is on the bench now.
  session({ setup }) {
    byId("setting-words").textContent = say("setup.short", { table: setup.table, rig: say(`setup.short_${setup.rig}`), regulations: setup.regulations });
    if (this.sheet.open) return;
    for (const name of ["table", "rig", "regulations"]) this.sheet.querySelector(`[name=${name}]`).value = setup[name];
  }
}
