// Breaking it: four plugs, and every misdeed by a button with its parameters.
import { byId, make, options } from "./dom.js";
import { post, tell } from "./wire.js";
import { lang, say, sayOr } from "./words.js";

const PLUGS = ["cable", "controller", "broker", "console"];

export function plugs() {
  for (const what of PLUGS) {
    byId("plugs").append(make("button", {
      type: "button", role: "switch", class: "plug", data: { plug: what }, "aria-checked": "true", "aria-label": say(`plug.${what}`),
      on: { click: (event) => post("/api/plug", { what, plugged: event.currentTarget.getAttribute("aria-checked") !== "true" }) },
    }, make("span", { class: "socket", "aria-hidden": "true" }), make("b", { text: say(`plug.${what}`) }), make("small", { text: say("plug.in") })));
  }
}

export function showPlugs(state) {
  for (const what of PLUGS) {
    const button = byId("plugs").querySelector(`[data-plug="${what}"]`);
    button.setAttribute("aria-checked", String(state[what]));
    button.lastElementChild.textContent = say(state[what] ? "plug.in" : "plug.out");
  }
}

export const misdeedName = (name) => sayOr(`misdeed_name.${name}`, name);

// One row a misdeed: its button, and behind the dots its parameters where it has any.
export function misdeeds(choices) {
  byId("misdeeds").replaceChildren();
  byId("hardware").replaceChildren();
  for (const choice of choices.misdeeds) {
    byId(choice.whose === "players" ? "misdeeds" : "hardware").append(row(choice, choices.signals));
  }
}

function row(choice, signals) {
  const name = misdeedName(choice.name);
  const fields = Object.entries(choice.options).map(([key, value]) => field(choice.name, key, value, signals));
  const form = make("form", { class: "misdeed", data: { misdeed: choice.name } });
  const about = [lang === "en" ? choice.what : "", choice.regulations ? say("misdeed.under", { regulations: choice.regulations }) : ""].filter(Boolean).join("; ");
  form.append(make("button", { class: "do", text: name, title: about || null }));
  if (fields.length) {
    const more = make("div", { class: "parameters", hidden: true }, ...fields);
    form.append(make("button", {
      type: "button", class: "quiet dots", text: "⋯", "aria-expanded": "false", "aria-label": `${name}: ${Object.keys(choice.options).map((key) => sayOr(`option.${key}`, key)).join(", ")}`,
      on: { click: (event) => {
        more.hidden = !more.hidden;
        event.currentTarget.setAttribute("aria-expanded", String(!more.hidden));
      } },
    }), more);
  }
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    commit(choice, form, name);
  });
  return form;
}

function field(misdeed, key, value, signals) {
  const label = sayOr(`option.${key}`, key);
  let input;
  if (key === "signal") {
    input = make("select", { name: key });
    options(input, [["", say("misdeed.signal_any")], ...signals.map((signal) => [signal, signal])], value);
  } else if (key === "level") {
    input = make("select", { name: key });
    options(input, [["active", say("option.active")], ["inactive", say("option.inactive")]], value);
  } else {
    input = make("input", { name: key, value, autocomplete: "off", inputmode: /^[\d.]+$/.test(value) ? "decimal" : null });
  }
  return make("label", { class: "field" }, make("span", { text: label }), input);
}

async function commit(choice, form, name) {
  const given = {};
  for (const input of form.querySelectorAll("input, select")) {
    if (input.value.trim() !== "") given[input.name] = input.value.trim();
  }
  if (await post("/api/misdeed", { name: choice.name, options: given })) {
    tell(say(choice.whose === "players" ? "misdeed.asked" : "misdeed.done", { name }));
  }
}
