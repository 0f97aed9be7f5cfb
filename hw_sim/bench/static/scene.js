// The table from above, drawn once and then only changed: what lies where, never what it means.
// It draws what it is given; a half view is given one face, so the other is not in the page at all.
import { AT, BADGE, BELL, COLUMNS, FACE, HAND, HANDLE, HOLD, LEAF, MATE, SEATS, SPOT, TRAY_H, TRAY_SCALE, TRAY_W } from "./places.js";
import { drag, rove } from "./scene_hands.js";
import { say, callText, suitOf } from "./words.js";

export { FACE, MATE, SEATS };

const NS = "http://www.w3.org/2000/svg";

export function node(tag, attributes = {}, parent = null, text = "") {
  const made = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text) made.textContent = text;
  if (parent) parent.append(made);
  return made;
}

export class Scene {
  // `sides`: the faces that are drawn. `act(what, seat)`: somebody touched something; null for a picture only.
  constructor(host, { sides = ["NE", "SW"], act = null } = {}) {
    this.sides = sides;
    this.act = act;
    this.drawn = new Map();
    this.svg = node("svg", { viewBox: "0 0 780 780", class: "scene" });
    this.svg.setAttribute("role", act ? "group" : "img");
    this.svg.setAttribute("aria-label", say("scene.label"));
    host.append(this.svg);
    this.under = node("g", {}, this.svg);
    this.trayLayer = node("g", {}, this.svg);
    this.over = node("g", {}, this.svg);
    this._felt();
    this._tray();
    this._screen();
    for (const seat of SEATS) if (sides.includes(FACE[seat])) this._seat(seat);
    for (const side of sides) this._hold(side);
    if (act) rove(this.svg);
  }

  _felt() {
    if (this.sides.length === 2) {
      node("rect", { class: "felt", x: 64, y: 64, width: 652, height: 652, rx: 40 }, this.under);
      return;
    }
    const half = this.sides[0] === "NE"
      ? "M76 76 Q80 64 104 64 H676 Q716 64 716 104 V676 Q716 700 704 704 Z"
      : "M76 76 Q64 80 64 104 V676 Q64 716 104 716 H676 Q700 716 704 704 Z";
    node("path", { class: "felt", d: half }, this.under);
    node("path", { class: "unseen", d: this.sides[0] === "NE" ? "M26 26 V754 H754 Z" : "M26 26 H754 V754 Z" }, this.under);
  }

