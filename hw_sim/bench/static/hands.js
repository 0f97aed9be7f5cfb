// What hands can do at the table, as lines of a scenario: the box of 38 calls, and the acts of one seat.
// It offers everything that somebody could do, right or wrong; what nobody could do, the bench refuses.
import { printed } from "./boards.js";
import { byId, make } from "./dom.js";
import { roving } from "./roving.js";
import { FACE, MATE, SEATS } from "./scene.js";
import { callText, known, say, suitOf } from "./words.js";

export const BIDS = ["C", "D", "H", "S", "NT"];
const JUST_CHOSEN_MS = 1500;
const RANKS = "23456789TJQKA";
const cardOf = (text) => /^[CDHS][2-9TJQKA]$/.exec(text.trim().toUpperCase().replace("10", "T"))?.[0] ?? null;

function someCard(number, seat) {
  const nth = number * 7 + SEATS.indexOf(seat) * 3;
  return "SHDC"[nth % 4] + RANKS[nth % 13];
}

const OTHER = { NE: "SW", SW: "NE" };

export class Hands {
  // `seats`: whose hands there are here. `table()`: the last frame. `send(line)`: does it.
  // `whole`: this page sees the whole table, so it may also do what is no single seat's to do.
  // `reads()`: whether this table reads the cards that are played.
  constructor({ seats, table, send, onSeat = () => {}, whole = true, reads = () => true }) {
    Object.assign(this, { seats, table, onSeat, whole, reads });
    this.send = async (line) => {
      const done = await send(line);
      const seat = /^([NESW]) faces the lead$/.exec(line)?.[1];
      if (done && seat) await this._faced(seat, send);
      return done;
    };
    this.seat = seats[0];
    this.due = null;
    this.chosenAt = -Infinity;
    this._seats();
    this._box();
    this.acts = byId("acts");
    this.redraw();
  }

  // ---- what is drawn

  _seats() {
    const row = byId("seats");
    for (const seat of this.seats) {
      row.append(make("button", {
        type: "button", role: "radio", text: say(`seat.${seat}`), data: { seat },
        on: { click: () => this.choose(seat), focus: (event) => { if (event.target.matches(":focus-visible")) this.choose(seat); } },
      }));
    }
    this.settleSeat = roving(row, "button");
  }

  _box() {
    const box = byId("box");
    for (let level = 1; level <= 7; level += 1) {
      for (const suit of BIDS) this._card(box, level + suit);
    }
    for (const call of ["P", "X", "XX"]) this._card(box, call);
    roving(box, "button", () => 5);
  }

  _card(box, call) {
    box.append(make("button", {
      type: "button", class: `call ${suitOf(call)}`, text: callText(call),
      data: { call }, "aria-label": known(`call.${call}`) ? say(`call.${call}`) : null,
      on: { click: () => this.call(call) },
    }));
  }

  choose(seat, byHand = true) {
    if (!this.seats.includes(seat)) return;
    if (byHand) this.chosenAt = performance.now();
    this.seat = seat;
    this.redraw();
    this.onSeat(seat);
  }

  // Whose call has become due: his are the hands, unless somebody has just chosen others.
  turn(seat) {
    if (seat === this.due) return;
    this.due = seat;
    if (seat && seat !== this.seat && performance.now() - this.chosenAt > JUST_CHOSEN_MS) this.choose(seat, false);
  }

  redraw() {
    for (const button of byId("seats").children) button.setAttribute("aria-checked", String(button.dataset.seat === this.seat));
    this.settleSeat(byId("seats").querySelector(`[data-seat="${this.seat}"]`));
    byId("box").setAttribute("aria-label", say("hands.box", { seat: say(`seat.${this.seat}`) }));
    this.refresh();
  }

