// One short text for everything that is seen inside: the value's name in the reader's words, and what it is about.
import { entryOf } from "./chain.js";
import { phaseName } from "./phases.js";
import { tablesReason } from "./refusals.js";
import { callText, say, sayOr } from "./words.js";

export const NOT_SHOWN = new Set(["ShowState", "SetDeadline", "ClearDeadline"]);
export const LEVEL_NAMES = ["note", "report", "urgent", "hold"];

// What every event brings, and says nothing: not worth a chip.
export const quiet = (item) => item.layer === "effect" && NOT_SHOWN.has(item.name);

const seconds = (ns) => (ns == null ? say("flow.unknown") : `${(ns / 1e9).toFixed(1)} s`);

function callOf(call) {
  if (call == null) return "";
  return typeof call === "string" ? callText(call) : "";
}

export function about(body) {
  const parts = [
    body.seat ?? "", body.seats?.join?.(" ") ?? "", body.side ?? body.screen_side ?? "", callOf(body.call),
    body.card ? callText(body.card) : "", body.number != null ? `${body.number}` : "", body.tag ?? "",
    typeof body.on === "boolean" ? say(body.on ? "signal.active" : "signal.inactive") : "",
    typeof body.state === "string" ? sayOr(`scene.window_${body.state}`, body.state) : "", body.order ? say("flow.order") : "",
  ];
  return parts.filter(Boolean).join(" ");
}

export function chipText(item) {
  const { body } = item;
  const title = item.text || null;
  switch (item.layer) {
    case "event": return { text: join(sayOr(`event.${item.name}`, item.name), about(body)), kind: "", title };
    case "effect": return { text: join(sayOr(`effect.${item.name}`, item.name), about(body)), kind: "", title };
    case "move": return { text: `→ ${body.dest ? phaseName(body.dest) : ""}`, kind: "", title };
    case "entry": return entryText(item, title);
    case "fault": return { text: `⚠ ${sayOr(`fault.${item.name}`, item.name)}`, kind: "", title };
    case "visit": return visitText(body.visit ?? body, title);
    default: return { text: sensed(item), kind: "", title };
  }
}

const join = (name, rest) => (rest ? `${name} ${rest}` : name);

function sensed(item) {
  const { value } = item.body;
  if (typeof value === "boolean") return `${item.name} ${say(value ? "signal.active" : "signal.inactive")}`;
  if (typeof value === "string") return `${item.name} ${value || say("signal.empty")}`;
  if (item.layer === "command") return commandText(item.body);
  return item.layer === "other" ? item.name : join(item.name, item.text);
}

function commandText({ verb, status, reason, code = "", slots = [] }) {
  const order = say("flow.command", { what: sayOr(`order.${verb}`, verb) });
  return status === "accepted" ? order : `${order} · ${sayOr(`command_status.${status}`, status)}${reason ? `: ${tablesReason(code, Object.fromEntries(slots), reason)}` : ""}`;
}

function entryText(item, title) {
  const entry = entryOf(item);
  const kinds = (entry.kinds ?? item.name.split(",")).map((kind) => sayOr(`kind.${kind}`, kind)).join(", ");
  const level = typeof entry.level === "number" ? LEVEL_NAMES[entry.level] : entry.level;
  const done = entry.standing && entry.standing !== "open";
  const text = say("flow.entry", { n: entry.id ?? "", kind: kinds });
  const more = [(entry.seats ?? []).join(" "), done ? sayOr(`standing.${entry.standing}`, entry.standing) : (entry.revision ?? 0) > 0 ? say("flow.amended") : ""].filter(Boolean);
  return { text: more.length ? `${text} · ${more.join(" · ")}` : text, kind: done ? "done" : `lv-${level}`, title };
}

export function visitText(visit, title = null) {
  const total = visit.arrived != null && visit.left != null ? seconds(visit.left - visit.arrived) : say("flow.unknown");
  return { text: `${say("flow.visit", { n: visit.ordinal })} · ${say("flow.visit_line", { side: visit.screen_side, total })}`, kind: "", title };
}
