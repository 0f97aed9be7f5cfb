// Forms are sent once: with their key, again and again until answered, and kept on this device while the link is down.
import { words, say } from "./words.js";

const KEPT = "screen-table-kept-form";
const HOLD_MS = 800;

const body = (form, button) => {
  const data = new FormData(form);
  if (button?.name) data.append(button.name, button.value);
  return new URLSearchParams(data);
};

async function send(action, data) {
  return fetch(action, { method: "POST", body: data, headers: { accept: "application/json" }, redirect: "manual" });
}

function keep(action, data) {
  const kept = JSON.parse(localStorage.getItem(KEPT) ?? "[]");
  if (!kept.some((form) => form.key === data.get("key"))) kept.push({ action, data: data.toString(), key: data.get("key") });
  localStorage.setItem(KEPT, JSON.stringify(kept));
}

function drop(key) {
  const kept = JSON.parse(localStorage.getItem(KEPT) ?? "[]").filter((form) => form.key !== key);
  localStorage.setItem(KEPT, JSON.stringify(kept));
}

export async function sendKept() {
  for (const form of JSON.parse(localStorage.getItem(KEPT) ?? "[]")) {
    const data = new URLSearchParams(form.data);
    const csrf = document.querySelector('meta[name="csrf"]')?.content;
    if (csrf) data.set("csrf", csrf);
    try {
      const answer = await send(form.action, data);
      if (answer.status !== 503 && answer.status !== 401) drop(form.key);
      if (answer.ok) say(words.back);
    } catch { return; }
  }
}

function showErrors(form, answer) {
  form.querySelectorAll(".field.wrong").forEach((field) => { field.classList.remove("wrong"); field.querySelector("em")?.remove(); });
  form.querySelector(".refused")?.remove();
  let first = null;
  const loose = answer.message ? [answer.message] : [];
  for (const [name, sentence] of Object.entries(answer.errors ?? {})) {
    const input = form.querySelector(`[name="${CSS.escape(name)}"]:not([type=hidden])`);
    const field = input?.closest(".field");
    if (!field) { loose.push(sentence); continue; }
    field.classList.add("wrong");
    const said = document.createElement("em");
    said.id = `e-${name}-${Date.now()}`;
    said.textContent = sentence;
    field.append(said);
    input.setAttribute("aria-invalid", "true");
    input.setAttribute("aria-describedby", said.id);
    first ??= input;
  }
  if (loose.length) {
    const refused = document.createElement("p");
    refused.className = "refused";
    refused.setAttribute("role", "alert");
    refused.textContent = loose.join(" ");
    form.prepend(refused);
  }
  first?.focus();
}

async function submit(form, button) {
  if (form.dataset.sending) return;
  form.dataset.sending = "1";
  const data = body(form, button);
  const buttons = form.querySelectorAll("button");
  buttons.forEach((one) => { one.disabled = true; });
  try {
    const answer = await send(form.action, data);
    if (answer.ok) {
      const to = (await answer.json()).location;
      if (form.hasAttribute("data-quiet")) return;
      location.assign(to);
      return;
    }
    if (answer.status === 401) { keep(form.action, data); location.assign("/login"); return; }
    if (answer.status === 503) { keep(form.action, data); say(words.kept, true); return; }
    showErrors(form, await answer.json().catch(() => ({})));
  } catch {
    keep(form.action, data);
    say(words.kept, true);
  } finally {
    delete form.dataset.sending;
    setTimeout(() => buttons.forEach((one) => { one.disabled = false; }), 400);
  }
}

function pressAndHold(form) {
  const button = form.querySelector("button");
  let timer = 0;
  const end = () => { clearTimeout(timer); timer = 0; button.removeAttribute("data-pressing"); };
  const begin = () => {
    if (timer) return;
    button.setAttribute("data-pressing", "");
    timer = setTimeout(() => { end(); submit(form, button); }, HOLD_MS);
  };
  button.type = "button";
  button.addEventListener("pointerdown", begin);
  for (const name of ["pointerup", "pointerleave", "pointercancel", "blur"]) button.addEventListener(name, end);
  button.addEventListener("keydown", (event) => { if ((event.key === " " || event.key === "Enter") && !event.repeat) { event.preventDefault(); begin(); } });
  button.addEventListener("keyup", end);
  button.addEventListener("click", (event) => { event.preventDefault(); say(words.hold); });
}

function keepDraft(form) {
  const said = form.querySelector("[data-draft-said]");
  let timer = 0;
  const save = async () => {
    const fields = Object.fromEntries([...new FormData(form)].filter(([name]) => name !== "csrf" && name !== "key"));
    const data = new URLSearchParams({ csrf: form.elements.csrf.value, form: form.dataset.draft, fields: JSON.stringify(fields) });
    try { const answer = await send("/drafts", data); if (answer.ok && said) said.textContent = words.saved; } catch { /* kept with the next stroke */ }
  };
  form.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(save, 700); });
}

function showFor(form) {
  const parts = form.querySelectorAll("[data-shown-for]");
  if (!parts.length) return;
  const show = () => parts.forEach((part) => { part.hidden = form.elements.verdict?.value !== part.dataset.shownFor; });
  form.addEventListener("change", show);
  show();
}

function preview(form) {
  const box = document.createElement("p");
  box.className = "preview";
  box.hidden = true;
  form.querySelector(".foot")?.before(box);
  let timer = 0;
  const ask = async () => {
    const data = body(form);
    data.delete("csrf"); data.delete("key");
    try {
      const answer = await fetch(`${form.getAttribute("action")}/preview?${data}`, { headers: { accept: "application/json" } });
      const said = answer.ok ? (await answer.json()).html : "";
      box.hidden = !said;
      if (said) box.innerHTML = said;
    } catch { box.hidden = true; }
  };
  form.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(ask, 250); });
}

export function watchForms(root) {
  const forms = root.matches?.("form") ? [root] : root.querySelectorAll("form");
  for (const form of forms) {
    if (form.dataset.watched || form.hasAttribute("data-plain") || form.method !== "post" || ["/login", "/logout", "/manner"].includes(new URL(form.action).pathname)) continue;
    form.dataset.watched = "1";
    if (form.dataset.holdMs) pressAndHold(form);
    if (form.dataset.draft) keepDraft(form);
    if (form.hasAttribute("data-preview")) preview(form);
    showFor(form);
    form.addEventListener("submit", (event) => { event.preventDefault(); submit(form, event.submitter); });
  }
}
window.addEventListener("online", sendKept);
document.addEventListener("pushed", () => { if (localStorage.getItem(KEPT)?.length > 2) sendKept(); });
