// The phase machine as the controller draws it, with the present phase lit and the last move marked.
import { node } from "./scene.js";
import { say } from "./words.js";

const AT = {
  setup: [50, 28], closing: [50, 102], "auction.ne": [156, 28], "auction.sw": [156, 102], "lead.awaiting": [262, 28],
  "lead.down": [262, 102], opening: [368, 102], clarification: [368, 28], play: [474, 28], complete: [474, 102],
};
const [W, H] = [96, 36];
const LATE_ROW = 150;

const phaseKey = (phase) => phase.replace(".", "_");
export const phaseName = (phase) => say(`phase_short.${phaseKey(phase)}`);
const ALL = Object.keys(AT);

export class Phases {
  constructor(host) {
    this.svg = node("svg", { viewBox: "0 0 524 130", class: "diagram", role: "img" });
    host.append(this.svg);
    this.phase = "";
    this.draw({ phases: ALL, moves: [] }); // its moves come from the controller's own diagram
    this.edges = null;
  }

  // `diagram`: its leaves and moves. One that is not known here is put in a row below.
  draw(diagram) {
    this.svg.replaceChildren();
    this.edges = new Map();
    this.boxes = new Map();
    const at = { ...AT };
    diagram.phases.filter((phase) => !(phase in at)).forEach((phase, index) => { at[phase] = [60 + index * 110, LATE_ROW]; });
    const lines = node("g", {}, this.svg);
    for (const { source, dest, trigger } of diagram.moves) this._edge(lines, at, source, dest, trigger);
    for (const phase of diagram.phases) {
      const group = node("g", { class: "phase", "data-phase": phase, transform: `translate(${at[phase][0]} ${at[phase][1]})` }, this.svg);
      node("rect", { x: -W / 2, y: -H / 2, width: W, height: H, rx: 8 }, group);
      node("text", { y: 4.5 }, group, phaseName(phase));
      this.boxes.set(phase, group);
    }
    this.light(this.phase);
  }

  _edge(parent, at, source, dest, trigger) {
    const key = `${source}>${dest}`;
    const found = this.edges.get(key);
    if (found) { found.lastElementChild.textContent += `, ${trigger}`; return; }
    const [x1, y1] = at[source];
    const [x2, y2] = at[dest];
    const back = x2 < x1 || (x1 === x2 && y2 < y1);
    const far = Math.hypot(x2 - x1, y2 - y1);
    const bend = (back ? 1 : -1) * Math.min(46, far * 0.16) * (Math.abs(x2 - x1) < 130 && y1 === y2 ? 0.3 : 1);
    const [nx, ny] = [-(y2 - y1) / far, (x2 - x1) / far];
    const [cx, cy] = [(x1 + x2) / 2 + nx * bend, (y1 + y2) / 2 + ny * bend];
    const group = node("g", { class: `move${back ? " back" : ""}` }, parent);
    node("path", { d: `M${x1} ${y1} Q${cx} ${cy} ${x2} ${y2}` }, group);
    node("title", {}, group, trigger);
    this.edges.set(key, group);
  }

  light(phase) {
    this.phase = phase;
    this.svg.setAttribute("aria-label", say("inside.phases", { phase: phase ? phaseName(phase) : "–" }));
    for (const [name, box] of this.boxes ?? []) box.classList.toggle("lit", name === phase);
  }

  moved(source, dest) {
    for (const edge of this.edges?.values() ?? []) edge.classList.remove("lit");
    this.edges?.get(`${source}>${dest}`)?.classList.add("lit");
  }
}