  // Only what the last frame has changed: a focused button stays where it is.
  refresh() {
    const table = this.table();
    if (!table) return;
    const facts = JSON.stringify([this.seat, ...this._facts(table)]);
    if (facts === this.drawnFor) return;
    this.drawnFor = facts;
    const focused = this.acts.contains(document.activeElement) ? document.activeElement.dataset.act : null;
    const field = this.acts.querySelector("[name=number]");
    const number = field && !field.disabled && !table.board ? field.value : "";
    this.acts.replaceChildren(...this._groups(table, number || this._nextBoard(table)));
    for (const card of byId("box").querySelectorAll("button")) card.disabled = this._away(table) && !table.through?.length;
    if (focused) (this.acts.querySelector(`[data-act="${focused}"]`) ?? this.acts.querySelector("button")).focus();
    for (const group of this.acts.querySelectorAll(".group")) roving(group, "button", () => 2);
  }

  // From here nobody reaches the tray: it is on the other face, and the window is not open.
  _away(table) { return !this.whole && !table.tray; }

  _facts(table) {
    const lead = table.seats?.[this.seat]?.lead ?? table.leads[this.seat];
    return [table.tray, table.through?.length, table.board?.number, Boolean(table.board), table.columns?.[this.seat]?.at(-1), table.alerts?.[this.seat], lead, table.hands?.[this.seat]];
  }

  _nextBoard(table) {
    this.nextBoard ??= 1;
    if (table.board?.number) this.nextBoard = table.board.number + 1;
    return String(this.nextBoard);
  }

  _groups(table, number) {
    const { seat } = this;
    const mate = MATE[seat];
    const side = FACE[seat];
    const top = table.columns?.[seat]?.at(-1);
    const lead = table.leads?.[seat] ?? "";
    const between = table.tray === "between";
    const away = this._away(table);
    const unreached = away && !table.through?.length;
    const act = (name, text, line, more = {}) => make("button", { type: "button", text, data: { act: name }, ...more, on: { click: () => this.send(line()) } });
    const group = (name, ...buttons) => make("div", { class: "group", role: "group", "aria-label": say(`act.${name}`) }, ...buttons);
    const field = make("input", { name: "number", type: "number", min: 1, max: 9999, value: table.board?.number ?? number, disabled: Boolean(table.board), "aria-label": say("act.number"), class: "number" });
    const card = make("input", { name: "card", maxlength: 3, autocomplete: "off", "aria-label": say("act.card"), placeholder: "SQ", title: say("act.card_hint"), class: "number" });
    return [
      group("cards",
        act("back", top ? say("act.back", { call: callText(top) }) : say("act.back_none"), () => this.lineBack(), { disabled: !top || unreached }),
        table.alerts?.[seat]
          ? act("alert", say("act.acknowledge", { mate: say(`seat.${mate}`) }), () => `${seat} takes the alert card back`, { disabled: unreached })
          : act("alert", say("act.alert"), () => `${seat} alerts`, { disabled: unreached }),
        act("clear", say("act.clear"), () => `${seat} clears his cards`, { disabled: unreached }),
        act("stop", say("act.stop"), () => `${seat} lays the stop card`, { disabled: unreached }),
      ),
      group("table",
        between
          ? act("push", say("act.arrive", { side }), () => `tray arrives at ${side}`)
          : act("push", say("act.push"), () => this.linePush(), { class: "strong", disabled: away }),
        this.whole ? act("between", say("act.stop_tray"), () => "tray leaves", { disabled: between }) : null,
        make("div", { class: "with-field" }, field, table.board
          ? act("board", say("act.lift"), () => `${seat} lifts the board`, { disabled: away })
          : act("board", say("act.place", { n: "" }).trim(), () => `${seat} places ${printed(this._number(field))}`, { class: "strong", disabled: away })),
        act("hand", say("act.hand"), () => `${seat} takes the hand out`, { disabled: away || table.hands?.[seat] === false }),
      ),
      group("window",
        lead === ""
          ? act("lead", say("act.lead"), () => `${seat} leads face down`)
          : act("lead", say("act.lead_back"), () => `${seat} takes the lead back`),
        lead === "down"
          ? act("face", say("act.face"), () => `${seat} faces the lead`)
          : act("face", say("act.lead_up"), () => `${seat} leads face up`, { disabled: lead !== "" }),
        act("announce", say("act.announce"), () => `${seat} announces the lead`),
        act("handle", say("act.handle"), () => `${seat} works the handle`),
        act("open", say("act.open"), () => `${seat} opens the window`),
        act("close", say("act.close"), () => `${seat} closes the window`),
      ),
      group("more",
        act("director", say("act.summon"), () => `${seat} calls the director`),
        act("claim", say("act.claim"), () => `${seat} claims`),
        make("div", { class: "with-field" }, card, make("button", { type: "button", text: say("act.card"), data: { act: "card" }, on: { click: () => this._play(card) } })),
        this.whole ? act("trick", say("act.trick"), () => "trick turned") : null,
        act("over", say("act.over"), () => `${side} press auction over`),
      ),
    ];
  }

