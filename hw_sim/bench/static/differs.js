// The same evening told again under another authority, and what differs marked where it happened.
import { byId, make, options } from "./dom.js";
import { post } from "./wire.js";
import { phaseName } from "./phases.js";
import { about, LEVEL_NAMES, NOT_SHOWN, visitText } from "./telling.js";
import { say, sayOr } from "./words.js";

export class Differs {
  // `show(item)`: bring it into sight where cause and effect are told.
  constructor(regulations, inside, show) {
    Object.assign(this, { inside, show });
    this.regulations = regulations;
    this.select = make("select", { name: "other" });
    this.told = make("div", { "aria-live": "polite" });
    byId("differs").append(
      make("form", { class: "row", on: { submit: (event) => { event.preventDefault(); this._tell(); } } },
        make("label", { class: "field" }, make("span", { text: say("differs.choose") }), this.select),
        make("button", { class: "primary", text: say("differs.tell") })),
      this.told);
  }

  session({ setup, number }) {
    if (this.number === number && this.live === setup.regulations) return;
    Object.assign(this, { number, live: setup.regulations });
    options(this.select, this.regulations.filter((id) => id !== setup.regulations).map((id) => [id, id]));
    this.told.replaceChildren(make("p", { class: "hint", text: say("differs.live", { regulations: setup.regulations }) }));
    this.inside.mark(new Set());
  }

  async _tell() {
    this.told.replaceChildren(make("p", { class: "hint", text: say("differs.telling") }));
    const retold = await post("/api/retell", { regulations: this.select.value });
    if (!retold) { this.told.replaceChildren(); return; }
    const differences = retold.differences.map(worth).filter(({ live, there }) => live.length + there.length > 0);
    this.inside.mark(new Set(differences.map(({ item }) => item).filter((item) => item !== null)));
    const list = make("ol", { class: "differences" });
    for (const { order, live, retold: there } of retold.other_moments) {
      const none = say("differs.not_given");
      list.append(make("li", { class: "order", text: say("differs.window", { order: sayOr(`effect.${order}`, order), here: live ?? none, there: there ?? none }) }));
    }
    list.append(...differences.map((difference) => this._difference(difference)));
    const count = list.children.length;
    this.told.replaceChildren(
      make("p", { class: count ? "disagree" : "agree", text: say(count ? "differs.some" : "differs.same", { regulations: retold.regulations, n: count || retold.events }) }),
      list);
  }

  _difference({ seq, item, live, there }) {
    const side = (key, told) => make("div", {}, make("h3", { text: say(`differs.${key}`) }),
      ...(told.length ? told.map((text) => make("p", { text })) : [make("p", { class: "hint", text: say("differs.nothing") })]));
    return make("li", {}, make("button", { type: "button", class: "seq", text: `${seq}`, on: { click: () => this.show(item) } }),
      side("here", live), side("there", there));
  }
}

// Of a difference what a reader can see: what both tell in the same words, and the inner housekeeping, is left out.
function worth({ seq, item, live, retold }) {
  const [here, there] = [live, retold].map((rows) => rows.filter((row) => !NOT_SHOWN.has(row.body.value?.effect)).map(rowText));
  return { seq, item, live: without(here, there), there: without(there, here) };
}

const without = (texts, others) => texts.filter((text) => !others.includes(text));

function rowText({ stream, body }) {
  if (stream === "irregularity") return entryText(body.entry);
  if (stream === "fault") return `⚠ ${sayOr(`fault.${body.fault.kind}`, body.fault.kind)}`;
  if (stream === "visit") return visitText(body.visit).text;
  const value = body.value ?? {};
  const name = value.effect ?? body.what;
  return [sayOr(`effect.${name}`, name), value.dest ? phaseName(value.dest) : "", about(value)].filter(Boolean).join(" ");
}

// An entry with all that an authority can see otherwise: level, articles, course.
function entryText({ id, kinds, seats, level, provisions, course }) {
  const names = kinds.map((kind) => sayOr(`kind.${kind}`, kind)).join(", ");
  const cited = (provisions ?? []).map(({ document, article }) => [document, article].filter(Boolean).join(" "));
  const courses = (course ?? []).map((key) => sayOr(`course.${key}`, key));
  return [`#${id} ${names}`, (seats ?? []).join(" "), sayOr(`level.${LEVEL_NAMES[level]}`, ""), ...cited, ...courses].filter(Boolean).join(" · ");
}
