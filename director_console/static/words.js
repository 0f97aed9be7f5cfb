// The few words scripts need, drawn into the page by the server in the viewer's language.
export const words = { ...(document.getElementById("words")?.dataset ?? {}) };
let hiding = 0;

export function say(text, stays = false) {
  const box = document.getElementById("said");
  if (!box || !text) return;
  box.textContent = text;
  box.hidden = false;
  clearTimeout(hiding);
  if (!stays) hiding = setTimeout(() => { box.hidden = true; }, 4000);
}
