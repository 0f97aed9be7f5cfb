// Play, pause, step, speed and the way back in time.
import { byId, options } from "./dom.js";
import { get, post } from "./wire.js";
import { clock, numbers, say } from "./words.js";

const SPEEDS = [0.5, 1, 2, 5, 10, 20, 50];

export class Play {
  // `onPast(past)`: how things stood then, or null for now. `onStart()`: somebody wants it to play by itself.
  constructor({ onPast, onStart }) {
    Object.assign(this, { onPast, onStart });
    this.past = null;
    this.last = 0;
    options(byId("speed"), SPEEDS.map((speed) => [String(speed), say("play.times", { n: numbers.format(speed) })]), "1");
    byId("speed").addEventListener("change", () => this._speed(Number(byId("speed").value)));
    byId("play").addEventListener("click", () => this.toggle());
    byId("step").addEventListener("click", () => this.step());
    byId("live").addEventListener("click", () => this.now());
    byId("from").addEventListener("click", () => this.goOn());
    byId("time").addEventListener("input", () => this._seek(Number(byId("time").value)));
    this.keys = { " ": () => this.toggle(), ".": () => this.step(), "-": () => this.faster(-1), "+": () => this.faster(1), "=": () => this.faster(1) };
  }

  // ---- what the bench says

  session(session) {
    const { playing } = session;
    this.playing = playing;
    const runs = playing.what !== "hand" && !playing.paused && !playing.ended;
    byId("play").firstElementChild.textContent = runs ? "❚❚" : "▶";
    byId("play").lastElementChild.textContent = say(runs ? "play.pause" : "play.play");
    byId("play").dataset.runs = String(runs);
    byId("step").disabled = playing.what === "hand" || playing.ended;
    if (document.activeElement !== byId("speed")) this._show(playing.speed);
    this.reach(session.last_ms);
  }

  _show(speed) {
    const select = byId("speed");
    const value = String(speed);
    if (![...select.options].some((option) => option.value === value)) {
      select.add(new Option(say("play.times", { n: numbers.format(speed) }), value));
    }
    select.value = value;
  }

  // How far the past reaches. While nobody looks back, the slider stays at its end.
  reach(ms) {
    this.last = Math.max(this.last, ms);
    byId("time").max = String(this.last);
    if (this.past === null) this._place(this.last);
  }

  // A new table: its past begins now.
  begin() {
    this.last = 0;
    if (this.past !== null) this.now();
  }

  _place(ms) {
    byId("time").value = String(ms);
    byId("clock").textContent = clock(ms * 1e6);
    byId("time").setAttribute("aria-valuetext", clock(ms * 1e6));
  }

  // ---- what people want

  toggle() {
    if (!this.playing) return;
    if (this.playing.what === "hand" || this.playing.ended) { this.onStart(); return; }
    post("/api/control", { do: this.playing.paused ? "play" : "pause" });
  }

  step() { if (!byId("step").disabled) post("/api/control", { do: "step" }); }

  faster(way) {
    const now = Number(byId("speed").value);
    const next = way > 0 ? SPEEDS.find((speed) => speed > now) : SPEEDS.findLast((speed) => speed < now);
    if (next) { this._show(next); this._speed(next); }
  }

  _speed(speed) { post("/api/control", { do: "speed", speed }); }

  async _seek(ms) {
    this.past = ms;
    this._place(ms);
    byId("live").hidden = byId("from").hidden = false;
    if (this.seeking) return;
    this.seeking = true;
    while (this.past !== null) {
      const asked = this.past;
      const past = await get(`/api/past?ms=${asked}`);
      if (this.past === null) break;
      if (past) this.onPast(past);
      if (!past || this.past === asked) break;
    }
    this.seeking = false;
  }

  now() {
    this.past = null;
    byId("live").hidden = byId("from").hidden = true;
    this._place(this.last);
    this.onPast(null);
  }

  async goOn() {
    const ms = this.past;
    if (ms === null) return;
    if (await post("/api/control", { do: "back", ms })) this.now();
  }
}
