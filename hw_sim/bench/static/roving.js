// One tab stop for a group of buttons; the arrows move inside it. Home and End go to its ends.

// `columns`: how wide a grid is, by a function so that it may change; 1 in a plain row or list.
export function roving(group, selector, columns = () => 1) {
  const things = () => [...group.querySelectorAll(selector)].filter((thing) => !thing.disabled && thing.offsetParent);
  const settle = (chosen) => {
    for (const thing of group.querySelectorAll(selector)) thing.tabIndex = thing === chosen ? 0 : -1;
  };
  const first = group.querySelector(`${selector}[aria-selected="true"], ${selector}[aria-pressed="true"]`) ?? group.querySelector(selector);
  settle(first);
  group.addEventListener("focusin", (event) => {
    const thing = event.target.closest(selector);
    if (thing) settle(thing);
  });
  group.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const all = things();
    const at = all.indexOf(document.activeElement);
    if (at < 0) return;
    const wide = columns();
    const down = wide > 1 ? wide : 1;
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, ArrowDown: at + down, ArrowUp: at - down, Home: 0, End: all.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    all[Math.max(0, Math.min(all.length - 1, to))].focus();
  });
  return settle;
}

// The tabs pattern: arrows choose, only the chosen panel is shown.
export function tabs(list, onChoose = () => {}) {
  const all = [...list.querySelectorAll('[role="tab"]')];
  const choose = (tab, focus = false) => {
    for (const other of all) {
      other.setAttribute("aria-selected", String(other === tab));
      document.getElementById(other.getAttribute("aria-controls")).hidden = other !== tab;
    }
    settle(tab);
    if (focus) tab.focus();
    onChoose(tab);
  };
  const settle = roving(list, '[role="tab"]');
  for (const tab of all) {
    tab.addEventListener("click", () => choose(tab));
    tab.addEventListener("focus", () => { if (tab.getAttribute("aria-selected") !== "true") choose(tab); });
  }
  return choose;
}
