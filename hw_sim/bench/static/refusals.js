// Why something was refused or went wrong, in the reader's words: a code of the bench's, its slots filled as
// this page writes seats, calls and names. The bench's own English sentence is shown only where it has no code.
import { callText, known, say, sayOr } from "./words.js";

const LISTED = 8;
const EXAMPLES = 4;

// A long list ends where a reader has taken in enough.
function list(names, one = (name) => name, most = LISTED) {
  if (names.length === 0) return say("told.none");
  const shown = names.slice(0, most).map(one).join(say("told.comma"));
  return names.length > most ? say("told.more", { list: shown }) : shown;
}

const seat = (name) => say(`seat.${name}`);
const side = (name) => sayOr(`side.${name}`, name);
const kind = (name) => sayOr(`kind.${name}`, name);
const option = (name) => sayOr(`option.${name}`, name);

function who(name) {
  if (known(`seat.${name}`)) return seat(name);
  return known(`side.${name}`) ? say("who.face", { side: side(name) }) : say(`who.${name}`);
}

const SLOTS = {
  seat, side, kind, option, who,
  seats: (names) => list(names, seat),
  call: callText,
  top: callText,
  misdeed: (name) => sayOr(`misdeed_name.${name}`, name),
  needs: (name) => say(`needs.${name}`),
  joint: (name) => say(`joint.${name}`),
  thing: (name) => say(`thing.${name}`),
  type: (name) => say(`type.${name}`),
  known: (names) => list(names), // as they are to be typed
  like: (names) => list(names, (text) => say("told.quoted", { text }), EXAMPLES),
  reason: (code, { slots, text }) => tablesReason(code, slots, text),
};

function filled(params) {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, SLOTS[name] ? SLOTS[name](value, params) : value]));
}

// `reason`: code and params; `text`: the bench's English sentence.
export function worded(reason, text) {
  if (!reason || !known(`refusal.${reason.code}`)) return text;
  const said = say(`refusal.${reason.code}`, filled(reason.params));
  return "line" in reason.params ? say("told.line", { line: reason.params.line, text: said }) : said;
}

// An answer that is a problem. Where there is but the sentence, it is introduced in the reader's language.
export function problemText(problem) {
  const { code, reason, text = "" } = problem ?? {};
  return reason ? worded(reason, text) : sayOr(`problem.${code}`, text, { text });
}

const TABLES_SLOTS = {
  phase: (name) => sayOr(`phase.${name.replace(".", "_")}`, name),
  names: (names) => list(names.split(/,? /)),
  side,
  call: callText,
  verb: (name) => sayOr(`order.${name}`, name),
  hold: holdReason,
  holds: (holds) => list(holds.split(" ").filter(Boolean), holdReason),
};

function holdReason(reason) {
  const [what, number] = reason.split(":");
  return sayOr(`hold_reason.${what}`, reason, { number });
}

// Why the table itself refused an order, in the product's own words; `text`: the table's.
export function tablesReason(code, slots, text) {
  const values = Object.entries(slots).map(([name, value]) => [name, TABLES_SLOTS[name] ? TABLES_SLOTS[name](value) : value]);
  return sayOr(`because.${code}`, text, Object.fromEntries(values));
}
