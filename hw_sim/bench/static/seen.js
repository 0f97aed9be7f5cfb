// From the bench's frames to what is drawn: shapes only, nothing is added.
import { whole as wholeBoard } from "./boards.js";

const between = (tray) => tray.on ?? "between";

export const whole = (table) => ({
  ...table, board: wholeBoard(table.board), tray: between(table.tray), window: { ...table.window, open: table.window.position, lamp: lampOf(table.lamps) }, cards: table.played,
});

function lampOf(lamps) {
  if (lamps["window.lamp"]) return "open";
  return lamps["window.lamp.close"] ? "close" : "";
}

const each = (seats, name) => Object.fromEntries(Object.entries(seats ?? {}).map(([seat, has]) => [seat, has[name]]));

// A half view's frame: what is not in it is not drawn.
export function near(frame) {
  const seats = { ...frame.seats, ...frame.through };
  return {
    tray: frame.tray ? frame.face : null, board: wholeBoard(frame.tray?.board ?? null), columns: frame.tray?.columns, alerts: frame.tray?.alerts,
    hands: frame.tray?.hands, leads: each(seats, "lead"), cards: each(seats, "played"), through: Object.keys(frame.through ?? {}),
    window: { open: frame.window.position, lamp: lampOf(frame.lamps) }, lamps: frame.lamps, pressed: [],
  };
}
