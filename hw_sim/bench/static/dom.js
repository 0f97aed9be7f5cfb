// Making elements in a line, without markup in strings.
export const byId = (id) => document.getElementById(id);

export function make(tag, { text = "", on = {}, data = {}, ...attributes } = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(name, "");
    else if (value !== false && value != null) made.setAttribute(name, value);
  }
  for (const [name, value] of Object.entries(data)) made.dataset[name] = value;
  for (const [name, act] of Object.entries(on)) made.addEventListener(name, act);
  if (text) made.textContent = text;
  made.append(...children.filter((child) => child != null));
  return made;
}

export const options = (select, pairs, chosen) => select.replaceChildren(
  ...pairs.map(([value, text]) => make("option", { value, text, selected: value === chosen })),
);
