// The lines of the scenario that is played: where it is, and what was as expected.
import { byId, make } from "./dom.js";
import { worded } from "./refusals.js";
import { say } from "./words.js";

export class Script {
  constructor(choose) { this.choose = choose; }

  session({ playing }) {
    const { lines, line } = playing;
    byId("tab-script").hidden = lines.length === 0;
    if (lines.length === 0) {
      if (byId("tab-script").getAttribute("aria-selected") === "true") this.choose(byId("tab-flow"));
      this.drawn = "";
      return;
    }
    const text = lines.map(({ text: one }) => one).join("\n");
    if (text !== this.drawn) {
      byId("script").replaceChildren(...lines.map(({ text: one }) => make("li", {}, make("i"), make("code", { text: one }), make("small", { hidden: true }))));
      this.drawn = text;
    }
    lines.forEach(({ number, met, why, reason }, index) => {
      const row = byId("script").children[index];
      row.classList.toggle("here", number === line);
      row.firstElementChild.textContent = met === null ? "" : met ? "✓" : "✕";
      row.firstElementChild.setAttribute("aria-label", met === null ? "" : say(met ? "script.met" : "script.not_met"));
      row.firstElementChild.setAttribute("role", met === null ? "presentation" : "img");
      row.lastElementChild.hidden = !why;
      row.lastElementChild.textContent = worded(reason, why);
    });
    byId("script").querySelector(".here")?.scrollIntoView({ block: "nearest" });
  }
}
