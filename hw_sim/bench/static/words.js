// Every word on the page, in the viewer's language, and how a call or a card is written.
const html = document.documentElement;
const words = await (await fetch(html.dataset.words)).json();
export const lang = html.lang;

// The text of a key with its slots filled; the key itself where the words have none, so that a gap is seen.
export function say(key, values = {}) {
  const text = words[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

export const known = (key) => key in words;
export const sayOr = (key, otherwise, values = {}) => (known(key) ? say(key, values) : otherwise);

const SIGNS = { C: "♣", D: "♦", H: "♥", S: "♠" };
const SUITS = { C: "clubs", D: "diamonds", H: "hearts", S: "spades" };

// `1S` becomes 1♠, `P` a word; a played card `SA` becomes ♠A.
export function callText(call) {
  if (["P", "X", "XX", "STOP"].includes(call)) return say(`card.${call}`);
  const bid = /^([1-7])(C|D|H|S|NT?)$/.exec(call);
  if (bid) return bid[1] + (SIGNS[bid[2]] ?? "NT");
  const card = /^([CDHS])([2-9TJQKA]|10)$/.exec(call);
  if (card) return SIGNS[card[1]] + card[2].replace("T", "10");
  return call;
}

// `4SX` becomes 4♠X.
export const contractText = (contract) => contract.replace(/^([1-7](?:NT|[CDHS]))(X*)$/, (whole, bid, doubled) => callText(bid) + doubled);

export function suitOf(call) {
  if (call === "P") return "pass";
  if (call === "X") return "double";
  if (call === "XX") return "redouble";
  if (call === "STOP") return "stop";
  const bid = /^[1-7]([CDHSN])/.exec(call);
  if (bid) return SUITS[bid[1]] ?? "nt";
  return SUITS[call[0]] ?? "";
}

export const numbers = new Intl.NumberFormat(lang, { maximumFractionDigits: 1 });

// Seconds as 1:02.3; the bench may show time, a player's view never does.
export function clock(ns) {
  const tenths = Math.max(0, Math.floor(ns / 1e8));
  const seconds = (tenths % 600) / 10;
  return `${Math.floor(tenths / 600)}:${seconds.toFixed(1).padStart(4, "0")}`;
}
