// What every page does: takes changes, tells the time, sends forms once. Plain ES modules, nothing from elsewhere.
import { follow } from "./live.js";
import { tick } from "./clock.js";
import { watchForms } from "./forms.js";
import { fitWall } from "./wall.js";
import { sound } from "./sound.js";

function closeMenus(except) {
  document.querySelectorAll("details.person[open]").forEach((menu) => { if (!menu.contains(except)) menu.open = false; });
}
document.addEventListener("click", (event) => closeMenus(event.target));
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const inside = document.activeElement?.closest("details.person[open]");
  closeMenus(null);
  inside?.querySelector("summary").focus();
});

tick();
watchForms(document);
fitWall();
sound();
follow({ changed: (elements) => { elements.forEach((element) => watchForms(element)); tick(); } });
