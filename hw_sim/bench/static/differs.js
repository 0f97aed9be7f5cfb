// The same evening told again under another authority, and what differs marked where it happened.
import { byId, make, options } from "./dom.js";
import { post } from "./wire.js";
import { say, sayOr } from "./words.js";

export class Differs {
  constructor(regulations, inside) {
    this.inside = inside;
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
    this.inside.mark(new Set(retold.differences.map(({ item }) => item).filter((item) => item !== null)));
    const count = retold.differences.length + retold.other_moments.length;
    const list = make("ol", { class: "differences" });
    for (const difference of retold.differences) list.append(this._difference(difference));
    for (const { order, live, retold: there } of retold.other_moments) {
      const none = say("differs.not_given");
      list.append(make("li", { text: say("differs.window", { order: sayOr(`effect.${order}`, order), here: live ?? none, there: there ?? none }) }));
    }
    this.told.replaceChildren(
      make("p", { class: retold.same ? "agree" : "disagree", text: retold.same
        ? say("differs.same", { regulations: retold.regulations, n: retold.events })
        : say("differs.some", { regulations: retold.regulations, n: count }) }),
      list);
  }

  _difference({ seq, item, live, retold }) {
    const side = (key, told) => make("div", {}, make("h3", { text: say(`differs.${key}`) }),
      ...(told.length ? told.map((row) => make("p", { text: rowText(row) })) : [make("p", { class: "hint", text: say("differs.nothing") })]));
    return make("li", {}, make("button", { type: "button", class: "seq", text: `${seq}`, data: item === null ? {} : { id: item }, on: { click: () => this.inside.pin(item) } }),
      side("here", live), side("there", retold));
  }
}

function rowText({ stream, body }) {
  const value = body.entry ?? body.fault ?? body.visit ?? body.value ?? body;
  if (value.kinds) {
    const kinds = value.kinds.map((kind) => sayOr(`kind.${kind}`, kind)).join(", ");
    return `#${value.id} ${kinds}${value.course?.length ? ` · ${value.course.join(", ")}` : ""}`;
  }
  const name = body.type ?? body.name ?? value.type ?? value.kind;
  return name ? sayOr(`effect.${name}`, sayOr(`fault.${name}`, name)) : `${stream} ${JSON.stringify(value).slice(0, 120)}`;
}
