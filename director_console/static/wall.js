// The largest tiles with which all tables fit without scrolling; their order and place never change.
const SAID = 30;  // kept free below the tiles for what the page has to say
const SHAPE = { s: [78, 54, 1.3], m: [230, 180, 1.4], l: [440, 330, 1.9] };

export function fitWall() {
  const wall = document.querySelector(".wall");
  if (!wall) return;
  const tiles = Number(wall.dataset.wall);
  const size = ["s", "m", "l"].find((name) => wall.classList.contains(name));
  const fit = () => {
    const [least, lowest, shape] = SHAPE[size];
    const gap = parseFloat(getComputedStyle(wall).columnGap) || 6;
    const box = wall.getBoundingClientRect();
    const width = box.width, height = window.innerHeight - box.top - Math.max(12, SAID);
    let best = null;
    for (let columns = 1; columns <= tiles; columns += 1) {
      const rows = Math.ceil(tiles / columns);
      const w = (width - gap * (columns - 1)) / columns, h = (height - gap * (rows - 1)) / rows;
      if (w < least * 0.8 && columns > 1) break;
      const fits = h >= lowest * 0.8;
      const score = fits ? Math.min(w, h * shape) : -1;
      if (!best || score > best.score) best = { columns, h, score };
    }
    if (!best) return;
    wall.style.setProperty("--cols", best.columns);
    wall.style.setProperty("--row", `${best.score > 0 ? Math.min(Math.floor(best.h), lowest * 1.4) : lowest}px`);
    wall.toggleAttribute("data-tight", best.h < lowest);
    wall.toggleAttribute("data-fitted", true);
  };
  fit();
  window.addEventListener("resize", fit);
}
