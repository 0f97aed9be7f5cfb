// What the page says to the bench and hears from it. What could not be sent is said, never kept silently.
import { problemText } from "./refusals.js";
import { say } from "./words.js";

const LONGEST = 220;
let hiding = 0;

// A sentence that lists everything there is ends with what fits.
function cut(text) {
  if (text.length <= LONGEST) return text;
  const comma = Math.max(...[", ", "、"].map((one) => text.lastIndexOf(one, LONGEST)));
  return `${text.slice(0, comma > 0 ? comma : LONGEST)} …`;
}

export function tell(text, stays = false) {
  const box = document.getElementById("said");
  if (!text) return;
  box.textContent = cut(text);
  box.hidden = false;
  clearTimeout(hiding);
  if (!stays) hiding = setTimeout(() => { box.hidden = true; }, 6000);
}

async function answered(request) {
  let answer;
  try {
    answer = await request;
  } catch {
    tell(say("page.not_sent"));
    return null;
  }
  const type = answer.headers.get("content-type") ?? "";
  const body = type.includes("json") ? await answer.json() : await answer.text();
  if (answer.ok) return body;
  tell(problemText(typeof body === "object" ? body : { text: body }));
  return null;
}

// The answer, or null after the reason has been said.
export const post = (path, body) => answered(fetch(path, {
  method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body),
}));

export const get = (path) => answered(fetch(path));

// Keeps a socket open; `onNews` takes every message, `onLink` whether it is there.
export function listen(path, onNews, onLink) {
  let wait = 300;
  const open = () => {
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`);
    socket.addEventListener("open", () => { wait = 300; onLink(true); });
    socket.addEventListener("message", (event) => onNews(JSON.parse(event.data)));
    socket.addEventListener("close", () => {
      onLink(false);
      setTimeout(open, wait);
      wait = Math.min(wait * 2, 5000);
    });
  };
  open();
}