  _touch(group, what, seat, label) {
    if (!this.act) return;
    group.classList.add("touch");
    group.setAttribute("role", "button");
    group.setAttribute("tabindex", "-1");
    group.setAttribute("aria-label", label);
    group.dataset.what = what;
    if (seat) group.dataset.seat = seat;
    node("title", {}, group, label);
    group.addEventListener("click", () => { if (!this.dragged) this.act(what, seat); });
    group.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      event.stopPropagation();
      this.act(what, seat);
    });
  }

  _screen() {
    const screen = node("g", { class: "screen" }, this.over);
    node("path", { class: "screen-line", d: "M26 26 L262 262 M518 518 L754 754" }, screen);
    this.leaves = [
      node("line", { class: "leaf", x1: 262, y1: 262, x2: 390, y2: 390 }, screen),
      node("line", { class: "leaf", x1: 518, y1: 518, x2: 390, y2: 390 }, screen),
    ];
    node("path", { class: "post", d: "M252 272 L272 252 M508 528 L528 508" }, screen);
    this.something = node("circle", { class: "in-the-way", cx: 390, cy: 390, r: 15, hidden: "" }, screen);
    for (const seat of SEATS) {
      if (!this.sides.includes(FACE[seat])) continue;
      const [x, y] = HANDLE[seat];
      const group = node("g", { class: "handle" }, this.over);
      node("circle", { class: "hit", cx: x, cy: y, r: 22 }, group);
      node("circle", { class: "knob", cx: x, cy: y, r: 9 }, group);
      this._touch(group, "handle", seat, say("scene.handle", { seat: say(`seat.${seat}`) }));
      this.drawn.set(`handle.${seat}`, group);
    }
    this.lamp = node("g", { class: "window-lamp", hidden: "" }, this.over);
    node("circle", { class: "glow", cx: 390, cy: 390, r: 20 }, this.lamp);
    this.lampWord = node("text", { class: "lamp-word", x: 390, y: 352 }, this.lamp);
  }

  _tray() {
    const moving = node("g", { class: "tray" }, this.trayLayer);
    const tray = node("g", { transform: `scale(${TRAY_SCALE})` }, moving);
    const [left, top] = [-TRAY_W / 2, -TRAY_H / 2];
    const bed = node("g", { class: "bed-touch" }, tray);
    node("rect", { class: "bed", x: left, y: top, width: TRAY_W, height: TRAY_H, rx: 12 }, bed);
    this.board = node("g", { class: "board" }, tray);
    node("rect", { class: "plate", x: left + 8, y: top + 8, width: TRAY_W - 16, height: 46, rx: 7 }, this.board);
    this.boardNumber = node("text", { class: "board-number", x: left + 19, y: top + 29 }, this.board);
    this.boardWords = node("text", { class: "board-words", x: left + 19, y: top + 46 }, this.board);
    this.compass = this._compass(this.board, left + 215, top + 31);
    this.emptyBoard = node("g", { class: "no-board" }, tray);
    node("rect", { class: "slot", x: left + 8, y: top + 8, width: TRAY_W - 16, height: 46, rx: 7 }, this.emptyBoard);
    node("text", { class: "slot-word", x: 0, y: top + 36 }, this.emptyBoard, say("scene.no_board"));
    this.columns = {};
    COLUMNS.forEach((seat, index) => {
      const x = left + 6 + index * 59;
      node("rect", { class: "column", x: x + 1, y: top + 60, width: 57, height: TRAY_H - 68, rx: 6 }, bed);
      node("text", { class: "column-name", x: x + 29.5, y: top + TRAY_H - 13 }, bed, seat);
      this.columns[seat] = node("g", { class: "cards", "data-seat": seat, transform: `translate(${x + 4} ${top + 63})` }, tray);
      this.drawn.set(`alert.${seat}`, this._alert(tray, x + 3, top + TRAY_H - 54, MATE[seat]));
    });
    this.tray = moving;
    this._touch(bed, "tray", null, say("scene.tray"));
    this._touch(this.board, "board", null, say("scene.board"));
    this._touch(this.emptyBoard, "board", null, say("scene.put_board"));
    if (this.act) drag(this);
  }

  _compass(parent, x, y) {
    const bars = {};
    const where = { N: [x - 9, y - 18, 18, 7], S: [x - 9, y + 11, 18, 7], W: [x - 18, y - 9, 7, 18], E: [x + 11, y - 9, 7, 18] };
    for (const [seat, [left, top, width, height]] of Object.entries(where)) {
      bars[seat] = node("rect", { class: "vul", x: left, y: top, width, height, rx: 2 }, parent);
    }
    bars.letter = node("text", { class: "dealer-letter", x, y: y + 5 }, parent);
    return bars;
  }

  // It lies in the column of the screenmate, so it says whose it is.
  _alert(parent, x, y, whose) {
    const slip = node("g", { class: "alert-slip", hidden: "" }, parent);
    node("rect", { x, y, width: 54, height: 22, rx: 4 }, slip);
    node("text", { x: x + 27, y: y + 16 }, slip, say("scene.alert", { seat: whose }));
    return slip;
  }

  _seat(seat) {
    const word = say(`seat.${seat}`);
    const badge = node("g", { class: "badge" }, this.over);
    const [x, y] = BADGE[seat];
    node("circle", { class: "hit", cx: x, cy: y, r: 30 }, badge);
    node("circle", { class: "disc", cx: x, cy: y, r: 23 }, badge);
    node("text", { class: "letter", x, y: y + 8 }, badge, seat);
    this._touch(badge, "seat", seat, say("scene.seat", { seat: word }));
    this.drawn.set(`badge.${seat}`, badge);

    const bell = node("g", { class: "bell" }, this.over);
    const [bx, by] = BELL[seat];
    node("circle", { class: "halo", cx: bx, cy: by, r: 27 }, bell);
    node("circle", { class: "hit", cx: bx, cy: by, r: 28 }, bell);
    node("circle", { class: "dome", cx: bx, cy: by, r: 15 }, bell);
    node("path", { class: "sign", d: `M${bx} ${by - 8} V${by + 2} M${bx} ${by + 6.5} V${by + 8}` }, bell);
    this._touch(bell, "director", seat, say("scene.bell", { seat: word }));
    this.drawn.set(`bell.${seat}`, bell);

    const [hx, hy] = HAND[seat];
    const hand = node("g", { class: "hand", transform: `translate(${hx} ${hy})` }, this.over);
    [-18, -9, 0, 9, 18].forEach((turn, index) => {
      node("rect", { class: "back", x: -9, y: -13, width: 18, height: 26, rx: 3, transform: `translate(${(index - 2) * 9} ${Math.abs(index - 2) * 1.5}) rotate(${turn})` }, hand);
    });
    this.drawn.set(`hand.${seat}`, hand);

    this._spot(seat);
  }

  _spot(seat) {
    const [sx, sy] = SPOT[seat];
    const spot = node("g", { class: "spot" }, this.under);
    node("rect", { class: "spot-mark", x: sx - 22, y: sy - 31, width: 44, height: 62, rx: 6 }, spot);
    const card = node("g", { class: "lead", hidden: "" }, spot);
    node("rect", { class: "lead-card", x: sx - 20, y: sy - 29, width: 40, height: 58, rx: 5 }, card);
    node("path", { class: "lattice", d: `M${sx - 12} ${sy - 20} h24 v40 h-24 z M${sx - 12} ${sy - 20} l24 40 M${sx + 12} ${sy - 20} l-24 40` }, card);
    node("text", { class: "lead-face", x: sx, y: sy + 8 }, card);
    if (this.sides.includes(FACE[seat])) this._touch(spot, "lead", seat, say("scene.spot", { seat: say(`seat.${seat}`) }));
    this.drawn.set(`spot.${seat}`, spot);
  }

  _hold(side) {
    const [x, y] = HOLD[side];
    const lamp = node("g", { class: "hold", hidden: "" }, this.over);
    node("circle", { class: "halo", cx: x, cy: y, r: 14 }, lamp);
    node("circle", { class: "dot", cx: x, cy: y, r: 7 }, lamp);
    const title = node("title", {}, lamp, say("scene.hold", { side: say(`side.${side}`) }));
    title.id = `hold-${side}`;
    this.drawn.set(`hold.${side}`, lamp);
  }

  // ---- what changes

  draw(body) {
    this.body = body;
    this.drawTray(body);
    this._drawBoard(body.board);
    for (const seat of COLUMNS) {
      this._drawColumn(seat, body.columns?.[seat] ?? []);
      this._show(`alert.${seat}`, Boolean(body.alerts?.[MATE[seat]]));
    }
    if (body.through) this._through(body.through);
    for (const seat of SEATS) this._drawSeat(seat, body);
    this._drawWindow(body.window);
    for (const side of this.sides) this._show(`hold.${side}`, Boolean(body.lamps?.[`hold.${side.toLowerCase()}`]));
  }

  _show(name, on) {
    const found = this.drawn.get(name);
    if (found) found.toggleAttribute("hidden", !on);
  }

  drawTray({ tray }) {
    const seen = tray && (tray === "between" ? this.sides.length === 2 : this.sides.includes(tray));
    this.tray.toggleAttribute("hidden", !seen);
    if (!seen || this.dragging) return;
    const [x, y] = AT[tray];
    this.tray.style.transform = `translate(${x}px, ${y}px)`;
    this.tray.dataset.at = tray;
  }

  _drawBoard(board) {
    this.board.toggleAttribute("hidden", !board);
    this.emptyBoard.toggleAttribute("hidden", Boolean(board));
    if (!board) return;
    this.boardNumber.textContent = board.number == null ? say("scene.board_unknown") : say("scene.board_number", { n: board.number });
    this.boardWords.textContent = [
      board.dealer ? say("scene.dealer", { seat: say(`seat.${board.dealer}`) }) : "", board.vulnerability ? say(`vul_short.${board.vulnerability}`) : "",
    ].filter(Boolean).join(" · ");
    this.compass.letter.textContent = board.dealer ?? "";
    const vul = { NS: "NS", EW: "EW", All: "NESW", Both: "NESW" }[board.vulnerability] ?? "";
    for (const seat of SEATS) this.compass[seat].classList.toggle("on", vul.includes(seat));
  }

  _drawColumn(seat, cards) {
    const group = this.columns[seat];
    const key = cards.join(" ");
    if (group.dataset.cards === key) return;
    const before = group.children.length;
    group.dataset.cards = key;
    group.replaceChildren();
    const step = Math.min(22, cards.length > 1 ? 96 / (cards.length - 1) : 22);
    cards.forEach((card, index) => {
      const last = index === cards.length - 1;
      const laid = node("g", { class: `bid ${suitOf(card)}${last && cards.length > before ? " laid" : ""}`, transform: `translate(0 ${index * step})` }, group);
      node("rect", { width: 51, height: 32, rx: 5 }, laid);
      node("text", { x: 25.5, y: 18.5 }, laid, callText(card));
      if (last) this._touch(laid, "top", seat, say("scene.top", { seat: say(`seat.${seat}`), call: callText(card) }));
    });
  }

  // The far players' spots are in the page only while the open window shows them.
  _through(seats) {
    for (const seat of SEATS) {
      if (this.sides.includes(FACE[seat])) continue;
      const spot = this.drawn.get(`spot.${seat}`);
      if (seats.includes(seat) && !spot) this._spot(seat);
      else if (!seats.includes(seat) && spot) { spot.remove(); this.drawn.delete(`spot.${seat}`); }
    }
  }

  _drawSeat(seat, body) {
    if (this.drawn.has(`spot.${seat}`)) this._drawSpot(seat, body);
    if (!this.sides.includes(FACE[seat])) return;
    const badge = this.drawn.get(`badge.${seat}`);
    badge.classList.toggle("turn", body.turn === seat);
    badge.classList.toggle("claims", body.claims === seat);
    badge.classList.toggle("chosen", body.chosen === seat);
    const bell = this.drawn.get(`bell.${seat}`);
    bell.classList.toggle("lit", Boolean(body.lamps?.[`summons.${seat.toLowerCase()}`]));
    bell.classList.toggle("pressed", Boolean(body.pressed?.includes(`director.${seat.toLowerCase()}`)));
    this.drawn.get(`hand.${seat}`).toggleAttribute("hidden", body.hands?.[seat] !== false || !body.board);
  }

  _drawSpot(seat, body) {
    const spot = this.drawn.get(`spot.${seat}`);
    const card = spot.querySelector(".lead");
    const lead = body.leads?.[seat] ?? null;
    const played = body.cards?.[seat] || "";
    card.toggleAttribute("hidden", !lead && !played);
    card.classList.toggle("faced", lead === "faced" || Boolean(played));
    card.querySelector(".lead-face").textContent = played ? callText(played) : lead === "faced" ? "?" : "";
    card.querySelector(".lead-face").setAttribute("class", `lead-face ${suitOf(played)}`);
  }

  _drawWindow(window) {
    const open = Math.min(1, Math.max(0, ((window?.open ?? 0) - 0.04) / 0.92)); // it stops at its limit switches
    const reach = LEAF * (1 - open) + 6;
    for (const end of ["x2", "y2"]) {
      this.leaves[0].setAttribute(end, 262 + reach);
      this.leaves[1].setAttribute(end, 518 - reach);
    }
    this.svg.classList.toggle("window-open", open > 0.9);
    this.something.toggleAttribute("hidden", !window?.obstructed);
    this.lamp.toggleAttribute("hidden", !window?.lamp);
    this.lampWord.textContent = window?.lamp ? say(`scene.lamp_${window.lamp}`) : "";
  }

  // One sentence for those who do not see it.
  describe() {
    const { tray, board, window } = this.body;
    const open = window.open > 0.95 ? "open" : window.open < 0.05 ? "closed" : "between";
    const text = say("scene.described", {
      tray: say(`scene.tray_${tray}`), window: say(`scene.window_${open}`), board: board ? say("scene.board_number", { n: board.number ?? "?" }) : say("scene.no_board"),
    });
    if (this.svg.getAttribute("aria-description") !== text) this.svg.setAttribute("aria-description", text);
  }
}