  _number(field) {
    const number = Math.round(Number(field.value));
    this.nextBoard = number;
    return number;
  }

  // A lead that is faced is some card: the one named beside "play a card", else one of ours.
  async _faced(seat, send) {
    if (!this.reads() || (this.table()?.window?.open ?? 0) < 0.9) return;
    const named = cardOf(this.acts.querySelector("[name=card]")?.value ?? "");
    await send(`${seat} plays ${named ?? someCard(this.table()?.board?.number ?? 1, seat)}`);
  }

  _play(field) {
    const text = cardOf(field.value);
    if (!text) {
      this.onWrong?.(say("act.card_wrong", { text: field.value }));
      field.focus();
      return;
    }
    this.send(`${this.seat} plays ${text}`);
  }

  // ---- what is done, by whatever key or touch

  call(call) { this.send(`${this.seat} ${call}`); }

  lineBack(seat = this.seat) {
    const top = this.table()?.columns?.[seat]?.at(-1);
    if (!top) return `${seat} takes P back`;
    return top === "STOP" ? `${seat} takes the stop card back` : `${seat} takes ${top} back`;
  }

  // By the seat whose hands these are, where he sits at the tray; else by whoever ought to.
  linePush(seat = null) {
    const at = this.table()?.tray;
    if (at === "between" || !at) return `tray arrives at ${FACE[this.seat]}`;
    return `tray to ${OTHER[at]}${seat && FACE[seat] === at ? ` by ${seat}` : ""}`;
  }

  lineLead(seat = this.seat) {
    const lead = this.table()?.leads?.[seat] ?? "";
    return { "": `${seat} leads face down`, down: `${seat} faces the lead`, faced: `${seat} takes the lead back` }[lead];
  }

  lineBoard() {
    const table = this.table();
    return table?.board ? `${this.seat} lifts the board` : `${this.seat} places ${printed(this._number({ value: this._boardField() }))}`;
  }

  _boardField() { return this.acts.querySelector("[name=number]")?.value || this._nextBoard(this.table()); }

  lineWindow(seat = this.seat, to = null) {
    const opens = to ?? ((this.table()?.window?.open ?? 0) < 0.5);
    return `${seat} ${opens ? "opens" : "closes"} the window`;
  }

  lineAlert(seat = this.seat) {
    return this.table()?.alerts?.[seat] ? `${seat} takes the alert card back` : `${seat} alerts`;
  }

  // A touch on the drawing.
  touched(what, seat) {
    if (what === "seat") { this.choose(seat); return; }
    if (seat && what !== "handle") this.choose(seat);
    const line = {
      tray: () => this.linePush(), board: () => this.lineBoard(), top: () => this.lineBack(seat), lead: () => this.lineLead(seat),
      handle: () => this.lineWindow(seat), director: () => `${seat} calls the director`,
    }[what];
    this.send(line());
  }
}
