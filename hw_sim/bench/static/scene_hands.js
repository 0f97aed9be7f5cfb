// Hands on the drawing: the tray pulled across, and the arrows from thing to thing.
import { AT, C, SOON_MS, STEP_OUT } from "./places.js";

function pointOf(svg, event) {
  const matrix = svg.getScreenCTM();
  return new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
}

// Pulled by hand the tray follows the diagonal; let go past the screen, it goes across.
export function drag(scene) {
  const bed = scene.tray;
  let start = null;
  bed.addEventListener("pointerdown", (event) => {
    if (event.button || !AT[bed.dataset.at] || bed.dataset.at === "between") return;
    start = { id: event.pointerId, from: pointOf(scene.svg, event), at: bed.dataset.at };
  });
  scene.svg.addEventListener("pointerdown", () => { scene.dragged = false; }, true);
  document.addEventListener("pointermove", (event) => {
    if (!start || event.pointerId !== start.id) return;
    const now = pointOf(scene.svg, event);
    const along = ((now.x - start.from.x) - (now.y - start.from.y)) / 2;
    if (!scene.dragging && Math.abs(along) < 10) return;
    if (!scene.dragging) {
      scene.dragging = scene.dragged = true;
      scene.svg.classList.add("dragging");
    }
    const base = start.at === "NE" ? STEP_OUT : -STEP_OUT;
    const to = Math.max(-STEP_OUT, Math.min(STEP_OUT, base + along));
    bed.style.transform = `translate(${C + to}px, ${C - to}px)`;
    start.across = start.at === "NE" ? to < 10 : to > -10;
  });
  const end = (event) => {
    if (!start || event.pointerId !== start.id) return;
    const { across } = start;
    const pulled = scene.dragging;
    start = null;
    scene.dragging = false;
    scene.svg.classList.remove("dragging");
    if (pulled && across && event.type === "pointerup") scene.act("tray", null);
    if (pulled) setTimeout(() => scene.drawTray(scene.body), across ? SOON_MS : 0); // where it went is seen by then
  };
  document.addEventListener("pointerup", end);
  document.addEventListener("pointercancel", end);
}

// One stop for the tab key; the arrows go from thing to thing, by where they lie.
export function rove(svg) {
  svg.setAttribute("tabindex", "0");
  svg.addEventListener("focus", () => svg.classList.add("keys"));
  svg.addEventListener("keydown", (event) => {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!way || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    next(svg, way)?.focus();
  });
}

function next(svg, [dx, dy]) {
  const things = [...svg.querySelectorAll(".touch")].filter((thing) => !thing.closest("[hidden]"));
  const middle = (thing) => {
    const box = thing.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const here = document.activeElement;
  if (!things.includes(here)) return things.find((thing) => thing.dataset.what === "seat") ?? things[0];
  const [x, y] = middle(here);
  let best = null;
  let least = Infinity;
  for (const thing of things) {
    const [tx, ty] = middle(thing);
    const ahead = (tx - x) * dx + (ty - y) * dy;
    const aside = Math.abs((tx - x) * dy) + Math.abs((ty - y) * dx);
    if (thing !== here && ahead > 2 && ahead + 2 * aside < least) [best, least] = [thing, ahead + 2 * aside];
  }
  return best;
}
